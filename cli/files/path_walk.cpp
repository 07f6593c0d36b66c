// SPDX-License-Identifier: Apache-2.0
#include "cli/files/path_walk.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <deque>
#include <system_error>

#include "cli/files/owner.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;
using netlink::Descriptor;

constexpr unsigned kMostLinks = 40;  // as the kernel (include/linux/namei.h MAXSYMLINKS)

std::string link_text(int folder, const char* name) {
    std::array<char, PATH_MAX> text{};
    const ssize_t length = ::readlinkat(folder, name, text.data(), text.size());
    return length < 0 ? std::string() : std::string(text.data(), static_cast<std::size_t>(length));
}

/// The links in there lead to what is open, and are no text that could be followed (proc(5)).
bool is_of_descriptors(int folder, const fs::path& path) {
    struct statfs system {};
    return ::fstatfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC &&
           path.filename() == "fd";
}

class PathWalk {
public:
    PathWalk(const fs::path& file, const std::function<void(const Passed&)>& visit,
             core::Status failed)
        : shown_(file), look_(visit), failed_(failed) {
        follow(fs::absolute(file));
    }

    Reached go() {
        while (!left_.empty()) {
            const std::string name = left_.front();
            left_.pop_front();
            if (name.empty() || name == ".") continue;
            if (name == "..") {
                at_ = open_in(at_, "..");
                path_ = path_.parent_path();
            } else if (enter(name)) {
                return std::move(end_);
            }
        }
        end_.path = path_;
        end_.file = std::move(at_);
        stat_of(end_.file, end_.status);
        return std::move(end_);
    }

private:
    [[noreturn]] void fail(int code) const {
        throw core::Error(failed_, shown_.string() + ": " + std::generic_category().message(code));
    }

    [[nodiscard]] Descriptor open_in(const Descriptor& folder, const std::string& name) const {
        Descriptor file(::openat(folder.number(), name.c_str(),  // NOLINT(*-vararg)
                                 O_PATH | O_NOFOLLOW | O_CLOEXEC));
        // Of the last name nothing is an answer too.
        if (file.number() < 0 && (errno != ENOENT || !left_.empty())) fail(errno);
        return file;
    }

    void stat_of(const Descriptor& file, struct stat& status) const {
        if (::fstat(file.number(), &status) != 0) fail(errno);
    }

    void follow(const fs::path& path) {
        if (path.is_absolute()) {
            at_ = Descriptor(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));  // NOLINT(*-vararg)
            path_ = "/";
            pass_folder(false);
        }
        const fs::path names = path.relative_path();
        left_.insert(left_.begin(), names.begin(), names.end());
    }

    void pass_folder(bool holds_file) const {
        struct stat status {};
        stat_of(at_, status);
        look_({.path = path_, .file = at_.number(), .status = status, .holds_file = holds_file});
    }

    /// Whether the way ends there.
    bool enter(const std::string& name) {
        if (left_.empty()) pass_folder(true);
        Descriptor next = open_in(at_, name);
        if (next.number() < 0) return arrive(name, std::move(next), {});
        struct stat status {};
        stat_of(next, status);
        const fs::path path = path_ / name;
        if (S_ISLNK(status.st_mode)) {
            look_({.path = path, .file = next.number(), .status = status, .holds_file = false});
            if (left_.empty() && is_of_descriptors(at_.number(), path_)) return take_held(name);
            if (++links_ > kMostLinks) fail(ELOOP);
            const std::string text = link_text(next.number(), "");
            if (text.empty()) fail(ENOENT);
            follow(text);
            return false;
        }
        if (!S_ISDIR(status.st_mode)) {
            if (!left_.empty()) fail(ENOTDIR);
            return arrive(name, std::move(next), status);
        }
        at_ = std::move(next);
        path_ = path;
        pass_folder(false);
        return false;
    }

    bool arrive(const std::string& name, Descriptor file, const struct stat& status) {
        end_.path = path_ / name;
        end_.name = name;
        end_.folder = std::move(at_);
        end_.file = std::move(file);
        end_.status = status;
        return true;
    }

    bool take_held(const std::string& name) {
        Descriptor file(
            ::openat(at_.number(), name.c_str(), O_PATH | O_CLOEXEC));  // NOLINT(*-vararg)
        if (file.number() < 0) fail(errno);
        struct stat status {};
        stat_of(file, status);
        end_.held = path_ == fs::path("/proc") / link_text(AT_FDCWD, "/proc/self") / "fd";
        return arrive(name, std::move(file), status);
    }

    const fs::path& shown_;
    const std::function<void(const Passed&)>& look_;
    core::Status failed_;
    Descriptor at_;
    fs::path path_;
    std::deque<std::string> left_;
    unsigned links_ = 0;
    Reached end_;
};

}  // namespace

Reached go(const fs::path& file, const std::function<void(const Passed&)>& visit,
           core::Status failed) {
    return PathWalk(file, visit, failed).go();
}

Descriptor reopened(const Reached& end, int flags) {
    expect_proc(end.path.string() + " is not opened safely");
    const std::string name = "/proc/self/fd/" + std::to_string(end.file.number());
    return Descriptor(::open(name.c_str(), flags | O_CLOEXEC | O_NOCTTY));  // NOLINT(*-vararg)
}

}  // namespace cli
