// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "netlink/transport/machine.hpp"

namespace netlink {
namespace {

Descriptor open_file(const std::filesystem::path& path, int flags) {
    const int number = open(path.c_str(), flags | O_CLOEXEC);  // NOLINT(*-vararg)
    if (number < 0) throw file_error(errno, path);
    return Descriptor(number);
}

}  // namespace

KernelError file_error(int code, const std::filesystem::path& path) {
    const bool for_root = (code == EACCES || code == EPERM) && geteuid() != 0;
    return {code, path.string() + (for_root ? "; it is root's, run as root" : "")};
}

std::string read_text_file(const std::filesystem::path& path) {
    const Descriptor file = open_file(path, O_RDONLY);
    // Attributes of sysfs and configfs are one page, a sysctl may be many.
    constexpr std::size_t most = std::size_t{1} << 20U;
    std::array<char, 4096> buffer{};
    std::string text;
    for (;;) {
        const ssize_t length = read(file.number(), buffer.data(), buffer.size());
        if (length < 0) throw file_error(errno, path);
        text.append(buffer.data(), static_cast<std::size_t>(length));
        if (static_cast<std::size_t>(length) < buffer.size()) break;
        if (text.size() > most) throw KernelError(EFBIG, path.string() + " has more than a value");
    }
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

void write_text_file(const std::filesystem::path& path, const std::string& text) {
    const Descriptor file = open_file(path, O_WRONLY | O_TRUNC);
    const ssize_t length = write(file.number(), text.data(), text.size());
    if (length < 0) throw file_error(errno, path);
    if (static_cast<std::size_t>(length) != text.size())
        throw KernelError(EIO, path.string() + " took " + std::to_string(length) + " of " +
                                   std::to_string(text.size()) + " bytes");
}

}  // namespace netlink
