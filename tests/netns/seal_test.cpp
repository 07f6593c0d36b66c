// SPDX-License-Identifier: Apache-2.0
#include "cli/seal/seal.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <regex>
#include <sstream>
#include <string_view>

#include "cli/command.hpp"
#include "cli/log.hpp"
#include "cli/run/live.hpp"
#include "cli/run/prefetched_host.hpp"
#include "cli/seal/capabilities.hpp"
#include "core/doctor/examination.hpp"
#include "tests/netns/sandbox.hpp"

namespace seal_test {

namespace {

namespace fs = std::filesystem;
using cli::Barriers;

/// What a seal is in one kind of kernel.
struct Kind {
    std::string_view name;
    Barriers barriers;
};

constexpr std::array kKinds = {
    Kind{"both barriers", {}},
    Kind{"Landlock alone", {.landlock = true, .filter = false}},
    Kind{"the filter alone", {.landlock = false, .filter = true}},
};

struct Folder {
    Folder() {
        std::string name = "/tmp/rocectl-seal-XXXXXX";
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
        std::ofstream(path / "there") << "contents";
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path); }
    fs::path path;
};

/// A network of its own: other tests leave theirs full.
void leave_the_network() {
    REQUIRE(unshare(CLONE_NEWNET) == 0);
    sandbox::run("ip link set dev lo up");
}

/// What a child printed, after its exit status. The child is sealed by nobody but `act`.
std::string in_child(const std::function<void(std::ostream&)>& act) {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    std::cout.flush();
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        cli::start_log(-1);
        std::ostringstream out;
        try {
            act(out);
        } catch (const std::exception& error) {
            out << "thrown: " << error.what() << '\n';
        }
        const std::string text = out.str();
        std::size_t done = 0;
        while (done < text.size()) {
            const ssize_t wrote = write(ends[1], text.data() + done, text.size() - done);
            if (wrote <= 0) break;
            done += static_cast<std::size_t>(wrote);
        }
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = read(ends[0], buffer.data(), buffer.size())) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return (WIFEXITED(status) ? "" : "the child was killed\n") + text;
}

/// Complains of what was not refused.
class Attempts {
public:
    explicit Attempts(std::ostream& out) : out_(out) {}

    void refused(const std::string& what, long result) {
        if (result >= 0)
            out_ << what << " was not refused\n";
        else if (errno != EPERM && errno != EACCES && errno != EOPNOTSUPP)
            out_ << what << " was refused with errno " << errno << '\n';
    }
    void not_opened(const fs::path& path, int flags) {
        const int file = open(path.c_str(), flags | O_CLOEXEC, 0644);
        refused("opening " + path.string() + " with " + std::to_string(flags), file);
    }

private:
    std::ostream& out_;
};

const fs::path kParameter = "/proc/sys/net/ipv4/conf/t0/arp_ignore";

void try_to_write_the_kernel(std::ostream& out) {
    const auto expect_eperm = [&](const char* what, const std::optional<core::Refusal>& no) {
        if (!no || no->code != EPERM) out << what << " was not refused with EPERM\n";
    };
    expect_eperm("RTM_SETLINK", sandbox::write("t0", "mtu", std::uint64_t{4200}));
    expect_eperm("RTM_NEWADDR",
                 sandbox::write_item("t0", "addresses", std::string("192.0.2.7/24")));
    expect_eperm("ETHTOOL_MSG_FEATURES_SET",
                 sandbox::write("t0", "features", false, "tx-scatter-gather"));
}

void try_to_open_files(std::ostream& out, const fs::path& folder) {
    Attempts attempts(out);
    attempts.not_opened(kParameter, O_WRONLY | O_TRUNC);
    attempts.not_opened(kParameter, O_RDWR);
    attempts.not_opened("/proc/self/oom_score_adj", O_WRONLY);
    attempts.not_opened(folder / "there", O_WRONLY);
    attempts.not_opened(folder / "there", O_RDWR | O_APPEND);
    attempts.not_opened(folder / "new", O_RDWR | O_CREAT);
    attempts.not_opened(folder / "new", O_RDONLY | O_CREAT);
    attempts.not_opened(folder, O_TMPFILE | O_RDWR);
}

constexpr auto kProfile = R"({"format": 1, "ports": [{"match": {"name": "t0"}, "mtu": 4200}]})";

std::vector<std::string> operands_for(const cli::Command& command, const fs::path& folder) {
    if (command.operands.starts_with("PROFILE")) return {folder / "profile.json"};
    if (command.operands.starts_with("SETTING")) return {"mtu"};
    if (command.operands.starts_with("[PORT]")) return {"t0"};
    if (command.operands.starts_with("bash")) return {"bash"};
    return {};
}

/// What main asks before the seal, since it takes a capability.
cli::Usable asked_before(const cli::Command& command) {
    constexpr std::chrono::seconds limit(30);
    cli::Usable out{.sealed = true};
    if (command.asks_with_rights)
        cli::ask_with_rights("/", limit, core::doctor_objects({}), out.reported);
    return out;
}

/// Without when it was read.
std::string timeless(const std::string& text) {
    static const std::regex time(
        R"("time": [0-9]+|[0-9-]{10} [0-9:]{8}|[0-9:]{8} |watched for [0-9.]+ m?s, [0-9]+ readings?)");
    return std::regex_replace(text, time, "TIME");
}

/// A command as main runs it: status and output.
void run_command(std::ostream& out, const cli::Command& command, const fs::path& folder,
                 const std::function<void()>& complete, cli::Usable usable) {
    cli::Session session{
        .command = std::string(command.name),
        .options = {.operands = operands_for(command, folder), .verbosity = -1},
        .style = {},
        .out = out,
        .live = [&usable](
                    const netlink::Root& root) { return cli::live_host(root, std::move(usable)); },
        .ask = nullptr,
        .missing_privilege = nullptr,
        .files_read = complete};
    if (command.goes_on) session.options.window = std::chrono::milliseconds(100);
    out << static_cast<int>(command.run(session)) << '\n';
}

}  // namespace

TEST_CASE("seal: what writes to the kernel gets EPERM from it, and no file can be written") {
    leave_the_network();
    const sandbox::Pair pair("t0");
    for (const Kind& kind : kKinds) {
        INFO(kind.name);
        const Folder folder;
        const std::string complaints = in_child([&](std::ostream& out) {
            const int before = open((folder.path / "named").c_str(), O_WRONLY | O_CREAT, 0644);
            const int control = open(kParameter.c_str(), O_WRONLY);
            if (control < 0) out << "the parameter cannot be written even before the seal\n";
            const cli::Seal seal = cli::seal(cli::SealedFor::files, kind.barriers);
            if (seal.landlock == 0 && kind.barriers.landlock) {
                out << "no Landlock\n";
                return;
            }
            if (seal.filter != kind.barriers.filter) out << "no filter of system calls\n";
            try_to_write_the_kernel(out);
            try_to_open_files(out, folder.path);
            cli::complete_seal();
            if (cli::effective_capabilities() != 0) out << "capabilities are left\n";
            if (write(before, "x", 1) != 1) out << "the named file cannot be written\n";
        });
        if (complaints == "no Landlock\n") {
            MESSAGE("skipped: this kernel has no Landlock");
            continue;
        }
        CHECK(complaints == "");
        CHECK(fs::file_size(folder.path / "there") == 8);
        CHECK(fs::file_size(folder.path / "named") == 1);
        CHECK_FALSE(fs::exists(folder.path / "new"));
    }
    CHECK(sandbox::ip("link show dev t0").at(0).at("mtu") == 1500);
}

TEST_CASE("seal: what sends has no capability, and opens no file for writing") {
    leave_the_network();
    const sandbox::Pair pair("t0");
    const Folder folder;
    const std::string complaints = in_child([&](std::ostream& out) {
        const cli::Seal seal = cli::seal_but_for_sending();
        if (cli::effective_capabilities() != 0) out << "capabilities are left\n";
        if (!seal.filter) out << "no filter of system calls\n";
        if (seal.landlock > 0) try_to_open_files(out, folder.path);
    });
    CHECK(complaints == "");
    CHECK(fs::file_size(folder.path / "there") == 8);
    CHECK_FALSE(fs::exists(folder.path / "new"));
}

TEST_CASE("seal: devices that did not answer in time are silent, whoever else has answered") {
    leave_the_network();
    const std::string silent = in_child([](std::ostream& out) {
        cli::start_log(-1);
        cli::Prefetched reported;
        cli::ask_devices("/", std::chrono::milliseconds(0), reported);
        cli::ask_with_rights("/", std::chrono::seconds(30), {core::Object::firewall}, reported);
        for (const core::Object object : reported.objects)
            if (reported.silent.contains(object)) out << core::row_of(object).name << '\n';
    });
    CHECK(silent.find("rdma_software\n") != std::string::npos);
    CHECK(silent.find("active_mtu\n") != std::string::npos);
    CHECK(silent.find("firewall\n") == std::string::npos);
}

TEST_CASE("seal: every command that only reads runs as well behind it") {
    leave_the_network();
    const sandbox::Pair pair("t0");
    const Folder folder;
    std::ofstream(folder.path / "profile.json") << kProfile;
    std::size_t count = 0;
    for (const cli::Command* const command : cli::commands()) {
        if (command->host == cli::HostUse::writes || command->host == cli::HostUse::sends) continue;
        ++count;
        const std::string open = in_child([&](std::ostream& out) {
            run_command(out, *command, folder.path, nullptr, asked_before(*command));
        });
        CHECK(open.find("thrown") == std::string::npos);
        for (const Kind& kind : kKinds) {
            INFO(command->name << " with " << kind.name);
            const std::string sealed = in_child([&](std::ostream& out) {
                cli::Usable usable = asked_before(*command);
                cli::seal(command->asks_devices ? cli::SealedFor::devices : cli::SealedFor::files,
                          kind.barriers);
                run_command(out, *command, folder.path, cli::complete_seal, std::move(usable));
            });
            CHECK(timeless(sealed) == timeless(open));
        }
    }
    CHECK(count >= 10);
}

}  // namespace seal_test
