// SPDX-License-Identifier: Apache-2.0
#include "cli/run/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "cli/files/text_file.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;
using Clock = std::chrono::steady_clock;

/// The first byte of what comes through the pipe; behind kThrown, a byte that is the status.
constexpr char kReturned = 'r';
constexpr char kThrown = 't';

[[noreturn]] void fail(const char* what) {
    throw Error(Status::failed, std::string(what) + ": " + std::generic_category().message(errno));
}

std::string outcome(const std::function<std::string()>& work) {
    try {
        return kReturned + work();
    } catch (const Error& error) {
        std::string text{kThrown, static_cast<char>(error.status())};
        for (const std::string& line : error.lines())
            text.append(line).push_back('\n');
        return text;
    } catch (const std::exception& error) {
        return std::string{kThrown, static_cast<char>(Status::failed)} + error.what() + '\n';
    }
}

[[noreturn]] void be_child(int pipe, pid_t parent, const std::function<std::string()>& work) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Whoever waits for this run's output to end must not wait for a child that hangs.
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::dup2(nowhere, file);
    try {
        if (::getppid() == parent) write_all(pipe, "pipe", outcome(work));
    } catch (const Error&) {
        // The parent has gone, and with it whoever wanted to know.
    }
    // What this process would do at its end (flush, look for leaks) is the parent's to do.
    ::_exit(0);
}

/// All until the other end is closed; nothing where the time is over before.
std::optional<std::string> receive(int pipe, Clock::time_point end) {
    std::string text;
    std::array<char, 4096> block = {};
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        struct pollfd wanted = {.fd = pipe, .events = POLLIN, .revents = 0};
        const int ready =
            ::poll(&wanted, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
        if (ready == 0) return std::nullopt;
        if (ready < 0) continue;
        const ssize_t got = ::read(pipe, block.data(), block.size());
        if (got == 0) return text;
        if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
    }
}

std::string unpack(const std::string& text) {
    if (text.empty()) throw Error(Status::failed, "a process of this run ended without a word");
    if (text.front() == kReturned) return text.substr(1);
    std::vector<std::string> lines;
    for (std::size_t at = 2; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    throw Error(static_cast<Status>(static_cast<unsigned char>(text[1])), lines);
}

}  // namespace

Answer in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit) {
    std::array<int, 2> ends = {};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
    const pid_t self = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) {
        ::close(ends[0]);
        ::close(ends[1]);
        fail("fork");
    }
    if (child == 0) be_child(ends[1], self, work);
    ::close(ends[1]);
    const std::optional<std::string> text = receive(ends[0], Clock::now() + limit);
    ::close(ends[0]);
    if (!text) {
        ::kill(child, SIGKILL);
        return {.child = child};
    }
    ::waitpid(child, nullptr, 0);
    return {.child = child, .text = unpack(*text)};
}

}  // namespace cli
