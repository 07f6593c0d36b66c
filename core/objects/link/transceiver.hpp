// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Where a reading of a module stands among the limits that its maker gave it.
enum class Level : std::uint8_t {
    normal,
    low_warning,
    high_warning,
    low_alarm,
    high_alarm,
    raised,  ///< a signal that is either there or not, such as a fault
};

/// One thing that a module tells of itself or of one of its lanes.
struct ModuleReading {
    std::string what{};             ///< `rx_power`, `rx_los`
    std::uint8_t lane = 0;          ///< from 1 on; 0: of the whole module
    std::string value{};            ///< `-2.31 dBm`; empty where it is a signal
    Level level = Level::normal;    ///< as it is now
    Level latched = Level::normal;  ///< what happened since anybody read it last
    bool operator==(const ModuleReading&) const = default;
};

/// What is plugged into the port's cage: a module or a cable.
struct Transceiver {
    std::string type{};  ///< `QSFP28`
    std::string vendor{};
    std::string part{};
    std::vector<ModuleReading> readings{};
    bool operator==(const Transceiver&) const = default;
};

}  // namespace core

namespace core::transceiver {

/// `low_alarm`, as a state says it.
std::string_view word(Level level);
Level level_of(std::string_view word);

/// `rx_power lane 2`, its identity.
std::string name_of(const ModuleReading& reading);

}  // namespace core::transceiver
