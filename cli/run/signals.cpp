// SPDX-License-Identifier: Apache-2.0
#include "cli/run/signals.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace cli {
namespace {

// A signal handler reaches nothing but what is global.
std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void ask_to_stop(int /*signal*/) {
    stop_asked = true;
}

// A file that grows over a limit is an error of its write (SIGXFSZ), and no end of the run.
constexpr std::array kIgnored = {SIGHUP, SIGPIPE, SIGXFSZ};
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

void handle(int signal, void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    // Netlink exchanges go on where they were: a half-read answer helps nobody.
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

Signals::Signals(Of of) : of_(of) {
    stop_asked = false;
    if (of == Of::listener) {
        for (const int signal : kEnding)
            if (!is_ignored(signal)) handle(signal, ask_to_stop);
        return;
    }
    for (const int signal : kIgnored)
        handle(signal, SIG_IGN);
    for (const int signal : kStopping)
        handle(signal, ask_to_stop);
}

Signals::~Signals() {
    if (of_ == Of::listener) {
        for (const int signal : kEnding)
            if (!is_ignored(signal)) handle(signal, SIG_DFL);
        return;
    }
    for (const int signal : kStopping)
        handle(signal, SIG_DFL);
}

bool Signals::asked_to_stop() const {
    return stop_asked;
}

}  // namespace cli
