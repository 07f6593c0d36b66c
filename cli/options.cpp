// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/checks/catalogue.hpp"
#include "core/doctor/examination.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;

/// In the order of Output.
constexpr std::array<std::string_view, 9> kAllForms = {
    "text", "json", "junit", "commands", "prometheus", "nagios", "npd", "perftest", "markdown"};
constexpr std::array<std::string_view, 6> kDoctorForms = {"text",       "json",   "junit",
                                                          "prometheus", "nagios", "npd"};
constexpr std::array<std::string_view, 5> kPlanForms = {"text", "json", "junit", "commands",
                                                        "markdown"};
constexpr std::array<std::string_view, 3> kVerifyForms = {"text", "json", "junit"};
constexpr std::array<std::string_view, 2> kForms = {"text", "json"};
constexpr std::array<std::string_view, 7> kClasses = {"none",  "queues", "link",        "reload",
                                                      "reset", "reboot", "irreversible"};

std::string list(std::span<const std::string_view> words) {
    std::string out;
    for (const std::string_view word : words) {
        if (!out.empty()) out += ", ";
        out += word;
    }
    return out;
}

void take_file(Options& options, const std::string& value, bool html) {
    if (options.out) throw Error(Status::usage, "--html and --output-file exclude each other");
    options.out = value;
    options.html = html;
}

/// Checks and groups of doctor.
std::vector<std::string> doctor_names() {
    std::vector<std::string> out;
    for (const core::FindingRow* row : core::doctor_rows())
        out.emplace_back(row->id);
    for (const core::FindingGroup* group : core::finding_groups())
        if (std::ranges::any_of(core::doctor_rows(), [&](const core::FindingRow* row) {
                return &core::group_of(*row) == group;
            }))
            out.emplace_back(group->name);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

void take_output(Options& options, const std::string& value,
                 std::span<const std::string_view> forms) {
    if (std::ranges::find(forms, value) == forms.end())
        refuse_value("-o", value, "one of " + list(forms));
    options.output = output_named(value);
}

void take_names(std::set<std::string>& names, std::string_view option, const std::string& value) {
    for (std::string& name : names_in(option, value))
        names.insert(std::move(name));
}

void take_allow(Options& options, const std::string& value) {
    const auto named = core::disruption_named(value);
    if (value == "irreversible")
        options.allow_irreversible = true;
    else if (named)
        options.allow = *named;
    else
        refuse_value("--allow", value, "one of " + list(kClasses));
}

void take_set(Options& options, const std::string& value) {
    const std::size_t equals = value.find('=');
    if (equals == std::string::npos || equals == 0) refuse_value("--set", value, "NAME=VALUE");
    options.set[value.substr(0, equals)] = value.substr(equals + 1);
}

void take_root(Options& options, const std::string& value) {
    if (!std::filesystem::is_directory(value)) refuse_value("--root", value, "a directory");
    options.root = value;
}

const std::array kCommon = {
    OptionRow{.name = "--root",
              .value = "DIR",
              .help = "Read and write the host's files below DIR",
              .take = take_root},
    OptionRow{.name = "--verbose",
              .letter = "-v",
              .help = "Tell more; twice: everything",
              .repeats = true,
              .take = [](Options& o, const std::string&) { ++o.verbosity; }},
    OptionRow{.name = "--quiet",
              .letter = "-q",
              .help = "Tell nothing but errors",
              .take = [](Options& o, const std::string&) { o.verbosity = -1; }},
};

}  // namespace

void refuse_value(std::string_view option, const std::string& value, const std::string& expected) {
    throw Error(Status::usage,
                std::string(option) + ": found '" + value + "', expected " + expected);
}

std::vector<std::string> names_in(std::string_view option, const std::string& value) {
    std::vector<std::string> out;
    std::size_t from = 0;
    while (from <= value.size()) {
        const std::size_t end = std::min(value.find(',', from), value.size());
        if (end == from) refuse_value(option, value, "names with commas between them");
        out.push_back(value.substr(from, end - from));
        from = end + 1;
    }
    return out;
}

Output output_named(std::string_view form) {
    const auto at = std::ranges::find(kAllForms, form);
    return at == kAllForms.end() ? Output::text : static_cast<Output>(at - kAllForms.begin());
}

std::chrono::milliseconds parse_duration(std::string_view option, const std::string& text) {
    constexpr std::string_view kExpected = "a duration such as 500ms, 30s, 2m or 1h";
    constexpr std::uint32_t kLongest = 1'000'000;
    std::uint32_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    if (error == std::errc{} && rest != text.data() && number <= kLongest) {
        if (unit == "ms") return std::chrono::milliseconds(number);
        if (unit == "s") return std::chrono::seconds(number);
        if (unit == "m") return std::chrono::minutes(number);
        if (unit == "h") return std::chrono::hours(number);
    }
    refuse_value(option, text, std::string(kExpected));
}

namespace option {

const OptionRow state{.name = "--state",
                      .value = "FILE",
                      .help = "Use the state in FILE (see rocectl snapshot) instead of this host",
                      .take = [](Options& o, const std::string& value) { o.state = value; }};
const OptionRow set{.name = "--set",
                    .value = "NAME=VALUE",
                    .help = "Set a variable of the profile; wins over --vars",
                    .repeats = true,
                    .take = take_set};
const OptionRow vars{.name = "--vars",
                     .value = "FILE",
                     .help = "Read the profile's variables from FILE",
                     .take = [](Options& o, const std::string& value) { o.vars = value; }};
const OptionRow exit_code{.name = "--exit-code",
                          .help = "End with status 2 where something would change",
                          .take = [](Options& o, const std::string&) { o.exit_code = true; }};
const OptionRow only{
    .name = "--only",
    .value = "NAMES",
    .help = "Look for these findings or groups alone, with commas between them",
    .repeats = true,
    .take = [](Options& o, const std::string& value) { take_names(o.only, "--only", value); },
    .more_words = doctor_names};
const OptionRow skip{
    .name = "--skip",
    .value = "NAMES",
    .help = "Leave out these findings or groups",
    .repeats = true,
    .take = [](Options& o, const std::string& value) { take_names(o.skip, "--skip", value); },
    .more_words = doctor_names};
const OptionRow strict{.name = "--strict",
                       .help = "End with status 2 where there are warnings alone",
                       .take = [](Options& o, const std::string&) { o.strict = true; }};
const OptionRow list{.name = "--list",
                     .help = "List what is looked for, and look for nothing",
                     .take = [](Options& o, const std::string&) { o.list = true; }};
const OptionRow window{
    .name = "--window",
    .value = "DURATION",
    .help = "Read the host twice, DURATION apart, and look at what was counted in between",
    .take = [](Options& o, const std::string& v) { o.window = parse_duration("--window", v); }};
const OptionRow watch{
    .name = "--watch",
    .help = "Go on, and tell what happens as it happens; with --window for so long",
    .take = [](Options& o, const std::string&) { o.watch = true; }};
const OptionRow watch_window{
    .name = "--window",
    .value = "DURATION",
    .help = "End after DURATION; else at SIGINT",
    .take = [](Options& o, const std::string& v) { o.window = parse_duration("--window", v); }};
const OptionRow heal{.name = "--heal",
                     .help = "Write back what differs, and verify it, as apply does",
                     .take = [](Options& o, const std::string&) { o.heal = true; }};
const OptionRow since{.name = "--since",
                      .value = "FILE",
                      .help =
                          "Compare with the earlier snapshot in FILE: what was counted since, "
                          "and what changed",
                      .take = [](Options& o, const std::string& value) { o.since = value; }};
const OptionRow here{.name = "--here",
                     .help = "Look for the causes of the text on this host too",
                     .take = [](Options& o, const std::string&) { o.here = true; }};
const OptionRow redact{.name = "--redact",
                       .help = "Replace addresses, names and serial numbers, the same by the same",
                       .take = [](Options& o, const std::string&) { o.redact = true; }};
const OptionRow html{
    .name = "--html",
    .value = "FILE",
    .help = "Write a page for a browser to FILE beside",
    .take = [](Options& o, const std::string& value) { take_file(o, value, true); }};
const OptionRow output_file{
    .name = "--output-file",
    .value = "FILE",
    .help = "Replace FILE with what would be printed, as a whole",
    .take = [](Options& o, const std::string& value) { take_file(o, value, false); }};
const OptionRow settings_only{
    .name = "--settings-only",
    .help = "Tell which ports are not ready, and let the status depend on settings alone",
    .take = [](Options& o, const std::string&) { o.settings_only = true; }};
const OptionRow only_port{
    .name = "--port",
    .value = "PORT",
    .help =
        "Only what the profile wishes of PORT, the bond above it and VLANs on either; of the host "
        "its modules",
    .take = [](Options& o, const std::string& value) { o.only_port = value; }};
const OptionRow persistent{
    .name = "--persistent",
    .help = "Tell too what would not be as wished after a reboot, by the file that says so",
    .take = [](Options& o, const std::string&) { o.persistent = true; }};
const OptionRow wait{
    .name = "--wait",
    .value = "DURATION",
    .help = "Look again until all is as wished and ready, or DURATION is over",
    .take = [](Options& o, const std::string& v) { o.wait = parse_duration("--wait", v); }};
const OptionRow wait_for_links{
    .name = "--wait",
    .value = "DURATION",
    .help =
        "Let links and RDMA ports take up to DURATION to be ready (30s; 5s where they were not)",
    .take = [](Options& o, const std::string& v) { o.wait = parse_duration("--wait", v); }};
const OptionRow lock_timeout{.name = "--lock-timeout",
                             .value = "DURATION",
                             .help = "Wait up to DURATION for another run that writes (0s)",
                             .take = [](Options& o, const std::string& v) {
                                 o.lock_timeout = parse_duration("--lock-timeout", v);
                             }};
const OptionRow time_limit{.name = "--time-limit",
                           .value = "DURATION",
                           .help = "Give up one exchange with the kernel after DURATION (30s)",
                           .take = [](Options& o, const std::string& v) {
                               o.time_limit = parse_duration("--time-limit", v);
                           }};
const OptionRow reading_limit{
    .name = "--time-limit",
    .value = "DURATION",
    .help = "End with 1 where the kernel has not told all after DURATION; else there is no limit",
    .take = [](Options& o, const std::string& v) {
        o.time_limit = parse_duration("--time-limit", v);
        o.limited = true;
    }};
const OptionRow run_limit{
    .name = "--time-limit",
    .value = "DURATION",
    .help = "End with 1 where the kernel has not told all after DURATION (30s)",
    .take = [](Options& o, const std::string& v) {
        o.time_limit = parse_duration("--time-limit", v);
    }};
const OptionRow confirm{
    .name = "--confirm",
    .value = "DURATION",
    .help = "Go back unless rocectl confirm comes within DURATION",
    .take = [](Options& o, const std::string& v) { o.confirm = parse_duration("--confirm", v); }};
const OptionRow probe{
    .name = "--probe",
    .value = "PROBE",
    .help =
        "With --confirm: go back at once when this does not hold any more: "
        "gateway, tcp:HOST:PORT, rdma:HOST or command:PROGRAM",
    .repeats = true,
    .take = [](Options& o, const std::string& v) { o.probes.push_back(parse_probe(v)); }};
const OptionRow extend{
    .name = "--extend",
    .value = "DURATION",
    .help = "Do not confirm yet: let DURATION from now pass first",
    .take = [](Options& o, const std::string& v) { o.extend = parse_duration("--extend", v); }};
const OptionRow status{.name = "--status",
                       .help = "Say what waits to be confirmed, and how long; change nothing",
                       .take = [](Options& o, const std::string&) { o.status = true; }};
const OptionRow plan{.name = "--plan",
                     .value = "FILE",
                     .help = "Apply the plan that rocectl plan --out wrote to FILE",
                     .take = [](Options& o, const std::string& v) { o.plan_file = v; }};
const OptionRow plan_out{.name = "--out",
                         .value = "FILE",
                         .help = "Write the plan to FILE, for rocectl apply --plan",
                         .take = [](Options& o, const std::string& v) { o.out = v; }};
const OptionRow yes{.name = "--yes",
                    .help = "Do not ask",
                    .take = [](Options& o, const std::string&) { o.yes = true; }};
const OptionRow trust_files{
    .name = "--trust-files",
    .help = "As root, take profiles and variables that others could have written",
    .take = [](Options& o, const std::string&) { o.trust_files = true; }};
const OptionRow allow{.name = "--allow",
                      .value = "CLASS",
                      .help =
                          "Accept disruption up to none, queues, link (default), reload, reset "
                          "or reboot; irreversible accepts what cannot be undone",
                      .repeats = true,
                      .take = take_allow,
                      .words = kClasses};
const OptionRow take{.name = "--take",
                     .value = "OWNER",
                     .help = "Write what OWNER, as plan names it, writes too",
                     .repeats = true,
                     .take = [](Options& o, const std::string& v) { o.take.insert(v); }};
const OptionRow out{.name = "--out",
                    .value = "FILE",
                    .help = "With --state: write the state that results to FILE",
                    .take = [](Options& o, const std::string& value) { o.out = value; }};
const OptionRow snapshot_file{.name = "--output",
                              .letter = "-o",
                              .value = "FILE",
                              .help = "Write to FILE instead of standard output",
                              .take = [](Options& o, const std::string& v) { o.out = v; }};
const OptionRow profile_file{.name = "--out",
                             .letter = "-o",
                             .value = "FILE",
                             .help = "Write to FILE instead of standard output",
                             .take = [](Options& o, const std::string& v) { o.out = v; }};
const OptionRow output{
    .name = "--output",
    .letter = "-o",
    .value = "FORM",
    .help = "Print text (default) or json",
    .take = [](Options& o, const std::string& value) { take_output(o, value, kForms); },
    .words = kForms};
const OptionRow output_or_commands{
    .name = "--output",
    .letter = "-o",
    .value = "FORM",
    .help =
        "Print text (default), json, junit, markdown, or commands: the ip, dcb, rdma and ethtool "
        "lines that would do the same",
    .take = [](Options& o, const std::string& value) { take_output(o, value, kPlanForms); },
    .words = kPlanForms};
const OptionRow output_or_junit{
    .name = "--output",
    .letter = "-o",
    .value = "FORM",
    .help = "Print text (default), json or junit",
    .take = [](Options& o, const std::string& value) { take_output(o, value, kVerifyForms); },
    .words = kVerifyForms};
const OptionRow output_of_doctor{
    .name = "--output",
    .letter = "-o",
    .value = "FORM",
    .help =
        "Print text (default), json, junit, prometheus, or the line of a nagios or npd plugin, "
        "with its own exit statuses",
    .take = [](Options& o, const std::string& value) { take_output(o, value, kDoctorForms); },
    .words = kDoctorForms};

}  // namespace option

std::span<const OptionRow> common_options() {
    return kCommon;
}

}  // namespace cli
