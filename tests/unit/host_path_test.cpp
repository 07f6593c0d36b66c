// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "cli/seal/seal.hpp"
#include "netlink/transport/host_path.hpp"
#include "netlink/transport/path_walk.hpp"
#include "tests/unit/own_root.hpp"

namespace host_path_test {

namespace fs = std::filesystem;
using netlink::HostPath;
using netlink::Root;

/// Device and inode of what is reached, or the errno: as text.
std::string place(int file, int error) {
    struct stat status {};
    if (file < 0 || ::fstat(file, &status) != 0) return "errno " + std::to_string(error);
    return std::to_string(status.st_dev) + ':' + std::to_string(status.st_ino);
}

std::string by_kernel(const HostPath& path) {
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
    const netlink::Descriptor file(static_cast<int>(
        ::syscall(SYS_openat2, path.root().number(), path.inside().c_str(), &how, sizeof(how))));
    return place(file.number(), errno);
}

std::string by_walk(const HostPath& path) {
    const netlink::Reached end = netlink::walk(path, nullptr);
    const int error = end.error != 0 ? end.error : ENOENT;
    return place(end.error != 0 ? -1 : end.file.number(), error);
}

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

TEST_CASE("host paths: a walk ends where the kernel does by openat2(2), in any tree") {
    const char* stated = std::getenv("HOST_PATH_SEED");
    std::mt19937 random(stated == nullptr ? 1 : static_cast<unsigned>(std::atoi(stated)));
    const auto below = [&random](std::size_t end) {
        return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
    };
    const OwnRoot tree;
    write(tree.path() / "outside/secret", "secret");
    const fs::path top = tree.path() / "root";
    const std::vector<std::string> names = {"a", "b", "c", "d"};
    const auto some_path = [&](std::size_t most) {
        std::string out = below(4) == 0 ? "/" : "";
        for (std::size_t i = 0, parts = 1 + below(most); i < parts; ++i)
            out += (below(3) == 0 ? ".." : names[below(names.size())]) + (i + 1 < parts ? "/" : "");
        return below(16) == 0 ? tree.path().string() + "/outside/secret" : out;
    };
    if (by_kernel(HostPath(Root(tree.path()), "/outside")).starts_with("errno")) {
        MESSAGE("skipped: no openat2 here");
        return;
    }
    std::size_t reached = 0;
    for (int round = 0; round < 60; ++round) {
        fs::remove_all(top);
        fs::create_directories(top);
        std::vector<fs::path> folders = {top};
        for (int made = 0; made < 12; ++made) {
            const fs::path path = folders[below(folders.size())] / names[below(names.size())];
            std::error_code taken;
            const std::size_t kind = below(3);
            if (kind == 0 && fs::create_directory(path, taken)) folders.push_back(path);
            if (kind == 1 && !fs::exists(fs::symlink_status(path))) write(path, "text");
            if (kind == 2) fs::create_symlink(some_path(4), path, taken);
        }
        const Root root(top);
        for (int asked = 0; asked < 60; ++asked) {
            const HostPath path(root, "/" + some_path(6));
            CAPTURE(round);
            CAPTURE(path.inside());
            const std::string expected = by_kernel(path);
            if (!expected.starts_with("errno")) ++reached;
            CHECK(by_walk(path) == expected);
        }
    }
    CHECK(reached > 300);
}

TEST_CASE("host paths: whatever a link says, nothing outside of the root is read or written") {
    const OwnRoot tree;
    write(tree.path() / "outside/secret", "secret");
    write(tree.path() / "root/inside/text", "text");
    const fs::path top = tree.path() / "root";
    const fs::path outside = tree.path() / "outside";
    fs::create_symlink(outside / "secret", top / "absolute");
    fs::create_symlink("../outside/secret", top / "up");
    fs::create_symlink(outside, top / "folder");
    fs::create_symlink("/inside", top / "within");
    fs::create_symlink("/proc/self/fd", top / "magic");
    const Root root(top);
    for (const char* path : {"/absolute", "/up", "/../outside/secret", "/folder/secret",
                             "/inside/../../outside/secret", "/magic/0"}) {
        CAPTURE(path);
        const HostPath file(root, path);
        CHECK(text_of(file).empty());
        CHECK_FALSE(exists(file));
        CHECK(open_host_file(file, O_WRONLY | O_TRUNC).number() < 0);
        CHECK_FALSE(resolved(file));
    }
    const HostPath folder = root / "folder";
    CHECK(names_in(folder).empty());
    CHECK(open_host_file(folder / "new", O_WRONLY | O_CREAT).number() < 0);
    CHECK_FALSE(make_directory(folder / "new"));
    CHECK_FALSE(remove_file(folder / "secret"));
    CHECK_FALSE(rename_file(root / "inside/text", folder / "secret"));
    CHECK_FALSE(rename_file(folder / "secret", root / "inside/text"));
    CHECK(link_text(root / "up") == "../outside/secret");
    CHECK(text_of(root / "within/text") == "text");
    CHECK(resolved(root / "within/text") == root / "inside/text");
    CHECK(text_of(HostPath(tree.path() / "outside/secret")) == "secret");
    CHECK(std::distance(fs::directory_iterator(outside), {}) == 1);
}

TEST_CASE("host paths: a root that is renamed, or taken by a link, stays the folder that it was") {
    const OwnRoot tree;
    write(tree.path() / "root/text", "text");
    write(tree.path() / "outside/text", "secret");
    const Root root(tree.path() / "root");
    fs::rename(tree.path() / "root", tree.path() / "away");
    fs::create_symlink("outside", tree.path() / "root");
    CHECK(text_of(root / "text") == "text");
    CHECK_FALSE(exists(Root(tree.path() / "nowhere") / "text"));
    CHECK_FALSE(exists(Root(tree.path() / "nowhere") / "/etc/passwd"));
}

TEST_CASE(
    "host paths: behind the seal, which lets nobody call openat2, files are found as before") {
    const OwnRoot tree;
    write(tree.path() / "outside/secret", "secret");
    write(tree.path() / "root/inside/text", "text");
    fs::create_symlink("../../../outside/secret", tree.path() / "root/inside/up");
    fs::create_symlink("/inside/text", tree.path() / "root/link");
    const Root root(tree.path() / "root");
    const pid_t child = ::fork();
    if (child == 0) {
        cli::seal(cli::SealedFor::files);
        const bool as_before =
            text_of(root / "link") == "text" && names_in(root / "inside").size() == 2 &&
            is_folder(root / "inside") && link_text(root / "link") == "/inside/text" &&
            resolved(root / "link") == root / "inside/text" && !exists(root / "inside/up") &&
            text_of(root / "../outside/secret").empty() &&
            open_host_file(root / "inside/text", O_WRONLY).number() < 0;
        ::_exit(as_before ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
}

}  // namespace host_path_test
