// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "cli/command.hpp"
#include "cli/log.hpp"
#include "cli/probe/exchange.hpp"
#include "cli/probe/handshake.hpp"
#include "cli/probe/listener.hpp"
#include "cli/probe/listening.hpp"
#include "cli/probe/loopback.hpp"
#include "cli/probe/option_conflicts.hpp"
#include "cli/probe/run.hpp"
#include "cli/probe/server.hpp"
#include "cli/probe/socket.hpp"
#include "cli/probe/traffic_class.hpp"
#include "cli/run/signals.hpp"
#include "cli/run/task.hpp"
#include "cli/seal/seal.hpp"
#include "cli/views/probe.hpp"
#include "core/error.hpp"
#include "core/probe/call.hpp"
#include "core/profile/acceptance.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/resolve.hpp"

namespace cli {
namespace {

using std::chrono::milliseconds;

std::string secret_of(const Options& options) {
    const auto& file = options.measuring.secret;
    return file ? read_secret(*file, options.only_trusted) : std::string();
}

/// What calls have under way lies in memory of both sides.
void refuse_too_many_calls(const Measuring& measuring) {
    const auto all = operations_of(measuring);
    if (std::ranges::find(all, core::probe::Operation::rpc) == all.end() &&
        std::ranges::find(all, core::probe::Operation::tcp_rpc) == all.end())
        return;
    const core::probe::CallRoom room{.size = std::ranges::max(measuring.sizes),
                                     .depth = std::max(std::ranges::max(measuring.depths), 1U)};
    if (room.depth > kMostCalls || room.bytes() > kMostRoom)
        throw core::Error(core::Status::usage,
                          "--size, --depth: found " + std::to_string(room.depth) + " calls of " +
                              std::to_string(room.size) + " bytes, expected " +
                              std::to_string(kMostCalls) + " of them and " +
                              std::to_string(kMostRoom >> 20U) + " MiB together at most for rpc");
}

/// perftest has no columns for what it does not measure, nor for what several rows differ in.
void refuse_perftest(const Options& options) {
    const Measuring& measuring = options.measuring;
    if (options.output != Output::perftest) return;
    if (uses_tcp(measuring))
        throw core::Error(core::Status::usage,
                          "-o perftest: perftest has no columns for tcp, rpc and tcp-rpc; expected "
                          "send, write or read, or another form");
    if (measuring.depths.size() > 1 || measuring.completions.size() > 1)
        throw core::Error(core::Status::usage,
                          "-o perftest: perftest has no column for --depth or --completion; "
                          "expected one value of each, or another form");
}

/// What a probe needs of root it has by now, but for memory that it may lock.
void give_up_rights(const Sending& sending = {}) {
    const rlimit all = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    ::setrlimit(RLIMIT_MEMLOCK, &all);
    log_info(text(seal_but_for_sending(sending)));
}

/// Whoever started the server has ended, and took along the pipe that its words went into: sshd
/// does so when pdsh or ssh end, and sends no signal where there is no terminal.
bool is_not_notified() {
    struct stat out = {};
    if (::fstat(STDOUT_FILENO, &out) != 0 || !S_ISFIFO(out.st_mode)) return false;
    pollfd reader = {.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    return ::poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0;
}

/// One client, from the end of its handshake on; what it did wrong ends nothing but itself.
void serve_one(Session& session, core::Kernel& kernel, ControlConnection& control_connection,
               Listener& listener, const MeshTasks* mesh_tasks,
               const std::function<bool()>& stopped) {
    const core::Ip own = own_address(control_connection.number());
    const std::string client = peer_name(control_connection.number());
    try {
        log_info("client " + client);
        ProbeServer(control_connection, kernel,
                    {.address = own,
                     .force = session.options.measuring.force,
                     .listener = &listener,
                     .stopped = stopped,
                     .mesh_tasks = mesh_tasks})
            .run();
        log_info("client " + client + " is done");
    } catch (const std::exception& error) {
        log_warning("client " + client + ": " + error.what());
    }
}

/// What the profile that --profile names says of this host, and of what is to be measured.
struct Stated {
    std::optional<core::DesiredState> desired_values{};
    core::Acceptance acceptance{};
};

Stated read_stated(const Session& session, core::Kernel& kernel) {
    const std::string& name = session.options.measuring.profile;
    if (name.empty()) return {};
    Options options = session.options;
    options.operands = {name};
    const core::Profile profile = read_profile(options);
    const core::Variables variables = read_variables(options);
    return {.desired_values = core::resolve(profile, variables, read_inventory(kernel, profile)),
            .acceptance = core::acceptance_of(profile, variables)};
}

/// The options with what the profile accepts; the command line comes first, and its expectations
/// are added to those of the profile.
Measuring joined(const Options& options, const core::Acceptance& acceptance) {
    Measuring out = options.measuring;
    const auto is_given = [&](std::string_view name) {
        return std::ranges::any_of(options.given,
                                   [&](const auto& one) { return one.first == name; });
    };
    // What measures nothing is held to no figures.
    if (!out.functional)
        out.expectations.insert(out.expectations.begin(), acceptance.expect.begin(),
                                acceptance.expect.end());
    if (!is_given("--operation")) out.operations = acceptance.operations;
    out.classes = out.classes || acceptance.classes;
    if (!is_given("--size") && acceptance.size) out.sizes = {*acceptance.size};
    if (!is_given("--queue-pairs") && acceptance.queue_pairs)
        out.queue_pairs = static_cast<unsigned>(*acceptance.queue_pairs);
    if (!is_given("--depth") && acceptance.depth)
        out.depths = {static_cast<unsigned>(*acceptance.depth)};
    return out;
}

}  // namespace

core::Status probe_serve(Session& session) {
    const Measuring& measuring = session.options.measuring;
    if (!measuring.secret && !measuring.no_secret)
        throw core::Error(core::Status::usage,
                          "probe serve: expected --secret FILE, or --no-secret where all hosts of "
                          "the network are trusted");
    const bool meshes = session.options.meshing.serves;
    if (meshes && !measuring.secret)
        throw core::Error(core::Status::usage,
                          "probe serve: --mesh needs --secret FILE: who knows it says to whom this "
                          "host sends");
    const std::string secret = secret_of(session.options);
    Listener listening(listen_at(measuring.bind), secret);
    const MeshTasks mesh_tasks = {.secret = secret, .bound = bound_address(listening.number())};
    // The servers of a mesh listen at one port, each at its own host.
    Sending sending;
    if (meshes) sending.peer_ports = {bound_port(listening.number())};
    give_up_rights(sending);
    const auto kernel = open_host(session);
    const Signals signals(Signals::Of::listener);
    const auto stopped = [&] { return signals.asked_to_stop() || is_not_notified(); };
    session.out << "serving at " << socket_name(listening.number()) << '\n' << std::flush;
    while (!stopped()) {
        std::optional<ControlConnection> client = listening.next(milliseconds{200});
        if (!client) continue;
        serve_one(session, *kernel, *client, listening, meshes ? &mesh_tasks : nullptr, stopped);
        if (measuring.once) break;
    }
    return core::Status::done;
}

core::Status probe_run(Session& session) {
    refuse_perftest(session.options);
    const std::string secret = secret_of(session.options);
    const Signals signals(Signals::Of::listener);
    const auto stopped = [&] { return signals.asked_to_stop(); };
    const auto kernel = open_host(session);
    const Stated stated = read_stated(session, *kernel);
    const Measuring measuring = joined(session.options, stated.acceptance);
    refuse_too_many_calls(measuring);
    refuse_unfit(session.options, measuring);
    const core::State state = read_rails(*kernel);
    Paths found = paths_of(state, measuring, session.options.operands.front(), secret);
    std::vector<Path>& paths = found.all;
    set_traffic_classes(*kernel, stated.desired_values ? &*stated.desired_values : nullptr,
                        measuring, paths);
    Sending sending;
    if (uses_tcp(measuring))
        sending.peer_ports = {peer_port(paths.front().control_connection.number())};
    give_up_rights(sending);
    std::vector<core::probe::PathReport> reports =
        run_paths(*kernel, paths, measuring, secret, stopped);
    const bool ended = reports.size() == paths.size();
    std::ranges::move(found.lost, std::back_inserter(reports));
    const core::Status status = ended ? status_of(reports) : core::Status::differs;
    session.out << probe_view({session.command, status}, session.options.output, session.style,
                              reports);
    return status;
}

core::Status probe_loopback(Session& session) {
    const Measuring& measuring = session.options.measuring;
    refuse_unfit(session.options, measuring);
    const Signals signals(Signals::Of::listener);
    const auto stopped = [&] { return signals.asked_to_stop(); };
    const core::State state = read_rails(*open_host(session));
    std::vector<Rail> rails;
    if (measuring.port.empty() && measuring.device.empty())
        rails = rails_in(state);
    else
        rails.push_back(rail_named(state, measuring.port, measuring.device));
    if (rails.empty())
        throw core::Error(core::Status::failed,
                          "no port has an RDMA device with a RoCE v2 GID; rocectl doctor says why");
    give_up_rights({.to_itself = true});
    const std::vector<core::probe::PathReport> reports = run_loopback(
        rails, measuring, [&session] { return open_host(session); }, stopped);
    const core::Status status = stopped() ? core::Status::differs : status_of(reports);
    session.out << probe_view({session.command, status}, session.options.output, session.style,
                              reports);
    return status;
}

}  // namespace cli
