// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/model/back_end.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Which of a driver's ways to an object is there.
struct FoundBackEnd {
    const core::FileBackEnd* back_end = nullptr;  ///< nothing: none is
    bool made = true;  ///< false: its directory is for somebody to make first
};

/// The first back end that is present. Throws KernelError where its presence cannot be seen:
/// debugfs is for root only, or not mounted.
FoundBackEnd find_back_end(const Machine& machine, std::span<const core::FileBackEnd> back_ends,
                           const core::Port& port);

/// Sets every setting that has a file. Throws KernelError where one cannot be read, or holds no
/// valid value.
void read_back_end(const Machine& machine, const core::FileBackEnd& back_end, core::Port& port);

/// Writes what differs, each value in one write, and the commit file last.
void write_back_end(const Machine& machine, const core::FileBackEnd& back_end,
                    const core::Port& now, const core::Port& then);

/// Makes or removes the directory of the port's device.
void make_back_end(const Machine& machine, const core::FileBackEnd& back_end,
                   const core::Port& port, bool there);

}  // namespace netlink
