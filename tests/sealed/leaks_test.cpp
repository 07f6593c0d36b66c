// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

#include "cli/seal/landlock.hpp"
#include "cli/seal/seal.hpp"
#include "tests/sealed/attempts.hpp"
#include "tests/sealed/rights.hpp"

namespace sealed {

namespace {

using cli::SealedFor;

std::string complaint(const Attempt& attempt, int expected, int found) {
    if (found == expected) return "";
    return std::string(attempt.what) + ": " + (found == 0 ? "done" : std::strerror(found)) +
           ", expected " + (expected == 0 ? "that it is done" : std::strerror(expected)) + '\n';
}

int with_devices(const Attempt& attempt) {
    return attempt.with_devices == kSame ? attempt.code : attempt.with_devices;
}

/// Of all attempts, each by a process of its own. `seal` says whether there is a filter.
std::string complaints(const Before& before, bool (*seal)(), int (*expected)(const Attempt&)) {
    std::string out;
    const auto close = [&] {
        before.enter_session();
        if (!seal()) _exit(ENOEXEC);
    };
    for (const Attempt& attempt : attempts())
        out += complaint(attempt, expected(attempt),
                         errno_of(close, [&] { return attempt.act(before); }));
    return out;
}

/// The numbers of system calls there are, and room for those to come.
constexpr std::uint32_t kNumbers = 1024;

#ifdef __x86_64__
/// uretprobe and uprobe, which the kernel puts into a process itself: no filter sees them, and who
/// calls them otherwise is killed (kernel/seccomp.c __secure_computing_strict,
/// seccomp_uprobe_exception).
bool is_probe(std::uint32_t number) {
    return number == 335 || number == 336;
}
#else
bool is_probe(std::uint32_t /*number*/) {
    return false;
}
#endif

/// Which of them are answered otherwise than with ENOSYS though no row allows them, from `first`
/// on.
long not_refused(std::uint32_t first, const std::vector<cli::AllowedCall>& allowed) {
    for (std::uint32_t number = 0; number < kNumbers; ++number) {
        const auto is_it = [=](const cli::AllowedCall& call) {
            return call.number == first + number;
        };
        if (is_probe(first + number) || std::ranges::any_of(allowed, is_it)) continue;
        errno = 0;
        if (syscall(first + number, -1, 0, 0, 0, 0, 0) == -1 && errno == ENOSYS) continue;
        std::fprintf(stderr, "system call %u: errno %d\n", first + number, errno);
        return -1;
    }
    return 0;
}

/// The version of the kernel's Landlock; less than 1 where it has none.
int landlock_of_kernel() {
    return static_cast<int>(
        syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
}

sockaddr_in local(std::uint16_t port) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return to;
}

int udp() {
    return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDP);
}

long bind_at(int socket, std::uint16_t port) {
    sockaddr_in at = local(port);
    at.sin_addr.s_addr = htonl(INADDR_ANY);
    return bind(socket, reinterpret_cast<const sockaddr*>(&at), sizeof(at));
}

/// There is no way to it in a network namespace of which nothing is up: ENETUNREACH.
long connect_to(int socket, std::uint16_t port) {
    const sockaddr_in to = local(port);
    return connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof(to));
}

/// What Landlock has a right for, and since which version of its interface, in the order of these.
struct Barred {
    int since = 0;
    Attempt attempt{};
};

const std::vector<Barred> kBarred = {
    {1,
     {"a program", EACCES,
      [](const Before&) -> long { return execl("/bin/true", "true", nullptr); }}},
    {1,
     {"open to write", EACCES,
      [](const Before& b) -> long { return open(b.there.c_str(), O_WRONLY); }}},
    {2,
     {"a name in another folder", EACCES,
      [](const Before& b) -> long { return rename(b.there.c_str(), (b.folder / "a/b").c_str()); }}},
    {3, {"truncate", EACCES, [](const Before& b) -> long { return truncate(b.there.c_str(), 0); }}},
    {4, {"a TCP connection", EACCES, [](const Before& b) { return connect_to(b.tcp, 9); }}},
    {4, {"a port of TCP", EACCES, [](const Before& b) { return bind_at(b.tcp, 0); }}},
    {5,
     {"a request of a device", EACCES,
      [](const Before&) -> long {
          return ioctl(open("/dev/ptmx", O_RDONLY | O_NOCTTY), TIOCSTI, "x");
      }}},
    {6, {"a signal", EPERM, [](const Before& b) -> long { return kill(b.victim, SIGCONT); }}},
    {6,
     {"an abstract socket", EPERM,
      [](const Before& b) -> long {
          return connect(b.datagrams, reinterpret_cast<const sockaddr*>(&b.abstract),
                         sizeof(b.abstract));
      }}},
    {9,
     {"a UNIX socket that has a name", EACCES,
      [](const Before& b) -> long {
          return connect(b.datagrams, reinterpret_cast<const sockaddr*>(&b.address),
                         sizeof(b.address));
      }}},
    {9,
     {"a datagram to one", EACCES,
      [](const Before& b) {
          return sendto(b.datagrams, "x", 1, 0, reinterpret_cast<const sockaddr*>(&b.address),
                        sizeof(b.address));
      }}},
    {10, {"a port of UDP", EACCES, [](const Before&) { return bind_at(udp(), 0); }}},
    {10, {"a peer by UDP", EACCES, [](const Before&) { return connect_to(udp(), 9); }}},
    {10,
     {"a datagram by UDP", EACCES,
      [](const Before&) {
          const sockaddr_in to = local(9);
          return sendto(udp(), "x", 1, 0, reinterpret_cast<const sockaddr*>(&to), sizeof(to));
      }}},
};

/// Behind the seal of who sends, where a socket that was open before leads to no more than Landlock
/// lets it; in a process that seals itself no socket can be made that leads to another's UNIX one.
int while_sending(const Attempt& attempt) {
    const std::string what = attempt.what;
    if (what == "a UDP socket") return 0;
    if (what == "a TCP connection") return landlock_of_kernel() >= 4 ? EACCES : ENETUNREACH;
    if (what == "connecting to root's UNIX socket") return landlock_of_kernel() >= 9 ? EACCES : 0;
    const int code = with_devices(attempt);
    return code == EACCES && !cli::has_landlock() ? 0 : code;
}

int while_sending_to_itself(const Attempt& attempt) {
    const std::string what = attempt.what;
    if (what == "a child") return 0;
    return what == "clone(CLONE_NEWUSER)" ? EPERM : while_sending(attempt);
}

}  // namespace

TEST_CASE("seal: what leads out of it is refused, and what reading takes is not") {
    const Before before;
    CHECK(complaints(
              before, [] { return cli::seal(SealedFor::files).filter; },
              [](const Attempt& attempt) { return attempt.code; }) == "");
    // Without Landlock no device is asked behind this seal.
    if (!cli::has_landlock()) return;
    CHECK(complaints(
              before, [] { return cli::seal(SealedFor::devices).filter; }, with_devices) == "");
}

TEST_CASE("seal: what asks devices without Landlock can open files that are there, and no more") {
    const Before before;
    const auto seal = [] { return cli::seal_without_landlock(), true; };
    CHECK(complaints(before, seal, [](const Attempt& attempt) {
              const int code = with_devices(attempt);
              return code == EACCES ? 0 : code;
          }) == "");
}

TEST_CASE(
    "seal: what sends leads out by nothing but RDMA, what UDP reaches, and its peers by TCP") {
    const Before before;
    CHECK(complaints(
              before, [] { return cli::seal_but_for_sending().filter; }, while_sending) == "");
    CHECK(complaints(
              before, [] { return cli::seal_but_for_sending({.to_itself = true}).filter; },
              while_sending_to_itself) == "");

    const auto sends = [] { cli::seal_but_for_sending({.peer_ports = {18516}}); };
    CHECK(errno_of(sends, [&] { return connect_to(before.tcp, 18516); }) == ENETUNREACH);
    CHECK(errno_of(sends, [] { return bind_at(udp(), 0); }) == 0);
    CHECK(errno_of(sends, [] { return connect_to(udp(), 9); }) == ENETUNREACH);
    // It opened the socket at which it listens before.
    CHECK(errno_of(sends, [&]() -> long { return listen(before.tcp, 1); }) == ENOSYS);
    if (landlock_of_kernel() < 10) {
        MESSAGE("skipped: the Landlock of this kernel (" << landlock_of_kernel()
                                                         << ") has no rights of UDP (10)");
        return;
    }
    const auto directs = [] { cli::seal_but_for_sending({.datagrams = false}); };
    CHECK(errno_of(sends, [] { return bind_at(udp(), 4791); }) == EACCES);
    CHECK(errno_of(directs, [] { return bind_at(udp(), 0); }) == EACCES);
    CHECK(errno_of(directs, [] { return connect_to(udp(), 9); }) == EACCES);
}

namespace {

/// What is done all the same of what leads out of a seal.
std::string done(const Before& before, const std::function<void()>& close) {
    std::string out;
    for (const Attempt& attempt : attempts())
        if (attempt.code != 0 && errno_of([&] { before.enter_session(), close(); },
                                          [&] { return attempt.act(before); }) == 0)
            out += std::string(attempt.what) + '\n';
    return out;
}

/// Tries it on a child that waits to be ended, behind the seal of who waits for one.
int errno_beside_child(long (*act)(pid_t child)) {
    return errno_of([] {},
                    [act] {
                        const pid_t child = fork();
                        if (child == 0) {
                            std::signal(SIGINT, SIG_DFL);  // the test's own would tell of it
                            pause();
                        }
                        cli::seal_but_for_waiting(child);
                        const long result = act(child);
                        const int code = errno;
                        kill(child, SIGKILL);
                        errno = code;
                        return result;
                    });
}

}  // namespace

TEST_CASE("seal: who waits for a child can end that one, and nothing else leads out") {
    const Before before;
    CHECK(done(before, [&] { cli::seal_but_for_waiting(before.victim); }) == "");
    for (const unsigned long request : {static_cast<unsigned long>(TCGETS), kTcgets2})
        CHECK(errno_of([&] { cli::seal_but_for_waiting(before.victim); },
                       [&] { return ask(before.terminal, request); }) == 0);
    CHECK(errno_beside_child([](pid_t child) -> long { return kill(child, SIGINT); }) == 0);
    CHECK(errno_beside_child([](pid_t child) -> long {
              kill(child, SIGKILL);
              return waitpid(child, nullptr, 0) == child ? 0 : -1;
          }) == 0);
    CHECK(errno_beside_child([](pid_t child) -> long { return kill(child, SIGSTOP); }) == EPERM);
    CHECK(errno_beside_child([](pid_t /*child*/) -> long { return kill(getppid(), SIGINT); }) ==
          EPERM);
    CHECK(errno_beside_child([](pid_t /*child*/) -> long { return fork(); }) == ENOSYS);
    CHECK(errno_beside_child([](pid_t /*child*/) -> long {
              return open("/proc/self/status", O_RDONLY);
          }) == ENOSYS);
}

TEST_CASE("seal: who keeps a right to ask with has no way out by it but what the right is for") {
    const Before before;
    for (const cli::Capabilities right : kRights) {
        INFO("rights ", right);
        // The kernel asks of who reads the rules of its firewall what it asks of who changes them.
        const bool of_network = (right & cli::only(CAP_NET_ADMIN)) != 0;
        CHECK(done(before, [right] { cli::seal_but_for(right); }) ==
              (of_network ? "a netlink change\n" : ""));
    }
}

TEST_CASE("seal: who asks the firmware of NICs has no way out by it") {
    const Before before;
    CHECK(done(before, [] { cli::seal_but_for_firmware(); }) == "");
}

TEST_CASE("seal: who names a file does that, and nothing else leads out") {
    const Before before;
    const int folder = open(before.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const auto close = [] { cli::seal_but_for_naming(); };
    // Where the files are is what it is reported before it is sealed; here all of them are this
    // user's.
    std::string found = done(before, close);
    for (const char* own : {"rename\n", "unlink\n"})
        if (const std::size_t at = found.find(own); at != std::string::npos)
            found.erase(at, std::strlen(own));
    CHECK(found == "");
    // A machine without rename(2), as arm64, has renameat(2) in its place, and they are done.
    std::ofstream(before.there) << "contents";
    CHECK(errno_of(close, [&]() -> long { return renameat(folder, "there", folder, "here"); }) ==
          0);
    CHECK(errno_of(close, [&]() -> long { return unlinkat(folder, "here", 0); }) == 0);
    CHECK(errno_of(close, [&]() -> long { return openat(folder, "there", O_RDONLY); }) == ENOSYS);
    ::close(folder);
}

TEST_CASE("seal: a system call that no row allows is answered with ENOSYS, whatever its number") {
    constexpr std::uint32_t x32 = 0x40000000;
    for (const SealedFor purpose : {SealedFor::files, SealedFor::devices})
        for (const std::uint32_t first : {0U, x32}) {
            const auto allowed = cli::allowed_calls(purpose);
            CHECK(allowed.size() > 50);
            CHECK(errno_of([purpose] { cli::seal(purpose); },
                           [&] { return not_refused(first, allowed); }) == 0);
        }
}

#ifdef __x86_64__
TEST_CASE("seal: the system calls of 32 bits are refused, of which the numbers mean others") {
    const auto call = [] {
        long result = 20;  // getpid
        asm volatile("int $0x80" : "+a"(result) : : "memory");
        errno = result < 0 ? static_cast<int>(-result) : 0;
        return result;
    };
    // A kernel that has none ends who asks for one.
    if (errno_of([] { std::signal(SIGSEGV, SIG_DFL); }, call) != 0) {
        MESSAGE("skipped: this kernel has no system calls of 32 bits");
        return;
    }
    CHECK(errno_of([] { cli::seal(SealedFor::files); }, call) == ENOSYS);
}
#endif

TEST_CASE(
    "seal: Landlock alone keeps what this kernel's has a right for, and its version is reported") {
    const Before before;
    const auto close = [] { cli::seal(SealedFor::files, {.landlock = true, .filter = false}); };
    const int reported = errno_of(
        [] {},
        [] {
            errno = cli::seal(SealedFor::files, {.landlock = true, .filter = false}).landlock;
            return -1L;
        });
    std::string found;
    int newest = 0;
    for (const Barred& one : kBarred) {
        if (one.since > landlock_of_kernel()) {
            MESSAGE("skipped: " << std::string(one.attempt.what) << " is Landlock's since "
                                << one.since << ", this kernel's is " << landlock_of_kernel());
            continue;
        }
        newest = one.since;
        found += complaint(one.attempt, one.attempt.code,
                           errno_of(close, [&] { return one.attempt.act(before); }));
    }
    CHECK(found == "");
    CHECK(reported == newest);
}

}  // namespace sealed
