// SPDX-License-Identifier: Apache-2.0
#include "cli/files/trust.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "core/error.hpp"

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
        cli::check_trusted(file);
    } catch (const core::Error& error) {
        CHECK(error.status() == core::Status::invalid_input);
        return error.what();
    }
    return {};
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("trust: a file that only its owner and root can write is taken, from any name of it") {
    const Tree tree;
    CHECK(complaint(tree.file) == "");
    CHECK(complaint(tree.root / "etc/../etc/./site.json") == "");
    CHECK(complaint(tree.root / "etc/missing.json") == "");
    fs::create_symlink("site.json", tree.root / "etc/link.json");
    CHECK(complaint(tree.root / "etc/link.json") == "");
    CHECK(complaint("/dev/null/none") == "");
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
