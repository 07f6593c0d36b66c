// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cli {

/// What a sealed process may still do.
enum class SealedFor : std::uint8_t {
    files,     ///< files to be read, and the kernel by netlink
    devices,   ///< RDMA devices too, through the libraries that their drivers come with
    rights,    ///< files, and netfilter too by netlink
    sending,   ///< RDMA devices, and TCP and UDP sockets that connect
    loopback,  ///< the same, with a process for the other end
};

/// Which values an argument of a system call may have. The kernel takes the arguments that are
/// looked at here for numbers of 32 bits, but for pointers.
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

/// A system call that a sealed process may make, where all conditions hold.
struct AllowedCall {
    std::uint32_t number = 0;
    std::vector<Condition> conditions{};
};

/// TCGETS2, by which isatty(3) of glibc 2.42 and later asks, as those before ask by TCGETS. Its
/// number in asm-generic/ioctls.h, which x86-64 and arm64 have, takes the size of a struct that the
/// headers of older glibc lack.
constexpr std::uint32_t kTcgets2 = 0x802c542a;

/// The system calls that a process sealed for this purpose may make, in order of their numbers.
std::vector<AllowedCall> allowed_calls(SealedFor purpose);

}  // namespace cli
