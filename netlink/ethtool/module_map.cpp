// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/module.hpp"

#include <algorithm>

namespace netlink {
namespace {

using Unit = ModuleQuantity::Unit;

// SFF-8636 6.2 and 6.6 (ethtool's qsfp.h), for QSFP+ and QSFP28: flags are in bytes 3 to 14, what
// is measured in 22 to 57, limits on page 3, which a module with flat memory has not.
constexpr std::array<unsigned, 4> kInTurn = {0, 1, 2, 3};
constexpr unsigned kNibble = 4;

constexpr ModuleFlags qsfp_flags(unsigned offset) {
    return {.at = {0, offset}, .from_top = true, .steps = kInTurn, .next_lane = kNibble};
}

constexpr std::array kQsfpQuantities = {
    ModuleQuantity{"temperature", Unit::celsius, {0, 22}, {3, 128}, qsfp_flags(6)},
    ModuleQuantity{"voltage", Unit::volts, {0, 26}, {3, 144}, qsfp_flags(7)},
    ModuleQuantity{"rx_power", Unit::power, {0, 34}, {3, 176}, qsfp_flags(9), true},
    ModuleQuantity{"tx_bias", Unit::milliamperes, {0, 42}, {3, 184}, qsfp_flags(11), true, true},
    ModuleQuantity{"tx_power",
                   Unit::power,
                   {0, 50},
                   {3, 192},
                   qsfp_flags(13),
                   true,
                   true,
                   ModuleBit{{0, 220}, 2}},
};
constexpr std::array kQsfpSignals = {
    ModuleSignal{"rx_los", {{0, 3}, 0}},
    ModuleSignal{"tx_los", {{0, 3}, kNibble}, true},
    ModuleSignal{"tx_fault", {{0, 4}, 0}, true},
    ModuleSignal{"rx_lol", {{0, 5}, 0}},
    ModuleSignal{"tx_lol", {{0, 5}, kNibble}, true},
};
constexpr std::array kQsfpReads = {ModuleRead{{0, 3}, 84}, ModuleRead{{3, 128}, 72}};
constexpr ModuleMap kQsfp = {.quantities = kQsfpQuantities,
                             .signals = kQsfpSignals,
                             .lanes = 4,
                             .vendor = {0, 148},
                             .part = {0, 168},
                             .identity = {{0, 148}, 73},
                             .measured = kQsfpReads,
                             .says_nothing = {{0, 2}, 2},
                             .not_ready = ModuleBit{{0, 2}, 0},
                             .sending_off = ModuleBit{{0, 86}, 0}};

// CMIS 5 8.2, 8.4 (page 1: what it has), 8.5 (page 2: limits) and 8.10 (page 11h: lanes), as in
// ethtool's cmis.h; of the first eight lanes, which all the cages of NICs have at most.
constexpr std::uint8_t kLanePage = 0x11;

constexpr ModuleFlags cmis_flags(unsigned offset) {
    return {.at = {kLanePage, offset}, .steps = {0, 8, 16, 24}, .next_lane = 1};
}

constexpr std::array kCmisQuantities = {
    ModuleQuantity{"temperature",
                   Unit::celsius,
                   {0, 14},
                   {2, 128},
                   {.at = {0, 9}, .steps = kInTurn},
                   false,
                   false,
                   ModuleBit{{1, 159}, 0}},
    ModuleQuantity{"voltage",
                   Unit::volts,
                   {0, 16},
                   {2, 136},
                   {.at = {0, 9}, .first = kNibble, .steps = kInTurn},
                   false,
                   false,
                   ModuleBit{{1, 159}, 1}},
    ModuleQuantity{"rx_power",
                   Unit::power,
                   {kLanePage, 186},
                   {2, 192},
                   cmis_flags(149),
                   true,
                   false,
                   ModuleBit{{1, 160}, 2}},
    ModuleQuantity{"tx_bias",
                   Unit::milliamperes,
                   {kLanePage, 170},
                   {2, 184},
                   cmis_flags(143),
                   true,
                   true,
                   ModuleBit{{1, 160}, 0}},
    ModuleQuantity{"tx_power",
                   Unit::power,
                   {kLanePage, 154},
                   {2, 176},
                   cmis_flags(139),
                   true,
                   true,
                   ModuleBit{{1, 160}, 1}},
};
constexpr std::array kCmisSignals = {
    ModuleSignal{"rx_los", {{kLanePage, 147}, 0}},
    ModuleSignal{"tx_los", {{kLanePage, 136}, 0}, true},
    ModuleSignal{"tx_fault", {{kLanePage, 135}, 0}, true},
    ModuleSignal{"rx_lol", {{kLanePage, 148}, 0}},
    ModuleSignal{"tx_lol", {{kLanePage, 137}, 0}, true},
};
constexpr std::array kCmisReads = {ModuleRead{{0, 3}, 15}, ModuleRead{{1, 159}, 2},
                                   ModuleRead{{2, 128}, 72}, ModuleRead{{kLanePage, 128}, 74}};
constexpr ModuleMap kCmis = {.quantities = kCmisQuantities,
                             .signals = kCmisSignals,
                             .lanes = 8,
                             .vendor = {0, 129},
                             .part = {0, 148},
                             .identity = {{0, 129}, 35},
                             .measured = kCmisReads,
                             .says_nothing = {{0, 2}, 7},
                             .lane_states = ModulePlace{kLanePage, 128},
                             .bias_scale = ModulePlace{1, 160}};

// SFF-8472 8.8 and 9 (ethtool's sfpdiag.c): what is measured is at a second address, and there only
// where byte 92 says so.
constexpr std::uint8_t kDiagnostics = 0x51;

constexpr ModuleFlags sfp_flags(unsigned first) {
    return {
        .at = {0, 112, kDiagnostics}, .first = first, .from_top = true, .steps = {0, 1, 32, 33}};
}

constexpr std::array kSfpQuantities = {
    ModuleQuantity{
        "temperature", Unit::celsius, {0, 96, kDiagnostics}, {0, 0, kDiagnostics}, sfp_flags(0)},
    ModuleQuantity{
        "voltage", Unit::volts, {0, 98, kDiagnostics}, {0, 8, kDiagnostics}, sfp_flags(2)},
    ModuleQuantity{
        "rx_power", Unit::power, {0, 104, kDiagnostics}, {0, 32, kDiagnostics}, sfp_flags(8), true},
    ModuleQuantity{"tx_bias",
                   Unit::milliamperes,
                   {0, 100, kDiagnostics},
                   {0, 16, kDiagnostics},
                   sfp_flags(4),
                   true,
                   true},
    ModuleQuantity{"tx_power",
                   Unit::power,
                   {0, 102, kDiagnostics},
                   {0, 24, kDiagnostics},
                   sfp_flags(6),
                   true,
                   true},
};
constexpr std::array kSfpSignals = {
    ModuleSignal{"rx_los", {{0, 110, kDiagnostics}, 1}, false, false},
    ModuleSignal{"tx_fault", {{0, 110, kDiagnostics}, 2}, true, false},
};
constexpr std::array kSfpReads = {ModuleRead{{0, 0, kDiagnostics}, 40},
                                  ModuleRead{{0, 96, kDiagnostics}, 22}};
constexpr ModuleMap kSfp = {.quantities = kSfpQuantities,
                            .signals = kSfpSignals,
                            .vendor = {0, 20},
                            .part = {0, 40},
                            .identity = {{0, 20}, 73},
                            .measured = kSfpReads,
                            .says_nothing = {{0, 92}, 6},
                            .when = false,
                            .uncalibrated = ModuleBit{{0, 92}, 4},
                            .sending_off = ModuleBit{{0, 110, kDiagnostics}, 7}};

struct TypeRow {
    unsigned identifier;
    ModuleType type;
};
constexpr std::array kTypes = {
    TypeRow{0x03, {"SFP", &kSfp}},
    TypeRow{0x0c, {"QSFP", &kQsfp}},
    TypeRow{0x0d, {"QSFP+", &kQsfp}},
    TypeRow{0x11, {"QSFP28", &kQsfp}},
    TypeRow{0x18, {"QSFP-DD", &kCmis}},
    TypeRow{0x19, {"OSFP", &kCmis}},
    TypeRow{0x1e, {"QSFP with CMIS", &kCmis}},
};

}  // namespace

ModuleType module_type(unsigned identifier) {
    const auto found = std::ranges::find(kTypes, identifier, &TypeRow::identifier);
    return found == kTypes.end() ? ModuleType{} : found->type;
}

}  // namespace netlink
