// SPDX-License-Identifier: Apache-2.0
#include "netlink/transport/path_walk.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <deque>
#include <vector>

namespace netlink {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostLinks = 40;  // as the kernel (include/linux/namei.h MAXSYMLINKS)

std::string text_of_link(int folder, const char* name) {
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
    PathWalk(const HostPath& file, const std::function<void(const Passed&)>& visit, AtEnd link)
        : root_(file.root()), visit_(visit), link_(link) {
        fs::path whole = root_.is_given() ? fs::path("/") / file.inside() : file.inside();
        if (whole.is_relative()) whole = fs::absolute(whole);
        follow(whole);
    }

    Reached go() {
        while (!left_.empty() && end_.error == 0) {
            const std::string name = left_.front();
            left_.pop_front();
            if (name.empty() || name == ".") continue;
            if (name == "..")
                leave();
            else if (enter(name))
                return std::move(end_);
        }
        if (end_.error != 0) return std::move(end_);
        end_.path = path_;
        end_.file = std::move(way_.back());
        stat_of(end_.file, end_.status);
        return std::move(end_);
    }

private:
    bool fail(int code) {
        end_.error = code;
        return true;
    }

    void stat_of(const Descriptor& file, struct stat& status) {
        if (::fstat(file.number(), &status) != 0) fail(errno);
    }

    void follow(const fs::path& path) {
        if (path.is_absolute()) {
            way_.clear();
            const int start = root_.is_given() ? root_.number() : AT_FDCWD;
            way_.emplace_back(::openat(start, root_.is_given() ? "." : "/",  // NOLINT(*-vararg)
                                       O_PATH | O_DIRECTORY | O_CLOEXEC));
            path_ = root_.folder();
            if (way_.back().number() < 0)
                fail(ENOENT);
            else
                pass_folder(false);
        }
        const fs::path names = path.relative_path();
        left_.insert(left_.begin(), names.begin(), names.end());
    }

    void leave() {
        if (way_.size() == 1) return;
        way_.pop_back();
        path_ = path_.parent_path();
    }

    void pass_folder(bool holds_file) {
        if (!visit_) return;
        const Descriptor& at = way_.back();
        struct stat status {};
        stat_of(at, status);
        if (end_.error != 0) return;
        visit_({.path = path_, .file = at.number(), .status = status, .holds_file = holds_file});
    }

    /// Whether the way ends there.
    bool enter(const std::string& name) {
        if (left_.empty()) pass_folder(true);
        Descriptor next(::openat(way_.back().number(), name.c_str(),  // NOLINT(*-vararg)
                                 O_PATH | O_NOFOLLOW | O_CLOEXEC));
        // Of the last name nothing is an answer too.
        if (next.number() < 0 && (errno != ENOENT || !left_.empty())) return fail(errno);
        if (next.number() < 0) return arrive(name, std::move(next), {});
        struct stat status {};
        stat_of(next, status);
        if (end_.error != 0) return true;
        const fs::path path = path_ / name;
        if (S_ISLNK(status.st_mode)) {
            if (left_.empty() && link_ == AtEnd::stay) return arrive(name, std::move(next), status);
            return follow_link(name, path, next, status);
        }
        if (!S_ISDIR(status.st_mode))
            return left_.empty() ? arrive(name, std::move(next), status) : fail(ENOTDIR);
        way_.push_back(std::move(next));
        path_ = path;
        pass_folder(false);
        return end_.error != 0;
    }

    bool follow_link(const std::string& name, const fs::path& path, const Descriptor& link,
                     const struct stat& status) {
        if (visit_)
            visit_({.path = path, .file = link.number(), .status = status, .holds_file = false});
        if (left_.empty() && !root_.is_given() && is_of_descriptors(way_.back().number(), path_))
            return take_held(name);
        if (++links_ > kMostLinks) return fail(ELOOP);
        const std::string text = text_of_link(link.number(), "");
        if (text.empty()) return fail(ENOENT);
        follow(text);
        return end_.error != 0;
    }

    bool arrive(const std::string& name, Descriptor file, const struct stat& status) {
        end_.path = path_ / name;
        end_.name = name;
        end_.folder = std::move(way_.back());
        end_.file = std::move(file);
        end_.status = status;
        return true;
    }

    bool take_held(const std::string& name) {
        Descriptor file(::openat(way_.back().number(), name.c_str(),  // NOLINT(*-vararg)
                                 O_PATH | O_CLOEXEC));
        if (file.number() < 0) return fail(errno);
        struct stat status {};
        stat_of(file, status);
        end_.held = path_ == fs::path("/proc") / text_of_link(AT_FDCWD, "/proc/self") / "fd";
        return arrive(name, std::move(file), status);
    }

    const Root& root_;
    const std::function<void(const Passed&)>& visit_;
    AtEnd link_;
    std::vector<Descriptor> way_;  ///< the folders from the root to where the walk is
    fs::path path_;
    std::deque<std::string> left_;
    unsigned links_ = 0;
    Reached end_;
};

}  // namespace

Reached walk(const HostPath& file, const std::function<void(const Passed&)>& visit, AtEnd link) {
    return PathWalk(file, visit, link).go();
}

}  // namespace netlink
