// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/model/state.hpp"
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

struct ModuleBit {
    ModulePlace at{};
    unsigned bit = 0;
};

/// The flags of a quantity: high alarm, low alarm, high warning and low warning, each so many bits
/// from the first, and those of the next lane so many further on.
struct ModuleFlags {
    ModulePlace at{};
    unsigned first = 0;
    bool from_top = false;  ///< bits are counted from the highest of a byte
    std::array<unsigned, 4> steps{};
    unsigned next_lane = 0;
};

/// What a module measures: two bytes a lane, and four limits in the order of the flags.
struct ModuleQuantity {
    enum class Unit : std::uint8_t { celsius, volts, milliamperes, power };
    std::string_view what;
    Unit unit = Unit::celsius;
    ModulePlace value{};
    ModulePlace limits{};
    ModuleFlags flags{};
    bool of_lanes = false;
    bool sends = false;                      ///< of the transmitter
    std::optional<ModuleBit> measured = {};  ///< on where the module measures it
};

/// What is raised on a lane: a bit a lane.
struct ModuleSignal {
    std::string_view what;
    ModuleBit first{};
    bool sends = false;
    bool latched = true;  ///< says what was, else what is
};

struct ModuleRead {
    ModulePlace start{};
    unsigned length = 0;
};

/// Where a standard has what.
struct ModuleMap {
    std::span<const ModuleQuantity> quantities;
    std::span<const ModuleSignal> signals;
    unsigned lanes = 1;
    ModulePlace vendor{};
    ModulePlace part{};
    ModuleRead identity{};                   ///< what names it
    std::span<const ModuleRead> measured{};  ///< what it measures and reports, and the limits
    ModuleBit says_nothing{};  ///< where this is as below, it measures and reports nothing
    bool when = true;
    std::optional<ModuleBit> not_ready{};
    std::optional<ModuleBit> uncalibrated{};   ///< values are raw, and no text can be made of them
    std::optional<ModuleBit> sending_off{};    ///< the transmitters that are switched off, by lane
    std::optional<ModulePlace> lane_states{};  ///< CMIS: four bits a lane
    std::optional<ModulePlace> bias_scale{};   ///< CMIS: what the bias is multiplied with
};

/// What SFF-8024 calls the identifier, and what standard such a module follows; null: none that is
/// known here.
struct ModuleType {
    std::string_view name{};
    const ModuleMap* map = nullptr;
};
ModuleType module_type(unsigned identifier);

/// Whether the module measures anything, as far as its first bytes and those that name it tell: a
/// copper cable does not.
bool module_measures(const ModuleMemory& memory);

/// What the memory says of the module and its lanes in use.
core::Transceiver transceiver_of(const ModuleMemory& memory);

/// Light in tenths of a microwatt, as a module counts it (SFF-8636 6.2.4, CMIS 8.2.5), in two
/// places of dBm; `0 mW` where it is dark.
std::string power_text(int tenth_microwatts);

}  // namespace netlink
