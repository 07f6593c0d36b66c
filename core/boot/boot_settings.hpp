// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/boot/boot_configuration.hpp"
#include "core/model/desired.hpp"

namespace core::boot {

/// What a line says of a setting.
struct UnderstoodSetting {
    const BootSetting* settings = nullptr;
    const AtBoot* at = nullptr;
    std::optional<Value> value{};  ///< nothing where it is not understood
};

/// What files say of the desired value's setting, in the order in which their programs act; `late`:
/// only programs that may come after rocectl's own unit.
std::vector<UnderstoodSetting> understood(const Desired& desired,
                                          const std::vector<BootSetting>& settings, bool late);

/// The value that the setting has where no file says one; nothing where that is not known.
std::optional<Value> unstated(const Field& field);

/// Whether the program's files can state the setting.
[[nodiscard]] bool is_reported_of(const Field& field, BootProgram program);

}  // namespace core::boot
