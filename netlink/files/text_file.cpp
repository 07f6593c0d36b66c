// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/text_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "netlink/transport/machine.hpp"

namespace netlink {
namespace {

Descriptor open_file(const HostPath& path, int flags) {
    Descriptor file = open_host_file(path, flags);
    if (file.number() < 0) throw file_error(errno, path);
    return file;
}

bool is_sysctl(const Descriptor& file) {
    struct statfs system {};
    return fstatfs(file.number(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

}  // namespace

KernelError file_error(int code, const HostPath& path) {
    const bool for_root = (code == EACCES || code == EPERM) && geteuid() != 0;
    return {code, path.string() + (for_root ? "; it is root's, run as root" : "")};
}

std::string read_text_file(const HostPath& path) {
    // Attributes of sysfs and configfs are one page. A sysctl may be many, and some tell all in one
    // read: what is asked for behind its end is empty (kernel/sysctl.c, proc_do_large_bitmap).
    constexpr std::size_t page = 4096;
    constexpr std::size_t most = std::size_t{1} << 20U;
    std::string text;
    for (std::size_t room = page;; room = std::min(room * 16, most)) {
        const Descriptor file = open_file(path, O_RDONLY);
        text.resize(room);
        const ssize_t length = ::read(file.number(), text.data(), room);
        if (length < 0) throw file_error(errno, path);
        text.resize(static_cast<std::size_t>(length));
        if (text.size() < room) break;
        if (room == most) throw KernelError(EFBIG, path.string() + " has more than a value");
    }
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

void write_text_file(const HostPath& path, const std::string& text) {
    const Descriptor file = open_file(path, O_WRONLY | O_TRUNC);
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t length = ::write(file.number(), text.data() + done, text.size() - done);
        if (length < 0) throw file_error(errno, path);
        done += static_cast<std::size_t>(length);
        // Of a list of several pages a sysctl takes a page at a time, and adds the next to it
        // (kernel/sysctl.c, proc_do_large_bitmap).
        const bool goes_on = length > 0 && is_sysctl(file);
        if (done < text.size() && !goes_on)
            throw KernelError(EIO, path.string() + " took " + std::to_string(done) + " of " +
                                       std::to_string(text.size()) + " bytes");
    }
}

std::optional<std::string> read_if_there(const HostPath& path) {
    try {
        return read_text_file(path);
    } catch (const KernelError& error) {
        if (error.code == ENOENT || error.code == ENODEV || error.code == ESRCH)
            return std::nullopt;
        throw;
    }
}

std::uint32_t number_in(std::string_view text) {
    std::uint32_t out = 0;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
}

}  // namespace netlink
