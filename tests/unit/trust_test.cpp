// SPDX-License-Identifier: Apache-2.0
#include "cli/files/trust.hpp"

#include <doctest/doctest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/unit/effort.hpp"

namespace trust_test {

namespace {

namespace fs = std::filesystem;

/// etc/site.json, which nobody but this user can write.
struct Tree {
    Tree() {
        std::string name = "/tmp/rocectl-trust-XXXXXX";
        REQUIRE(mkdtemp(name.data()) != nullptr);
        root = fs::canonical(name);
        fs::create_directories(root / "etc");
        file = root / "etc/site.json";
        std::ofstream(file) << "{}";
        mode(file, 0644);
        mode(root / "etc", 0755);
    }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;
    ~Tree() { fs::remove_all(root); }

    static void mode(const fs::path& path, mode_t bits) { REQUIRE(chmod(path.c_str(), bits) == 0); }
    fs::path root;
    fs::path file;
};

std::string complaint(const fs::path& file) {
    try {
        static_cast<void>(cli::open_trusted(file));
    } catch (const core::Error& error) {
        CHECK(error.status() == core::Status::invalid_input);
        return error.what();
    }
    return {};
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Does something again and again as another user, until it is gone.
template <typename Work>
class Stranger {
public:
    explicit Stranger(const Work& work) : pid_(fork()) {
        REQUIRE(pid_ >= 0);
        if (pid_ > 0) return;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (setgid(65534) != 0 || setuid(65534) != 0) _exit(1);
        for (;;)
            work();
    }
    Stranger(const Stranger&) = delete;
    Stranger& operator=(const Stranger&) = delete;
    ~Stranger() {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }

private:
    pid_t pid_;
};

}  // namespace

TEST_CASE("trust: nobody wins a race against the look at a file") {
    if (geteuid() != 0) {
        MESSAGE("skipped: only root can be raced by another user");
        return;
    }
    const Tree tree;
    tree.mode(tree.root, 01777);
    const fs::path theirs = tree.root / "theirs", away = tree.root / "away";
    fs::create_directory(theirs);
    std::ofstream(theirs / "site.json") << "[1]";
    for (const fs::path& path : {theirs, theirs / "site.json"})
        REQUIRE(chown(path.c_str(), 65534, 65534) == 0);
    const fs::path link = theirs / "link.json", other = theirs / "other";
    // Their folder comes and goes; their link leads to a device of root's and to their file in
    // turn, and to root's file.
    const Stranger stranger([&] {
        rename(theirs.c_str(), away.c_str());
        rename(away.c_str(), theirs.c_str());
        for (const fs::path& target : {fs::path("/dev/console"), theirs / "site.json", tree.file}) {
            unlink(other.c_str());
            static_cast<void>(!symlink(target.c_str(), other.c_str()));
            rename(other.c_str(), link.c_str());
        }
    });
    const auto taken = [start = std::chrono::steady_clock::now()] {
        return std::chrono::steady_clock::now() - start;
    };
    const auto least = std::chrono::seconds(effort::tries(20, 2));
    const unsigned enough = effort::tries(5000, 1000);
    unsigned tries = 0, losses = 0;
    // Beside other load few tries take long.
    while (taken() < least || (tries <= enough && taken() < 20 * least)) {
        for (const fs::path& path : {theirs / "site.json", link}) {
            ++tries;
            try {
                static_cast<void>(cli::open_named(path, true));
                ++losses;
            } catch (const core::Error&) {
                continue;
            }
        }
    }
    MESSAGE(tries << " tries");
    CHECK(tries > enough);
    CHECK(losses == 0);
}

TEST_CASE("trust: a file that only its owner and root can write is taken, from any name of it") {
    const Tree tree;
    CHECK(complaint(tree.file) == "");
    CHECK(complaint(tree.root / "etc/../etc/./site.json") == "");
    fs::create_symlink("site.json", tree.root / "etc/link.json");
    CHECK(complaint(tree.root / "etc/link.json") == "");
    fs::create_symlink(tree.root / "etc", tree.root / "etc/round");
    CHECK(complaint(tree.root / "etc/round/round/site.json") == "");
    const std::string contents = cli::open_named(tree.root / "etc/round/link.json", true).text;
    CHECK(contents == "{}");
}

TEST_CASE("trust: what cannot be looked at, or is no file, is refused") {
    const Tree tree;
    const std::string missing = (tree.root / "etc/missing.json").string();
    CHECK(complaint(missing) == missing + ": No such file or directory");
    CHECK(complaint(tree.root / "none/site.json") ==
          (tree.root / "none/site.json").string() + ": No such file or directory");
    CHECK(mentions(complaint("/dev/null/none"), "Not a directory"));
    CHECK(mentions(complaint(tree.file / "."), "Not a directory"));
    fs::create_symlink("turn.json", tree.root / "etc/turn.json");
    CHECK(mentions(complaint(tree.root / "etc/turn.json"), "symbolic links"));
    CHECK(mentions(complaint(tree.root / "etc"), "is a directory"));
    REQUIRE(mkfifo((tree.root / "etc/pipe").c_str(), 0600) == 0);
    CHECK(
        mentions(complaint(tree.root / "etc/pipe"), "is a pipe, and what it says is done as root"));
    CHECK(mentions(complaint("/dev/zero"), "is a device"));
}

TEST_CASE(
    "trust: a pipe that the caller handed over is taken by its number, and by no other name") {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const std::string name = "/dev/fd/" + std::to_string(ends[0]);
    CHECK(complaint(name) == "");
    CHECK(mentions(complaint("/proc/1/fd/0"), "/proc/1/fd/0"));
    close(ends[0]);
    close(ends[1]);
}

TEST_CASE("trust: an access list that lets others write counts, also where the group is root's") {
    if (geteuid() != 0) {
        MESSAGE("skipped: only root's group may write");
        return;
    }
    const Tree tree;
    REQUIRE(chown(tree.file.c_str(), 0, 0) == 0);
    tree.mode(tree.file, 0664);
    CHECK(complaint(tree.file) == "");
    // Version 2, then tag, permissions and id of each entry (linux/posix_acl_xattr.h): the owner,
    // user or group 1234, the group, the mask, the others.
    constexpr unsigned char user = 2, group = 8;
    const auto list = [](unsigned char tag, unsigned char rights) {
        const std::vector<unsigned char> named{tag, 0, rights, 0, 0xd2, 4, 0, 0};
        const std::vector<unsigned char> of_owner{1, 0, 6, 0, 255, 255, 255, 255};
        const std::vector<unsigned char> of_group{4, 0, 4, 0, 255, 255, 255, 255};
        const std::vector<unsigned char> mask{16, 0, 6, 0, 255, 255, 255, 255};
        const std::vector<unsigned char> others{32, 0, 4, 0, 255, 255, 255, 255};
        std::vector<unsigned char> out{2, 0, 0, 0};
        for (const auto& entry : {of_owner, tag == user ? named : of_group,
                                  tag == user ? of_group : named, mask, others})
            out.insert(out.end(), entry.begin(), entry.end());
        return out;
    };
    const auto set = [&](const fs::path& path, unsigned char tag, unsigned char rights) {
        const std::vector<unsigned char> bytes = list(tag, rights);
        return setxattr(path.c_str(), "system.posix_acl_access", bytes.data(), bytes.size(), 0) ==
               0;
    };
    if (!set(tree.file, user, 6)) {
        MESSAGE("skipped: this file system has no access lists");
        return;
    }
    for (const unsigned char tag : {user, group}) {
        REQUIRE(set(tree.file, tag, 6));
        CHECK(mentions(complaint(tree.file), "mode 0664 and owner 0 let others write it"));
        REQUIRE(set(tree.file, tag, 4));
        CHECK(complaint(tree.file) == "");
        REQUIRE(set(tree.root / "etc", tag, 7));
        CHECK(mentions(complaint(tree.file), "its directory " + (tree.root / "etc").string()));
        REQUIRE(set(tree.root / "etc", tag, 5));
        CHECK(complaint(tree.file) == "");
    }
}

TEST_CASE("trust: a file that others can write is refused with its mode, owner and the override") {
    const Tree tree;
    tree.mode(tree.file, 0646);
    const std::string said = complaint(tree.file);
    CHECK(
        mentions(said, tree.file.string() + ": mode 0646 and owner " + std::to_string(geteuid())));
    CHECK(mentions(said, "--trust-files"));
    fs::create_symlink("site.json", tree.root / "etc/link.json");
    CHECK(mentions(complaint(tree.root / "etc/link.json"), tree.file.string()));
}

TEST_CASE("trust: a directory that others can write is refused, even a sticky one") {
    const Tree tree;
    for (const mode_t bits : {mode_t{0757}, mode_t{01777}}) {
        tree.mode(tree.root / "etc", bits);
        CHECK(mentions(complaint(tree.file),
                       tree.file.string() + ": its directory " + (tree.root / "etc").string()));
    }
}

TEST_CASE("trust: on the way to the directory only a sticky one may be open to others") {
    const Tree tree;
    tree.mode(tree.root, 01777);
    CHECK(complaint(tree.file) == "");
    tree.mode(tree.root, 0777);
    CHECK(mentions(complaint(tree.file), "its directory " + tree.root.string() + ": mode 0777"));
}

TEST_CASE("trust: a link in a directory of others is their choice, wherever it leads") {
    const Tree tree;
    fs::create_directory(tree.root / "open");
    tree.mode(tree.root / "open", 01777);
    fs::create_symlink(tree.file, tree.root / "open/link.json");
    CHECK(mentions(complaint(tree.root / "open/link.json"), (tree.root / "open").string()));
    // The same one hop later.
    fs::create_symlink(tree.root / "open/link.json", tree.root / "etc/far.json");
    CHECK(mentions(complaint(tree.root / "etc/far.json"), (tree.root / "open").string()));
}

TEST_CASE("trust: what belongs to another user is refused; who ran sudo is the caller") {
    if (geteuid() != 0) {
        MESSAGE("skipped: only root can give files away");
        return;
    }
    const Tree tree;
    REQUIRE(chown(tree.file.c_str(), 1234, 0) == 0);
    CHECK(mentions(complaint(tree.file), "owner 1234"));
    setenv("SUDO_UID", "1234", 1);
    CHECK(complaint(tree.file) == "");
    REQUIRE(chown((tree.root / "etc").c_str(), 1235, 0) == 0);
    CHECK(mentions(complaint(tree.file), "owner 1235"));
    unsetenv("SUDO_UID");
}

TEST_CASE("trust: a group may write only where it is root's") {
    const Tree tree;
    tree.mode(tree.file, 0664);
    if (getegid() == 0) {
        CHECK(complaint(tree.file) == "");
        REQUIRE(chown(tree.file.c_str(), geteuid(), 1234) == 0);
    }
    CHECK(mentions(complaint(tree.file), "mode 0664"));
}

}  // namespace trust_test
