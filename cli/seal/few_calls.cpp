// SPDX-License-Identifier: Apache-2.0
#include "cli/seal/few_calls.hpp"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <span>

namespace cli {
namespace {

using Kind = Condition::Kind;

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

/// Of a call that is named twice the first counts. Sanitizers take what readers have with them.
std::vector<AllowedCall> in_order(std::vector<AllowedCall> calls) {
#ifdef __SANITIZE_ADDRESS__
    for (const AllowedCall& call : allowed_calls(SealedFor::files))
        calls.push_back(call);
#endif
    std::ranges::stable_sort(calls, {}, &AllowedCall::number);
    const auto same = [](const AllowedCall& a, const AllowedCall& b) {
        return a.number == b.number;
    };
    calls.erase(std::unique(calls.begin(), calls.end(), same), calls.end());
    return calls;
}

}  // namespace

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
    return in_order(std::move(calls));
}

std::vector<AllowedCall> calls_of_naming() {
    std::vector<AllowedCall> calls;
    add(calls, kAlways);
    add(calls, kNaming);
    return in_order(std::move(calls));
}

}  // namespace cli
