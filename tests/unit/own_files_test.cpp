// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/files/journal.hpp"
#include "cli/files/lock.hpp"
#include "cli/files/output_file.hpp"
#include "cli/files/own.hpp"
#include "cli/files/pending.hpp"
#include "cli/files/text_file.hpp"
#include "core/error.hpp"
#include "tests/unit/own_root.hpp"

namespace own_files_test {

namespace {

namespace fs = std::filesystem;

/// A root with all that rocectl keeps of itself in it, as it makes it.
struct Kept {
    Kept() {
        journal.begin({.command = "apply"});
        pending.emplace(root.path(), cli::Pending{.entry = 1, .deadline = std::chrono::hours(1)});
        const cli::Lock lock(root.path(), "test", std::chrono::milliseconds(0));
        REQUIRE(cli::read_pending(root.path()));
        REQUIRE(journal.entry(1).command == "apply");
    }
    OwnRoot root;
    cli::Journal journal{root.path()};
    std::optional<cli::PendingFile> pending;
};

std::string complaint(const std::function<void()>& work) {
    try {
        work();
    } catch (const core::Error& error) {
        CHECK(error.status() == core::Status::failed);
        return error.what();
    }
    return {};
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Each thing that is kept, and what believes it.
struct Believer {
    std::string path;
    std::function<void(const Kept&)> work;
};

std::vector<Believer> believers() {
    const auto lock = [](const Kept& kept) {
        const cli::Lock mine(kept.root.path(), "test", std::chrono::milliseconds(0));
    };
    const auto entry = [](const Kept& kept) { static_cast<void>(kept.journal.entry(1)); };
    const auto check = [](const Kept& kept) { kept.journal.check_open(); };
    const auto append = [](const Kept& kept) { kept.journal.mark(1, "confirmed", 1); };
    const auto begin = [](const Kept& kept) { kept.journal.begin({.command = "apply"}); };
    const auto pending = [](const Kept& kept) {
        static_cast<void>(cli::read_pending(kept.root.path()));
    };
    const auto extend = [](const Kept& kept) { cli::extend_pending(kept.root.path(), {}); };
    const std::string journal = "var/lib/rocectl/journal";
    return {{journal + "/1.open.jsonl", entry},
            {journal + "/1.open.jsonl", check},
            {journal + "/1.open.jsonl", append},
            {journal, entry},
            {journal, check},
            {journal, append},
            {journal, begin},
            {"var/lib/rocectl", entry},
            {"var/lib/rocectl", begin},
            {"run/rocectl/lock", lock},
            {"run/rocectl", lock},
            {"run/rocectl/pending", pending},
            {"run/rocectl/pending", extend},
            {"run/rocectl", pending}};
}

}  // namespace

TEST_CASE("journal: a file whose number is out of line hides no entry, and is not one") {
    const OwnRoot folder;
    const cli::Journal journal(folder.path());
    CHECK(journal.begin({.command = "apply"}) == 1);
    for (const char* number : {"1000000000000", "999999999999", "18446744073709551615"})
        std::ofstream(folder.path() / "var/lib/rocectl/journal" / (std::string(number) + ".jsonl"))
            << "{}\n";
    CHECK(journal.begin({.command = "apply"}) == 2);
    CHECK(journal.begin({.command = "apply"}) == 3);
    CHECK(journal.entries().size() == 3);
    CHECK(journal.open_entries().size() == 3);
    journal.prune(0);
    CHECK(journal.entries_from(1).size() == 3);
}

TEST_CASE("output file: names that others made before stand in no way") {
    const OwnRoot folder;
    const fs::path path = folder.path() / "out.json";
    std::ofstream(path.string() + "." + std::to_string(::getpid())) << "theirs";
    std::ofstream(path.string() + ".new") << "theirs";
    cli::OutputFile(path).write("ours");
    CHECK(cli::read_file(path) == "ours");
    cli::OutputFile(path).write("again");
    CHECK(cli::read_file(path) == "again");
    const auto files =
        std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
    CHECK(files == 3);
}

TEST_CASE(
    "kept: what others may write is not believed, and said with mode, owner and what would do") {
    for (const Believer& believer : believers()) {
        const Kept kept;
        const fs::path path = kept.root.path() / believer.path;
        CAPTURE(believer.path);
        CHECK(complaint([&] { believer.work(kept); }) == "");
        struct stat before {};
        REQUIRE(stat(path.c_str(), &before) == 0);
        REQUIRE(chmod(path.c_str(), before.st_mode | S_IWOTH) == 0);
        const std::string said = complaint([&] { believer.work(kept); });
        CHECK(mentions(said, path.string() + ": mode 0"));
        CHECK(mentions(said,
                       "let others write it, and what it says is written as root; expected "
                       "root's, and for nobody else to write"));
    }
}

TEST_CASE("kept: another user's file, folder or link is not believed") {
    if (geteuid() != 0) {
        MESSAGE("skipped: only root can give files away");
        return;
    }
    for (const Believer& believer : believers()) {
        const Kept kept;
        const fs::path path = kept.root.path() / believer.path;
        CAPTURE(believer.path);
        REQUIRE(chown(path.c_str(), 1234, 1234) == 0);
        CHECK(mentions(complaint([&] { believer.work(kept); }), "owner 1234"));
    }
    for (const Believer& believer : believers()) {
        const Kept kept;
        const fs::path path = kept.root.path() / believer.path;
        CAPTURE(believer.path);
        fs::rename(path, path.string() + ".moved");
        fs::create_symlink(path.filename().string() + ".moved", path);
        REQUIRE(lchown(path.c_str(), 1234, 1234) == 0);
        CHECK(complaint([&] { believer.work(kept); }) != "");
    }
}

TEST_CASE("kept: who goes back waits for no lock for ever, and needs none") {
    const OwnRoot root;
    std::string why;
    const auto reported = [&](const std::string& reason) { why = reason; };
    int file = -1;
    const auto way_back = [&] {
        return cli::SharedLock::of(file, root.path(), "guard", std::chrono::milliseconds(200),
                                   reported);
    };
    std::optional<cli::Lock> apply;
    apply.emplace(root.path(), "apply", std::chrono::milliseconds(0));
    const netlink::Descriptor inherited(::dup(apply->number()));
    file = inherited.number();
    CHECK(way_back());  // while the apply has it, and so for both
    apply.reset();
    {
        const cli::Lock other(root.path(), "rollback", std::chrono::milliseconds(0));
        CHECK_FALSE(way_back());
        CHECK(mentions(why, "another run writes to this host: rocectl rollback"));
    }
    {
        const auto lock = way_back();
        CHECK(lock);
        CHECK(cli::lock_holder(root.path())->command == "guard");
    }
    file = -1;
    CHECK_FALSE(way_back());
    CHECK(mentions(why, "Bad file descriptor"));
}

namespace {

core::JournalEntry entry_of_steps(std::size_t count) {
    core::JournalEntry entry{.command = "apply"};
    for (std::size_t i = 0; i < count; ++i)
        entry.steps.push_back({.port = "eth" + std::to_string(i), .object = core::Object::link});
    return entry;
}

/// Whether the file system below the folder keeps room behind the end of a file.
bool can_reserve(const fs::path& folder) {
    const fs::path path = folder / "scratch";
    const netlink::Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600));
    constexpr off_t room = 1 << 16;
    const int failed = fallocate(file.number(), FALLOC_FL_KEEP_SIZE, 0, room);
    const int reason = failed == 0 ? 0 : errno;
    struct stat status {};
    REQUIRE(fstat(file.number(), &status) == 0);
    fs::remove(path);
    REQUIRE((reason == 0 || reason == EOPNOTSUPP || reason == ENOSYS));
    // Some say that they did, and did not.
    return reason == 0 && status.st_blocks * 512 >= room;
}

/// How much this process has read by now, in bytes (proc_pid_io(5), rchar).
std::uint64_t bytes_read() {
    std::ifstream io("/proc/self/io");
    std::string name;
    std::uint64_t bytes = 0;
    io >> name >> bytes;
    REQUIRE(name == "rchar:");
    return bytes;
}

}  // namespace

TEST_CASE("kept: an entry has room on the disk for all that the way back adds to it") {
    const OwnRoot root;
    const cli::Journal journal(root.path());
    constexpr std::size_t steps = 50;
    journal.begin(entry_of_steps(steps));
    const fs::path folder = root.path() / "var/lib/rocectl/journal";
    struct stat status {};
    REQUIRE(stat((folder / "1.open.jsonl").c_str(), &status) == 0);
    if (!can_reserve(folder)) {
        MESSAGE("this file system reserves nothing");
        return;
    }
    const off_t room = status.st_blocks * 512 - status.st_size;
    CHECK(room >= status.st_size * 6 + static_cast<off_t>(steps * 1024));
    // Once it leaves nothing to be done, the room is others' again.
    journal.close(1);
    REQUIRE(stat((folder / "1.jsonl").c_str(), &status) == 0);
    CHECK(status.st_blocks * 512 <= status.st_size + 4096);
}

TEST_CASE("kept: a line is added to a long entry without reading the lines before it") {
    const OwnRoot root;
    const cli::Journal journal(root.path());
    journal.begin(entry_of_steps(20'000));
    const fs::path path = root.path() / "var/lib/rocectl/journal/1.open.jsonl";
    const auto size = fs::file_size(path);
    REQUIRE(size > 1'000'000);
    const std::uint64_t before = bytes_read();
    journal.append(1, nlohmann::ordered_json{{"mark", "one"}});
    CHECK(bytes_read() - before < 100'000);
    const auto whole = fs::file_size(path);
    // What a run that was killed left of a line is written over, however long it is.
    for (const std::size_t torn : {std::size_t{3}, std::size_t{10'000}}) {
        std::ofstream(path, std::ios::app) << std::string(torn, 'x');
        journal.append(1, nlohmann::ordered_json{{"mark", "two"}});
    }
    CHECK(fs::file_size(path) == whole + (whole - size) + 10'000);
    std::ifstream lines(path);
    std::vector<std::string> marks;
    for (std::string line; std::getline(lines, line);)
        if (line.find("mark") != std::string::npos && line.size() < 20'000)
            marks.push_back(nlohmann::json::parse(line)["mark"]);
    CHECK(marks == std::vector<std::string>{"one", "two", "two"});
}

}  // namespace own_files_test
