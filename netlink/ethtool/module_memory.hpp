// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "netlink/transport/attributes.hpp"

namespace netlink {

/// A byte of a module's memory, as ETHTOOL_MSG_MODULE_EEPROM_GET names it: the offsets below 128
/// are the same on every page.
struct ModulePlace {
    std::uint8_t page = 0;
    unsigned offset = 0;
    std::uint8_t i2c_address = 0x50;
    auto operator<=>(const ModulePlace&) const = default;
    /// The byte that is so many bytes further on.
    constexpr ModulePlace operator+(unsigned bytes) const {
        return {page, offset + bytes, i2c_address};
    }
};

/// What was read of a module's memory. What was not read is nothing, never 0.
class ModuleMemory {
public:
    /// Keeps what was read from there on.
    void put(ModulePlace start, Bytes bytes);

    [[nodiscard]] std::optional<unsigned> byte(ModulePlace at) const;
    /// Two bytes, the upper one first.
    [[nodiscard]] std::optional<unsigned> number(ModulePlace at) const;
    /// A bit, of 0 for the lowest; off where it was not read.
    [[nodiscard]] bool is_set(ModulePlace at, unsigned bit) const;
    /// Printable text of so many bytes, without the spaces that fill it up.
    [[nodiscard]] std::string text(ModulePlace at, unsigned length) const;

private:
    std::map<ModulePlace, std::uint8_t> bytes_;
};

}  // namespace netlink
