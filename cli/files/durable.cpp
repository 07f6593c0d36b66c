// SPDX-License-Identifier: Apache-2.0
#include "cli/files/durable.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "cli/files/own.hpp"
#include "cli/files/text_file.hpp"
#include "cli/log.hpp"

namespace cli {
namespace {

using netlink::Descriptor;

void reserve_behind(const Descriptor& file, const std::filesystem::path& path, std::size_t bytes) {
    const int failed =
        ::fallocate(file.number(), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes));
    // Some file systems cannot reserve; then a full disk is found at the write.
    if (failed != 0 && errno != EOPNOTSUPP && errno != ENOSYS) throw failure(path);
}

void sync(const Descriptor& file, const std::filesystem::path& path) {
    if (::fsync(file.number()) != 0) throw failure(path);
}

/// A file that is gone at the end, unless it was renamed.
struct Temporary {
    explicit Temporary(std::filesystem::path file) : path(std::move(file)) {}
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() { ::unlink(path.c_str()); }
    std::filesystem::path path;
};

/// The bytes of a file up to the end of its last whole line.
std::size_t whole_lines(const std::string& text) {
    const std::size_t end = text.rfind('\n');
    return end == std::string::npos ? 0 : end + 1;
}

}  // namespace

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw core::Error(core::Status::failed, folder.string() + ": " + error.message());
}

void create_durably(const std::filesystem::path& path, const std::string& text,
                    std::size_t reserve) {
    const Temporary fresh(path.string() + ".new");
    ::unlink(fresh.path.c_str());  // of a run that was killed here
    {
        const Descriptor file = open_file(fresh.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
        reserve_behind(file, path, text.size() + reserve);
        write_all(file.number(), path, text);
        sync(file, path);
    }
    if (std::filesystem::exists(std::filesystem::symlink_status(path)))
        throw core::Error(core::Status::failed, path.string() + " is there already");
    rename_durably(fresh.path, path);
}

void append_durably(const std::filesystem::path& path, const std::string& line) {
    const std::string before = read_own(path);
    const std::size_t whole = whole_lines(before);
    const Descriptor file = open_own(path, O_WRONLY | O_APPEND);
    if (whole < before.size() && ::ftruncate(file.number(), static_cast<off_t>(whole)) != 0)
        throw failure(path);
    write_all(file.number(), path, line + '\n');
    if (::fdatasync(file.number()) != 0) throw failure(path);
}

void release_reserve(const std::filesystem::path& path) {
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

void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) throw failure(to);
    const std::filesystem::path folder = to.parent_path();
    sync(open_file(folder, O_RDONLY | O_DIRECTORY), folder);
}

}  // namespace cli
