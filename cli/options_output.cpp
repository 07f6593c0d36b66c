// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "cli/options.hpp"
#include "core/error.hpp"

// What is printed, in which form, and where it goes.

namespace cli {
namespace {

/// In the order of Output.
constexpr std::array<std::string_view, 9> kAllForms = {
    "text", "json", "junit", "commands", "prometheus", "nagios", "npd", "perftest", "markdown"};
constexpr std::array<std::string_view, 6> kDoctorForms = {"text",       "json",   "junit",
                                                          "prometheus", "nagios", "npd"};
constexpr std::array<std::string_view, 5> kPlanForms = {"text", "json", "junit", "commands",
                                                        "markdown"};
constexpr std::array<std::string_view, 3> kVerifyForms = {"text", "json", "junit"};
constexpr std::array<std::string_view, 2> kForms = {"text", "json"};

void take_file(Options& options, const std::string& value, bool html) {
    if (options.out)
        throw core::Error(core::Status::usage, "--html and --output-file exclude each other");
    options.out = value;
    options.html = html;
}

void take_output(Options& options, const std::string& value,
                 std::span<const std::string_view> forms) {
    if (std::ranges::find(forms, value) == forms.end())
        refuse_value("-o", value, "one of " + listed(forms));
    options.output = output_named(value);
}

}  // namespace

Output output_named(std::string_view form) {
    const auto at = std::ranges::find(kAllForms, form);
    return at == kAllForms.end() ? Output::text : static_cast<Output>(at - kAllForms.begin());
}

namespace option {

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
const OptionRow plan_out{.name = "--out",
                         .value = "FILE",
                         .help = "Write the plan to FILE, for rocectl apply --plan",
                         .take = [](Options& o, const std::string& v) { o.out = v; }};
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

}  // namespace cli
