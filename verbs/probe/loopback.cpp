// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/loopback.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "core/error.hpp"
#include "verbs/probe/control_connection.hpp"
#include "verbs/probe/path.hpp"
#include "verbs/probe/run.hpp"
#include "verbs/probe/server.hpp"

namespace verbs {
namespace {

using core::probe::PathReport;
using Say = std::function<void(const std::string&)>;

core::Error no_process(const std::string& what) {
    return {core::Status::failed, what + ": " + std::generic_category().message(errno)};
}

/// What is done in the child; its parent tells it to end by closing its end.
void be_peer(netlink::Descriptor socket, const core::Ip& address, const LocalPeer::Open& open,
             const Say& warn) {
    try {
        ControlConnection control_connection(std::move(socket), ControlConnection::Side::server);
        handshake_as_server(control_connection, {});
        const auto kernel = open();
        ProbeServer(control_connection, *kernel,
                    {.address = address, .force = false, .stopped = [] { return false; }})
            .run();
    } catch (const PeerGone&) {
        // The parent has ended, or wants no more.
    } catch (const std::exception& error) {
        warn(std::string("the other end: ") + error.what());
    }
}

PathReport run_pair(const Rail& from, const Rail& to, const core::probe::Parameters& parameters,
                    const LocalPeer::Open& open, const RunSettings& settings) {
    LocalPeer peer(to.address, open, settings.warn);
    std::vector<Path> path;
    path.push_back({.control_connection = peer.take_control_connection(), .rail = from});
    const auto kernel = open();
    set_traffic_classes(*kernel, nullptr, parameters, path);
    PathReport out;
    try {
        out = run_paths(*kernel, path, parameters, settings).front();
    } catch (const core::Error& error) {
        out.here = end_of(from);
        out.failure = error.what();
    }
    out.peer = end_of(to);
    if (from.device == to.device || out.failure.empty()) return out;
    out.advice =
        "packets from one device to an address of its own host are to leave the one port and come "
        "back by the other: soft RoCE drops them inside the host, and a NIC's need a switch that "
        "joins both ports and routes for it (ip route get ADDRESS from ADDRESS oif PORT)";
    return out;
}

}  // namespace

LocalPeer::LocalPeer(const core::Ip& address, const Open& open,
                     const std::function<void(const std::string&)>& warn) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0)
        throw no_process("making a pair of sockets");
    end_ = netlink::Descriptor(ends[0]);
    netlink::Descriptor theirs(ends[1]);
    const pid_t self = ::getpid();
    child_ = ::fork();
    if (child_ < 0) throw no_process("starting a process for the other end");
    if (child_ > 0) return;
    // NOLINTNEXTLINE(*-vararg)
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != self) ::_exit(1);
    end_ = netlink::Descriptor();
    be_peer(std::move(theirs), address, open, warn);
    ::_exit(0);
}

LocalPeer::~LocalPeer() {
    end_ = netlink::Descriptor();
    // Its queue pairs go with it; it ends by itself, and one that hangs is left, to go with this
    // process.
    constexpr int kTurns = 200;
    constexpr useconds_t kTurn = 10'000;
    for (int i = 0; i < kTurns; ++i) {
        if (::waitpid(child_, nullptr, WNOHANG) != 0) return;
        ::usleep(kTurn);
    }
}

ControlConnection LocalPeer::take_control_connection() {
    return ControlConnection(std::move(end_), ControlConnection::Side::client);
}

std::vector<PathReport> run_loopback(const std::vector<Rail>& rails,
                                     const core::probe::Parameters& parameters,
                                     const LocalPeer::Open& open, const RunSettings& settings) {
    for (const Rail& rail : rails)
        check_holders(rail, parameters);
    std::vector<PathReport> out;
    for (std::size_t from = 0; from < rails.size(); ++from)
        for (std::size_t to = from; to < rails.size() && !settings.stopped(); ++to)
            out.push_back(run_pair(rails[from], rails[to], parameters, open, settings));
    return out;
}

}  // namespace verbs
