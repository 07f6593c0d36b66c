// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/checks/evidence.hpp"

namespace core {

/// A variable that a library of RDMA reads, and who states it.
struct StatedVariable {
    std::string who{};  ///< `train (1234)`, or a file
    std::string name{};
    std::string value{};
};
/// Those of running programs, and of the files that the libraries read for every program. The
/// host's environments have to be known.
std::vector<StatedVariable> stated_variables(const Evidence& evidence);

/// The number that the variable states; nothing for auto and -1, which leave it to the library.
/// NCCL reads hexadecimal and octal too (src/misc/param.cc: strtoll, base 0).
std::optional<unsigned> stated_number(const StatedVariable& stated);

/// Whether the variable names the devices that the library is to use.
bool is_list_of_devices(const std::string& name);
/// `=mlx5_0:1,mlx5_1` or `^mlx5_2` (NCCL, src/misc/socket.cc parseStringList); UCX has no head.
struct Devices {
    bool whole = false;  ///< names are whole names, else their beginnings
    bool not_these = false;
    std::vector<std::string> names{};
};
Devices devices_in(const StatedVariable& stated);
/// Whether the list names the device, whatever it says of the devices that it names.
bool names(const Devices& devices, const std::string& device);

/// Whether the one who stated some of the variables uses the device, as far as they say.
bool uses(const std::vector<StatedVariable>& all, const std::string& who,
          const std::string& device);

}  // namespace core
