// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/checks/evidence.hpp"

namespace core {

/// An environment variable of an RDMA library, and who sets it.
struct StatedVariable {
    std::string who{};  ///< `train (1234)`, or a file
    std::string name{};
    std::string value{};
};
/// The variables in the environment of running programs and in the libraries' host-wide
/// configuration files. The host's environments must have been read.
std::vector<StatedVariable> stated_variables(const Evidence& evidence);

/// The variable's number; nothing for auto and -1, which leave it to the library. NCCL reads
/// hexadecimal and octal too (src/misc/param.cc: strtoll, base 0).
std::optional<unsigned> stated_number(const StatedVariable& stated);

/// Whether the variable selects the devices that the library uses.
bool is_list_of_devices(const std::string& name);
/// A list of devices: `=mlx5_0:1,mlx5_1` or `^mlx5_2` (NCCL, src/misc/socket.cc parseStringList);
/// UCX has no prefix character.
struct Devices {
    bool whole = false;  ///< names must match whole; else they are prefixes
    bool not_these = false;
    std::vector<std::string> names{};
};
Devices devices_in(const StatedVariable& stated);
/// Whether the list names the device, for use or for exclusion.
bool names(const Devices& devices, const std::string& device);

/// Whether the program or file `who` uses the device, as far as its variables tell.
bool uses(const std::vector<StatedVariable>& all, const std::string& who,
          const std::string& device);

}  // namespace core
