// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/model/driver.hpp"
#include "core/probe/parameters.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

enum class Output : std::uint8_t {
    text,
    json,
    junit,
    commands,
    prometheus,
    nagios,
    npd,
    perftest,
    markdown
};

/// A condition that has to hold while an apply waits for confirmation.
struct GuardProbe {
    std::string text{};      ///< as the user typed it: `tcp:10.0.0.1:22`
    std::string argument{};  ///< the text after the kind
    /// Tests the condition: empty where it holds, else why not. Takes a few seconds at most.
    std::string (*fails)(const std::string& argument) = nullptr;
    /// Determines on the host before the apply what is tested (the default gateways, a name's
    /// addresses); it stays fixed from then on. Null where that is the argument. Throws
    /// KernelError, and Error (failed) where a name has no address, or none in time.
    std::string (*found)(const std::string& argument) = nullptr;
};

/// The parsed command line.
struct Options {
    std::vector<std::string> operands{};
    std::optional<std::string> state{};  ///< a file instead of the live host
    std::optional<std::string> vars{};
    std::optional<std::string> out{};
    std::map<std::string, std::string> set{};  ///< the last value wins
    std::optional<std::chrono::milliseconds> wait{};
    std::chrono::milliseconds lock_timeout{0};
    std::chrono::milliseconds time_limit{30'000};  ///< for one exchange with the kernel
    bool limited = false;                          ///< --time-limit was given
    std::optional<std::chrono::milliseconds> confirm{};
    std::optional<std::chrono::milliseconds> extend{};
    std::vector<GuardProbe> probes{};
    std::optional<std::string> plan_file{};
    bool status = false;
    bool unconfirmed = false;
    netlink::Root root{};
    Output output = Output::text;
    std::optional<core::Disruption>
        allow{};                   ///< by default link; queues too where queue pairs are held
    std::set<std::string> take{};  ///< owners that may be overridden
    bool allow_irreversible = false;
    bool allow_unguarded = false;                       ///< a guard that may end with the caller
    std::set<std::string> only{};                       ///< checks and groups of doctor
    std::set<std::string> skip{};                       ///< checks and groups to leave out
    bool strict = false;                                ///< a warning is a failure
    bool watch = false;                                 ///< doctor runs on and reports events
    bool heal = false;                                  ///< watch writes back what differs
    bool list = false;                                  ///< list what is available and exit
    std::optional<std::chrono::milliseconds> window{};  ///< between two readings
    std::optional<std::string> since{};                 ///< a file with an earlier reading
    bool here = false;      ///< explain: look for the causes on this host
    bool redact = false;    ///< snapshot: replace names and addresses
    bool firmware = false;  ///< ask the firmware of NICs by fwctl
    bool html = false;      ///< `out` is written as an HTML page
    bool settings_only = false;
    std::string only_port{};  ///< plan this port alone
    bool yes = false;
    bool trust_files = false;   ///< whoever can write them; no check of owner and mode
    bool only_trusted = false;  ///< main: profiles and variables decide what root does
    core::probe::Parameters parameters{};
    std::optional<std::string> secret{};  ///< a file
    std::string active{};                 ///< the host to which doctor sends
    std::size_t concurrency = 16;         ///< pairs of hosts that a mesh measures at one time
    std::vector<std::pair<std::string, std::string>>
        given{};        ///< names and values, in the order given
    int verbosity = 0;  ///< -1 quiet, 1 and 2 more verbose

    /// Whether success is reported by the exit status alone.
    [[nodiscard]] bool is_quiet() const { return verbosity < 0 && output == Output::text; }
};

/// One option. Parsing, --help, completion and the manual are loops over these rows.
struct OptionRow {
    std::string_view name{};    ///< --state
    std::string_view letter{};  ///< -o, or empty
    std::string_view value{};   ///< FILE, or empty for a flag
    std::string_view help{};
    bool repeats = false;
    bool travels = false;         ///< a mesh passes it on to the hosts that measure
    bool reads_input = false;     ///< as its value, `-` is standard input
    std::uint64_t least = 0;      ///< of a number
    std::uint64_t most = 0;       ///< of a number
    std::string_view excludes{};  ///< options and operands that cannot stand beside it: `--set -o`
    std::string_view needs{};     ///< the option without which it means nothing
    /// Stores the value. Throws Error (usage) where it is not valid. Null where it is enough to
    /// know that, and with what value, it was given.
    void (*take)(Options& options, const OptionRow& row, const std::string& value) = nullptr;
    std::span<const std::string_view> words{};           ///< the values that there are
    bool joins_words = false;                            ///< takes several, with commas between
    std::vector<std::string> (*more_words)() = nullptr;  ///< what completion offers, from tables
};

/// Takes an option as it was given: checks the value against the row's words, stores it and notes
/// it in `given`. Throws Error (usage).
void take_option(Options& options, const OptionRow& row, const std::string& value);

/// The last value with which the option was given, "" for a flag; nothing where it was not.
std::optional<std::string> given_value(const Options& options, const OptionRow& row);

/// Throws Error (usage) with the expected form of the option's value.
[[noreturn]] void refuse_value(std::string_view option, const std::string& value,
                               const std::string& expected);

/// Splits a list of names such as `pfc-off,link`. Throws Error (usage) for an empty name.
std::vector<std::string> names_in(std::string_view option, const std::string& value);

/// The output form with this name; text where there is none.
Output output_named(std::string_view form);

/// Parses `500ms`, `30s`, `2m`, `1h`. Throws Error (usage) that names the option.
std::chrono::milliseconds parse_duration(std::string_view option, const std::string& text);

/// Parses a number from the row's least to its most. Throws Error (usage).
std::uint64_t parse_number(const OptionRow& row, const std::string& text);

/// What an option's value is to a member of Options, by the member's type.
namespace stored {
void put(bool& member, const OptionRow& row, const std::string& value);
void put(std::string& member, const OptionRow& row, const std::string& value);
void put(std::chrono::milliseconds& member, const OptionRow& row, const std::string& value);
void put(Output& member, const OptionRow& row, const std::string& value);
void put(std::set<std::string>& member, const OptionRow& row, const std::string& value);

template <typename Number>
requires std::is_integral_v<Number>
void put(Number& member, const OptionRow& row, const std::string& value) {
    member = static_cast<Number>(parse_number(row, value));
}

/// Several numbers, with commas between them; 16 at most.
template <typename Number>
void put(std::vector<Number>& member, const OptionRow& row, const std::string& value) {
    constexpr std::size_t kMostValues = 16;
    member.clear();
    for (const std::string& one : names_in(row.name, value))
        put(member.emplace_back(), row, one);
    if (member.size() > kMostValues)
        refuse_value(row.name, value, std::to_string(kMostValues) + " numbers at most");
}

template <typename Value>
void put(std::optional<Value>& member, const OptionRow& row, const std::string& value) {
    put(member.emplace(), row, value);
}
}  // namespace stored

/// OptionRow::take for an option that is a member of Options, or a member of such a one:
/// `store<&Options::state>`.
template <auto Member>
void store(Options& options, const OptionRow& row, const std::string& value) {
    stored::put(options.*Member, row, value);
}
template <auto Member, auto Inner>
void store(Options& options, const OptionRow& row, const std::string& value) {
    stored::put(options.*Member.*Inner, row, value);
}

/// The options that several commands take. What one alone takes stands in its file.
namespace option {
extern const OptionRow state;
extern const OptionRow set;
extern const OptionRow vars;
extern const OptionRow html;
extern const OptionRow settings_only;
extern const OptionRow only_port;
extern const OptionRow wait_for_links;
extern const OptionRow lock_timeout;
extern const OptionRow time_limit;
extern const OptionRow reading_limit;
extern const OptionRow run_limit;
extern const OptionRow yes;
extern const OptionRow trust_files;
extern const OptionRow firmware;
extern const OptionRow allow;
extern const OptionRow take;
extern const OptionRow output;
extern const OptionRow output_or_junit;
extern const OptionRow secret;
}  // namespace option

/// The options that every command takes.
std::span<const OptionRow> common_options();

}  // namespace cli
