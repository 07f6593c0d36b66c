// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/meshing.hpp"
#include "core/model/driver.hpp"
#include "core/probe/measuring.hpp"

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
struct Probe {
    std::string text{};      ///< as the user typed it: `tcp:10.0.0.1:22`
    std::string argument{};  ///< the text after the kind
    /// Tests the condition: empty where it holds, else why not. Takes a few seconds at most.
    std::string (*fails)(const std::string& argument) = nullptr;
    /// Determines the argument on the host before the apply (the default gateways); it stays fixed
    /// from then on. Null where the user gives the argument. Throws KernelError.
    std::string (*found)() = nullptr;
};

/// How the two sides of a probe meet.
struct Serving {
    std::string bind{};                   ///< ADDRESS or ADDRESS:PORT
    std::optional<std::string> secret{};  ///< a file
    bool no_secret = false;
    bool once = false;
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
    std::vector<Probe> probes{};
    std::optional<std::string> plan_file{};
    bool status = false;
    std::filesystem::path root{"/"};
    Output output = Output::text;
    std::optional<core::Disruption>
        allow{};                   ///< by default link; queues too where queue pairs are held
    std::set<std::string> take{};  ///< owners that may be overridden
    bool allow_irreversible = false;
    std::set<std::string> only{};                       ///< checks and groups of doctor
    std::set<std::string> skip{};                       ///< checks and groups to leave out
    bool strict = false;                                ///< a warning is a failure
    bool watch = false;                                 ///< doctor runs on and reports events
    bool heal = false;                                  ///< watch writes back what differs
    bool list = false;                                  ///< list what is available and exit
    std::optional<std::chrono::milliseconds> window{};  ///< between two readings
    std::optional<std::string> since{};                 ///< a file with an earlier reading
    bool here = false;    ///< explain: look for the causes on this host
    bool redact = false;  ///< snapshot: replace names and addresses
    bool html = false;    ///< `out` is written as an HTML page
    bool exit_code = false;
    bool settings_only = false;
    std::string only_port{};   ///< plan this port alone
    bool of_switches = false;  ///< what the switches have to be set to
    bool persistent = false;
    bool yes = false;
    bool trust_files = false;   ///< whoever can write them; no check of owner and mode
    bool only_trusted = false;  ///< main: profiles and variables decide what root does
    core::probe::Measuring measuring{};
    Serving serving{};
    std::string active{};  ///< the host to which doctor sends
    Meshing meshing{};
    std::vector<std::pair<std::string, std::string>>
        given{};        ///< names and values, in the order given
    int verbosity = 0;  ///< -1 quiet, 1 and 2 more verbose

    /// Whether success is reported by the exit status alone.
    [[nodiscard]] bool is_quiet() const { return verbosity < 0 && output == Output::text; }
};

/// One option. Parsing, --help and completion are loops over these rows.
struct OptionRow {
    std::string_view name{};    ///< --state
    std::string_view letter{};  ///< -o, or empty
    std::string_view value{};   ///< FILE, or empty for a flag
    std::string_view help{};
    bool repeats = false;
    bool travels = false;  ///< a mesh passes it on to the hosts that measure
    /// Stores the value. Throws Error (usage) where it is not valid.
    void (*take)(Options& options, const std::string& value) = nullptr;
    std::span<const std::string_view> words{};           ///< values that completion offers
    std::vector<std::string> (*more_words)() = nullptr;  ///< more of them, computed from the tables
};

/// Throws Error (usage) with the expected form of the option's value.
[[noreturn]] void refuse_value(std::string_view option, const std::string& value,
                               const std::string& expected);

/// The words joined by commas: `text, json`.
std::string listed(std::span<const std::string_view> words);

/// Splits a list of names such as `pfc-off,link`. Throws Error (usage) for an empty name.
std::vector<std::string> names_in(std::string_view option, const std::string& value);

/// The output form with this name; text where there is none.
Output output_named(std::string_view form);

/// Parses `500ms`, `30s`, `2m`, `1h`. Throws Error (usage) that names the option.
std::chrono::milliseconds parse_duration(std::string_view option, const std::string& text);

namespace option {
extern const OptionRow state;
extern const OptionRow set;
extern const OptionRow vars;
extern const OptionRow exit_code;
extern const OptionRow only;
extern const OptionRow skip;
extern const OptionRow strict;
extern const OptionRow list;
extern const OptionRow window;
extern const OptionRow watch;
extern const OptionRow watch_window;
extern const OptionRow heal;
extern const OptionRow since;
extern const OptionRow here;
extern const OptionRow redact;
extern const OptionRow html;
extern const OptionRow output_file;
extern const OptionRow settings_only;
extern const OptionRow only_port;
extern const OptionRow persistent;
extern const OptionRow of_switches;
extern const OptionRow wait;
extern const OptionRow wait_for_links;
extern const OptionRow lock_timeout;
extern const OptionRow time_limit;
extern const OptionRow reading_limit;
extern const OptionRow run_limit;
extern const OptionRow confirm;
extern const OptionRow probe;  ///< defined in cli/confirm/probe.cpp, beside the kinds of probes
extern const OptionRow extend;
extern const OptionRow status;
extern const OptionRow plan;
extern const OptionRow plan_out;
extern const OptionRow yes;
extern const OptionRow trust_files;
extern const OptionRow allow;
extern const OptionRow take;
extern const OptionRow out;
extern const OptionRow snapshot_file;
extern const OptionRow profile_file;
extern const OptionRow output;
extern const OptionRow output_or_commands;
extern const OptionRow output_or_junit;
extern const OptionRow output_of_doctor;
extern const OptionRow output_or_perftest;
extern const OptionRow active;
extern const OptionRow bind;
extern const OptionRow secret;
extern const OptionRow no_secret;
extern const OptionRow once;
extern const OptionRow force;
extern const OptionRow device;
extern const OptionRow all;
extern const OptionRow port;
extern const OptionRow managed;
extern const OptionRow path;
extern const OptionRow flow_labels;
extern const OptionRow operation;
extern const OptionRow bandwidth;
extern const OptionRow functional;
extern const OptionRow classes;
extern const OptionRow profile;
extern const OptionRow direction;
extern const OptionRow size;
extern const OptionRow iterations;
extern const OptionRow queue_pairs;
extern const OptionRow depth;
extern const OptionRow duration;
extern const OptionRow rate;
extern const OptionRow dscp;
extern const OptionRow completion;
extern const OptionRow expect;
extern const OptionRow measuring_limit;
extern const OptionRow mesh;
extern const OptionRow hosts_from;
extern const OptionRow concurrency;
extern const OptionRow dry_run;
}  // namespace option

/// The options that every command takes.
std::span<const OptionRow> common_options();

}  // namespace cli
