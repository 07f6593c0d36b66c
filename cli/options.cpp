// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/error.hpp"
#include "core/model/quote.hpp"
#include "core/plan/owners.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;

/// In the order of Output.
constexpr std::array<std::string_view, 9> kAllForms = {
    "text", "json", "junit", "commands", "prometheus", "nagios", "npd", "perftest", "markdown"};
constexpr std::array<std::string_view, 3> kFormsWithJunit = {"text", "json", "junit"};
constexpr std::array<std::string_view, 2> kForms = {"text", "json"};

constexpr std::array<std::string_view, 8> kClasses = {
    "none", "queues", "link", "reload", "reset", "reboot", "irreversible", "unguarded"};

/// The words joined by commas: `text, json`.
std::string listed(std::span<const std::string_view> words) {
    std::string out;
    for (const std::string_view word : words)
        out.append(out.empty() ? "" : ", ").append(word);
    return out;
}

void take_allow(Options& options, const OptionRow& /*row*/, const std::string& value) {
    if (value == "irreversible")
        options.allow_irreversible = true;
    else if (value == "unguarded")
        options.allow_unguarded = true;
    else
        options.allow = core::disruption_named(value);
}

void take_owner(Options& options, const OptionRow& row, const std::string& value) {
    const std::vector<std::string_view> names = core::owner_names();
    if (std::ranges::find(names, value) == names.end())
        refuse_value(row.name, value, "one of " + listed(names));
    options.take.insert(value);
}

void take_set(Options& options, const OptionRow& row, const std::string& value) {
    const std::size_t equals = value.find('=');
    if (equals == std::string::npos || equals == 0) refuse_value(row.name, value, "NAME=VALUE");
    options.set[value.substr(0, equals)] = value.substr(equals + 1);
}

void take_root(Options& options, const OptionRow& row, const std::string& value) {
    const std::filesystem::path folder = value;
    if (!netlink::is_folder(folder)) refuse_value(row.name, value, "a directory");
    options.root = folder;
}

constexpr std::array kCommon = {
    OptionRow{.name = "--root",
              .value = "DIR",
              .help = "Read and write the host's files below DIR",
              .take = take_root},
    OptionRow{.name = "--verbose",
              .letter = "-v",
              .help = "Tell more; twice: everything",
              .repeats = true,
              .take = [](Options& o, const OptionRow&, const std::string&) { ++o.verbosity; }},
    OptionRow{.name = "--quiet",
              .letter = "-q",
              .help = "Tell nothing but errors",
              .take = [](Options& o, const OptionRow&, const std::string&) { o.verbosity = -1; }},
};

/// What is expected of a value that is no word of the row: `one of text, json`; of several words
/// `out, in or both, with commas between them`.
std::string expected(const OptionRow& row) {
    std::string out = row.joins_words || row.words.size() == 1 ? "" : "one of ";
    for (std::size_t i = 0; i < row.words.size(); ++i) {
        if (i > 0) out += row.joins_words && i + 1 == row.words.size() ? " or " : ", ";
        out += row.words[i];
    }
    return out + (row.joins_words ? ", with commas between them" : "");
}

void check_words(const OptionRow& row, const std::string& value) {
    // As people type it: -o.
    const std::string_view typed = row.letter.empty() ? row.name : row.letter;
    for (const std::string& word :
         row.joins_words ? names_in(typed, value) : std::vector<std::string>{value})
        if (std::ranges::find(row.words, word) == row.words.end())
            refuse_value(typed, word, expected(row));
}

}  // namespace

void take_option(Options& options, const OptionRow& row, const std::string& value) {
    if (!row.value.empty() && value.empty()) refuse_value(row.name, value, std::string(row.value));
    if (!row.words.empty()) check_words(row, value);
    if (row.take != nullptr) row.take(options, row, value);
    options.given.emplace_back(row.name, value);
}

std::optional<std::string> given_value(const Options& options, const OptionRow& row) {
    std::optional<std::string> out;
    for (const auto& [name, value] : options.given)
        if (name == row.name) out = value;
    return out;
}

void refuse_value(std::string_view option, const std::string& value, const std::string& expected) {
    throw Error(Status::usage, std::string(option) + ": found " + core::in_quotes(value) +
                                   ", expected " + expected);
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

std::uint64_t parse_number(const OptionRow& row, const std::string& text) {
    std::uint64_t out = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, out);
    if (error != std::errc() || rest != end || out < row.least || out > row.most)
        refuse_value(
            row.name, text,
            "a number from " + std::to_string(row.least) + " to " + std::to_string(row.most));
    return out;
}

namespace stored {

void put(bool& member, const OptionRow& /*row*/, const std::string& /*value*/) {
    member = true;
}

void put(std::string& member, const OptionRow& /*row*/, const std::string& value) {
    member = value;
}

void put(std::chrono::milliseconds& member, const OptionRow& row, const std::string& value) {
    member = parse_duration(row.name, value);
}

void put(Output& member, const OptionRow& /*row*/, const std::string& value) {
    member = output_named(value);
}

void put(std::set<std::string>& member, const OptionRow& row, const std::string& value) {
    for (std::string& name : names_in(row.name, value))
        member.insert(std::move(name));
}

}  // namespace stored

namespace option {

const OptionRow state{.name = "--state",
                      .value = "FILE",
                      .help = "Use the state in FILE (see rocectl snapshot) instead of this host",
                      .reads_input = true,
                      .take = store<&Options::state>};
const OptionRow set{.name = "--set",
                    .value = "NAME=VALUE",
                    .help = "Set a variable of the profile; wins over --vars",
                    .repeats = true,
                    .take = take_set};
const OptionRow vars{.name = "--vars",
                     .value = "FILE",
                     .help = "Read the profile's variables from FILE",
                     .reads_input = true,
                     .take = store<&Options::vars>};
const OptionRow html{.name = "--html",
                     .value = "FILE",
                     .help = "Write a page for a browser to FILE beside",
                     .take = [](Options& o, const OptionRow&, const std::string& value) {
                         o.out = value;
                         o.html = true;
                     }};
const OptionRow settings_only{
    .name = "--settings-only",
    .help = "Tell which ports are not ready, and let the status depend on settings alone",
    .take = store<&Options::settings_only>};
const OptionRow only_port{
    .name = "--port",
    .value = "PORT",
    .help =
        "Only what the profile states of PORT, the bond above it and VLANs on either; of the host "
        "its modules",
    .take = store<&Options::only_port>};
const OptionRow wait_for_links{
    .name = "--wait",
    .value = "DURATION",
    .help =
        "Let links and RDMA ports take up to DURATION to be ready (30s; 5s where they were not)",
    .take = store<&Options::wait>};
const OptionRow lock_timeout{.name = "--lock-timeout",
                             .value = "DURATION",
                             .help = "Wait up to DURATION for another run that writes (0s)",
                             .take = store<&Options::lock_timeout>};
const OptionRow time_limit{.name = "--time-limit",
                           .value = "DURATION",
                           .help =
                               "Give up one exchange with the kernel, or a disk that takes no "
                               "entry of the journal, after DURATION (30s)",
                           .take = store<&Options::time_limit>};
const OptionRow reading_limit{
    .name = "--time-limit",
    .value = "DURATION",
    .help =
        "End with 1 where the kernel has not reported all after DURATION; else there is no limit",
    .take = [](Options& o, const OptionRow& row, const std::string& value) {
        o.time_limit = parse_duration(row.name, value);
        o.limited = true;
    }};
const OptionRow run_limit{
    .name = "--time-limit",
    .value = "DURATION",
    .help = "End with 1 where the kernel has not reported all after DURATION (30s)",
    .take = store<&Options::time_limit>};
const OptionRow yes{.name = "--yes", .help = "Do not ask", .take = store<&Options::yes>};
const OptionRow trust_files{
    .name = "--trust-files",
    .help = "As root, take profiles and variables that others could have written",
    .take = store<&Options::trust_files>};
const OptionRow firmware{
    .name = "--firmware",
    .help = "Ask the firmware of NICs too, by the kernel's fwctl (mlx5_core, bnxt_en)",
    .excludes = "--state",
    .take = store<&Options::firmware>};
const OptionRow allow{.name = "--allow",
                      .value = "CLASS",
                      .help =
                          "Accept disruption up to none, queues, link (default), reload, reset "
                          "or reboot; irreversible accepts what cannot be undone, unguarded a "
                          "guard that may end with its caller",
                      .repeats = true,
                      .take = take_allow,
                      .words = kClasses};
const OptionRow take{.name = "--take",
                     .value = "OWNER",
                     .help = "Write what OWNER, as plan names it, writes too",
                     .repeats = true,
                     .take = take_owner};
const OptionRow output{.name = "--output",
                       .letter = "-o",
                       .value = "FORM",
                       .help = "Print text (default) or json",
                       .take = store<&Options::output>,
                       .words = kForms};
const OptionRow output_or_junit{.name = "--output",
                                .letter = "-o",
                                .value = "FORM",
                                .help = "Print text (default), json or junit",
                                .take = store<&Options::output>,
                                .words = kFormsWithJunit};
const OptionRow secret{
    .name = "--secret",
    .value = "FILE",
    .help = "Both sides show that they know what the file says, 16 bytes or more",
    .take = store<&Options::secret>};

}  // namespace option

std::span<const OptionRow> common_options() {
    return kCommon;
}

}  // namespace cli
