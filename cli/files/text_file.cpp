// SPDX-License-Identifier: Apache-2.0
#include "cli/files/text_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

namespace cli {
namespace {

using core::Error;
using core::Status;
using netlink::Descriptor;

constexpr std::size_t kLargest = std::size_t{256} << 20U;
/// For somebody to open a pipe to write.
constexpr std::chrono::milliseconds kForWriter{5000};

std::string words(int code) {
    return std::generic_category().message(code);
}

/// One that has a name (mkfifo(3)), which somebody may open to write yet; the ends of a shell's
/// <(…) are open from the start.
bool is_named_pipe(int file, const struct stat& status) {
    struct statfs system {};
    return S_ISFIFO(status.st_mode) && ::fstatfs(file, &system) == 0 &&
           system.f_type != PIPEFS_MAGIC;
}

/// Until there is something to be read, or the milliseconds are over (-1: never).
void wait_to_read(int file, int limit) {
    struct pollfd wanted = {.fd = file, .events = POLLIN, .revents = 0};
    ::poll(&wanted, 1, limit);
}

}  // namespace

Error failure(const netlink::HostPath& path) {
    return {Status::failed, path.string() + ": " + words(errno)};
}

Descriptor open_file(const netlink::HostPath& path, int flags, unsigned mode) {
    Descriptor file = open_host_file(path, flags, mode);
    if (file.number() < 0) throw failure(path);
    return file;
}

void write_all(int file, const netlink::HostPath& path, const std::string& contents) {
    std::size_t done = 0;
    while (done < contents.size()) {
        const ssize_t wrote = ::write(file, contents.data() + done, contents.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) throw failure(path);
        done += static_cast<std::size_t>(wrote);
    }
}

void write_over(int file, const netlink::HostPath& path, const std::string& contents) {
    write_all(file, path, contents);
    // Of a file behind a link what was longer; a device has no end.
    if (::ftruncate(file, static_cast<off_t>(contents.size())) != 0 && errno != EINVAL)
        throw failure(path);
}

std::string read_rest(int file, const std::string& shown) {
    const auto refuse = [&shown](int code) {
        return Error(Status::invalid_input, shown + ": " + words(code));
    };
    std::string contents;
    std::size_t at_once = std::size_t{64} << 10U;
    struct stat status {};
    if (::fstat(file, &status) != 0) throw refuse(errno);
    if (S_ISREG(status.st_mode)) {
        const std::size_t size = std::min(static_cast<std::size_t>(status.st_size), kLargest) + 1;
        // A text that grows is there twice for a moment.
        contents.reserve(size);
        // Files of procfs say that they are empty.
        if (size > 1) at_once = std::min(at_once, size);
    }
    const bool named_pipe = is_named_pipe(file, status);
    bool waited = false;
    std::string block(at_once, '\0');
    for (;;) {
        const ssize_t got = ::read(file, block.data(), block.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) {
            wait_to_read(file, -1);
        } else if (got < 0) {
            throw refuse(errno);  // EISDIR for a directory
        } else if (got == 0 && named_pipe && contents.empty()) {
            if (waited)
                throw Error(Status::invalid_input, shown + ": is a pipe that nobody writes");
            wait_to_read(file, static_cast<int>(kForWriter.count()));
            waited = true;
        } else if (got == 0) {
            return contents;
        } else {
            if (contents.size() + static_cast<std::size_t>(got) > kLargest) throw refuse(EFBIG);
            contents.append(block, 0, static_cast<std::size_t>(got));
        }
    }
}

Descriptor open_to_read(const netlink::HostPath& path) {
    // What nobody writes must not keep the open waiting (fifo(7)).
    Descriptor file = open_host_file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (file.number() < 0) throw Error(Status::invalid_input, path.string() + ": " + words(errno));
    return file;
}

std::string read_file(const netlink::HostPath& path) {
    return read_rest(open_to_read(path).number(), path.string());
}

std::string input_name(const std::string& name) {
    return name == kStandardInput ? "standard input" : name;
}

std::string read_input(const std::string& name) {
    return name == kStandardInput ? read_rest(STDIN_FILENO, input_name(name)) : read_file(name);
}

}  // namespace cli
