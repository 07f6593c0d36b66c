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
#include "core/model/tos.hpp"
#include "core/probe/rails.hpp"

namespace cli {
namespace {

using core::probe::Operation;
using core::probe::PathReport;
using std::chrono::milliseconds;

constexpr std::uint64_t kLatencySize = 2;
constexpr std::uint64_t kBandwidthSize = 65536;

std::string secret_of(const Options& options) {
    const auto& file = options.measuring.secret;
    return file ? read_secret(*file, options.only_trusted) : std::string();
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

/// One connection to the server, and what of this host sends.
struct Path {
    Channel channel;
    Rail rail;
};

void check_holders(const Rail& rail, const Measuring& measuring) {
    if (!rail.holders.empty() && !measuring.force)
        throw core::Error(core::Status::failed, rail.device + " has queue pairs of " +
                                                    rail.holders + "; --force probes beside them");
}

/// By the rail that is named, else the one of the address that the route to the peer gave.
Path one_path(const core::State& state, const Measuring& measuring, const std::string& host) {
    if (measuring.port.empty() && measuring.device.empty()) {
        netlink::Descriptor socket = connect_to(host);
        Rail rail = rail_of(state, own_address(socket.number()));
        return {.channel = Channel(std::move(socket), Channel::Side::client),
                .rail = std::move(rail)};
    }
    Rail rail = rail_named(state, measuring.port, measuring.device);
    return {.channel = Channel(connect_to(host), Channel::Side::client), .rail = std::move(rail)};
}

/// The addresses of the peer's rails, as it says.
std::vector<core::Prefix> peer_rails(const std::string& host, const std::string& secret) {
    constexpr milliseconds kAnswer{5000};
    Channel channel(connect_to(host), Channel::Side::client);
    greet_as_client(channel, secret);
    channel.send({.kind = "rails"});
    const core::probe::Message said = channel.receive(kAnswer);
    channel.send({.kind = "close"});
    std::vector<core::Prefix> out;
    for (std::size_t i = 0; i < said.words.size(); ++i) {
        const std::string& text = core::probe::word_in(said, "rail." + std::to_string(i));
        const auto prefix = core::parse_prefix(text);
        if (!prefix)
            throw core::Error(core::Status::failed,
                              "the peer's address '" + text + "' of a rail is none");
        out.push_back(*prefix);
    }
    return out;
}

/// Each rail to its counterpart; what has none is told, and is not probed.
std::vector<Path> all_paths(const core::State& state, const std::string& host,
                            const std::string& secret) {
    const std::vector<Rail> own = rails_in(state);
    std::vector<core::Prefix> here;
    for (const Rail& rail : own)
        here.push_back({.ip = rail.address, .length = rail.prefix_length});
    const std::vector<core::Prefix> there = peer_rails(host, secret);
    const std::vector<core::probe::RailPair> pairs = core::probe::pair_rails(here, there);
    if (pairs.empty())
        throw core::Error(core::Status::failed, "no rail has a counterpart: this host has " +
                                                    std::to_string(here.size()) + ", the peer " +
                                                    std::to_string(there.size()));
    for (std::size_t i = 0; i < own.size(); ++i)
        if (std::ranges::find(pairs, i, &core::probe::RailPair::here) == pairs.end())
            log_warning(own[i].port + ": the peer has no counterpart of this rail");
    std::vector<Path> out;
    for (const core::probe::RailPair& pair : pairs)
        out.push_back({.channel = Channel(connect_to(with_address(host, there[pair.there].ip),
                                                     own[pair.here].address),
                                          Channel::Side::client),
                       .rail = own[pair.here]});
    return out;
}

std::vector<Path> paths_of(const core::State& state, const Session& session,
                           const std::string& secret) {
    const Measuring& measuring = session.options.measuring;
    const std::string& host = session.options.operands.front();
    if (measuring.all && !(measuring.port.empty() && measuring.device.empty()))
        throw core::Error(core::Status::usage,
                          "--all: cannot be used together with --port or --device");
    std::vector<Path> out;
    if (measuring.all)
        out = all_paths(state, host, secret);
    else
        out.push_back(one_path(state, measuring, host));
    for (const Path& path : out)
        check_holders(path.rail, measuring);
    return out;
}

core::probe::End end_of(const Rail& rail) {
    return {.port = rail.port,
            .device = rail.device,
            .address = core::text(rail.address),
            .gid_index = rail.gid_index};
}

PathReport run_path(Path& path, const Measuring& measuring, const std::string& secret,
                    const std::function<bool()>& stopped) {
    PathReport report{.traffic_class = static_cast<std::uint8_t>(core::tos_of(measuring.dscp)),
                      .completion = measuring.completion};
    report.here = end_of(path.rail);
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

/// The same; of several paths one that cannot be probed takes nothing from the others.
PathReport run_one_of(std::vector<Path>& paths, Path& path, const Measuring& measuring,
                      const std::string& secret, const std::function<bool()>& stopped) {
    try {
        return run_path(path, measuring, secret, stopped);
    } catch (const std::exception& error) {
        if (paths.size() == 1) throw;
        return {.here = end_of(path.rail), .failure = error.what()};
    }
}

bool is_well(const PathReport& report) {
    return report.failure.empty() &&
           std::ranges::all_of(report.outcomes, &core::probe::Outcome::met);
}

}  // namespace

core::Status probe_serve(Session& session) {
    const Measuring& measuring = session.options.measuring;
    if (!measuring.secret && !measuring.no_secret)
        throw core::Error(core::Status::usage,
                          "probe serve: expected --secret FILE, or --no-secret where all hosts of "
                          "the network are trusted");
    const std::string secret = secret_of(session.options);
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
    const std::string secret = secret_of(session.options);
    const Signals signals(Signals::Of::listener);
    const auto stopped = [&] { return signals.asked_to_stop(); };
    const core::State state = read_rails(*open_host(session));
    std::vector<Path> paths = paths_of(state, session, secret);
    give_up_rights();
    std::vector<PathReport> reports;
    for (Path& path : paths) {
        if (stopped()) break;
        reports.push_back(run_one_of(paths, path, measuring, secret, stopped));
    }
    const bool well = std::ranges::all_of(reports, is_well) && reports.size() == paths.size();
    const core::Status status = well ? core::Status::done : core::Status::differs;
    session.out << probe_view(session, status, reports);
    return status;
}

}  // namespace cli
