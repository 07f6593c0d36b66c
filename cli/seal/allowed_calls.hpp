// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <vector>

namespace cli {

/// What a sealed process is allowed to do.
enum class SealedFor : std::uint8_t {
    files,     ///< read files, and the kernel by netlink
    devices,   ///< also RDMA devices, through their drivers' libraries
    rights,    ///< as files, and netfilter by netlink
    firmware,  ///< as files, and the firmware of NICs by fwctl
    sending,   ///< RDMA devices, and TCP and UDP sockets that connect
    loopback,  ///< the same, with a child process as the other end
};

/// A condition on an argument of a system call. The kernel takes the arguments checked here as
/// 32-bit numbers, except pointers.
struct Condition {
    enum class Kind : std::uint8_t {
        one_of,        ///< one of the values
        without_bits,  ///< no bit of the value
        above,         ///< a greater number than the value
        null,          ///< a null pointer
    };
    unsigned argument = 0;
    Kind kind = Kind::one_of;
    std::vector<std::uint32_t> values{};
};

/// A system call that is allowed where all conditions hold.
struct AllowedCall {
    std::uint32_t number = 0;
    std::vector<Condition> conditions{};
};

/// TCGETS2, which isatty(3) uses since glibc 2.42 in place of TCGETS. Its number in
/// asm-generic/ioctls.h, shared by x86-64 and arm64, includes the size of a struct that older glibc
/// headers lack.
constexpr std::uint32_t kTcgets2 = 0x802c542a;

/// The system calls allowed to a process sealed for this purpose, in order of their numbers.
std::vector<AllowedCall> allowed_calls(SealedFor purpose);

/// System calls to pass on a child's output, wait for its end and kill it, in order of their
/// numbers.
std::vector<AllowedCall> calls_of_waiting(pid_t child);

/// System calls to rename or remove a file in an open folder.
std::vector<AllowedCall> calls_of_naming();

}  // namespace cli
