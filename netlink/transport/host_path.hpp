// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <concepts>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "netlink/transport/descriptor.hpp"

namespace netlink {

class HostPath;

/// The folder below which a host's files are: `/`, or the one that --root names. That one is held
/// open, so that it stays the same folder whatever becomes of its name.
class Root {
public:
    Root() = default;
    /// Where the folder cannot be opened, no file below it is there.
    template <std::convertible_to<std::filesystem::path> Source>
    Root(const Source& folder) : held_(held(folder)) {}  // NOLINT(google-explicit-constructor)

    /// Whether it is another one than `/`.
    [[nodiscard]] bool is_given() const { return held_ != nullptr; }
    /// As it was named.
    [[nodiscard]] std::filesystem::path folder() const { return held_ ? held_->folder : "/"; }
    /// Open with O_PATH; -1 where none is given, or it could not be opened.
    [[nodiscard]] int number() const { return held_ ? held_->file.number() : -1; }
    HostPath operator/(const std::filesystem::path& path) const;

private:
    struct Held {
        std::filesystem::path folder{};
        Descriptor file{};
    };
    static std::shared_ptr<const Held> held(const std::filesystem::path& folder);

    std::shared_ptr<const Held> held_;
};

/// The path of a host's file, below its root: nothing outside is reached by it, neither by `..` nor
/// by a link. A path alone is one of this machine, with no other root than `/`.
class HostPath {
public:
    HostPath() = default;
    template <std::convertible_to<std::filesystem::path> Source>
    HostPath(const Source& path) : path_(path) {}  // NOLINT(google-explicit-constructor)
    HostPath(Root root, std::filesystem::path path)
        : root_(std::move(root)), path_(std::move(path)) {}

    [[nodiscard]] const Root& root() const { return root_; }
    /// As a process would say it whose root this is.
    [[nodiscard]] const std::filesystem::path& inside() const { return path_; }
    /// As people see it from outside; to be printed, and not to be opened.
    [[nodiscard]] std::string string() const;
    [[nodiscard]] std::string filename() const { return path_.filename().string(); }
    [[nodiscard]] HostPath parent_path() const { return {root_, path_.parent_path()}; }
    HostPath operator/(const std::filesystem::path& name) const { return {root_, path_ / name}; }
    /// The same path with this behind its name.
    HostPath operator+(const std::string& ending) const { return {root_, path_.string() + ending}; }
    friend bool operator==(const HostPath& a, const HostPath& b) {
        return a.string() == b.string();
    }

private:
    Root root_;
    std::filesystem::path path_;
};

// What follows is all by which files of a host are opened, looked at and changed. Without a root
// each is the system call of its name. Below one, openat2(2) with RESOLVE_IN_ROOT and
// RESOLVE_NO_MAGICLINKS finds the file, as chroot(2) would: absolute links and `..` stay within.
// Where that call is not to be had (Linux before 5.6, a container's filter, and the seal, since no
// filter sees its flags, which are in memory), walk (path_walk.hpp) finds it to the same end.

/// Opens the file, which no program inherits. -1 and errno on failure.
Descriptor open_host_file(const HostPath& path, int flags, unsigned mode = 0644);

/// Whether a link at the end of a path is what is meant, or what it leads to.
enum class AtEnd : std::uint8_t { follow, stay };
/// Nothing, and errno, where it cannot be told (stat(2), lstat(2)).
std::optional<struct stat> status_of(const HostPath& path, AtEnd link = AtEnd::follow);
/// Whether it is there and may be looked at.
bool exists(const HostPath& path);
bool is_folder(const HostPath& path);
/// Where a link leads, as it says; empty where it is none.
std::filesystem::path link_text(const HostPath& path);
/// With all links resolved; nothing where it is not there.
std::optional<HostPath> resolved(const HostPath& path);
/// The names in a folder, in no order, without `.` and `..`; 0 in `failure`, or an errno and those
/// read until then.
std::vector<std::string> names_in(const HostPath& folder, int* failure = nullptr);
/// All that can be read of a file; empty where that is nothing.
std::string text_of(const HostPath& path);

/// Each is false, and says why in errno, where it could not. None follows a link at the end.
bool make_directory(const HostPath& path, unsigned mode = 0755);
bool remove_directory(const HostPath& path);
bool remove_file(const HostPath& path);
bool rename_file(const HostPath& from, const HostPath& to);

}  // namespace netlink
