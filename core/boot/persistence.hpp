// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/boot/boot_configuration.hpp"
#include "core/boot/service.hpp"
#include "core/model/desired.hpp"

namespace core::boot {

/// Whether a desired value is there after a boot, and which file says so.
struct Persistence {
    enum class Kind : std::uint8_t { restored, overwritten, lost, unknown };
    Kind kind = Kind::unknown;
    std::string text{};
};

/// Whether the setting itself is kept in a file, so that a boot does not change it
/// (ObjectRow::stays).
[[nodiscard]] bool stays(const Desired& desired);

/// `service` is null where none is enabled.
Persistence persistence_of(const Desired& desired, const Port& port,
                           const BootConfiguration& configuration, const Service* service);

/// The elements that files bring to a collection, and by which line: those that are compared.
std::map<std::string, std::string> brought(const Field& field, const std::string& port,
                                           const BootConfiguration& configuration);

}  // namespace core::boot
