// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// The directory of the port's RDMA device. Throws KernelError (ENODEV) where it has none.
std::filesystem::path cm_folder(const Machine& machine, const core::Port& port);
/// Whether configfs is there and rdma_cm is not in it, so that nobody can make a directory.
bool module_is_missing(const Machine& machine);
/// Whether configfs is mounted here: elsewhere it may be, with directories in it. A captured tree
/// is what it is.
bool sees_configfs(const Machine& machine);
bool is_folder(const std::filesystem::path& path);

/// Makes the directory, mounting configfs where need be, or removes it.
void write_cm_directory(Machine& machine, const core::Port& now, const core::Port& then);

/// Removes the directory of the port's device, if any: it outlives the device, and then reads
/// ENODEV for ever.
void remove_cm_directory(Machine& machine, const core::Port& port);

/// Removes the directory of the port's device, mounting configfs where need be, and says whether it
/// was there; `make_cm_directory`
/// makes it for a device of another name. Throws KernelError where it cannot be removed.
bool take_cm_directory(Machine& machine, const core::Port& port);

void make_cm_directory(Machine& machine, const core::Port& port);

}  // namespace netlink
