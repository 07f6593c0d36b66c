// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/boot/boot_configuration.hpp"
#include "core/boot/service.hpp"
#include "core/model/desired.hpp"

namespace core::boot {

/// Whether a desired value is there after a boot, and which file says so.
struct BootOutcome {
    enum class Kind : std::uint8_t { restored, overwritten, lost, unknown };
    Kind kind = Kind::unknown;
    std::string text{};
};

/// Whether the setting itself is kept in a file, so that a boot does not change it
/// (ObjectRow::boot.stays).
[[nodiscard]] bool stays(const Desired& desired);

/// Whether what was written may be there after a boot that sets nothing: it is in a file, or the
/// device keeps it (ObjectRow::boot.kept_by_device).
[[nodiscard]] bool outlives_boot(const Desired& desired);

/// `service` is null where none is enabled.
BootOutcome boot_outcome_of(const Desired& desired, const Port& port,
                            const BootConfiguration& configuration, const Service* service);

/// The elements that files bring to a collection, and by which line: those that are compared.
std::map<std::string, std::string> brought(const Field& field, const std::string& port,
                                           const BootConfiguration& configuration);

/// The module, or the pattern of such, that a line of modprobe.d keeps out of the kernel or gives
/// to a command (modprobe.d(5)); empty where it does neither.
std::string module_kept_out(std::string_view line);

/// What comes of a desired value that needs a module which files keep out: a module by itself, the
/// driver of its port, or what makes the RDMA device; nothing where no line does.
std::optional<BootOutcome> blacklisted(const Desired& desired, const Port& port,
                                       const BootConfiguration& configuration);

}  // namespace core::boot
