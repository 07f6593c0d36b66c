// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace core {

/// What reads configuration files at boot and sets something, in the order in which it happens. The
/// network programs come last: they act when a port is activated.
enum class BootProgram : std::uint8_t {
    modules_load,
    modprobe,
    sysctl,
    link_file,
    networkd,
    network_manager,
    ifupdown,
    services,  ///< other systemd services: known is only whether they are started
};

/// The AtBoot::key of what a file lets a DHCP server set. No file tells the value.
inline constexpr std::string_view kByDhcp = "dhcp";

/// Where a boot program's files can set a setting. A column of the object's row, from which `verify
/// --persistent` predicts the next boot.
struct AtBoot {
    std::string_view setting;  ///< the field's key, or a pattern for several fields
    BootProgram program{};
    /// The file's name for it, after its section and a dot; may be a pattern. `$port` and
    /// `$element` stand for those of the desired value.
    std::string_view key;
    bool compared = true;  ///< false: that the file sets it is known, but the value is not compared
    bool joint = false;    ///< of several values in the files the largest takes effect
    /// Translates the file's word to the field's; null where both spell it alike.
    std::string_view (*spelled)(std::string_view said) = nullptr;
    /// The value that a boot leaves where no file sets it; empty: not known.
    std::string_view unstated{};
    /// The only element that this row is about; empty: every element.
    std::string_view element{};
};

}  // namespace core
