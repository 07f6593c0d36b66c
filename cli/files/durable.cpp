// SPDX-License-Identifier: Apache-2.0
#include "cli/files/durable.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

#include "cli/files/own.hpp"
#include "cli/files/text_file.hpp"
#include "cli/log.hpp"

namespace cli {
namespace {

using netlink::Descriptor;
using netlink::HostPath;

void reserve_behind(const Descriptor& file, const HostPath& path, std::size_t bytes) {
    const int failed =
        ::fallocate(file.number(), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes));
    // Some file systems cannot reserve; then a full disk is found at the write.
    if (failed != 0 && errno != EOPNOTSUPP && errno != ENOSYS) throw failure(path);
}

void sync(const Descriptor& file, const HostPath& path) {
    if (::fsync(file.number()) != 0) throw failure(path);
}

/// A file that is gone at the end, unless it was renamed.
struct Temporary {
    explicit Temporary(HostPath file) : path(std::move(file)) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() { remove_file(path); }
    HostPath path;
};

/// Where the last whole line of a file of so many bytes ends, looked for from its end: a run writes
/// a line a step, and the lines before it are not read again for each.
off_t end_of_lines(const Descriptor& file, const HostPath& path, off_t size) {
    std::array<char, 4096> block{};
    while (size > 0) {
        const off_t begin = std::max<off_t>(0, size - static_cast<off_t>(block.size()));
        const auto bytes = static_cast<std::size_t>(size - begin);
        const ssize_t got = ::pread(file.number(), block.data(), bytes, begin);
        if (got >= 0 && got != static_cast<ssize_t>(bytes)) errno = EIO;  // somebody cut it
        if (got != static_cast<ssize_t>(bytes)) throw failure(path);
        const std::size_t end = std::string_view(block.data(), bytes).rfind('\n');
        if (end != std::string_view::npos) return begin + static_cast<off_t>(end) + 1;
        size = begin;
    }
    return 0;
}

}  // namespace

void make_folder(const HostPath& folder) {
    if (is_folder(folder)) return;
    const HostPath parent = folder.parent_path();
    if (!(parent == folder) && !parent.inside().empty()) make_folder(parent);
    if (make_directory(folder, 0777)) return;
    const int code = errno;
    if (is_folder(folder)) return;  // another has made it since
    errno = code;
    throw failure(folder);
}

void create_durably(const HostPath& path, const std::string& text, std::size_t reserve) {
    const Temporary fresh(path + ".new");
    remove_file(fresh.path);  // of a run that was killed here
    {
        const Descriptor file = open_file(fresh.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
        reserve_behind(file, path, text.size() + reserve);
        write_all(file.number(), path, text);
        sync(file, path);
    }
    if (status_of(path, netlink::AtEnd::stay))
        throw core::Error(core::Status::failed, path.string() + " is there already");
    rename_durably(fresh.path, path);
}

void append_durably(const HostPath& path, const std::string& line) {
    const Descriptor file = open_own(path, O_RDWR);
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) throw failure(path);
    const off_t whole = end_of_lines(file, path, status.st_size);
    std::string text = line;
    // What is left of a line is written over, with blanks where it is longer: to cut it off would
    // free what is reserved behind it.
    const auto torn = static_cast<std::size_t>(status.st_size - whole);
    if (text.size() + 1 < torn) text.append(torn - text.size() - 1, ' ');
    const bool ready = torn > 0
                           ? ::lseek(file.number(), whole, SEEK_SET) == whole
                           : ::fcntl(file.number(), F_SETFL, O_APPEND) == 0;  // NOLINT(*-vararg)
    if (!ready) throw failure(path);
    write_all(file.number(), path, text + '\n');
    if (::fdatasync(file.number()) != 0) throw failure(path);
}

void release_reserve(const HostPath& path) {
    try {
        const Descriptor file = open_own(path, O_WRONLY);
        struct stat status {};
        // To be cut to the size that it has frees what lies behind (fs/ext4/inode.c, ext4_setattr).
        if (::fstat(file.number(), &status) != 0 || ::ftruncate(file.number(), status.st_size) != 0)
            throw failure(path);
    } catch (const core::Error& error) {
        log_info(std::string("stays reserved: ") + error.what());
    }
}

void rename_durably(const HostPath& from, const HostPath& to) {
    if (!rename_file(from, to)) throw failure(to);
    const HostPath folder = to.parent_path();
    sync(open_file(folder, O_RDONLY | O_DIRECTORY), folder);
}

}  // namespace cli
