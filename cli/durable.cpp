// SPDX-License-Identifier: Apache-2.0
#include "cli/durable.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "cli/files.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int code) {
    throw core::Error(core::Status::failed,
                      path.string() + ": " + std::generic_category().message(code));
}

class Descriptor {
public:
    Descriptor(const std::filesystem::path& path, int flags)
        : path_(path), number_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0644)) {
        if (number_ < 0) fail(path_, errno);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { ::close(number_); }

    void write(const std::string& text) const {
        std::size_t done = 0;
        while (done < text.size()) {
            const ssize_t wrote = ::write(number_, text.data() + done, text.size() - done);
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote < 0) fail(path_, errno);
            done += static_cast<std::size_t>(wrote);
        }
    }
    void reserve(std::size_t from, std::size_t bytes) const {
        const int failed = ::fallocate(number_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from),
                                       static_cast<off_t>(bytes));
        // Some file systems cannot reserve; then a full disk is found at the write.
        if (failed != 0 && errno != EOPNOTSUPP && errno != ENOSYS) fail(path_, errno);
    }
    void sync() const {
        if (::fsync(number_) != 0) fail(path_, errno);
    }
    void sync_data() const {
        if (::fdatasync(number_) != 0) fail(path_, errno);
    }
    void cut(std::size_t size) const {
        if (::ftruncate(number_, static_cast<off_t>(size)) != 0) fail(path_, errno);
    }

private:
    const std::filesystem::path& path_;
    int number_;
};

void sync_folder(const std::filesystem::path& folder) {
    Descriptor(folder, O_RDONLY | O_DIRECTORY).sync();
}

/// Gone at the end, unless it was renamed.
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
    if (error) fail(folder, error.value());
}

void create_durably(const std::filesystem::path& path, const std::string& text,
                    std::size_t reserve) {
    const Temporary fresh(path.string() + ".new");
    ::unlink(fresh.path.c_str());  // of a run that was killed here
    {
        const Descriptor file(fresh.path, O_WRONLY | O_CREAT | O_EXCL);
        file.reserve(0, text.size() + reserve);
        file.write(text);
        file.sync();
    }
    if (std::filesystem::exists(std::filesystem::symlink_status(path))) fail(path, EEXIST);
    rename_durably(fresh.path, path);
}

void append_durably(const std::filesystem::path& path, const std::string& line) {
    const std::string before = read_file(path);
    const std::size_t whole = whole_lines(before);
    const Descriptor file(path, O_WRONLY | O_APPEND);
    if (whole < before.size()) file.cut(whole);
    file.write(line + '\n');
    file.sync_data();
}

void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) fail(to, errno);
    sync_folder(to.parent_path());
}

}  // namespace cli
