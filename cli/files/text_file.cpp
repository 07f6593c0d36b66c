// SPDX-License-Identifier: Apache-2.0
#include "cli/files/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace cli {
namespace {

using core::Error;
using core::Status;
using netlink::Descriptor;

constexpr std::size_t kLargest = std::size_t{256} << 20U;

std::string words(int code) {
    return std::generic_category().message(code);
}

}  // namespace

Error failure(const std::filesystem::path& path) {
    return {Status::failed, path.string() + ": " + words(errno)};
}

Descriptor open_file(const std::filesystem::path& path, int flags, unsigned mode) {
    const int number = ::open(path.c_str(), flags | O_CLOEXEC, mode);  // NOLINT(*-vararg)
    if (number < 0) throw failure(path);
    return Descriptor(number);
}

bool replaceable(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::symlink_status(path, error);
    return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

void write_all(int file, const std::filesystem::path& path, const std::string& contents) {
    std::size_t done = 0;
    while (done < contents.size()) {
        const ssize_t wrote = ::write(file, contents.data() + done, contents.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) throw failure(path);
        done += static_cast<std::size_t>(wrote);
    }
}

void write_over(int file, const std::filesystem::path& path, const std::string& contents) {
    write_all(file, path, contents);
    // Of a file behind a link what was longer; a device has no end.
    if (::ftruncate(file, static_cast<off_t>(contents.size())) != 0 && errno != EINVAL)
        throw failure(path);
}

namespace {

/// All that is left of an open file, which messages call `shown`.
std::string rest_of(int file, const std::string& shown) {
    const auto refuse = [&shown](int code) {
        return Error(Status::invalid_input, shown + ": " + words(code));
    };
    std::string contents;
    std::string block(std::size_t{64} << 10U, '\0');
    for (;;) {
        const ssize_t got = ::read(file, block.data(), block.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw refuse(errno);  // EISDIR for a directory
        if (got == 0) return contents;
        contents.append(block, 0, static_cast<std::size_t>(got));
        if (contents.size() > kLargest) throw refuse(EFBIG);
    }
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (file.number() < 0) throw Error(Status::invalid_input, path.string() + ": " + words(errno));
    return rest_of(file.number(), path.string());
}

std::string input_name(const std::string& name) {
    return name == kStandardInput ? "standard input" : name;
}

std::string read_input(const std::string& name) {
    return name == kStandardInput ? rest_of(STDIN_FILENO, input_name(name)) : read_file(name);
}

void check_writable(const std::filesystem::path& path) {
    if (std::filesystem::is_directory(path))
        throw Error(Status::failed, path.string() + ": " + words(EISDIR));
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const std::filesystem::path& target = replaceable(path) ? folder : path;
    if (::access(target.c_str(), W_OK) != 0) throw failure(path);
}

}  // namespace cli
