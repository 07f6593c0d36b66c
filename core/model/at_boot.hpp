// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace core {

/// Who sets something at boot by what files say, in the order in which that happens; those of the
/// network come last, when a port is activated.
enum class BootProgram : std::uint8_t {
    modules_load,
    modprobe,
    sysctl,
    link_file,
    networkd,
    network_manager,
    ifupdown,
    services,  ///< other services, of which only that they are started is known
};

/// AtBoot::key of what a DHCP server says, where a file lets it: no file tells what that is.
inline constexpr std::string_view kByDhcp = "dhcp";

/// Where the files of a program state a setting, as a column of the object's row.
struct AtBoot {
    std::string_view setting;  ///< the field's key, or a pattern for several
    BootProgram program{};
    /// As its files name it, the section before a dot; `$port` and `$element` stand for those of
    /// the desired value; it may be a pattern.
    std::string_view key;
    bool compared = true;  ///< else that it is stated is known, and not whether it is the same
    bool joint = false;    ///< the largest of all that is stated counts
    /// The field's word for what stands in the file; null where both spell it alike.
    std::string_view (*spelled)(std::string_view said) = nullptr;
    std::string_view unstated{};  ///< the value where no file says it; empty: that is not known
    std::string_view element{};   ///< of which alone that is; empty: of all
};

}  // namespace core
