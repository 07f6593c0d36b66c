// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/log.hpp"
#include "cli/probe/greeting.hpp"
#include "cli/probe/run.hpp"
#include "cli/probe/service.hpp"
#include "cli/probe/socket.hpp"
#include "cli/run/signals.hpp"
#include "cli/run/task.hpp"
#include "cli/seal/seal.hpp"
#include "cli/views/probe.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using std::chrono::milliseconds;

std::string secret_of(const Options& options) {
    const auto& file = options.measuring.secret;
    return file ? read_secret(*file, options.only_trusted) : std::string();
}

/// What a probe needs of root it has by now, but for memory that it may lock.
void give_up_rights(const std::vector<std::uint16_t>& peer_ports = {}) {
    const rlimit all = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    ::setrlimit(RLIMIT_MEMLOCK, &all);
    log_info(text(seal_but_for_sending(peer_ports)));
}

/// One client, from its greeting to its end; what it did wrong ends nothing but itself.
void serve_one(Session& session, core::Kernel& kernel, const std::string& secret,
               netlink::Descriptor socket, const Errands* errands,
               const std::function<bool()>& stopped) {
    const core::Ip own = own_address(socket.number());
    const std::string client = peer_name(socket.number());
    Channel channel(std::move(socket), Channel::Side::server);
    try {
        greet_as_server(channel, secret);
        log_info("client " + client);
        Service(channel, kernel,
                {.address = own,
                 .force = session.options.measuring.force,
                 .stopped = stopped,
                 .errands = errands})
            .run();
        log_info("client " + client + " is done");
    } catch (const std::exception& error) {
        log_warning("client " + client + ": " + error.what());
    }
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
    const netlink::Descriptor listening = listen_at(measuring.bind);
    const Errands errands = {.secret = secret, .bound = bound_address(listening.number())};
    // The servers of a mesh listen at one port, each at its own host.
    give_up_rights(meshes ? std::vector{bound_port(listening.number())}
                          : std::vector<std::uint16_t>());
    const auto kernel = open_host(session);
    const Signals signals(Signals::Of::listener);
    const auto stopped = [&] { return signals.asked_to_stop(); };
    session.out << "serving at " << socket_name(listening.number()) << '\n' << std::flush;
    while (!stopped()) {
        netlink::Descriptor client = accept_one(listening.number(), milliseconds{200});
        if (client.number() < 0) continue;
        serve_one(session, *kernel, secret, std::move(client), meshes ? &errands : nullptr,
                  stopped);
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
    std::vector<Path> paths = paths_of(state, measuring, session.options.operands.front(), secret);
    give_up_rights();
    const std::vector<core::probe::PathReport> reports =
        run_paths(paths, measuring, secret, stopped);
    const bool well = std::ranges::all_of(reports, is_well) && reports.size() == paths.size();
    const core::Status status = well ? core::Status::done : core::Status::differs;
    session.out << probe_view(session, status, reports);
    return status;
}

}  // namespace cli
