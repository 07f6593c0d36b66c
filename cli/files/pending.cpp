// SPDX-License-Identifier: Apache-2.0
#include "cli/files/pending.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <sstream>
#include <thread>

#include "cli/files/file_lock.hpp"
#include "cli/files/lifetime.hpp"
#include "cli/files/own.hpp"
#include "cli/files/provenance.hpp"
#include "cli/files/text_file.hpp"

namespace cli {
namespace {

netlink::HostPath pending_path(const netlink::Root& root) {
    return root / "run/rocectl/pending";
}

/// One word, also where the kernel does not tell which start of it this is.
constexpr std::string_view kUnknown = "unknown";
std::string this_boot(const netlink::Root& root) {
    std::string id = boot_id(root);
    return id.empty() ? std::string(kUnknown) : id;
}

/// How long after a deadline a guard that runs may have it stand in the file.
constexpr std::chrono::milliseconds kLate{5'000};

constexpr std::array kPhases = {Pending::Phase::writing, Pending::Phase::waiting,
                                Pending::Phase::going_back, Pending::Phase::confirmed};
/// A guard looks for a confirmation several times a second.
constexpr std::chrono::milliseconds kUntilItIsSeen{5'000};
constexpr std::chrono::milliseconds kLookAfter{20};

/// Entry, deadline, guard and start of the kernel, a line each, in fields of fixed width: a new
/// deadline is written over the old one, in the file that the guard holds. Then the phase, and the
/// ports that are away.
std::string contents(const Pending& pending, const std::string& boot) {
    const auto wide = [](std::int64_t number) {
        std::string text = std::to_string(number);
        text.insert(0, text.size() < 20 ? 20 - text.size() : 0, ' ');
        return text + '\n';
    };
    std::string phase(word(pending.phase));
    phase.resize(word(Pending::Phase::going_back).size(), ' ');
    std::string out = wide(static_cast<std::int64_t>(pending.entry)) +
                      wide(pending.deadline.count()) + wide(pending.guard) + boot + '\n' + phase;
    for (const std::string& port : pending.away)
        out.append(1, ' ').append(port);
    return out + '\n';
}

struct Stored {
    Pending pending{};
    std::string boot{};
};

/// Nothing where it is not as `contents` writes it. An earlier release said no phase.
std::optional<Stored> stored_in(const std::string& text) {
    std::istringstream file(text);
    Stored out;
    std::int64_t deadline = 0;
    if (!(file >> out.pending.entry >> deadline >> out.pending.guard >> out.boot))
        return std::nullopt;
    out.pending.deadline = std::chrono::milliseconds(deadline);
    std::string named;
    file >> named;
    for (const Pending::Phase phase : kPhases)
        if (word(phase) == named) out.pending.phase = phase;
    for (std::string port; file >> port;)
        out.pending.away.push_back(port);
    return out;
}

/// In one write: whoever reads finds the old or the new.
void write_at_once(int file, const netlink::HostPath& path, const std::string& text) {
    if (::pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
        throw failure(path);
}

/// What the clock since boot is ahead of the host's in this time namespace: `boottime 86400 0`.
std::chrono::nanoseconds boot_clock_offset() {
    std::istringstream lines(text_of(netlink::Root() / "proc/self/timens_offsets"));
    std::string clock;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    while (lines >> clock >> seconds >> nanoseconds)
        if (clock == "boottime")
            return std::chrono::seconds(seconds) + std::chrono::nanoseconds(nanoseconds);
    return {};
}

/// Nothing where it is not there, also where it has just been taken away.
std::optional<std::string> text_if_there(const netlink::HostPath& path) {
    try {
        return read_own(path);
    } catch (const core::Error&) {
        if (status_of(path, netlink::AtEnd::stay)) throw;
        return std::nullopt;
    }
}

}  // namespace

std::chrono::milliseconds since_boot() {
    static const std::chrono::nanoseconds offset = boot_clock_offset();
    struct timespec now = {};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec) - offset);
}

std::string_view word(Pending::Phase phase) {
    switch (phase) {
        case Pending::Phase::writing: return "writing";
        case Pending::Phase::going_back: return "going-back";
        case Pending::Phase::confirmed: return "confirmed";
        case Pending::Phase::waiting: break;
    }
    return "waiting";
}

std::optional<Pending> read_pending(const netlink::Root& root) {
    const netlink::HostPath path = pending_path(root);
    const auto text = text_if_there(path);
    if (!text) return std::nullopt;
    std::optional<Stored> stored = stored_in(*text);
    if (!stored)
        throw core::Error(core::Status::failed,
                          path.string() +
                              ": is not as the guard of an apply writes it; see rocectl history, "
                              "and remove it where nothing waits to be confirmed");
    // Only a process of this boot holds a file.
    stored->pending.guarded = is_locked(path);
    stored->pending.stalled =
        stored->pending.guarded && (is_stopped(root, stored->pending.guard) ||
                                    stored->pending.deadline + kLate < since_boot());
    const std::string boot = this_boot(root);
    const bool known = boot != kUnknown && stored->boot != kUnknown;
    if (known && stored->boot != boot && !stored->pending.guarded) return std::nullopt;
    return stored->pending;
}

std::chrono::milliseconds time_left(const Pending& pending) {
    return std::max(pending.deadline - since_boot(), std::chrono::milliseconds(0));
}

std::string text(const Pending& pending) {
    const std::string what = "apply " + std::to_string(pending.entry);
    if (!pending.guarded)
        return what +
               " is not confirmed, and the process that would go back is gone: rocectl "
               "confirm keeps it, rocectl rollback goes back";
    if (pending.stalled)
        return what + ": the process that would go back (pid " + std::to_string(pending.guard) +
               ") does not run: kill -CONT " + std::to_string(pending.guard) +
               " lets it go on where it is stopped, rocectl rollback goes back at once";
    const auto left = std::chrono::ceil<std::chrono::seconds>(time_left(pending));
    const std::string time = std::to_string(left.count()) + " s";
    if (pending.phase == Pending::Phase::writing)
        return what + " writes, and goes back when it gives no sign for " + time;
    if (pending.phase == Pending::Phase::waiting)
        return what + " waits to be confirmed, " + time + " left";
    if (pending.away.empty())
        return what + " goes back; what cannot yet is tried again, " + time + " left";
    std::string ports;
    for (const std::string& port : pending.away)
        ports += (ports.empty() ? "" : ", ") + port;
    return what + " went back, but for what is not there and is waited for, " + time +
           " left: " + ports;
}

void extend_pending(const netlink::Root& root, const Pending& pending) {
    const netlink::HostPath path = pending_path(root);
    const netlink::Descriptor file = open_own(path, O_WRONLY);
    write_at_once(file.number(), path, contents(pending, this_boot(root)));
}

void remove_pending(const netlink::Root& root) {
    remove_file(pending_path(root));
}

PendingReader::PendingReader(const netlink::Root& root)
    : path_(pending_path(root)), file_(open_own(path_, O_RDONLY)) {}

Taken PendingReader::taken() const {
    const auto end = std::chrono::steady_clock::now() + kUntilItIsSeen;
    // Where its words had another length there is another file of the same guard.
    while (is_locked(file_.number()) || is_locked(path_)) {
        if (std::chrono::steady_clock::now() >= end) return Taken::unseen;
        std::this_thread::sleep_for(kLookAfter);
    }
    constexpr std::size_t most = 4096;
    std::string text(most, '\0');
    const ssize_t got = ::pread(file_.number(), text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    const std::optional<Stored> stored = stored_in(text);
    return stored && stored->pending.phase == Pending::Phase::going_back ? Taken::went_back
                                                                         : Taken::kept;
}

PendingFile::PendingFile(const netlink::Root& root, const Pending& pending)
    : path_(pending_path(root)), boot_(this_boot(root)) {
    make(pending);
}

void PendingFile::make(const Pending& pending) {
    make_own_folder(path_.parent_path());
    // Nobody else can open it before it is locked: a reader's lock would keep this one's from it.
    const netlink::HostPath fresh = path_ + ".new";
    remove_file(fresh);
    constexpr unsigned mine = 0600, for_all = 0644;
    netlink::Descriptor file = open_own(fresh, O_RDWR | O_CREAT | O_EXCL, mine);
    if (!lock_file(file.number(), fresh))
        throw core::Error(core::Status::failed, fresh.string() + " is locked by another");
    const std::string text = contents(pending, boot_);
    write_at_once(file.number(), fresh, text);
    if (::fchmod(file.number(), for_all) != 0 || !rename_file(fresh, path_)) throw failure(path_);
    file_ = std::move(file);
    entry_ = pending.entry;
    size_ = text.size();
}

bool PendingFile::is_there() const {
    struct stat held {};
    const auto there = status_of(path_);
    return ::fstat(file_.number(), &held) == 0 && there && held.st_ino == there->st_ino &&
           held.st_dev == there->st_dev;
}

std::optional<std::chrono::milliseconds> PendingFile::deadline() const {
    std::string text(size_, '\0');
    const ssize_t got = ::pread(file_.number(), text.data(), text.size(), 0);
    if (got != static_cast<ssize_t>(text.size()) || !is_there()) return std::nullopt;
    const std::optional<Stored> stored = stored_in(text);
    if (!stored || stored->pending.entry != entry_) return std::nullopt;
    return stored->pending.deadline;
}

void PendingFile::note_confirmed() const {
    std::string text(size_, '\0');
    const ssize_t got = ::pread(file_.number(), text.data(), text.size(), 0);
    std::optional<Stored> stored;
    if (got == static_cast<ssize_t>(text.size())) stored = stored_in(text);
    if (!stored) return;
    stored->pending.phase = Pending::Phase::confirmed;
    const std::string now = contents(stored->pending, stored->boot);
    static_cast<void>(::pwrite(file_.number(), now.data(), now.size(), 0));
}

void PendingFile::write(const Pending& pending) {
    const std::string text = contents(pending, boot_);
    if (text.size() != size_ || !is_there()) return make(pending);
    write_at_once(file_.number(), path_, text);
}

}  // namespace cli
