// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/run.hpp"

#include <algorithm>
#include <iterator>

#include "cli/log.hpp"
#include "cli/probe/exchange.hpp"
#include "cli/probe/flow.hpp"
#include "cli/probe/functional.hpp"
#include "cli/probe/greeting.hpp"
#include "cli/probe/managed.hpp"
#include "cli/probe/measure.hpp"
#include "cli/probe/path_mtu.hpp"
#include "cli/probe/prove.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::probe::Operation;
using core::probe::PathReport;

constexpr std::uint64_t kLatencySize = 2;
constexpr std::uint64_t kBandwidthSize = 65536;

/// All operations that are to be measured: those that are named, and those of which something is
/// expected.
std::vector<Operation> operations_of(const Measuring& measuring) {
    std::vector<Operation> out = measuring.operations;
    for (const core::probe::Expectation& one : measuring.expectations)
        if (std::ranges::find(out, one.operation) == out.end()) out.push_back(one.operation);
    if (out.empty())
        out.assign(std::begin(core::probe::kOperations), std::end(core::probe::kOperations));
    return out;
}

/// Each once, in turn before together. What is expected is of one direction at a time.
std::vector<core::probe::Direction> directions_of(const Measuring& measuring) {
    using core::probe::Direction;
    const auto is_named = [&](Direction one) {
        return std::ranges::find(measuring.directions, one) != measuring.directions.end();
    };
    const bool alone = is_named(Direction::out) || is_named(Direction::in);
    std::vector<Direction> out;
    if (is_named(Direction::out) || (!alone && !measuring.expectations.empty()) ||
        measuring.directions.empty())
        out.push_back(Direction::out);
    for (const Direction one : {Direction::in, Direction::both})
        if (is_named(one)) out.push_back(one);
    return out;
}

bool wants_bandwidth(const Measuring& measuring, Operation operation) {
    return measuring.bandwidth ||
           std::ranges::any_of(measuring.expectations, [&](const core::probe::Expectation& one) {
               return one.operation == operation && one.bandwidth;
           });
}

void measure_all(Caller& caller, const Measuring& measuring, PathReport& report) {
    for (const Operation operation : operations_of(measuring)) {
        report.trials.push_back(measure_latency(caller, operation,
                                                measuring.size == 0 ? kLatencySize : measuring.size,
                                                measuring.iterations));
        if (!wants_bandwidth(measuring, operation)) continue;
        for (const core::probe::Direction direction : directions_of(measuring))
            report.trials.push_back(
                measure_bandwidth(caller, operation,
                                  {.size = measuring.size == 0 ? kBandwidthSize : measuring.size,
                                   .queue_pairs = measuring.queue_pairs,
                                   .depth = measuring.depth,
                                   .duration = measuring.duration,
                                   .bits_a_second = measuring.bits_a_second,
                                   .direction = direction}));
    }
}

void prove(Caller& caller, core::Kernel& kernel, const Measuring& measuring, const Path& path,
           PathReport& report) {
    // Enough that nothing else that goes there is taken for it, and no more than a fabric bears.
    constexpr std::uint64_t kRate = 1'000'000'000;
    constexpr std::chrono::milliseconds kDuration{500};
    report.classes = prove_classes(
        caller, kernel,
        {.traffic_class = report.traffic_class,
         .priority = path.priority,
         .load = {
             .size = kBandwidthSize,
             .depth = measuring.depth,
             .duration = std::min(measuring.duration, kDuration),
             .bits_a_second = measuring.bits_a_second == 0 ? kRate : measuring.bits_a_second}});
}

/// What both ends have counted of packets that were lost.
struct Lost {
    core::probe::Losses here{};
    core::probe::Losses peer{};
};

Lost read_losses(Caller& caller, core::Kernel& kernel) {
    return {.here = core::probe::losses(read_counters(kernel, caller.rail())),
            .peer = losses_in(caller.ask({.kind = "counters"}))};
}

void tell_losses(const Lost& before, const Lost& after, PathReport& report) {
    report.losses = core::probe::grown(before.here, after.here, true);
    std::ranges::move(core::probe::grown(before.peer, after.peer, false),
                      std::back_inserter(report.losses));
}

/// The run itself; what ends it before its end stands in the report.
void probe_path(Caller& caller, core::Kernel& kernel, const Measuring& measuring, const Path& path,
                PathReport& report) {
    const auto fail = [&](const std::string& text) {
        const Caller::Presence peer = caller.presence();
        report.failure = text + "; " + peer.text;
    };
    try {
        const Lost before = read_losses(caller, kernel);
        if (measuring.managed) report.cm = run_managed(caller);
        if (measuring.path) report.path = run_path_mtu(caller);
        Functional works = run_functional(caller);
        report.checks = std::move(works.checks);
        report.failure = std::move(works.failure);
        report.advice = std::move(works.advice);
        report.peer = caller.peer();
        report.mtu = caller.endpoint().mtu();
        if (report.path)
            report.path->needed = core::probe::longest_packet(report.mtu, caller.rail().address.v6);
        if (report.failure.empty() && measuring.flows != 0)
            report.flows = run_flows(caller, measuring.flows);
        if (report.failure.empty() && !measuring.functional) measure_all(caller, measuring, report);
        if (report.failure.empty() && measuring.classes)
            prove(caller, kernel, measuring, path, report);
        caller.shut();
        tell_losses(before, read_losses(caller, kernel), report);
    } catch (const verbs::Incomplete& error) {
        fail(error.what());
    } catch (const verbs::TimeOver& error) {
        fail(error.what());
    } catch (const PeerGone& error) {
        report.failure = error.what();
    } catch (const PeerSilent& error) {
        report.failure = error.what();
    } catch (const core::Error& error) {
        // What rdma_cm and datagrams did stands beside what RDMA did not.
        if (!report.cm && !report.path) throw;
        report.failure = error.what();
    }
}

PathReport run_path(core::Kernel& kernel, Path& path, const Measuring& measuring,
                    const std::string& secret, const std::function<bool()>& stopped) {
    PathReport report{.traffic_class = path.traffic_class, .completion = measuring.completion};
    report.here = end_of(path.rail);
    report.priority = path.priority;
    greet_as_client(path.channel, secret);
    Caller caller(path.channel, path.rail,
                  {.traffic_class = report.traffic_class,
                   .completion = measuring.completion,
                   .force = measuring.force,
                   .limit = measuring.limit,
                   .stopped = stopped});
    try {
        probe_path(caller, kernel, measuring, path, report);
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

bool is_wrong(const PathReport& report) {
    return !report.failure.empty() || (report.cm && !report.cm->failure.empty()) ||
           (report.path && !core::probe::carries_rdma(*report.path)) ||
           std::ranges::any_of(report.flows, core::probe::loses_packets) ||
           std::ranges::any_of(
               report.classes,
               [](const core::probe::ClassTrial& one) { return !one.faults.empty(); }) ||
           !std::ranges::all_of(report.outcomes, &core::probe::Outcome::met);
}

bool is_unread(const PathReport& report) {
    return std::ranges::any_of(
        report.classes, [](const core::probe::ClassTrial& one) { return !one.unknown.empty(); });
}

}  // namespace

core::probe::End end_of(const Rail& rail) {
    return {.port = rail.port,
            .device = rail.device,
            .address = core::text(rail.address),
            .gid_index = rail.gid_index};
}

std::vector<PathReport> run_paths(core::Kernel& kernel, std::vector<Path>& paths,
                                  const Measuring& measuring, const std::string& secret,
                                  const std::function<bool()>& stopped) {
    std::vector<PathReport> out;
    for (Path& path : paths) {
        if (stopped()) break;
        try {
            out.push_back(run_path(kernel, path, measuring, secret, stopped));
        } catch (const std::exception& error) {
            if (paths.size() == 1) throw;
            out.push_back({.here = end_of(path.rail), .failure = error.what()});
        }
    }
    return out;
}

bool is_well(const PathReport& report) {
    return !is_wrong(report) && !is_unread(report);
}

core::Status status_of(const std::vector<PathReport>& reports) {
    if (std::ranges::any_of(reports, is_wrong)) return core::Status::differs;
    return std::ranges::any_of(reports, is_unread) ? core::Status::failed : core::Status::done;
}

}  // namespace cli
