// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "netlink/ethtool/module_memory.hpp"

namespace netlink {

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

}  // namespace netlink
