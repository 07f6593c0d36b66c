// SPDX-License-Identifier: Apache-2.0
#include "cli/seal/syscall_filter.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

// Documentation/userspace-api/seccomp_filter.rst

namespace cli {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__) && defined(__AARCH64EL__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kMachine = 0;
#endif

using Program = std::vector<sock_filter>;

sock_filter load(std::size_t offset) {
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

sock_filter answer(std::uint32_t action) {
    return BPF_STMT(BPF_RET | BPF_K, action);
}

sock_filter refuse(int code) {
    return answer(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(code));
}

/// Skips so many statements where the comparison holds, or where it does not.
sock_filter compare(unsigned how, std::uint32_t value, std::size_t held, std::size_t failed) {
    return BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | how | BPF_K), value,
                    static_cast<std::uint8_t>(held), static_cast<std::uint8_t>(failed));
}

/// Both machines have the low word first.
constexpr std::size_t low_word(unsigned argument) {
    return offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);
}

/// Goes on behind it where the condition holds, and answers EPERM where not.
void check(const Condition& condition, Program& program) {
    const std::size_t low = low_word(condition.argument);
    program.push_back(load(low));
    switch (condition.kind) {
        case Condition::Kind::one_of:
            for (std::size_t left = condition.values.size(); left > 0; --left)
                program.push_back(
                    compare(BPF_JEQ, condition.values[condition.values.size() - left], left, 0));
            break;
        case Condition::Kind::without_bits:
            program.push_back(compare(BPF_JSET, condition.values.front(), 0, 1));
            break;
        case Condition::Kind::above:
            program.push_back(compare(BPF_JGT, condition.values.front(), 1, 0));
            break;
        case Condition::Kind::null:
            program.push_back(compare(BPF_JEQ, 0, 0, 2));
            program.push_back(load(low + sizeof(std::uint32_t)));
            program.push_back(compare(BPF_JEQ, 0, 1, 0));
            break;
    }
    program.push_back(refuse(EPERM));
}

/// The calls from a number on that are treated alike.
struct Range {
    std::uint32_t first = 0;
    Program verdict{};
};

void start_range(std::vector<Range>& ranges, std::uint32_t first, Program verdict) {
    if (!ranges.empty() && ranges.back().first == first) ranges.pop_back();
    ranges.push_back({first, std::move(verdict)});
}

/// All numbers there are, those of another table (x32) included.
std::vector<Range> make_ranges(const std::vector<AllowedCall>& allowed) {
    std::vector<Range> ranges;
    start_range(ranges, 0, {refuse(ENOSYS)});
    bool freely = false;  // the call before is allowed whatever its arguments
    for (const AllowedCall& call : allowed) {
        const bool goes_on = freely && ranges.back().first == call.number;
        freely = call.conditions.empty();
        if (goes_on && freely)
            ranges.pop_back();
        else {
            Program verdict;
            for (const Condition& condition : call.conditions)
                check(condition, verdict);
            verdict.push_back(answer(SECCOMP_RET_ALLOW));
            start_range(ranges, call.number, std::move(verdict));
        }
        start_range(ranges, call.number + 1, {refuse(ENOSYS)});
    }
    return ranges;
}

constexpr std::size_t kFar = UINT8_MAX;  // what a comparison can skip

/// How many statements `search` takes for them.
std::size_t length(std::span<const Range> ranges) {
    if (ranges.size() == 1) return ranges.front().verdict.size();
    const std::size_t low = length(ranges.first(ranges.size() / 2));
    return (low <= kFar ? 1 : 2) + low + length(ranges.subspan(ranges.size() / 2));
}

/// The number is compared with the middle one, then with that of its half: the kernel runs this for
/// every number when it takes the filter (kernel/seccomp.c seccomp_cache_prepare).
void search(std::span<const Range> ranges, Program& program) {
    if (ranges.size() == 1) {
        const Program& verdict = ranges.front().verdict;
        program.insert(program.end(), verdict.begin(), verdict.end());
        return;
    }
    const std::size_t middle = ranges.size() / 2;
    const std::size_t low = length(ranges.first(middle));
    if (low <= kFar)
        program.push_back(compare(BPF_JGE, ranges[middle].first, low, 0));
    else {
        program.push_back(compare(BPF_JGE, ranges[middle].first, 0, 1));
        program.push_back(BPF_STMT(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(low)));
    }
    search(ranges.first(middle), program);
    search(ranges.subspan(middle), program);
}

}  // namespace

bool filter_system_calls(SealedFor purpose) {
    return filter_system_calls(allowed_calls(purpose));
}

bool filter_system_calls(const std::vector<AllowedCall>& allowed) {
    if (kMachine == 0) return false;
    Program program = {load(offsetof(seccomp_data, arch)), compare(BPF_JEQ, kMachine, 1, 0),
                       refuse(ENOSYS), load(offsetof(seccomp_data, nr))};
    const std::vector<Range> ranges = make_ranges(allowed);
    program.reserve(program.size() + length(ranges));
    search(ranges, program);
    const sock_fprog filter = {.len = static_cast<unsigned short>(program.size()),
                               .filter = program.data()};
    // Readers hold no secret of another process that a slower memory would have to guard.
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) ==
           0;
}

}  // namespace cli
