// SPDX-License-Identifier: Apache-2.0
// The options of `probe`.
#include <algorithm>
#include <array>
#include <charconv>

#include "cli/options.hpp"
#include "core/error.hpp"
#include "core/probe/measuring.hpp"

namespace cli {
namespace {

constexpr std::array<std::string_view, 4> kProbeForms = {"text", "json", "junit", "perftest"};
constexpr std::array<std::string_view, 6> kOperationNames = {"send", "write", "read",
                                                             "tcp",  "rpc",   "tcp-rpc"};
constexpr std::array<std::string_view, 3> kDirectionNames = {"out", "in", "both"};
constexpr std::array<std::string_view, 3> kCompletions = {"poll", "event", "adaptive"};
constexpr std::uint64_t kMostIterations = 10'000'000;
constexpr std::uint64_t kMostDscp = 63;

std::uint64_t number(std::string_view option, const std::string& value, std::uint64_t low,
                     std::uint64_t high) {
    std::uint64_t out = 0;
    const char* end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, out);
    if (error != std::errc() || rest != end || out < low || out > high)
        refuse_value(option, value,
                     "a number from " + std::to_string(low) + " to " + std::to_string(high));
    return out;
}

void take_operations(Options& options, const std::string& value) {
    for (const std::string& name : names_in("--operation", value)) {
        const auto found = core::probe::find_operation(name);
        if (!found)
            refuse_value("--operation", name,
                         "send, write, read, tcp, rpc or tcp-rpc, with commas between them");
        options.measuring.operations.push_back(*found);
        // What RDMA gives is seen beside what there is without it.
        if (*found == core::probe::Operation::rpc)
            options.measuring.operations.push_back(core::probe::Operation::tcp_rpc);
    }
}

void take_directions(Options& options, const std::string& value) {
    for (const std::string& name : names_in("--direction", value)) {
        const auto found = core::probe::find_direction(name);
        if (!found) refuse_value("--direction", name, "out, in or both, with commas between them");
        options.measuring.directions.push_back(*found);
    }
    options.measuring.bandwidth = true;
}

void take_rate(Options& options, const std::string& value) {
    constexpr std::uint64_t kGigabit = 1'000'000'000;
    constexpr std::uint64_t kMegabit = 1'000'000;
    constexpr std::size_t kUnit = 4;
    const bool giga = value.ends_with("Gb/s");
    if (value.size() <= kUnit || (!giga && !value.ends_with("Mb/s")))
        refuse_value("--rate", value, "a rate such as 500Mb/s or 10Gb/s");
    options.measuring.bits_a_second =
        number("--rate", value.substr(0, value.size() - kUnit), 1, 1'000'000) *
        (giga ? kGigabit : kMegabit);
}

void take_completion(Options& options, const std::string& value) {
    options.measuring.completions = names_in("--completion", value);
    for (const std::string& name : options.measuring.completions)
        if (std::ranges::find(kCompletions, name) == kCompletions.end())
            refuse_value("--completion", name, "poll, event or adaptive, with commas between them");
    options.measuring.completion = options.measuring.completions.front();
}

/// Numbers with commas between them: each is measured.
template <typename Number>
std::vector<Number> numbers(std::string_view option, const std::string& value, std::uint64_t high) {
    constexpr std::size_t kMostValues = 16;
    std::vector<Number> out;
    for (const std::string& one : names_in(option, value))
        out.push_back(static_cast<Number>(number(option, one, 1, high)));
    if (out.size() > kMostValues)
        refuse_value(option, value, std::to_string(kMostValues) + " numbers at most");
    return out;
}

void take_form(Options& options, const std::string& value) {
    if (std::ranges::find(kProbeForms, value) == kProbeForms.end())
        refuse_value("-o", value, "one of text, json, junit, perftest");
    options.output = output_named(value);
}

}  // namespace

namespace option {

const OptionRow active{.name = "--active",
                       .value = "HOST[:PORT]",
                       .help = "Send by RDMA to a host where rocectl probe serve runs, too",
                       .take = [](Options& o, const std::string& v) { o.active = v; }};
const OptionRow bind{
    .name = "--bind",
    .value = "ADDRESS[:PORT]",
    .help = "Be reached at this address alone, and by the RDMA device that has it (port 18516)",
    .take = [](Options& o, const std::string& v) { o.serving.bind = v; }};
const OptionRow secret{
    .name = "--secret",
    .value = "FILE",
    .help = "Both sides show that they know what the file says, 16 bytes or more",
    .take = [](Options& o, const std::string& v) { o.serving.secret = v; }};
const OptionRow no_secret{
    .name = "--no-secret",
    .help = "Serve whoever can connect: on a network of which all hosts are trusted",
    .take = [](Options& o, const std::string&) { o.serving.no_secret = true; }};
const OptionRow once{.name = "--once",
                     .help = "End after one client",
                     .take = [](Options& o, const std::string&) { o.serving.once = true; }};
const OptionRow force{.name = "--force",
                      .help = "Probe on a device on which others have queue pairs too",
                      .travels = true,
                      .take = [](Options& o, const std::string&) { o.measuring.force = true; }};
const OptionRow device{
    .name = "--device",
    .value = "DEVICE",
    .help = "Send by this RDMA device instead of the one that has the route's address",
    .take = [](Options& o, const std::string& v) { o.measuring.device = v; }};
const OptionRow port{.name = "--port",
                     .value = "PORT",
                     .help = "Send by the RDMA device of this port",
                     .take = [](Options& o, const std::string& v) { o.measuring.port = v; }};
const OptionRow all{
    .name = "--all",
    .help =
        "Each rail of this host to its counterpart: that of one network, else, where both hosts "
        "have as many, that in the same place",
    .take = [](Options& o, const std::string&) { o.measuring.all = true; }};
const OptionRow managed{.name = "--cm",
                        .help = "Connect by rdma_cm too, and tell how long each step of it takes",
                        .take = [](Options& o, const std::string&) { o.measuring.managed = true; }};
const OptionRow path{
    .name = "--path",
    .help = "Find how long the packets may be that pass each way, whatever the ports say",
    .take = [](Options& o, const std::string&) { o.measuring.path = true; }};
const OptionRow flow_labels{
    .name = "--flow-labels",
    .value = "NUMBER",
    .help = "Write over so many UDP source ports, to find the one of several ways that is bad",
    .take = [](Options& o, const std::string& v) {
        o.measuring.flows =
            static_cast<unsigned>(number("--flow-labels", v, 2, core::probe::kMostPairs));
    }};
const OptionRow operation{
    .name = "--operation",
    .value = "NAMES",
    .help = "Measure these alone: send, write, read, tcp, rpc (and tcp-rpc beside it)",
    .repeats = true,
    .travels = true,
    .take = take_operations,
    .words = kOperationNames};
const OptionRow bandwidth{
    .name = "--bandwidth",
    .help = "Measure bandwidth too, which loads the path for as long as --duration says",
    .travels = true,
    .take = [](Options& o, const std::string&) { o.measuring.bandwidth = true; }};
const OptionRow functional{
    .name = "--functional",
    .help = "Do each operation once at each size, and measure nothing",
    .take = [](Options& o, const std::string&) { o.measuring.functional = true; }};
const OptionRow classes{
    .name = "--classes",
    .help = "Load the path, and say by both ports' counters in which priority it travelled",
    .take = [](Options& o, const std::string&) { o.measuring.classes = true; }};
const OptionRow direction{.name = "--direction",
                          .value = "NAMES",
                          .help =
                              "Measure bandwidth posted by this host (out, as without it), by the "
                              "peer (in), or by both at the same time (both)",
                          .repeats = true,
                          .take = take_directions,
                          .words = kDirectionNames};
const OptionRow size{.name = "--size",
                     .value = "BYTES",
                     .help =
                         "Of a message (2 for latency, 65536 for bandwidth); several, with "
                         "commas between them, are measured one after the other",
                     .travels = true,
                     .take = [](Options& o, const std::string& v) {
                         o.measuring.sizes =
                             numbers<std::uint64_t>("--size", v, core::probe::kMostBytes);
                     }};
const OptionRow iterations{.name = "--iterations",
                           .value = "NUMBER",
                           .help = "Messages of a latency (1000)",
                           .travels = true,
                           .take = [](Options& o, const std::string& v) {
                               o.measuring.iterations =
                                   number("--iterations", v, 4, kMostIterations);
                           }};
const OptionRow queue_pairs{.name = "--queue-pairs",
                            .value = "NUMBER",
                            .help = "That carry a bandwidth side by side (1)",
                            .travels = true,
                            .take = [](Options& o, const std::string& v) {
                                o.measuring.queue_pairs = static_cast<unsigned>(
                                    number("--queue-pairs", v, 1, core::probe::kMostPairs));
                            }};
const OptionRow depth{.name = "--depth",
                      .value = "NUMBER",
                      .help =
                          "Requests of a queue pair under way at one time (128); several, with "
                          "commas between them",
                      .travels = true,
                      .take = [](Options& o, const std::string& v) {
                          o.measuring.depths =
                              numbers<unsigned>("--depth", v, core::probe::kMostDepth);
                      }};
const OptionRow duration{
    .name = "--duration",
    .value = "DURATION",
    .help = "Of a bandwidth, up to 1m (1s)",
    .travels = true,
    .take = [](Options& o, const std::string& v) {
        o.measuring.duration = parse_duration("--duration", v);
        if (o.measuring.duration > std::chrono::minutes(1) || o.measuring.duration.count() == 0)
            refuse_value("--duration", v, "1ms to 1m");
    }};
const OptionRow rate{.name = "--rate",
                     .value = "RATE",
                     .help = "Send no more than this, such as 10Gb/s of payload",
                     .travels = true,
                     .take = take_rate};
const OptionRow dscp{
    .name = "--dscp",
    .value = "DSCP",
    .help = "Of what is sent both ways, with ECN's bit; else as the profile or this host has it",
    .travels = true,
    .take = [](Options& o, const std::string& v) {
        o.measuring.dscp = static_cast<std::uint8_t>(number("--dscp", v, 0, kMostDscp));
    }};
const OptionRow profile{
    .name = "--profile",
    .value = "PROFILE",
    .help = "What RoCE is meant to be here, and by its probe section what is accepted",
    .take = [](Options& o, const std::string& v) { o.measuring.profile = v; }};
const OptionRow completion{
    .name = "--completion",
    .value = "HOW",
    .help =
        "Learn that something is complete by poll (default), event, or adaptive: poll for a "
        "while, then event; several, with commas between them",
    .travels = true,
    .take = take_completion,
    .words = kCompletions};
const OptionRow expect{
    .name = "--expect",
    .value = "FIGURE",
    .help = "End with 2 unless it is so: 'write.p99<10us', 'write.bandwidth>90Gb/s'",
    .repeats = true,
    .travels = true,
    .take = [](Options& o, const std::string& v) {
        o.measuring.expectations.push_back(core::probe::parse_expectation(v));
    }};
const OptionRow measuring_limit{.name = "--time-limit",
                                .value = "DURATION",
                                .help = "Give up one measurement after DURATION (10s)",
                                .travels = true,
                                .take = [](Options& o, const std::string& v) {
                                    o.measuring.limit = parse_duration("--time-limit", v);
                                    if (o.measuring.limit > std::chrono::minutes(10))
                                        refuse_value("--time-limit", v, "10m or less");
                                }};
const OptionRow output_or_perftest{
    .name = "--output",
    .letter = "-o",
    .value = "FORM",
    .help = "Print text (default), json, junit, or perftest: its columns, by its rules",
    .take = take_form,
    .words = kProbeForms};

}  // namespace option

}  // namespace cli
