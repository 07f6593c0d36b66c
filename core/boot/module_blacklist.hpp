// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/boot/persistence.hpp"

namespace core::boot {

/// The module, or the pattern of such, that a line of modprobe.d keeps out of the kernel or gives
/// to a command (modprobe.d(5)); empty where it does neither.
std::string module_kept_out(std::string_view line);

/// What comes of a desired value that needs a module which files keep out: a module by itself, the
/// driver of its port, or what makes the RDMA device; nothing where no line does.
std::optional<Persistence> blacklisted(const Desired& desired, const Port& port,
                                       const BootConfiguration& configuration);

}  // namespace core::boot
