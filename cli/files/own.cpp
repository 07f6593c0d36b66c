// SPDX-License-Identifier: Apache-2.0
#include "cli/files/own.hpp"

#include <fcntl.h>

#include <cerrno>

#include "cli/files/durable.hpp"
#include "cli/files/owner.hpp"
#include "cli/files/path_walk.hpp"
#include "cli/files/text_file.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;
using netlink::Descriptor;
using netlink::HostPath;

void check_owner(const std::string& path, int file, const struct stat& status) {
    if (is_own(status.st_uid) && !others_may_write(file, status)) return;
    throw Error(Status::failed,
                path + ": " + owner_text(status) +
                    " let others write it, and what it says is written as root; expected root's, "
                    "and for nobody else to write: see what is in it, and remove it or chown and "
                    "chmod it");
}

/// A folder that is looked at, and is what is used. None where it is not there.
Descriptor own_folder(const HostPath& folder) {
    const auto visit = [&](const Passed& passed) {
        if (S_ISLNK(passed.status.st_mode) && !is_own(passed.status.st_uid))
            check_owner(passed.path.string(), passed.file, passed.status);
    };
    if (!exists(folder) && (errno == ENOENT || errno == ENOTDIR)) return {};
    Reached end = go(folder, visit, Status::failed);
    if (end.file.number() < 0) return {};
    if (!S_ISDIR(end.status.st_mode))
        throw Error(Status::failed,
                    folder.string() + ": is " +
                        (S_ISREG(end.status.st_mode) ? "a file" : kind_text(end.status)) +
                        ", expected a directory");
    check_owner(folder.string(), end.file.number(), end.status);
    return std::move(end.file);
}

Descriptor checked_folder(const HostPath& folder) {
    // What holds it is rocectl's as well, where it has this name (…/rocectl/journal).
    if (folder.parent_path().filename() == "rocectl") own_folder(folder.parent_path());
    return own_folder(folder);
}

}  // namespace

bool check_own_folder(const HostPath& folder) {
    return checked_folder(folder).number() >= 0;
}

void make_own_folder(const HostPath& folder) {
    make_folder(folder);
    checked_folder(folder);
}

Descriptor open_own(const HostPath& path, int flags, unsigned mode) {
    const Descriptor folder = checked_folder(path.parent_path());
    const std::string name = path.filename();
    Descriptor file(folder.number() < 0
                        ? -1
                        : ::openat(folder.number(), name.c_str(),  // NOLINT(*-vararg)
                                   flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode));
    if (folder.number() < 0) errno = ENOENT;
    if (file.number() < 0) throw failure(path);
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) throw failure(path);
    if (!S_ISREG(status.st_mode))
        throw Error(Status::failed,
                    path.string() + ": is " + kind_text(status) + ", expected a file");
    check_owner(path.string(), file.number(), status);
    return file;
}

std::string read_own(const HostPath& path) {
    const Descriptor file = open_own(path, O_RDONLY);
    try {
        return read_rest(file.number(), path.string());
    } catch (const Error& error) {
        throw Error(Status::failed, error.lines());
    }
}

}  // namespace cli
