// SPDX-License-Identifier: Apache-2.0
#include "cli/seal/syscall_filter.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

// Documentation/userspace-api/seccomp_filter.rst

namespace cli {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
constexpr bool kTwoTables = true;  // the numbers of x32 have this bit set
#elif defined(__aarch64__) && defined(__AARCH64EL__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
constexpr bool kTwoTables = false;
#else
constexpr std::uint32_t kMachine = 0;
constexpr bool kTwoTables = false;
#endif
constexpr std::uint32_t kOtherTable = 0x40000000;

/// What a reader never calls. Newer machines lack the older ones, older headers the newer ones.
constexpr auto kRefused = std::to_array<long>({
#ifdef SYS_rename
    SYS_rename,
    SYS_unlink,
    SYS_rmdir,
    SYS_mkdir,
    SYS_mknod,
    SYS_link,
    SYS_symlink,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_futimesat,
    SYS_utime,
    SYS_utimes,
    SYS_creat,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
    SYS_renameat2,
    SYS_unlinkat,
    SYS_mkdirat,
    SYS_mknodat,
    SYS_linkat,
    SYS_symlinkat,
    SYS_truncate,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_open_tree,
    SYS_mount_setattr,
    SYS_swapon,
    SYS_swapoff,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_reboot,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_bpf,
    SYS_quotactl,
    SYS_acct,
    SYS_io_uring_setup,  // its requests pass no filter
    452,                 // fchmodat2
    463,
    466,  // setxattrat, removexattrat
});

/// A way to open a file, and which argument its flags are.
struct Opening {
    long call = 0;
    unsigned flags = 0;
};

constexpr auto kOpenings = std::to_array<Opening>({
#ifdef SYS_open
    {SYS_open, 1},
#endif
    {SYS_openat, 2},
    {SYS_open_by_handle_at, 2},
});

using Program = std::vector<sock_filter>;

void load(Program& program, std::size_t offset) {
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
}

void answer(Program& program, std::uint32_t action) {
    program.push_back(BPF_STMT(BPF_RET | BPF_K, action));
}

/// The next `count` statements count only where the comparison with `value` holds.
void where(Program& program, unsigned comparison, std::uint32_t value, std::uint8_t count) {
    program.push_back(
        BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), value, 0, count));
}

constexpr std::uint32_t refusal(int code) {
    return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(code);
}

void refuse_call(Program& program, long call, int code) {
    where(program, BPF_JEQ, static_cast<std::uint32_t>(call), 1);
    answer(program, refusal(code));
}

void refuse_opening(Program& program, const Opening& opening, std::uint32_t flags) {
    where(program, BPF_JEQ, static_cast<std::uint32_t>(opening.call), 4);
    load(program, offsetof(seccomp_data, args) + opening.flags * sizeof(std::uint64_t));
    where(program, BPF_JSET, flags, 1);
    answer(program, refusal(EPERM));
    answer(program, SECCOMP_RET_ALLOW);
}

Program make_program(bool opens) {
    Program program;
    load(program, offsetof(seccomp_data, arch));
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0));
    answer(program, refusal(ENOSYS));
    load(program, offsetof(seccomp_data, nr));
    if (kTwoTables) {
        where(program, BPF_JGE, kOtherTable, 1);
        answer(program, refusal(ENOSYS));
    }
    for (const long call : kRefused)
        refuse_call(program, call, EPERM);
    // Its flags are in memory, where a filter does not look; who gets this uses openat.
    refuse_call(program, SYS_openat2, ENOSYS);
    const std::uint32_t flags = O_TRUNC | O_CREAT | (opens ? O_WRONLY | O_RDWR : 0);
    for (const Opening& opening : kOpenings)
        refuse_opening(program, opening, flags);
    answer(program, SECCOMP_RET_ALLOW);
    return program;
}

}  // namespace

bool filter_system_calls(bool opens) {
    if (kMachine == 0) return false;
    Program program = make_program(opens);
    const sock_fprog filter = {.len = static_cast<unsigned short>(program.size()),
                               .filter = program.data()};
    // Readers hold no secret of another process that a slower memory would have to guard.
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) ==
           0;
}

}  // namespace cli
