// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/boot/said.hpp"
#include "core/boot/service.hpp"
#include "core/model/desired.hpp"

namespace core::boot {

/// Whether a desired value is there after a boot, and which file says so.
struct Answer {
    enum class Kind : std::uint8_t { restored, overwritten, lost, unknown };
    Kind kind = Kind::unknown;
    std::string text{};
};

/// Whether the setting itself is kept in a file, so that a boot does not change it
/// (ObjectRow::stays).
[[nodiscard]] bool stays(const Desired& desired);

/// `service` is null where none is enabled.
Answer answer_for(const Desired& desired, const Port& port, const Sayings& sayings,
                  const Service* service);

/// The elements that files bring to a collection, and by which line: those that are compared.
std::map<std::string, std::string> brought(const Field& field, const std::string& port,
                                           const Sayings& sayings);

}  // namespace core::boot
