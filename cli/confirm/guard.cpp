// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/guard.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ostream>
#include <utility>

#include "cli/confirm/guard_probe.hpp"
#include "cli/confirm/journal_rollback.hpp"
#include "cli/confirm/systemd_scope.hpp"
#include "cli/files/journal.hpp"
#include "cli/files/lifetime.hpp"
#include "cli/files/pending.hpp"
#include "cli/files/provenance.hpp"
#include "cli/log.hpp"
#include "cli/run/child.hpp"
#include "cli/run/run.hpp"
#include "cli/run/signals.hpp"
#include "cli/views/text.hpp"
#include "core/error.hpp"
#include "core/model/finding_names.hpp"
#include "core/plan/guard.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;
using core::guard::Action;
using core::guard::Apply;
using core::guard::Phase;
using core::guard::Reason;
using core::guard::Try;
using std::chrono::milliseconds;

constexpr milliseconds kLook{200};
constexpr milliseconds kProbeEvery{2000};
/// Who has the lock may be on the way back too. Longer no change outlives its deadline for it.
constexpr milliseconds kForTheLock{3000};
constexpr milliseconds kForTheEnd{1000};
constexpr milliseconds kForTheDisk{2000};
constexpr const char* kDiskIsSilent = "the disk of the journal does not answer";
constexpr std::chrono::milliseconds kSignEvery{200};

// What the apply says, and the guard answers.
constexpr char kReady = 'r';
constexpr char kBeat = '.';
constexpr char kArm = 'a';
constexpr char kDismiss = 'd';
constexpr char kTakeOver = 't';

/// What the guard takes along from the apply.
struct Inherited {
    int line = -1;
    int apply = -1;  ///< refers to its process (pidfd_open(2)); -1 where the kernel has none
    int lock = -1;
    int root = -1;  ///< the folder of --root
};

/// No signal but those that tell it to end means anything to it, and these arrive whatever the
/// caller blocked. One that the kernel raises for a fault ends a process that ignores it too.
void heed_no_signal() {
    for (int signal = 1; signal <= SIGRTMAX; ++signal)
        if (signal != SIGCHLD) std::signal(signal, SIG_IGN);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Of the terminal and all that the apply had open, nothing but these is kept.
void leave_everything(const Inherited& kept) {
    ::setsid();
    heed_no_signal();
    if (::chdir("/") != 0) std::abort();
    std::array<int, 4> files = {kept.line, kept.apply, kept.lock, kept.root};
    std::ranges::sort(files);
    unsigned next = STDERR_FILENO + 1;
    for (const int file : files) {
        if (file < static_cast<int>(next)) continue;
        const auto number = static_cast<unsigned>(file);
        if (number > next) ::close_range(next, number - 1, 0);
        next = number + 1;
    }
    ::close_range(next, ~0U, 0);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::dup2(nowhere, file);
    ::close(nowhere);
}

/// Ports that are not there, where nothing else kept the report's run from going back; empty
/// elsewhere.
std::vector<std::string> only_away(const core::Report& report) {
    std::vector<std::string> out;
    const auto& left = report.left_changed.empty() ? report.plan.findings : report.left_changed;
    for (const core::Finding& finding : left) {
        if (finding.level == core::Finding::Level::note) continue;
        const bool away =
            finding.id == core::findings::gone || finding.id == core::findings::other_port;
        if (!away) return {};
        if (std::ranges::find(out, finding.port) == out.end()) out.push_back(finding.port);
    }
    return out;
}

/// The process that guards.
class Guarding {
public:
    /// Throws Error (failed) where the entry or the pending file cannot be held.
    Guarding(Session& session, std::uint64_t entry, const Inherited& kept)
        : session_(session),
          kept_(kept),
          journal_(session.options.root, [this](const auto& work) { return on_disk(work); }),
          held_(journal_, entry),
          here_{.boot = boot_id(session.options.root), .cookie = network_namespace()},
          state_(core::guard::armed(since_boot(), *session.options.confirm)),
          last_sign_(since_boot()),
          next_probe_(since_boot()),
          file_(session.options.root, pending()),
          published_(pending()) {}

    void run() {
        Try last = Try::none;
        for (;;) {
            const core::guard::Step step = core::guard::next(state_, look(last));
            const bool armed = state_.phase != step.state.phase && said_ == Apply::wrote;
            state_ = step.state;
            if (state_.phase == Phase::ended) break;
            publish();
            if (armed && state_.phase == Phase::waiting) answer();
            last = step.action == Action::go_back ? go_back() : Try::none;
            if (step.action == Action::wait) wait(step.until);
        }
        // A mark that the disk took only after the way back confirms nothing.
        if (last_entry_ == core::guard::Entry::confirmed && !went_) file_.note_confirmed();
        if (file_.is_there()) remove_pending(session_.options.root);
    }

private:
    [[nodiscard]] std::uint64_t id() const { return held_.entry().id; }
    [[nodiscard]] std::string name() const { return "apply " + std::to_string(id()); }

    /// As the state is now.
    [[nodiscard]] Pending pending() const {
        Pending out{.entry = id(), .deadline = state_.deadline, .guard = ::getpid()};
        if (state_.phase == Phase::writing) out.phase = Pending::Phase::writing;
        if (state_.phase == Phase::going_back) {
            out.phase = Pending::Phase::going_back;
            out.deadline = state_.gives_up;
            out.away = away_;
        }
        return out;
    }

    /// Tells others what is pending, where that has changed or the file is gone. What cannot be
    /// written is no reason for anything.
    void publish() {
        const Pending now = pending();
        const bool moved = now.phase != published_.phase || now.away != published_.away ||
                           (now.phase == Pending::Phase::writing &&
                            now.deadline - published_.deadline >= std::chrono::seconds(1));
        if (!moved && file_.is_there()) return;
        try {
            file_.write(now);
            published_ = now;
        } catch (const std::exception&) {
        }
    }

    void answer() const { ::send(kept_.line, &kReady, 1, MSG_NOSIGNAL | MSG_DONTWAIT); }

    /// What the apply said since it was last heard.
    void hear() {
        std::array<char, 256> words = {};
        for (;;) {
            if (said_ != Apply::writes) return;
            const ssize_t got = ::recv(kept_.line, words.data(), words.size(), MSG_DONTWAIT);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) break;
            if (got == 0) said_ = Apply::gone;
            for (ssize_t i = 0; i < got; ++i) {
                last_sign_ = since_boot();
                const char word = words.at(static_cast<std::size_t>(i));
                if (word == kArm) said_ = Apply::wrote;
                if (word == kDismiss) said_ = Apply::went_back;
                if (word == kTakeOver) said_ = Apply::left_changed;
            }
        }
        // A child that hangs keeps the line open when the apply has ended.
        if (ended(milliseconds(0))) said_ = Apply::gone;
    }

    /// Whether the apply's process ends within the time; false where that cannot be told.
    [[nodiscard]] bool ended(milliseconds time) const {
        struct pollfd process = {.fd = kept_.apply, .events = POLLIN, .revents = 0};
        return kept_.apply >= 0 && ::poll(&process, 1, static_cast<int>(time.count())) > 0;
    }

    core::guard::Entry read_entry() {
        using core::guard::Entry;
        if (!held_.refresh()) return Entry::unreadable;
        const core::JournalEntry& entry = held_.entry();
        if (entry.confirmed) return Entry::confirmed;
        const bool by_itself = entry.end == Status::brought_back || entry.end == Status::failed;
        return entry.rolled_back_by || by_itself ? Entry::rolled_back : Entry::unconfirmed;
    }

    core::guard::Seen look(Try last) {
        hear();
        core::guard::Seen seen{.last_sign = last_sign_, .apply = said_};
        // Before the entry: who confirms marks that first, and removes the file then.
        if (state_.phase == Phase::waiting) seen.deadline = file_.deadline();
        seen.entry = last_entry_ = read_entry();
        seen.probe_fails = state_.phase == Phase::waiting && probe_fails();
        seen.told_to_end = signals_.asked_to_stop();
        seen.last = last;
        seen.now = since_boot();
        return seen;
    }

    bool probe_fails() {
        if (session_.options.probes.empty()) return false;
        if (!asked_ && since_boot() >= next_probe_) {
            probes_.ask(session_.options.probes);
            asked_ = true;
        }
        const std::optional<std::string> answer = asked_ ? probes_.answer() : std::nullopt;
        if (!answer) return false;
        asked_ = false;
        next_probe_ = since_boot() + kProbeEvery;
        probe_text_ = *answer;
        return !answer->empty();
    }

    void wait(milliseconds until) const {
        const milliseconds time = std::clamp(until - since_boot(), milliseconds(0), kLook);
        const bool writes = said_ == Apply::writes;
        std::array<pollfd, 3> files = {
            pollfd{.fd = writes ? kept_.line : -1, .events = POLLIN, .revents = 0},
            pollfd{.fd = writes ? kept_.apply : -1, .events = POLLIN, .revents = 0},
            pollfd{.fd = asked_ ? probes_.file() : -1, .events = POLLIN, .revents = 0}};
        ::poll(files.data(), files.size(), static_cast<int>(time.count()));
    }

    /// One that was stopped would go on when it is continued.
    void end_apply() {
        if (said_ != Apply::writes) return;
        if (kept_.apply >= 0) ::syscall(SYS_pidfd_send_signal, kept_.apply, SIGKILL, nullptr, 0);
        static_cast<void>(ended(kForTheEnd));
        said_ = Apply::gone;
    }

    /// A disk behind the port that is written, or one that is broken, holds who writes to it, and
    /// no signal ends that. One that did not answer is not asked again by the same try.
    std::string on_disk(const std::function<std::string()>& work) {
        if (!disk_answers_) throw Error(Status::failed, kDiskIsSilent);
        const Answer answer = in_child(work, kForTheDisk);
        disk_answers_ = answer.text.has_value();
        if (!disk_answers_) throw Error(Status::failed, kDiskIsSilent);
        return *answer.text;
    }

    /// The entry and, where they can be read, those that later runs left behind.
    [[nodiscard]] std::vector<core::JournalEntry> entries() const {
        std::vector<core::JournalEntry> out = {held_.entry()};
        try {
            for (const std::string& text : journal_.texts(id() + 1))
                out.push_back(core::parse_entry(text, "an entry"));
        } catch (const std::exception&) {
            out.resize(1);
        }
        core::note_what_is_back(out);
        return out;
    }

    /// Nothing that is not needed stands before the undo; what is to be told is told after it.
    Try go_back() {
        const std::string why = state_.reason == Reason::probe
                                    ? probe_text_
                                    : std::string(core::guard::text(state_.reason));
        std::vector<std::string> lines;
        Try result = Try::untried;
        try {
            end_apply();
            probes_.end();
            asked_ = false;
            disk_answers_ = true;
            const auto lock =
                SharedLock::of(kept_.lock, session_.options.root, "guard of " + name(), kForTheLock,
                               [&lines](const std::string& reason) {
                                   lines.push_back("goes back without the lock: " + reason);
                               });
            const core::guard::Entry now = read_entry();
            if (now == core::guard::Entry::confirmed || now == core::guard::Entry::rolled_back)
                return Try::none;
            const auto kernel = session_.live(session_.options.root);
            went_ = true;
            const core::Report report = roll_back(session_, *kernel, journal_, journal_,
                                                  rollback_of(*kernel, entries(), here_), why);
            away_ = report.status == Status::done ? std::vector<std::string>() : only_away(report);
            result = report.status == Status::done ? Try::back
                     : away_.empty()               ? Try::refused
                                                   : Try::away;
            for (const core::Finding& finding : report.surprises)
                lines.push_back(line_of(finding));
        } catch (const std::exception& error) {
            lines.push_back(std::string("could not go back yet: ") + error.what());
        }
        if (result == Try::back) lines.push_back("went back, verified: " + why);
        if (result == Try::refused) lines.push_back("could not go back as a whole: " + why);
        for (const std::string& port : away_)
            lines.push_back(
                std::string("waits for ").append(port).append(", which is not there: ") + why);
        if (lines != told_)
            for (const std::string& line : lines)
                log_to_system(name() + ": " + line);
        told_ = std::move(lines);
        return result;
    }

    Session& session_;
    Inherited kept_;
    Signals signals_{Signals::Of::listener};
    Journal journal_;
    HeldEntry held_;
    core::NetworkNamespace here_;  ///< read before the first write, as all that going back takes
    core::guard::State state_;
    core::guard::Entry last_entry_ = core::guard::Entry::unreadable;
    Apply said_ = Apply::writes;
    milliseconds last_sign_;
    milliseconds next_probe_;
    GuardProbes probes_{};
    bool asked_ = false;
    bool went_ = false;  ///< a way back began
    bool disk_answers_ = true;
    std::string probe_text_{};
    std::vector<std::string> away_{};
    std::vector<std::string> told_{};
    PendingFile file_;
    Pending published_;
};

[[noreturn]] void be_guard(const Session& session, std::uint64_t entry, const Inherited& kept) {
    if (::fork() != 0) ::_exit(0);
    leave_everything(kept);
    lift_limits();
    stay_in_memory(session.options.root);
    std::ostream nowhere(nullptr);
    Session own{.command = "rollback",
                .options = session.options,
                .style = {},
                .out = nowhere,
                .live = session.live,
                .ask = nullptr,
                .missing_privilege = session.missing_privilege,
                .user = session.user};
    try {
        Guarding guarding(own, entry, kept);
        // Where the apply has been killed by now, its entry and the pending file are left to end.
        ::send(kept.line, &kReady, 1, MSG_NOSIGNAL);
        guarding.run();
    } catch (const std::exception& error) {
        const std::string why = error.what();
        ::send(kept.line, why.data(), why.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        log_to_system("the guard of apply " + std::to_string(entry) + " failed: " + why);
    }
    ::_exit(0);
}

/// What the guard answers: kReady, or why it is none; nothing where it has gone.
std::string heard(int line) {
    std::array<char, 1024> words = {};
    ssize_t got = -1;
    do
        got = ::recv(line, words.data(), words.size(), 0);
    while (got < 0 && errno == EINTR);
    return {words.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

/// Before the first write: a scope of systemd where that keeps the guard from ending with its
/// caller, else a warning, or an Error.
void outlive(const Session& session, std::uint64_t entry) {
    const Lifetime life = lifetime_of_left_behind(session.options.root);
    if (life.end == Lifetime::End::none) return;
    const std::string in = "the guard that would go back is in " + life.in;
    std::string why;
    if (life.of_systemd) {
        const auto pending = read_pending(session.options.root);
        if (pending) why = scope_fails(session.options.root, pending->guard, entry);
        if (pending && why.empty()) return;
        log_info("the guard has no scope of its own: " + why);
    }
    if (life.end == Lifetime::End::surely && !session.options.allow_unguarded)
        throw Error(Status::failed, in + ", and ends with it; systemd has no scope for it: " + why +
                                        "; --allow unguarded accepts it");
    log_warning(
        in + ", and " + (life.end == Lifetime::End::may ? "may end" : "ends") + " with it" +
        (life.of_systemd ? "; systemd-run --scope rocectl ... gives it a place of its own" : ""));
}

}  // namespace

Guard::Guard(Session& session, const Lock& lock, std::uint64_t entry) : session_(session) {
    // Going back opens files, sockets and pipes.
    if (const std::string few = too_few_files(); !few.empty())
        throw Error(Status::failed, "the guard that would go back " + few);
    // A name service may be behind the port that is written.
    session.user = user_name();
    std::array<int, 2> ends = {};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Error(Status::failed, "the guard cannot be spoken to");
    const netlink::Descriptor apply(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
    const pid_t child = ::fork();
    if (child == 0)
        be_guard(session, entry,
                 {.line = ends[1],
                  .apply = apply.number(),
                  .lock = lock.number(),
                  .root = session.options.root.number()});
    ::close(ends[1]);
    line_ = ends[0];
    if (child > 0) ::waitpid(child, nullptr, 0);
    const std::string answer = child < 0 ? error_words(errno) : heard(line_);
    try {
        if (answer != std::string(1, kReady))
            throw Error(Status::failed, "the guard that would go back did not come up" +
                                            (answer.empty() ? "" : ": " + answer));
        outlive(session, entry);
    } catch (const Error&) {
        // Nothing is written yet.
        ::send(line_, &kDismiss, 1, MSG_NOSIGNAL);
        ::close(line_);
        throw;
    }
    session.beat = [this] { beat(); };
}

Guard::~Guard() {
    session_.beat = nullptr;
    ::close(line_);
}

void Guard::beat() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_beat_ < kSignEvery) return;
    last_beat_ = now;
    // One that it does not take is one of many.
    ::send(line_, &kBeat, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool Guard::is_gone() const {
    char word = 0;
    const ssize_t got = ::recv(line_, &word, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno == ECONNRESET);
}

void Guard::say(char word) const {
    if (::send(line_, &word, 1, MSG_NOSIGNAL) != 1)
        throw Error(Status::failed, "the guard that would go back is gone");
}

void Guard::arm() {
    say(kArm);
    if (heard(line_) != std::string(1, kReady))
        throw Error(Status::failed, "the guard that would go back is gone");
}

void Guard::dismiss() {
    say(kDismiss);
}

void Guard::take_over() {
    say(kTakeOver);
}

StandsBy guard_of(Session& session, const Lock* lock) {
    if (!session.options.confirm || lock == nullptr) return {};
    return [&session, lock](std::uint64_t entry) {
        return std::make_unique<Guard>(session, *lock, entry);
    };
}

}  // namespace cli
