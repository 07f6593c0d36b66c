// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/run.hpp"

#include <algorithm>

#include "cli/log.hpp"
#include "cli/probe/functional.hpp"
#include "cli/probe/greeting.hpp"
#include "cli/probe/measure.hpp"
#include "cli/probe/measure_rpc.hpp"
#include "cli/probe/measure_tcp.hpp"
#include "core/model/tos.hpp"

namespace cli {
namespace {

using core::probe::Operation;
using core::probe::PathReport;

constexpr std::uint64_t kLatencySize = 2;
constexpr std::uint64_t kBandwidthSize = 65536;
constexpr unsigned kBandwidthDepth = 128;
constexpr std::uint64_t kCallSize = 4096;

bool wants_bandwidth(const Measuring& measuring, Operation operation) {
    return measuring.bandwidth ||
           std::ranges::any_of(measuring.expectations, [&](const core::probe::Expectation& one) {
               return one.operation == operation && one.bandwidth;
           });
}

Load load_of(const Measuring& measuring) {
    return {.size = measuring.size == 0 ? kBandwidthSize : measuring.size,
            .queue_pairs = measuring.queue_pairs,
            .depth = measuring.depth == 0 ? kBandwidthDepth : measuring.depth,
            .duration = measuring.duration,
            .bits_a_second = measuring.bits_a_second};
}

/// A stream of TCP has no depth, and is measured with the first alone.
void measure_tcp(Caller& caller, const Measuring& measuring, PathReport& report) {
    if (!measuring.first_depth) return;
    report.trials.push_back(measure_tcp_latency(
        caller, measuring.size == 0 ? kLatencySize : measuring.size, measuring.iterations));
    if (wants_bandwidth(measuring, Operation::tcp))
        report.trials.push_back(measure_tcp_bandwidth(caller, load_of(measuring)));
}

void measure_verb(Caller& caller, Operation operation, const Measuring& measuring,
                  PathReport& report) {
    if (measuring.first_depth)
        report.trials.push_back(measure_latency(caller, operation,
                                                measuring.size == 0 ? kLatencySize : measuring.size,
                                                measuring.iterations));
    if (wants_bandwidth(measuring, operation))
        report.trials.push_back(measure_bandwidth(caller, operation, load_of(measuring)));
}

/// Calls both ways; those by RDMA only where it is not left out.
void measure_calls(Caller& caller, Operation operation, const Measuring& measuring,
                   PathReport& report) {
    if (operation == Operation::rpc && !report.fallback.empty()) return;
    const auto measured = operation == Operation::rpc ? measure_rpc : measure_tcp_rpc;
    for (const bool writes : {false, true})
        report.trials.push_back(
            measured(caller, {.writes = writes,
                              .size = measuring.size == 0 ? kCallSize : measuring.size,
                              .depth = std::max(measuring.depth, 1U),
                              .number = measuring.iterations}));
}

/// One combination of size, depth and completion.
void measure_all(Caller& caller, const Measuring& measuring, PathReport& report) {
    caller.use(measuring.completion);
    for (const Operation operation : operations_of(measuring)) {
        if (operation == Operation::tcp)
            measure_tcp(caller, measuring, report);
        else if (!core::probe::is_verb(operation))
            measure_calls(caller, operation, measuring, report);
        else
            measure_verb(caller, operation, measuring, report);
    }
}

bool uses_rdma(const Measuring& measuring) {
    return std::ranges::any_of(operations_of(measuring), [](Operation one) {
        return core::probe::is_verb(one) || one == Operation::rpc;
    });
}

/// What works; with RDMA left out, if it can be, where a side has none.
void look_at_path(Caller& caller, const Measuring& measuring, PathReport& report) {
    std::string lack = report.fallback;
    if (uses_tcp(measuring)) {
        const std::string theirs = caller.ask_rail();
        if (lack.empty() && !theirs.empty()) lack = "the peer: " + theirs;
        report.peer = caller.peer();
    }
    report.fallback.clear();
    if (!uses_rdma(measuring)) return;
    if (!lack.empty() && !needs_rdma(measuring)) {
        report.fallback = lack;
        return;
    }
    Functional works = run_functional(caller);
    report.checks = std::move(works.checks);
    report.failure = std::move(works.failure);
    report.advice = std::move(works.advice);
    report.peer = caller.peer();
    report.mtu = caller.endpoint().mtu();
}

/// The run itself; what ends it before its end stands in the report.
void probe_path(Caller& caller, const Measuring& measuring, PathReport& report) {
    const auto fail = [&](const std::string& text) {
        const Caller::Presence peer = caller.presence();
        report.failure = text + "; " + peer.text;
    };
    try {
        look_at_path(caller, measuring, report);
        for (const Measuring& one : combinations_of(measuring))
            if (report.failure.empty()) measure_all(caller, one, report);
        caller.shut();
    } catch (const verbs::Incomplete& error) {
        fail(error.what());
    } catch (const verbs::TimeOver& error) {
        fail(error.what());
    } catch (const StreamBroken& error) {
        fail(error.what());
    } catch (const PeerGone& error) {
        report.failure = error.what();
    } catch (const PeerSilent& error) {
        report.failure = error.what();
    }
}

core::probe::End end_of(const Rail& rail) {
    return {.port = rail.port,
            .device = rail.device,
            .address = core::text(rail.address),
            .gid_index = rail.gid_index};
}

std::string names_of(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) {
        if (!out.empty()) out += ", ";
        out += name;
    }
    return out;
}

PathReport run_path(Path& path, const Measuring& measuring, const std::string& secret,
                    const std::function<bool()>& stopped) {
    PathReport report{.traffic_class = static_cast<std::uint8_t>(core::tos_of(measuring.dscp)),
                      .completion = names_of(measuring.completions)};
    report.here = end_of(path.rail);
    report.fallback = path.lack;
    greet_as_client(path.channel, secret);
    Caller caller(path.channel, path.rail,
                  {.traffic_class = report.traffic_class,
                   .completion = measuring.completion,
                   .force = measuring.force,
                   .limit = measuring.limit,
                   .stopped = stopped});
    try {
        probe_path(caller, measuring, report);
        path.channel.send({.kind = "close"});
    } catch (const Interrupted&) {
        report.failure = "interrupted";
    } catch (const PeerGone&) {
        // The peer's end after the last measurement takes nothing from what was measured.
        log_debug("the peer has closed the connection");
    }
    for (const core::probe::Expectation& one : measuring.expectations)
        report.outcomes.push_back(core::probe::judge(one, report));
    return report;
}

}  // namespace

std::vector<PathReport> run_paths(std::vector<Path>& paths, const Measuring& measuring,
                                  const std::string& secret, const std::function<bool()>& stopped) {
    std::vector<PathReport> out;
    for (Path& path : paths) {
        if (stopped()) break;
        try {
            out.push_back(run_path(path, measuring, secret, stopped));
        } catch (const std::exception& error) {
            if (paths.size() == 1) throw;
            out.push_back({.here = end_of(path.rail), .failure = error.what()});
        }
    }
    return out;
}

bool is_well(const PathReport& report) {
    return report.failure.empty() &&
           std::ranges::all_of(report.outcomes, &core::probe::Outcome::met);
}

}  // namespace cli
