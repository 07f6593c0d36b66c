// SPDX-License-Identifier: Apache-2.0
#include "cli/run/signals.hpp"

#include <array>
#include <atomic>

namespace cli {
namespace {

// A signal handler reaches nothing but what is global.
std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void ask_to_stop(int /*signal*/) {
    stop_asked = true;
}

// A file that grows over a limit is an error of its write (SIGXFSZ), and no end of the run; nor is
// the caller's soft limit of processor time (SIGXCPU).
constexpr std::array kIgnored = {SIGHUP, SIGPIPE, SIGXFSZ, SIGXCPU};
constexpr std::array kStopping = {SIGINT, SIGTERM, SIGQUIT};

/// SIGQUIT ends at once what has nothing to bring to an end.
constexpr std::array kEnding = {SIGINT, SIGTERM, SIGHUP};

/// A shell has SIGINT ignored by what it starts in the background, which may be asked to end by it
/// nevertheless.
bool is_ignored(int signal) {
    struct sigaction action = {};
    return signal == SIGHUP && ::sigaction(signal, nullptr, &action) == 0 &&
           action.sa_handler == SIG_IGN;
}

unsigned living = 0;

struct sigaction handled(int signal, void (*handler)(int)) {
    struct sigaction action = {};
    struct sigaction before = {};
    action.sa_handler = handler;
    // Netlink exchanges go on where they were: a half-read answer helps nobody.
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, &before);
    return before;
}

}  // namespace

Signals::Signals(Of of) {
    if (living++ == 0) stop_asked = false;
    if (of == Of::listener) {
        for (const int signal : kEnding)
            if (!is_ignored(signal)) before_[signal] = handled(signal, ask_to_stop);
        return;
    }
    // What follows a run that wrote, such as its report, is not ended by them either.
    for (const int signal : kIgnored) {
        const struct sigaction before = handled(signal, SIG_IGN);
        if (living > 1) before_[signal] = before;
    }
    for (const int signal : kStopping)
        before_[signal] = handled(signal, ask_to_stop);
}

Signals::~Signals() {
    --living;
    for (const auto& [signal, before] : before_)
        ::sigaction(signal, &before, nullptr);
}

bool Signals::asked_to_stop() const {
    return stop_asked;
}

}  // namespace cli
