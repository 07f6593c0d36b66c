// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/guard.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <ostream>
#include <thread>

#include "cli/confirm/probe.hpp"
#include "cli/confirm/undo.hpp"
#include "cli/files/journal.hpp"
#include "cli/files/lock.hpp"
#include "cli/files/pending.hpp"
#include "cli/files/provenance.hpp"
#include "cli/log.hpp"
#include "cli/views/text.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;
using std::chrono::milliseconds;

constexpr milliseconds kStep{200};
constexpr milliseconds kProbeEvery{2000};
/// Who has the lock may be on the way back too. Longer no link stays lost for it.
constexpr std::chrono::minutes kForTheLock{1};

constexpr char kReady = 'r';
constexpr char kArm = 'a';
constexpr char kDismiss = 'd';

/// Of the terminal and all that the apply had open, nothing but the line to it is kept.
void leave_everything(int line) {
    ::setsid();
    std::signal(SIGHUP, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    if (::chdir("/") != 0) std::abort();
    ::dup2(line, 3);
    ::close_range(4, ~0U, 0);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::dup2(nowhere, file);
    ::close(nowhere);
}

/// What the apply says; nothing where it was killed.
char hear(int line) {
    char word = 0;
    while (::read(line, &word, 1) < 0 && errno == EINTR) {
    }
    return word;
}

void tell_system(const std::string& text) {
    ::openlog("rocectl", LOG_PID, LOG_DAEMON);
    ::syslog(LOG_WARNING, "%s", text.c_str());
}

/// Whether the apply still waits to be confirmed; also where that cannot be read any more, or is
/// what somebody else may have written.
bool is_mine(const Session& session, const Pending& mine) {
    try {
        const auto pending = read_pending(session.options.root);
        return pending && pending->entry == mine.entry;
    } catch (const Error&) {
        return true;
    }
}

/// Undoes the apply, unless somebody confirmed or undid it while this waited for the lock.
void undo_apply(Session& session, const Pending& mine, const std::string& why) {
    const std::string name = "apply " + std::to_string(mine.entry);
    const auto without = [&](const std::string& reason) {
        tell_system(name + " goes back without the lock: " + reason);
    };
    const auto lock = lock_for_undo(session.options.root, "guard of " + name, kForTheLock, without);
    if (!is_mine(session, mine)) return;
    const Journal journal(session.options.root);
    const core::JournalEntry entry = journal.entry(mine.entry);
    const bool undone_by_itself = entry.end && entry.end != Status::done;
    if (!undone_by_itself) {
        tell_system(name + " goes back: " + why);
        const core::Report report = undo_before(session, journal, mine.entry, why);
        tell_system(name + (report.status == Status::done ? " went back, verified"
                                                          : " could not go back as a whole"));
        for (const core::Finding& finding : report.surprises)
            tell_system(name + ": " + line_of(finding));
    }
    remove_pending(session.options.root);
}

/// Undoes the apply, however often that takes: a process that cannot be started, or a file that
/// cannot be read, may be so for a while only. It ends when somebody else confirmed or undid it.
void bring_back(Session& session, const Pending& mine, const std::string& why) {
    constexpr milliseconds longest = std::chrono::minutes(1);
    for (milliseconds pause = std::chrono::seconds(1);; pause = std::min(2 * pause, longest)) {
        try {
            undo_apply(session, mine, why);
            return;
        } catch (const std::exception& error) {
            tell_system("apply " + std::to_string(mine.entry) +
                        " could not go back: " + error.what() + "; it is tried again in " +
                        std::to_string(pause / std::chrono::seconds(1)) + " s");
        }
        std::this_thread::sleep_for(pause);
    }
}

/// Why it is time to undo it; nothing where it is not any more this guard's business.
std::optional<std::string> wait_for_reason(const Session& session, const Pending& mine) {
    milliseconds next_probe = since_boot() + kProbeEvery;
    for (;;) {
        std::optional<Pending> pending;
        try {
            pending = read_pending(session.options.root);
        } catch (const Error& error) {
            return error.what();
        }
        if (!pending || pending->entry != mine.entry) return std::nullopt;
        if (time_left(*pending).count() == 0) return "not confirmed in time";
        if (since_boot() >= next_probe) {
            try {
                std::string why = first_failure(session.options.probes);
                if (!why.empty()) return why;
            } catch (const std::exception& error) {
                return error.what();
            }
            next_probe = since_boot() + kProbeEvery;
        }
        std::this_thread::sleep_for(std::min(kStep, time_left(*pending)));
    }
}

void watch(Session& session, std::uint64_t entry, int line) {
    Pending mine{.entry = entry, .deadline = since_boot(), .guard = ::getpid()};
    const PendingFile file(session.options.root, mine);
    if (::write(line, &kReady, 1) != 1) return;
    const char word = hear(line);
    if (word == kDismiss) {
        remove_pending(session.options.root);
        return;
    }
    if (word != kArm) {
        bring_back(session, mine, "the apply was killed");
        return;
    }
    mine.deadline = since_boot() + *session.options.confirm;
    extend_pending(session.options.root, mine);
    if (::write(line, &kReady, 1) != 1) return;
    if (const auto why = wait_for_reason(session, mine)) bring_back(session, mine, *why);
}

[[noreturn]] void be_guard(const Session& session, std::uint64_t entry, int line) {
    if (::fork() != 0) ::_exit(0);
    leave_everything(line);
    std::ostream nowhere(nullptr);
    Session own{.command = "rollback",
                .options = session.options,
                .style = {},
                .out = nowhere,
                .live = session.live,
                .ask = nullptr,
                .missing_privilege = session.missing_privilege};
    try {
        watch(own, entry, 3);
    } catch (const std::exception& error) {
        tell_system("the guard of apply " + std::to_string(entry) + " failed: " + error.what());
    }
    ::_exit(0);
}

/// systemd ends what a service leaves behind, unless its KillMode is process or none.
void tell_what_ends_it(const std::filesystem::path& root) {
    const std::string service = own_service(root);
    if (service.empty()) return;
    log_warning(
        "the guard that would go back is in " + service +
        ", and may end with it; systemd-run --scope rocectl ... gives it a place of its own");
}

}  // namespace

Guard::Guard(const Session& session, std::uint64_t entry) {
    tell_what_ends_it(session.options.root);
    std::array<int, 2> ends = {};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Error(Status::failed, "the guard cannot be spoken to");
    const pid_t child = ::fork();
    if (child == 0) be_guard(session, entry, ends[1]);
    ::close(ends[1]);
    line_ = ends[0];
    if (child > 0) ::waitpid(child, nullptr, 0);
    if (child < 0 || hear(line_) != kReady)
        throw Error(Status::failed, "the guard that would go back did not come up");
}

Guard::~Guard() {
    ::close(line_);
}

void Guard::say(char word) const {
    if (::send(line_, &word, 1, MSG_NOSIGNAL) != 1)
        throw Error(Status::failed, "the guard that would go back is gone");
}

void Guard::arm() {
    say(kArm);
    if (hear(line_) != kReady) throw Error(Status::failed, "the guard that would go back is gone");
}

void Guard::dismiss() {
    say(kDismiss);
}

StandsBy guard_of(const Session& session) {
    if (!session.options.confirm) return {};
    return [&session](std::uint64_t entry) { return std::make_unique<Guard>(session, entry); };
}

}  // namespace cli
