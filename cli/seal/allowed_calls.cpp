// SPDX-License-Identifier: Apache-2.0
#include "cli/seal/allowed_calls.hpp"

#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <iterator>
#include <span>
#include <utility>

#include "netlink/fwctl/codecs.hpp"

namespace cli {
namespace {

using Kind = Condition::Kind;
using Conditions = std::vector<Condition>;

/// In order to read and no more. __O_TMPFILE has no name outside the kernel.
constexpr std::uint32_t kMaking = O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);

Conditions only_for(unsigned argument, std::vector<std::uint32_t> values) {
    return {{.argument = argument, .kind = Kind::one_of, .values = std::move(values)}};
}

Conditions without(unsigned argument, std::uint32_t bits) {
    return {{.argument = argument, .kind = Kind::without_bits, .values = {bits}}};
}

bool asks_devices(SealedFor purpose) {
    return purpose != SealedFor::files && purpose != SealedFor::rights &&
           purpose != SealedFor::firmware;
}

bool sends(SealedFor purpose) {
    return purpose == SealedFor::sending || purpose == SealedFor::loopback;
}

/// Not those that the caller handed over: a socket among them may lead to anybody.
Condition own_descriptor() {
    return {.argument = 0, .kind = Kind::above, .values = {STDERR_FILENO}};
}

/// Devices of verbs are written to; Landlock sees to it that no other file is opened so.
Conditions opening(unsigned flags, SealedFor purpose) {
    return without(flags, O_WRONLY | kMaking | (asks_devices(purpose) ? 0U : O_RDWR));
}

/// A provider's library is code that is mapped.
Conditions mapping(SealedFor purpose) {
    return asks_devices(purpose) ? Conditions{} : without(2, PROT_EXEC);
}

Conditions requests(SealedFor purpose) {
    // Whether it is a terminal; how much there is to read; what ethtool tells, which is asked for
    // changes only with CAP_NET_ADMIN; the name of a port.
    std::vector<std::uint32_t> values{TCGETS, kTcgets2, FIONREAD, SIOCETHTOOL, SIOCGIFNAME};
    if (asks_devices(purpose)) values.push_back(RDMA_VERBS_IOCTL);
    if (sends(purpose)) values.push_back(SIOCOUTQ);
    if (purpose == SealedFor::firmware)
        values.insert(values.end(), {netlink::kFwctlInfo, netlink::kFwctlRpc});
    return only_for(1, std::move(values));
}

/// What the kernel is asked by.
Conditions channels(SealedFor purpose) {
    std::vector<std::uint32_t> protocols{NETLINK_ROUTE, NETLINK_SOCK_DIAG, NETLINK_GENERIC,
                                         NETLINK_RDMA};
    if (purpose == SealedFor::rights) protocols.push_back(NETLINK_NETFILTER);
    std::vector<std::uint32_t> families{AF_NETLINK};
    if (sends(purpose)) {
        // As numbers of netlink they are NETLINK_XFRM, which does nothing without CAP_NET_ADMIN,
        // and none.
        protocols.insert(protocols.end(), {IPPROTO_TCP, IPPROTO_UDP});
        families.insert(families.end(), {AF_INET, AF_INET6});
    }
    return {{.argument = 0, .values = std::move(families)},
            {.argument = 2, .values = std::move(protocols)}};
}

/// What is said to a socket, or a completion channel, before it is used.
std::vector<std::uint32_t> levels(SealedFor purpose) {
    if (!sends(purpose)) return {SOL_SOCKET, SOL_NETLINK};
    return {SOL_SOCKET, SOL_NETLINK, IPPROTO_IP, IPPROTO_IPV6, IPPROTO_TCP};
}

std::vector<std::uint32_t> of_descriptors(SealedFor purpose) {
    std::vector<std::uint32_t> values{F_GETFD,         F_SETFD, F_GETFL,
                                      F_DUPFD_CLOEXEC, F_GETLK, F_OFD_GETLK};
    if (sends(purpose)) values.push_back(F_SETFL);
    return values;
}

/// Allowed whatever the arguments: what it takes to read files, to wait and to end, and what a
/// process may learn and change of itself.
constexpr auto kFree = std::to_array<long>({
    SYS_read,         SYS_readv,
    SYS_pread64,      SYS_lseek,
    SYS_write,        SYS_writev,
    SYS_ftruncate,    SYS_close,
    SYS_fstat,        SYS_newfstatat,
    SYS_statx,        SYS_statfs,
    SYS_fstatfs,      SYS_faccessat,
    SYS_faccessat2,   SYS_readlinkat,
    SYS_getdents64,   SYS_getcwd,
    SYS_getxattr,     SYS_lgetxattr,
    SYS_fgetxattr,
#ifdef SYS_stat  // machines without these have only what they are made of
    SYS_stat,         SYS_lstat,
    SYS_access,       SYS_readlink,
    SYS_poll,         SYS_time,
#endif
    SYS_brk,          SYS_munmap,
    SYS_mremap,       SYS_madvise,
    SYS_futex,        SYS_getrandom,
    SYS_sched_yield,  SYS_clock_gettime,
    SYS_clock_getres, SYS_gettimeofday,
    SYS_nanosleep,    SYS_clock_nanosleep,
    SYS_ppoll,        SYS_restart_syscall,
    SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_getpid,       SYS_getppid,
    SYS_gettid,       SYS_getuid,
    SYS_geteuid,      SYS_getgid,
    SYS_getegid,      SYS_uname,
    SYS_sysinfo,      SYS_wait4,
    SYS_exit,         SYS_exit_group,
    SYS_capget,       SYS_capset,
    SYS_recvmsg,      SYS_recvfrom,
    SYS_getsockname,
});

/// LeakSanitizer looks at its process from another one. What is proven of the seal is proven
/// without.
#ifdef __SANITIZE_ADDRESS__
constexpr auto kOfSanitizers = std::to_array<long>({
    SYS_clone,
    SYS_ptrace,
    SYS_kill,
    SYS_tgkill,
    SYS_prctl,
    SYS_mmap,
    SYS_mprotect,
    SYS_prlimit64,
#ifdef SYS_getdents
    SYS_getdents,
#endif
    SYS_dup,
    SYS_pipe2,
    SYS_fcntl,
    SYS_sched_getaffinity,
});
#else
constexpr std::array<long, 0> kOfSanitizers{};
#endif

/// What goes by its arguments.
std::vector<AllowedCall> reported_by_argument(SealedFor purpose) {
    const auto self = static_cast<std::uint32_t>(getpid());
    return {
        {SYS_openat, opening(2, purpose)},
#ifdef SYS_open
        {SYS_open, opening(1, purpose)},
#endif
        {SYS_mmap, mapping(purpose)},
        {SYS_mprotect, mapping(purpose)},
        {SYS_ioctl, requests(purpose)},
        {SYS_fcntl, only_for(1, of_descriptors(purpose))},
        {SYS_prctl, only_for(0, {PR_CAP_AMBIENT})},
        {SYS_prlimit64,
         {{.argument = 0, .values = {0, self}}, {.argument = 2, .kind = Kind::null}}},
        {SYS_sched_getaffinity, only_for(0, {0, self})},
        {SYS_tgkill, only_for(0, {self})},  // abort()
        {SYS_socket, channels(purpose)},
        {SYS_bind, {own_descriptor()}},
        {SYS_setsockopt, {own_descriptor(), {.argument = 1, .values = levels(purpose)}}},
        {SYS_sendmsg, {own_descriptor()}},
        {SYS_sendto, {own_descriptor(), {.argument = 4, .kind = Kind::null}}},
    };
}

/// What sending takes beside. No signal: the other end of loopback goes with this process
/// (PR_SET_PDEATHSIG).
std::vector<AllowedCall> of_sending(SealedFor purpose) {
    std::vector<AllowedCall> calls;
    if (sends(purpose))
        calls = {{SYS_connect, {own_descriptor()}},
                 {SYS_accept4, {own_descriptor()}},
                 {SYS_shutdown, {own_descriptor()}},
                 {SYS_getsockopt},
                 {SYS_getpeername},
                 {SYS_getrusage}};
    if (purpose == SealedFor::loopback) {
        // fork(3); the child tells the kernel where its locks are.
        calls.push_back(
            {SYS_clone, only_for(0, {CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD})});
        calls.push_back({SYS_set_robust_list});
        calls.push_back({SYS_prctl, only_for(0, {PR_CAP_AMBIENT, PR_SET_PDEATHSIG})});
        calls.push_back({SYS_socketpair, only_for(0, {AF_UNIX})});
    }
    return calls;
}

/// What any process does at its end, and for its memory.
constexpr auto kAlways = std::to_array<long>({
    SYS_read,
    SYS_write,
    SYS_exit,
    SYS_exit_group,
    SYS_rt_sigreturn,
    SYS_restart_syscall,
});

constexpr auto kWaiting = std::to_array<long>({
#ifdef SYS_poll
    SYS_poll,
#endif
    SYS_ppoll,          SYS_writev,    SYS_close,         SYS_lseek,        SYS_fstat,
    SYS_newfstatat,     SYS_brk,       SYS_munmap,        SYS_mremap,       SYS_madvise,
    SYS_futex,          SYS_getrandom, SYS_clock_gettime, SYS_gettimeofday, SYS_rt_sigaction,
    SYS_rt_sigprocmask, SYS_getpid,    SYS_gettid,
});

constexpr auto kNaming = std::to_array<long>({
#ifdef SYS_renameat
    SYS_renameat,
#endif
    SYS_renameat2,
    SYS_unlinkat,
});

void add(std::vector<AllowedCall>& calls, std::span<const long> numbers) {
    for (const long number : numbers)
        calls.push_back({.number = static_cast<std::uint32_t>(number)});
}

/// Of a call that is named twice the first counts.
std::vector<AllowedCall> in_order(std::vector<AllowedCall> calls) {
    std::ranges::stable_sort(calls, {}, &AllowedCall::number);
    const auto same = [](const AllowedCall& a, const AllowedCall& b) {
        return a.number == b.number;
    };
    calls.erase(std::unique(calls.begin(), calls.end(), same), calls.end());
    return calls;
}

/// Sanitizers take what readers have with them.
std::vector<AllowedCall> with_sanitizers(std::vector<AllowedCall> calls) {
#ifdef __SANITIZE_ADDRESS__
    for (const AllowedCall& call : allowed_calls(SealedFor::files))
        calls.push_back(call);
#endif
    return in_order(std::move(calls));
}

}  // namespace

std::vector<AllowedCall> allowed_calls(SealedFor purpose) {
    std::vector<AllowedCall> calls;
    add(calls, kOfSanitizers);
    add(calls, kFree);
    std::ranges::move(of_sending(purpose), std::back_inserter(calls));
    std::ranges::move(reported_by_argument(purpose), std::back_inserter(calls));
    return in_order(std::move(calls));
}

std::vector<AllowedCall> calls_of_waiting(pid_t child) {
    const auto self = static_cast<std::uint32_t>(getpid());
    const auto one = static_cast<std::uint32_t>(child);
    std::vector<AllowedCall> calls{
        {SYS_wait4, {{.argument = 0, .values = {one}}}},
        {SYS_kill,
         {{.argument = 0, .values = {one}}, {.argument = 1, .values = {SIGKILL, SIGINT}}}},
        {SYS_tgkill, {{.argument = 0, .values = {self}}}},  // raise()
        {SYS_mmap, {{.argument = 2, .kind = Kind::without_bits, .values = {PROT_EXEC}}}},
        {SYS_ioctl, {{.argument = 1, .values = {TCGETS, kTcgets2}}}},  // whether it is a terminal
    };
#ifdef __SANITIZE_ADDRESS__
    calls.clear();
    add(calls, std::to_array<long>({SYS_wait4, SYS_kill, SYS_tgkill, SYS_mmap}));
#endif
    add(calls, kAlways);
    add(calls, kWaiting);
    return with_sanitizers(std::move(calls));
}

std::vector<AllowedCall> calls_of_naming() {
    std::vector<AllowedCall> calls;
    add(calls, kAlways);
    add(calls, kNaming);
    return with_sanitizers(std::move(calls));
}

}  // namespace cli
