// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/options.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"

namespace cli {
namespace {

using core::probe::Operation;
using core::probe::Parameters;

constexpr std::array<std::string_view, 4> kProbeForms = {"text", "json", "junit", "perftest"};
constexpr std::array<std::string_view, 6> kOperationNames = {"send", "write", "read",
                                                             "tcp",  "rpc",   "tcp-rpc"};
constexpr std::array<std::string_view, 3> kDirectionNames = {"out", "in", "both"};
constexpr std::array<std::string_view, 3> kCompletions = {"poll", "event", "adaptive"};

void take_operations(Options& options, const OptionRow& row, const std::string& value) {
    for (const std::string& name : names_in(row.name, value)) {
        const Operation found = core::probe::find_operation(name).value();
        options.parameters.operations.push_back(found);
        // What RDMA gives is seen beside what there is without it.
        if (found == Operation::rpc) options.parameters.operations.push_back(Operation::tcp_rpc);
    }
}

void take_directions(Options& options, const OptionRow& row, const std::string& value) {
    for (const std::string& name : names_in(row.name, value))
        options.parameters.directions.push_back(core::probe::find_direction(name).value());
    options.parameters.bandwidth = true;
}

void take_completion(Options& options, const OptionRow& row, const std::string& value) {
    options.parameters.completions = names_in(row.name, value);
    options.parameters.completion = options.parameters.completions.front();
}

void take_rate(Options& options, const OptionRow& row, const std::string& value) {
    constexpr std::uint64_t kGigabit = 1'000'000'000;
    constexpr std::uint64_t kMegabit = 1'000'000;
    constexpr std::size_t kUnit = 4;
    const bool giga = value.ends_with("Gb/s");
    if (value.size() <= kUnit || (!giga && !value.ends_with("Mb/s")))
        refuse_value(row.name, value, "a rate such as 500Mb/s or 10Gb/s");
    options.parameters.bits_a_second =
        parse_number(row, value.substr(0, value.size() - kUnit)) * (giga ? kGigabit : kMegabit);
}

void take_duration(Options& options, const OptionRow& row, const std::string& value) {
    options.parameters.duration = parse_duration(row.name, value);
    if (options.parameters.duration > std::chrono::minutes(1) ||
        options.parameters.duration.count() == 0)
        refuse_value(row.name, value, "1ms to 1m");
}

void take_limit(Options& options, const OptionRow& row, const std::string& value) {
    options.parameters.limit = parse_duration(row.name, value);
    if (options.parameters.limit > std::chrono::minutes(10))
        refuse_value(row.name, value, "10m or less");
}

/// What of it a run does.
struct Doings {
    bool rdma = false;       ///< an operation of RDMA itself
    bool streams = false;    ///< of RDMA or TCP
    bool calls = false;      ///< by RDMA or TCP
    bool bandwidth = false;  ///< of what streams
    bool requests = false;   ///< bandwidth of RDMA, with requests under way
    bool classes = false;
    bool figures = false;  ///< anything beside what works
};

Doings doings_of(const Parameters& parameters) {
    Doings out{.classes = parameters.classes, .figures = !parameters.functional};
    for (const Operation one : operations_of(parameters)) {
        const bool rdma = core::probe::is_rdma_operation(one);
        const bool stream = rdma || one == Operation::tcp;
        out.rdma = out.rdma || rdma;
        out.streams = out.streams || stream;
        out.calls = out.calls || !stream;
        out.bandwidth = out.bandwidth || (stream && wants_bandwidth(parameters, one));
        out.requests = out.requests || (rdma && wants_bandwidth(parameters, one));
    }
    out.bandwidth = out.bandwidth && out.figures;
    out.requests = out.requests && out.figures;
    return out;
}

constexpr const char* kFigures = "a run without --functional, which measures nothing";
constexpr const char* kLoad =
    "--bandwidth, --classes, --direction or a bandwidth in --expect beside it";

/// What an option takes, and its words where that is not there.
struct Need {
    std::string_view option;
    bool (*has)(const Doings& of);
    const char* expected;
};
constexpr std::array kNeeds = {
    Need{"--bandwidth", [](const Doings& of) { return of.streams; },
         "send, write, read or tcp among the operations"},
    Need{"--bandwidth", [](const Doings& of) { return of.figures; }, kFigures},
    Need{"--direction", [](const Doings& of) { return of.figures; }, kFigures},
    Need{"--direction", [](const Doings& of) { return of.rdma; },
         "send, write or read among the operations"},
    Need{"--iterations", [](const Doings& of) { return of.figures; }, kFigures},
    Need{"--size", [](const Doings& of) { return of.figures; }, kFigures},
    Need{"--expect", [](const Doings& of) { return of.figures; }, kFigures},
    Need{"--queue-pairs", [](const Doings& of) { return of.bandwidth; },
         "--bandwidth, --direction or a bandwidth in --expect beside it"},
    Need{"--duration", [](const Doings& of) { return of.bandwidth || of.classes; }, kLoad},
    Need{"--rate", [](const Doings& of) { return of.bandwidth || of.classes; }, kLoad},
    Need{"--depth",
         [](const Doings& of) { return of.requests || of.classes || (of.calls && of.figures); },
         "--bandwidth, --classes, a bandwidth in --expect, or rpc beside it"},
};

[[noreturn]] void refuse(std::string_view option, const char* expected) {
    throw core::Error(
        core::Status::usage,
        std::string(option) + ": nothing that is asked for has it; expected " + expected);
}

}  // namespace

namespace option {

const OptionRow force{.name = "--force",
                      .help = "Probe on a device on which others have queue pairs too",
                      .travels = true,
                      .take = store<&Options::parameters, &Parameters::force>};
const OptionRow device{
    .name = "--device",
    .value = "DEVICE",
    .help = "Send by this RDMA device instead of the one that has the route's address",
    .take = store<&Options::parameters, &Parameters::device>};
const OptionRow port{.name = "--port",
                     .value = "PORT",
                     .help = "Send by the RDMA device of this port",
                     .take = store<&Options::parameters, &Parameters::port>};
const OptionRow operation{
    .name = "--operation",
    .value = "NAMES",
    .help = "Measure these alone: send, write, read, tcp, rpc (and tcp-rpc beside it)",
    .repeats = true,
    .travels = true,
    .take = take_operations,
    .words = kOperationNames,
    .joins_words = true};
const OptionRow bandwidth{
    .name = "--bandwidth",
    .help = "Measure bandwidth too, which loads the path for as long as --duration says",
    .travels = true,
    .take = store<&Options::parameters, &Parameters::bandwidth>};
const OptionRow direction{.name = "--direction",
                          .value = "NAMES",
                          .help =
                              "Measure bandwidth posted by this host (out, as without it), by the "
                              "peer (in), or by both at the same time (both)",
                          .repeats = true,
                          .take = take_directions,
                          .words = kDirectionNames,
                          .joins_words = true};
const OptionRow size{.name = "--size",
                     .value = "BYTES",
                     .help =
                         "Of a message (2 for latency, 65536 for bandwidth); several, with "
                         "commas between them, are measured one after the other",
                     .travels = true,
                     .least = 1,
                     .most = core::probe::kMostBytes,
                     .take = store<&Options::parameters, &Parameters::sizes>};
const OptionRow iterations{.name = "--iterations",
                           .value = "NUMBER",
                           .help = "Messages of each latency measurement (1000)",
                           .travels = true,
                           .least = 4,
                           .most = 10'000'000,
                           .take = store<&Options::parameters, &Parameters::iterations>};
const OptionRow queue_pairs{.name = "--queue-pairs",
                            .value = "NUMBER",
                            .help = "That carry a bandwidth side by side (1)",
                            .travels = true,
                            .least = 1,
                            .most = core::probe::kMostPairs,
                            .take = store<&Options::parameters, &Parameters::queue_pairs>};
const OptionRow depth{.name = "--depth",
                      .value = "NUMBER",
                      .help =
                          "Requests of a queue pair under way at one time (128); several, with "
                          "commas between them",
                      .travels = true,
                      .least = 1,
                      .most = core::probe::kMostDepth,
                      .take = store<&Options::parameters, &Parameters::depths>};
const OptionRow duration{.name = "--duration",
                         .value = "DURATION",
                         .help = "Of a bandwidth, up to 1m (1s)",
                         .travels = true,
                         .take = take_duration};
const OptionRow rate{.name = "--rate",
                     .value = "RATE",
                     .help = "Send no more than this, such as 10Gb/s of payload",
                     .travels = true,
                     .least = 1,
                     .most = 1'000'000,
                     .take = take_rate};
const OptionRow dscp{
    .name = "--dscp",
    .value = "DSCP",
    .help = "Of what is sent both ways, with ECN's bit; else as the profile or this host has it",
    .travels = true,
    .most = 63,
    .take = store<&Options::parameters, &Parameters::dscp>};
const OptionRow completion{
    .name = "--completion",
    .value = "HOW",
    .help =
        "Learn that something is complete by poll (default), event, or adaptive: poll for a "
        "while, then event; several, with commas between them",
    .travels = true,
    .take = take_completion,
    .words = kCompletions,
    .joins_words = true};
const OptionRow expect{
    .name = "--expect",
    .value = "FIGURE",
    .help = "End with 2 unless it is so: 'write.p99<10us', 'write.bandwidth>90Gb/s'",
    .repeats = true,
    .travels = true,
    .take = [](Options& o, const OptionRow&, const std::string& value) {
        o.parameters.expectations.push_back(core::probe::parse_expectation(value));
    }};
const OptionRow probe_time_limit{.name = "--time-limit",
                                 .value = "DURATION",
                                 .help = "Give up one measurement after DURATION (10s)",
                                 .travels = true,
                                 .take = take_limit};
const OptionRow output_or_perftest{
    .name = "--output",
    .letter = "-o",
    .value = "FORM",
    .help = "Print text (default), json, junit, or perftest: its columns, by its rules",
    .take = store<&Options::output>,
    .words = kProbeForms};

}  // namespace option

void refuse_unfit(const Options& options, const Parameters& parameters) {
    const Doings doings = doings_of(parameters);
    for (const auto& [name, value] : options.given)
        for (const Need& need : kNeeds)
            if (need.option == name && !need.has(doings)) refuse(need.option, need.expected);
    // A profile can ask for this too.
    if (parameters.classes && !doings.rdma)
        refuse("--classes", "send, write or read among the operations");
    if (parameters.functional && !uses_rdma(parameters))
        refuse("--functional", "send, write, read or rpc among the operations");
    for (const auto& [name, value] : options.given)
        if ((name == "--set" || name == "--vars") && parameters.profile.empty())
            refuse(name, "--profile beside it");
}

}  // namespace cli
