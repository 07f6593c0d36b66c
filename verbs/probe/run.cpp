// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/run.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "verbs/probe/control_connection.hpp"
#include "verbs/probe/messages.hpp"
#include "verbs/probe/run_parts.hpp"
#include "verbs/streams.hpp"

namespace verbs {
namespace {

using core::probe::Measurement;
using core::probe::Operation;
using core::probe::PathReport;
using Say = std::function<void(const std::string&)>;

constexpr std::uint64_t kLatencySize = 2;
constexpr std::uint64_t kBandwidthSize = 65536;
constexpr unsigned kBandwidthDepth = 128;
constexpr std::uint64_t kCallSize = 4096;

/// Each once, in turn before together. What is expected is of one direction at a time.
std::vector<core::probe::Direction> directions_of(const core::probe::Parameters& parameters) {
    using core::probe::Direction;
    const auto is_named = [&](Direction one) {
        return std::ranges::find(parameters.directions, one) != parameters.directions.end();
    };
    const bool alone = is_named(Direction::out) || is_named(Direction::in);
    std::vector<Direction> out;
    if (is_named(Direction::out) || (!alone && !parameters.expectations.empty()) ||
        parameters.directions.empty())
        out.push_back(Direction::out);
    for (const Direction one : {Direction::in, Direction::both})
        if (is_named(one)) out.push_back(one);
    return out;
}

Measurement load_of(const core::probe::Parameters& parameters, Operation operation) {
    return {.operation = operation,
            .bandwidth = true,
            .size = parameters.size == 0 ? kBandwidthSize : parameters.size,
            .queue_pairs = parameters.queue_pairs,
            .depth = parameters.depth == 0 ? kBandwidthDepth : parameters.depth,
            .duration = parameters.duration,
            .bits_a_second = parameters.bits_a_second};
}

/// A stream of TCP has no depth and one direction, and is measured with the first depth alone.
void measure_tcp_stream(ProbeClient& client, const core::probe::Parameters& parameters,
                        PathReport& report) {
    if (!parameters.first_depth) return;
    Measurement load = load_of(parameters, Operation::tcp);
    load.depth = 1;
    report.trials.push_back(measure(client, load));
    report.trials.back().depth = 0;
}

void measure_messages(ProbeClient& client, Operation operation,
                      const core::probe::Parameters& parameters, PathReport& report) {
    if (parameters.first_depth)
        report.trials.push_back(
            measure(client, {.operation = operation,
                             .size = parameters.size == 0 ? kLatencySize : parameters.size,
                             .number = parameters.iterations}));
    if (!wants_bandwidth(parameters, operation)) return;
    if (operation == Operation::tcp) return measure_tcp_stream(client, parameters, report);
    Measurement load = load_of(parameters, operation);
    for (const core::probe::Direction direction : directions_of(parameters)) {
        load.direction = direction;
        report.trials.push_back(measure(client, load));
    }
}

/// Calls both ways; those by RDMA only where it is not left out.
void measure_calls_of(ProbeClient& client, Operation operation,
                      const core::probe::Parameters& parameters, PathReport& report) {
    if (operation == Operation::rpc && !report.fallback.empty()) return;
    for (const bool writes : {false, true})
        report.trials.push_back(
            measure(client, {.operation = operation,
                             .size = parameters.size == 0 ? kCallSize : parameters.size,
                             .depth = std::max(parameters.depth, 1U),
                             .number = parameters.iterations,
                             .writes = writes}));
}

/// One combination of size, depth and completion.
void measure_all(ProbeClient& client, const core::probe::Parameters& parameters,
                 PathReport& report) {
    client.use(parameters.completion);
    for (const Operation operation : operations_of(parameters)) {
        if (operation == Operation::rpc || operation == Operation::tcp_rpc)
            measure_calls_of(client, operation, parameters, report);
        else
            measure_messages(client, operation, parameters, report);
    }
}

/// What works; with RDMA left out, if it can be, where a side has none.
void check_path(ProbeClient& client, const core::probe::Parameters& parameters,
                PathReport& report) {
    std::string unsupported_text = report.fallback;
    if (uses_tcp(parameters)) {
        const std::string theirs = client.ask_rail();
        if (unsupported_text.empty() && !theirs.empty()) unsupported_text = "the peer: " + theirs;
        report.peer = client.peer();
    }
    report.fallback.clear();
    if (!uses_rdma(parameters)) return;
    if (!unsupported_text.empty() && (needs_rdma(parameters) || parameters.functional))
        throw NoRail(unsupported_text);
    if (!unsupported_text.empty()) {
        report.fallback = unsupported_text;
        return;
    }
    Functional works = run_functional(client);
    report.checks = std::move(works.checks);
    report.failure = std::move(works.failure);
    report.advice = std::move(works.advice);
    report.peer = client.peer();
    report.mtu = client.endpoint().mtu();
}

void prove(ProbeClient& client, core::Kernel& kernel, const core::probe::Parameters& parameters,
           const Path& path, PathReport& report) {
    // Enough that nothing else that goes there is taken for it, and no more than a fabric bears.
    constexpr std::uint64_t kRate = 1'000'000'000;
    constexpr std::chrono::milliseconds kDuration{500};
    Measurement load = load_of(parameters, Operation::write);
    load.size = kBandwidthSize;
    load.queue_pairs = 1;
    load.duration = std::min(parameters.duration, kDuration);
    if (load.bits_a_second == 0) load.bits_a_second = kRate;
    report.classes = prove_classes(client, kernel,
                                   {.traffic_class = report.traffic_class,
                                    .priority = path.priority,
                                    .cnp_priority = path.cnp_priority,
                                    .load = load});
}

/// What both ends have counted of packets that were lost.
struct Lost {
    core::probe::PacketLosses here{};
    core::probe::PacketLosses peer{};
};

Lost read_losses(ProbeClient& client, core::Kernel& kernel, const Say& debug) {
    try {
        return {.here = core::probe::packet_losses(read_counters(kernel, client.rail())),
                .peer = packet_losses_in(client.ask({.kind = "counters"}))};
    } catch (const core::Error& error) {
        debug(error.what());  // a side without RDMA has nothing that counts it
        return {};
    }
}

void tell_losses(const Lost& before, const Lost& after, PathReport& report) {
    report.packet_losses = core::probe::grown(before.here, after.here, true);
    std::ranges::move(core::probe::grown(before.peer, after.peer, false),
                      std::back_inserter(report.packet_losses));
}

/// The run itself; what ends it before its end stands in the report.
void probe_path(ProbeClient& client, core::Kernel& kernel,
                const core::probe::Parameters& parameters, const Path& path, const Say& debug,
                PathReport& report) {
    const auto fail = [&](const std::string& text) {
        const ProbeClient::Presence peer = client.presence();
        report.failure = text + "; " + peer.text;
        report.advice = peer.advice;
    };
    // What failed before says more than that nobody is there for the rest.
    const auto end_of_peer = [&](const char* text) {
        if (report.failure.empty()) report.failure = text;
    };
    try {
        const Lost before = read_losses(client, kernel, debug);
        if (parameters.managed) report.cm = run_managed(client);
        if (parameters.path) report.path = run_path_mtu(client);
        check_path(client, parameters, report);
        if (report.path && report.mtu != 0)
            report.path->needed = core::probe::longest_packet(report.mtu, client.rail().address.v6);
        if (report.failure.empty() && parameters.flows != 0)
            report.flows = run_flows(client, parameters.flows);
        for (const core::probe::Parameters& one : combinations_of(parameters))
            if (report.failure.empty() && !parameters.functional) measure_all(client, one, report);
        if (report.failure.empty() && parameters.classes)
            prove(client, kernel, parameters, path, report);
        client.shut();
        tell_losses(before, read_losses(client, kernel, debug), report);
    } catch (const Incomplete& error) {
        fail(error.what());
    } catch (const TimeOver& error) {
        fail(error.what());
    } catch (const StreamBroken& error) {
        fail(error.what());
    } catch (const PeerBroken& error) {
        fail(error.what());
    } catch (const PeerGone& error) {
        end_of_peer(error.what());
    } catch (const PeerSilent& error) {
        end_of_peer(error.what());
    } catch (const core::Error& error) {
        // What rdma_cm and datagrams did stands beside what RDMA did not.
        if (!report.cm && !report.path) throw;
        report.failure = error.what();
    }
}

std::string names_of(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) {
        if (!out.empty()) out += ", ";
        out += name;
    }
    return out;
}

PathReport run_path(core::Kernel& kernel, Path& path, const core::probe::Parameters& parameters,
                    const RunSettings& settings) {
    PathReport report{.traffic_class = path.traffic_class,
                      .completion = names_of(parameters.completions)};
    report.here = end_of(path.rail);
    report.priority = path.priority;
    report.fallback = path.unsupported_text;
    handshake_as_client(path.control_connection, settings.secret);
    ProbeClient client(path.control_connection, path.rail,
                       {.traffic_class = report.traffic_class,
                        .completion = parameters.completion,
                        .force = parameters.force,
                        .limit = parameters.limit,
                        .stopped = settings.stopped});
    try {
        probe_path(client, kernel, parameters, path, settings.debug, report);
        path.control_connection.send({.kind = "close"});
    } catch (const Interrupted&) {
        report.failure = "interrupted";
    } catch (const PeerGone&) {
        // The peer's end after the last measurement takes nothing from what was measured.
        settings.debug("the peer has closed the connection");
    }
    for (const core::probe::Expectation& one : parameters.expectations)
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
                                  const core::probe::Parameters& parameters,
                                  const RunSettings& settings) {
    std::vector<PathReport> out;
    for (Path& path : paths) {
        if (settings.stopped()) break;
        try {
            out.push_back(run_path(kernel, path, parameters, settings));
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

}  // namespace verbs
