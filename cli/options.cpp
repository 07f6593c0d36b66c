// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <algorithm>
#include <array>

#include "core/checks/catalogue.hpp"
#include "core/doctor/examination.hpp"
#include "core/error.hpp"
#include "core/model/quote.hpp"
#include "core/plan/owners.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;

constexpr std::array<std::string_view, 7> kClasses = {"none",  "queues", "link",        "reload",
                                                      "reset", "reboot", "irreversible"};

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
        refuse_value("--allow", value, "one of " + listed(kClasses));
}

void take_owner(Options& options, const std::string& value) {
    const std::vector<std::string_view> names = core::owner_names();
    if (std::ranges::find(names, value) == names.end())
        refuse_value("--take", value, "one of " + listed(names));
    options.take.insert(value);
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
    throw Error(Status::usage, std::string(option) + ": found " + core::in_quotes(value) +
                                   ", expected " + expected);
}

std::string listed(std::span<const std::string_view> words) {
    std::string out;
    for (const std::string_view word : words) {
        if (!out.empty()) out += ", ";
        out += word;
    }
    return out;
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
const OptionRow watch{
    .name = "--watch",
    .help = "Go on, and tell what happens as it happens; with --window for so long",
    .take = [](Options& o, const std::string&) { o.watch = true; }};
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
const OptionRow settings_only{
    .name = "--settings-only",
    .help = "Tell which ports are not ready, and let the status depend on settings alone",
    .take = [](Options& o, const std::string&) { o.settings_only = true; }};
const OptionRow only_port{
    .name = "--port",
    .value = "PORT",
    .help =
        "Only what the profile states of PORT, the bond above it and VLANs on either; of the host "
        "its modules",
    .take = [](Options& o, const std::string& value) { o.only_port = value; }};
const OptionRow of_switches{.name = "--switch",
                            .help =
                                "Show what the switches have to be set to, also in the words of "
                                "SONiC, Cumulus, EOS and NX-OS",
                            .take = [](Options& o, const std::string&) { o.of_switches = true; }};
const OptionRow persistent{
    .name = "--persistent",
    .help = "Tell too what would not be as desired after a reboot, by the file that says so",
    .take = [](Options& o, const std::string&) { o.persistent = true; }};
const OptionRow status{.name = "--status",
                       .help = "Say what waits to be confirmed, and how long; change nothing",
                       .take = [](Options& o, const std::string&) { o.status = true; }};
const OptionRow plan{.name = "--plan",
                     .value = "FILE",
                     .help = "Apply the plan that rocectl plan --out wrote to FILE",
                     .take = [](Options& o, const std::string& v) { o.plan_file = v; }};
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
                     .take = take_owner};

}  // namespace option

std::span<const OptionRow> common_options() {
    return kCommon;
}

}  // namespace cli
