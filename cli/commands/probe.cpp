// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <algorithm>
#include <iterator>

#include "cli/command.hpp"
#include "cli/log.hpp"
#include "cli/probe/caller.hpp"
#include "cli/probe/functional.hpp"
#include "cli/probe/greeting.hpp"
#include "cli/probe/measure.hpp"
#include "cli/probe/service.hpp"
#include "cli/probe/socket.hpp"
#include "cli/run/signals.hpp"
#include "cli/run/task.hpp"
#include "cli/seal/seal.hpp"
#include "cli/views/probe.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::probe::Operation;
using core::probe::PathReport;
using std::chrono::milliseconds;

constexpr std::uint8_t kEcn = 2;  // ECT(0), as in ToS 106 for DSCP 26
constexpr std::uint64_t kLatencySize = 2;
constexpr std::uint64_t kBandwidthSize = 65536;

std::string secret_of(const Measuring& measuring) {
    return measuring.secret ? read_secret(*measuring.secret) : std::string();
}

/// What a probe needs of root it has by now, but for memory that it may lock.
void give_up_rights() {
    const rlimit all = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    ::setrlimit(RLIMIT_MEMLOCK, &all);
    log_info(text(seal_but_for_sending()));
}

/// One client, from its greeting to its end; what it did wrong ends nothing but itself.
void serve_one(Session& session, core::Kernel& kernel, const std::string& secret,
               netlink::Descriptor socket, const std::function<bool()>& stopped) {
    const core::Ip own = own_address(socket.number());
    const std::string client = peer_name(socket.number());
    Channel channel(std::move(socket), Channel::Side::server);
    try {
        greet_as_server(channel, secret);
        log_info("client " + client);
        Service(channel, kernel,
                {.address = own, .force = session.options.measuring.force, .stopped = stopped})
            .run();
        log_info("client " + client + " is done");
    } catch (const std::exception& error) {
        log_warning("client " + client + ": " + error.what());
    }
}

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
        report.trials.push_back(
            measure_bandwidth(caller, operation,
                              {.size = measuring.size == 0 ? kBandwidthSize : measuring.size,
                               .queue_pairs = measuring.queue_pairs,
                               .depth = measuring.depth,
                               .duration = measuring.duration,
                               .bits_a_second = measuring.bits_a_second}));
    }
}

/// The run itself; what ends it before its end stands in the report.
void probe_path(Caller& caller, const Measuring& measuring, PathReport& report) {
    const auto fail = [&](const std::string& text) {
        const Caller::Presence peer = caller.presence();
        report.failure = text + "; " + peer.text;
    };
    try {
        Functional works = run_functional(caller);
        report.checks = std::move(works.checks);
        report.failure = std::move(works.failure);
        report.advice = std::move(works.advice);
        report.peer = caller.peer();
        report.mtu = caller.endpoint().mtu();
        if (report.failure.empty()) measure_all(caller, measuring, report);
        caller.shut();
    } catch (const verbs::Incomplete& error) {
        fail(error.what());
    } catch (const verbs::TimeOver& error) {
        fail(error.what());
    } catch (const PeerGone& error) {
        report.failure = error.what();
    } catch (const PeerSilent& error) {
        report.failure = error.what();
    }
}

/// The rail that is named, else the one of the address that the route to the peer gave.
Rail own_rail(core::Kernel& kernel, const Measuring& measuring, int socket) {
    const core::State state = read_rails(kernel);
    Rail rail = measuring.port.empty() && measuring.device.empty()
                    ? rail_of(state, own_address(socket))
                    : rail_named(state, measuring.port, measuring.device);
    if (!rail.holders.empty() && !measuring.force)
        throw core::Error(core::Status::failed, rail.device + " has queue pairs of " +
                                                    rail.holders + "; --force probes beside them");
    return rail;
}

core::Status verdict(const PathReport& report, const std::vector<core::probe::Outcome>& outcomes) {
    const bool met = std::ranges::all_of(outcomes, &core::probe::Outcome::met);
    return report.failure.empty() && met ? core::Status::done : core::Status::differs;
}

}  // namespace

core::Status probe_serve(Session& session) {
    const Measuring& measuring = session.options.measuring;
    if (!measuring.secret && !measuring.no_secret)
        throw core::Error(core::Status::usage,
                          "probe serve: expected --secret FILE, or --no-secret where all hosts of "
                          "the network are trusted");
    const std::string secret = secret_of(measuring);
    const netlink::Descriptor listening = listen_at(measuring.bind);
    give_up_rights();
    const auto kernel = open_host(session);
    const Signals signals(Signals::Of::listener);
    const auto stopped = [&] { return signals.asked_to_stop(); };
    session.out << "serving at " << socket_name(listening.number()) << '\n' << std::flush;
    while (!stopped()) {
        netlink::Descriptor client = accept_one(listening.number(), milliseconds{200});
        if (client.number() < 0) continue;
        serve_one(session, *kernel, secret, std::move(client), stopped);
        if (measuring.once) break;
    }
    return core::Status::done;
}

core::Status probe_run(Session& session) {
    const Measuring& measuring = session.options.measuring;
    const std::string secret = secret_of(measuring);
    const Signals signals(Signals::Of::listener);
    Channel channel(connect_to(session.options.operands.front()), Channel::Side::client);
    give_up_rights();
    greet_as_client(channel, secret);
    const auto kernel = open_host(session);
    PathReport report{.traffic_class = static_cast<std::uint8_t>(measuring.dscp << 2U | kEcn),
                      .completion = measuring.completion};
    Caller caller(channel, own_rail(*kernel, measuring, channel.socket()),
                  {.traffic_class = report.traffic_class,
                   .completion = measuring.completion,
                   .force = measuring.force,
                   .limit = measuring.limit,
                   .stopped = [&] { return signals.asked_to_stop(); }});
    const Rail& rail = caller.rail();
    report.here = {.port = rail.port,
                   .device = rail.device,
                   .address = core::text(rail.address),
                   .gid_index = rail.gid_index};
    try {
        probe_path(caller, measuring, report);
    } catch (const Interrupted&) {
        report.failure = "interrupted";
    }
    std::vector<core::probe::Outcome> outcomes;
    for (const core::probe::Expectation& one : measuring.expectations)
        outcomes.push_back(core::probe::judge(one, report));
    const core::Status status = verdict(report, outcomes);
    session.out << probe_view(session, status, report, outcomes);
    return status;
}

}  // namespace cli
