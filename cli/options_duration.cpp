// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "cli/options.hpp"

// How long something may take.

namespace cli {

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

const OptionRow window{
    .name = "--window",
    .value = "DURATION",
    .help = "Read the host twice, DURATION apart, and look at what was counted in between",
    .take = [](Options& o, const std::string& v) { o.window = parse_duration("--window", v); }};
const OptionRow watch_window{
    .name = "--window",
    .value = "DURATION",
    .help = "End after DURATION; else at SIGINT",
    .take = [](Options& o, const std::string& v) { o.window = parse_duration("--window", v); }};
const OptionRow wait{
    .name = "--wait",
    .value = "DURATION",
    .help = "Look again until all is as desired and ready, or DURATION is over",
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
    .help =
        "End with 1 where the kernel has not reported all after DURATION; else there is no limit",
    .take = [](Options& o, const std::string& v) {
        o.time_limit = parse_duration("--time-limit", v);
        o.limited = true;
    }};
const OptionRow run_limit{
    .name = "--time-limit",
    .value = "DURATION",
    .help = "End with 1 where the kernel has not reported all after DURATION (30s)",
    .take = [](Options& o, const std::string& v) {
        o.time_limit = parse_duration("--time-limit", v);
    }};
const OptionRow confirm{
    .name = "--confirm",
    .value = "DURATION",
    .help = "Go back unless rocectl confirm comes within DURATION",
    .take = [](Options& o, const std::string& v) { o.confirm = parse_duration("--confirm", v); }};
const OptionRow extend{
    .name = "--extend",
    .value = "DURATION",
    .help = "Do not confirm yet: let DURATION from now pass first",
    .take = [](Options& o, const std::string& v) { o.extend = parse_duration("--extend", v); }};

}  // namespace option

}  // namespace cli
