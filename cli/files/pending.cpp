// SPDX-License-Identifier: Apache-2.0
#include "cli/files/pending.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <sstream>

#include "cli/files/file_lock.hpp"
#include "cli/files/own.hpp"
#include "cli/files/provenance.hpp"
#include "cli/files/text_file.hpp"

namespace cli {
namespace {

std::filesystem::path pending_path(const std::filesystem::path& root) {
    return root / "run/rocectl/pending";
}

/// One word, also where the kernel does not tell which start of it this is.
std::string this_boot(const std::filesystem::path& root) {
    const std::string id = boot_id(root);
    return id.empty() ? "unknown" : id;
}

/// Entry, deadline, guard and start of the kernel, in fields of fixed width: a new deadline is
/// written over the old one, in the file that the guard holds.
std::string contents(const Pending& pending, const std::string& boot) {
    const auto wide = [](std::int64_t number) {
        std::string text = std::to_string(number);
        text.insert(0, text.size() < 20 ? 20 - text.size() : 0, ' ');
        return text + '\n';
    };
    return wide(static_cast<std::int64_t>(pending.entry)) + wide(pending.deadline.count()) +
           wide(pending.guard) + boot + '\n';
}

/// In one write: whoever reads finds the old or the new.
void write_at_once(int file, const std::filesystem::path& path, const std::string& text) {
    if (::pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
        throw failure(path);
}

/// Nothing where it is not there, also where it has just been taken away.
std::optional<std::string> text_if_there(const std::filesystem::path& path) {
    try {
        return read_own(path);
    } catch (const core::Error&) {
        std::error_code error;
        if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) throw;
        return std::nullopt;
    }
}

}  // namespace

std::chrono::milliseconds since_boot() {
    struct timespec now = {};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::duration_cast<std::chrono::milliseconds>(
                                                  std::chrono::nanoseconds(now.tv_nsec));
}

std::optional<Pending> read_pending(const std::filesystem::path& root) {
    const std::filesystem::path path = pending_path(root);
    const auto text = text_if_there(path);
    if (!text) return std::nullopt;
    std::istringstream file(*text);
    Pending pending;
    std::int64_t deadline = 0;
    std::string boot;
    if (!(file >> pending.entry >> deadline >> pending.guard >> boot)) return std::nullopt;
    if (boot != this_boot(root)) return std::nullopt;
    pending.deadline = std::chrono::milliseconds(deadline);
    pending.guarded = is_locked(path);
    return pending;
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
    const auto left = std::chrono::ceil<std::chrono::seconds>(time_left(pending));
    return what + " waits to be confirmed, " + std::to_string(left.count()) + " s left";
}

void extend_pending(const std::filesystem::path& root, const Pending& pending) {
    const std::filesystem::path path = pending_path(root);
    const netlink::Descriptor file = open_own(path, O_WRONLY);
    write_at_once(file.number(), path, contents(pending, this_boot(root)));
}

void remove_pending(const std::filesystem::path& root) {
    ::unlink(pending_path(root).c_str());
}

PendingFile::PendingFile(const std::filesystem::path& root, const Pending& pending) {
    const std::filesystem::path path = pending_path(root);
    make_own_folder(path.parent_path());
    // Nobody else can open it before it is locked: a reader's lock would keep this one's from it.
    const std::filesystem::path fresh = path.string() + ".new";
    ::unlink(fresh.c_str());
    constexpr unsigned mine = 0600, for_all = 0644;
    file_ = open_own(fresh, O_RDWR | O_CREAT | O_EXCL, mine);
    if (!lock_file(file_.number(), fresh))
        throw core::Error(core::Status::failed, fresh.string() + " is locked by another");
    write_at_once(file_.number(), fresh, contents(pending, this_boot(root)));
    if (::fchmod(file_.number(), for_all) != 0 || ::rename(fresh.c_str(), path.c_str()) != 0)
        throw failure(path);
}

}  // namespace cli
