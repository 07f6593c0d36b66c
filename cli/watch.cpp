// SPDX-License-Identifier: Apache-2.0
#include "cli/watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <iostream>
#include <string>
#include <utility>

#include "netlink/descriptor.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;
using netlink::Descriptor;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

struct Pipe {
    Descriptor from;
    Descriptor to;
};

Pipe make_pipe() {
    std::array<int, 2> ends = {-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(Status::failed, "no pipe can be made");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void be_child(pid_t parent, const Pipe& out, const Pipe& err) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // NOLINT(*-vararg)
    if (::getppid() != parent) ::_exit(1);
    ::dup2(out.to.number(), STDOUT_FILENO);
    ::dup2(err.to.number(), STDERR_FILENO);
}

/// False at the end of what the child writes.
bool pass_on(const Descriptor& from, std::ostream& to) {
    std::array<char, 16384> block{};
    const ssize_t got = ::read(from.number(), block.data(), block.size());
    if (got > 0) to.write(block.data(), got);
    return got != 0;
}

/// Until the child closes both; false where the time is over before.
bool pass_on_all(Descriptor out, Descriptor err, Clock::time_point end) {
    while (out.number() >= 0 || err.number() >= 0) {
        const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
        if (left.count() <= 0) return false;
        std::array<pollfd, 2> wanted = {pollfd{.fd = out.number(), .events = POLLIN, .revents = 0},
                                        pollfd{.fd = err.number(), .events = POLLIN, .revents = 0}};
        if (::poll(wanted.data(), wanted.size(), static_cast<int>(left.count())) <= 0) continue;
        if (wanted[0].revents != 0 && !pass_on(out, std::cout)) out = Descriptor();
        if (wanted[1].revents != 0 && !pass_on(err, std::cerr)) err = Descriptor();
    }
    return true;
}

/// As if this process had been the child all along.
Status status_of(pid_t child) {
    int how = 0;
    while (::waitpid(child, &how, 0) < 0 && errno == EINTR) {
    }
    if (!WIFSIGNALED(how)) return static_cast<Status>(WEXITSTATUS(how));
    std::cout.flush();
    std::signal(WTERMSIG(how), SIG_DFL);
    std::raise(WTERMSIG(how));
    return Status::failed;
}

}  // namespace

std::optional<Status> go_on_in_child(milliseconds limit) {
    Pipe out = make_pipe();
    Pipe err = make_pipe();
    const pid_t self = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) throw Error(Status::failed, "no process can be made");
    if (child == 0) {
        be_child(self, out, err);
        return std::nullopt;
    }
    out.to = Descriptor();
    err.to = Descriptor();
    if (pass_on_all(std::move(out.from), std::move(err.from), Clock::now() + limit))
        return status_of(child);
    ::kill(child, SIGKILL);
    throw Error(Status::failed, "the kernel has not answered in " + std::to_string(limit.count()) +
                                    " ms; process " + std::to_string(child) +
                                    " is left behind, and --time-limit gives it more time");
}

}  // namespace cli
