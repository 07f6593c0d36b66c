// SPDX-License-Identifier: Apache-2.0
#include "netlink/transport/host_path.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "netlink/transport/path_walk.hpp"

namespace netlink {
namespace {

namespace fs = std::filesystem;

Descriptor found_by_kernel(const HostPath& path, int flags, unsigned mode) {
    open_how how{};
    how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
    how.mode = (flags & O_CREAT) != 0 ? mode : 0;
    how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
    return Descriptor(static_cast<int>(
        ::syscall(SYS_openat2, path.root().number(), path.inside().c_str(), &how, sizeof(how))));
}

Descriptor found_by_walk(const HostPath& path, int flags, unsigned mode) {
    const bool stays = (flags & (O_NOFOLLOW | O_EXCL)) != 0;
    Reached end = walk(path, nullptr, stays ? AtEnd::stay : AtEnd::follow);
    errno = end.error;
    if (end.error != 0) return {};
    // A folder, of which the walk has no name, is opened by itself.
    const int from = end.name.empty() ? end.file.number() : end.folder.number();
    const std::string name = end.name.empty() ? "." : end.name;
    return Descriptor(::openat(from, name.c_str(),  // NOLINT(*-vararg)
                               flags | O_NOFOLLOW | O_CLOEXEC, mode));
}

/// The folder that a name below a root is made, renamed or removed in.
Descriptor parent_of(const HostPath& path) {
    return open_host_file(path.parent_path(), O_PATH | O_DIRECTORY);
}

bool remove(const HostPath& path, int flags) {
    if (!path.root().is_given()) return ::unlinkat(AT_FDCWD, path.inside().c_str(), flags) == 0;
    const Descriptor folder = parent_of(path);
    return folder.number() >= 0 && ::unlinkat(folder.number(), path.filename().c_str(), flags) == 0;
}

}  // namespace

std::shared_ptr<const Root::Held> Root::held(const fs::path& folder) {
    if (folder == "/") return nullptr;
    return std::make_shared<const Held>(
        Held{.folder = folder,
             .file = Descriptor(::open(folder.c_str(),  // NOLINT(*-vararg)
                                       O_PATH | O_DIRECTORY | O_CLOEXEC))});
}

HostPath Root::operator/(const fs::path& path) const {
    return {*this, "/" / path};
}

std::string HostPath::string() const {
    return root_.is_given() ? (root_.folder() / path_.relative_path()).string() : path_.string();
}

Descriptor open_host_file(const HostPath& path, int flags, unsigned mode) {
    if (!path.root().is_given())
        return Descriptor(
            ::open(path.inside().c_str(), flags | O_CLOEXEC, mode));  // NOLINT(*-vararg)
    if (path.root().number() < 0) {
        errno = ENOENT;
        return {};
    }
    Descriptor file = found_by_kernel(path, flags, mode);
    // EAGAIN: somebody renamed a folder on the way.
    const bool other = errno == ENOSYS || errno == EPERM || errno == EAGAIN;
    return file.number() < 0 && other ? found_by_walk(path, flags, mode) : std::move(file);
}

std::optional<struct stat> status_of(const HostPath& path, AtEnd link) {
    struct stat status {};
    if (!path.root().is_given()) {
        const int flags = link == AtEnd::stay ? AT_SYMLINK_NOFOLLOW : 0;
        if (::fstatat(AT_FDCWD, path.inside().c_str(), &status, flags) != 0) return std::nullopt;
        return status;
    }
    const Descriptor file = open_host_file(path, O_PATH | (link == AtEnd::stay ? O_NOFOLLOW : 0));
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return std::nullopt;
    return status;
}

bool exists(const HostPath& path) {
    return status_of(path).has_value();
}

bool is_folder(const HostPath& path) {
    const auto status = status_of(path);
    return status && S_ISDIR(status->st_mode);
}

fs::path link_text(const HostPath& path) {
    std::array<char, PATH_MAX> text{};
    Descriptor link;
    if (path.root().is_given()) {
        link = open_host_file(path, O_PATH | O_NOFOLLOW);
        if (link.number() < 0) return {};
    }
    const ssize_t length = path.root().is_given()
                               ? ::readlinkat(link.number(), "", text.data(), text.size())
                               : ::readlink(path.inside().c_str(), text.data(), text.size());
    return length < 0 ? fs::path()
                      : fs::path(std::string_view(text.data(), static_cast<std::size_t>(length)));
}

std::optional<HostPath> resolved(const HostPath& path) {
    if (!path.root().is_given()) {
        std::error_code none;
        fs::path whole = fs::canonical(path.inside(), none);
        return none ? std::nullopt : std::optional<HostPath>(whole);
    }
    const Reached end = walk(path, nullptr);
    if (end.error != 0 || end.file.number() < 0) return std::nullopt;
    return HostPath(path.root(), "/" / end.path.lexically_relative(path.root().folder()));
}

std::vector<std::string> names_in(const HostPath& folder, int* failure) {
    std::vector<std::string> out;
    Descriptor file = open_host_file(folder, O_RDONLY | O_DIRECTORY);
    DIR* const entries = file.number() < 0 ? nullptr : ::fdopendir(file.number());
    if (entries != nullptr) {
        static_cast<void>(file.release());
        errno = 0;
        while (const dirent* entry = ::readdir(entries)) {
            const std::string_view name = static_cast<const char*>(entry->d_name);
            if (name != "." && name != "..") out.emplace_back(name);
        }
    }
    if (failure != nullptr) *failure = errno;
    if (entries != nullptr) ::closedir(entries);
    return out;
}

std::string text_of(const HostPath& path) {
    const Descriptor file = open_host_file(path, O_RDONLY);
    std::string text;
    if (file.number() < 0) return text;
    constexpr std::size_t at_once = std::size_t{16} << 10U;
    for (;;) {
        const std::size_t done = text.size();
        text.resize(done + at_once);
        const ssize_t got = ::read(file.number(), text.data() + done, at_once);
        text.resize(done + static_cast<std::size_t>(got > 0 ? got : 0));
        if (got == 0 || (got < 0 && errno != EINTR)) return text;
    }
}

bool make_directory(const HostPath& path, unsigned mode) {
    if (!path.root().is_given()) return ::mkdir(path.inside().c_str(), mode) == 0;
    const Descriptor folder = parent_of(path);
    return folder.number() >= 0 && ::mkdirat(folder.number(), path.filename().c_str(), mode) == 0;
}

bool remove_directory(const HostPath& path) {
    return remove(path, AT_REMOVEDIR);
}

bool remove_file(const HostPath& path) {
    return remove(path, 0);
}

bool rename_file(const HostPath& from, const HostPath& to) {
    if (!from.root().is_given() && !to.root().is_given())
        return ::rename(from.inside().c_str(), to.inside().c_str()) == 0;
    const Descriptor old_folder = parent_of(from);
    const Descriptor folder = parent_of(to);
    return old_folder.number() >= 0 && folder.number() >= 0 &&
           ::renameat(old_folder.number(), from.filename().c_str(), folder.number(),
                      to.filename().c_str()) == 0;
}

}  // namespace netlink
