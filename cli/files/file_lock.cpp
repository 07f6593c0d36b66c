// SPDX-License-Identifier: Apache-2.0
#include "cli/files/file_lock.hpp"

#include <fcntl.h>

#include <cerrno>

#include "cli/files/own.hpp"
#include "cli/files/text_file.hpp"

namespace cli {
namespace {

struct flock whole_file(short type) {
    struct flock lock = {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

}  // namespace

bool lock_file(int file, const netlink::HostPath& path) {
    struct flock lock = whole_file(F_WRLCK);
    if (::fcntl(file, F_OFD_SETLK, &lock) == 0) return true;  // NOLINT(*-vararg)
    if (errno != EAGAIN && errno != EACCES) throw failure(path);
    return false;
}

void unlock_file(int file) {
    struct flock lock = whole_file(F_UNLCK);
    ::fcntl(file, F_OFD_SETLK, &lock);  // NOLINT(*-vararg)
}

bool is_locked(int file) {
    struct flock lock = whole_file(F_RDLCK);
    return ::fcntl(file, F_OFD_GETLK, &lock) == 0 &&  // NOLINT(*-vararg)
           lock.l_type != F_UNLCK;
}

bool is_locked(const netlink::HostPath& path) {
    try {
        return is_locked(open_own(path, O_RDONLY).number());
    } catch (const core::Error&) {
        return false;
    }
}

}  // namespace cli
