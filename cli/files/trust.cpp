// SPDX-License-Identifier: Apache-2.0
#include "cli/files/trust.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <sstream>
#include <system_error>

#include "cli/files/owner.hpp"
#include "cli/files/path_walk.hpp"
#include "cli/files/text_file.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

core::Error not_to_be_read(const netlink::HostPath& file, int code) {
    return {core::Status::invalid_input,
            file.string() + ": " + std::generic_category().message(code)};
}

[[noreturn]] void refuse(const std::string& culprit, const struct stat& status) {
    throw core::Error(
        core::Status::invalid_input,
        culprit + ": " + owner_text(status) +
            " let others write it, and what it says is done as root; expected that only root and "
            "the caller can, or --trust-files");
}

/// What is in a sticky directory is its owner's to replace, but anybody may put more there.
void check_on_the_way(const netlink::HostPath& file, const Passed& passed) {
    const bool link = S_ISLNK(passed.status.st_mode);
    const bool sticky = (passed.status.st_mode & S_ISVTX) != 0 && !passed.holds_file;
    // Every link may be written by all, as its mode says, and by none, as the kernel does.
    const bool open = !link && !sticky && others_may_write(passed.file, passed.status);
    if (open || !is_callers(passed.status.st_uid))
        refuse(file.string() + (link ? ": its link " : ": its directory ") + passed.path.string(),
               passed.status);
}

}  // namespace

netlink::Descriptor open_trusted(const netlink::HostPath& path) {
    const auto visit = [&](const Passed& passed) { check_on_the_way(path, passed); };
    // The way to the root too, which is not what holds the file.
    if (path.root().is_given()) go(path.root().folder() / ".", visit, core::Status::invalid_input);
    const Reached end = go(path, visit, core::Status::invalid_input);
    if (end.file.number() < 0) throw not_to_be_read(path, ENOENT);
    if (!end.held) {
        if (!S_ISREG(end.status.st_mode))
            throw core::Error(core::Status::invalid_input,
                              path.string() + ": is " + kind_text(end.status) +
                                  ", and what it says is done as root; expected a file, - for "
                                  "standard input, or --trust-files");
        if (!is_callers(end.status.st_uid) || others_may_write(end.file.number(), end.status))
            refuse(fs::absolute(end.path) == fs::absolute(path.string()).lexically_normal()
                       ? path.string()
                       : end.path.string(),
                   end.status);
    }
    netlink::Descriptor file = reopened(end, O_RDONLY);
    if (file.number() < 0) throw not_to_be_read(path, errno);
    return file;
}

Opened open_named(const netlink::HostPath& path, bool only_trusted) {
    const netlink::Descriptor file = only_trusted ? open_trusted(path) : open_to_read(path);
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) throw not_to_be_read(path, errno);
    return {.text = read_rest(file.number(), path.string()),
            .device = status.st_dev,
            .inode = status.st_ino};
}

std::string read_named(const std::string& name, bool only_trusted) {
    return name == kStandardInput ? read_input(name) : open_named(name, only_trusted).text;
}

bool is_root_of_machine() {
    if (geteuid() != 0) return false;
    std::istringstream map(netlink::text_of("/proc/self/uid_map"));
    std::uint64_t inside = 0;
    std::uint64_t outside = 0;
    std::uint64_t count = 0;
    // Where the kernel has no user namespaces there is no such file.
    return !(map >> inside >> outside >> count) || count == UINT32_MAX;
}

}  // namespace cli
