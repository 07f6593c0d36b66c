// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/module.hpp"

namespace netlink {

void ModuleMemory::put(ModulePlace start, Bytes bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes_[start + static_cast<unsigned>(i)] = std::to_integer<std::uint8_t>(bytes[i]);
}

std::optional<unsigned> ModuleMemory::byte(ModulePlace at) const {
    const auto found = bytes_.find(at);
    return found == bytes_.end() ? std::nullopt : std::optional<unsigned>(found->second);
}

std::optional<unsigned> ModuleMemory::number(ModulePlace at) const {
    const auto upper = byte(at);
    const auto lower = byte(at + 1);
    constexpr unsigned byte_bits = 8;
    return upper && lower ? std::optional(*upper << byte_bits | *lower) : std::nullopt;
}

bool ModuleMemory::is_set(ModulePlace at, unsigned bit) const {
    return ((byte(at).value_or(0) >> bit) & 1U) != 0;
}

std::string ModuleMemory::text(ModulePlace at, unsigned length) const {
    std::string out;
    for (unsigned i = 0; i < length; ++i) {
        const unsigned each = byte(at + i).value_or(0);
        if (each < ' ' || each > '~') break;
        out += static_cast<char>(each);
    }
    const std::size_t end = out.find_last_not_of(' ');
    return out.substr(0, end == std::string::npos ? 0 : end + 1);
}

namespace {

using core::Level;
using core::ModuleReading;

/// Of the flags and the limits, in their order.
constexpr std::array<Level, 4> kOrder = {Level::high_alarm, Level::low_alarm, Level::high_warning,
                                         Level::low_warning};

bool is_set(const ModuleMemory& memory, const ModuleBit& bit, unsigned further = 0) {
    constexpr unsigned byte_bits = 8;
    const unsigned at = bit.bit + further;
    return memory.is_set(bit.at + at / byte_bits, at % byte_bits);
}

/// Bits that are counted from the highest one of a byte.
bool is_set_from_top(const ModuleMemory& memory, ModulePlace start, unsigned at) {
    constexpr unsigned byte_bits = 8;
    return memory.is_set(start + at / byte_bits, byte_bits - 1 - at % byte_bits);
}

Level latched(const ModuleMemory& memory, const ModuleFlags& flags, unsigned lane) {
    for (std::size_t i = 0; i < kOrder.size(); ++i) {
        const unsigned at = flags.first + flags.steps.at(i) + lane * flags.next_lane;
        if (flags.from_top ? is_set_from_top(memory, flags.at, at)
                           : is_set(memory, {flags.at, 0}, at))
            return kOrder.at(i);
    }
    return Level::normal;
}

int number_of(const ModuleQuantity& quantity, unsigned raw) {
    return quantity.unit == ModuleQuantity::Unit::celsius ? static_cast<std::int16_t>(raw)
                                                          : static_cast<int>(raw);
}

/// Nothing where the module has no limits: a pair that excludes everything is none.
std::optional<Level> level(const ModuleMemory& memory, const ModuleQuantity& quantity, int value) {
    std::optional<Level> out;
    for (std::size_t i = 0; i < kOrder.size(); i += 2) {
        const auto place = quantity.limits + static_cast<unsigned>(i) * 2;
        const auto high = memory.number(place);
        const auto low = memory.number(place + 2);
        if (!high || !low || number_of(quantity, *high) <= number_of(quantity, *low)) continue;
        if (value > number_of(quantity, *high)) return kOrder.at(i);
        if (value < number_of(quantity, *low)) return kOrder.at(i + 1);
        out = Level::normal;
    }
    return out;
}

/// `-2.31`
std::string two_places(long long hundredths) {
    constexpr long long hundred = 100;
    constexpr long long ten = 10;
    const long long size = hundredths < 0 ? -hundredths : hundredths;
    std::string out = hundredths < 0 ? "-" : "";
    out += std::to_string(size / hundred);
    out += size % hundred < ten ? ".0" : ".";
    out += std::to_string(size % hundred);
    return out;
}

/// SFF-8636 6.2.4, CMIS 8.2.5: 1/256 degrees, 100 uV, 2 uA times the scale, 0.1 uW.
std::string value_text(const ModuleQuantity& quantity, int value, unsigned scale) {
    using In = ModuleQuantity::Unit;
    constexpr int hundred = 100;
    constexpr int parts = 256;
    constexpr int per_hundredth = 5;
    switch (quantity.unit) {
        case In::celsius: return two_places(value * hundred / parts) + " C";
        case In::volts: return two_places(value / hundred) + " V";
        case In::milliamperes:
            return two_places(value * static_cast<int>(scale) / per_hundredth) + " mA";
        case In::power: break;
    }
    return power_text(value);
}

/// CMIS 8.4.9: 1, 2 or 4.
unsigned bias_scale(const ModuleMemory& memory, const ModuleMap& map) {
    constexpr unsigned first_bit = 3;
    constexpr unsigned mask = 3;
    return map.bias_scale ? 1U << ((memory.byte(*map.bias_scale).value_or(0) >> first_bit) & mask)
                          : 1;
}

/// CMIS 8.10.1: a lane that carries data is in the state DPActivated; the others are dark.
bool is_in_use(const ModuleMemory& memory, const ModuleMap& map, unsigned lane, bool sends) {
    constexpr unsigned nibble = 4;
    constexpr unsigned mask = 0xf;
    constexpr unsigned activated = 4;
    if (sends && map.sending_off && is_set(memory, *map.sending_off, lane)) return false;
    if (!map.lane_states) return true;
    const auto states = memory.byte(*map.lane_states + lane / 2);
    return !states || ((*states >> (lane % 2 * nibble)) & mask) == activated;
}

std::optional<ModuleReading> reading(const ModuleMemory& memory, const ModuleMap& map,
                                     const ModuleQuantity& quantity, unsigned lane) {
    const bool raw_only = map.uncalibrated && is_set(memory, *map.uncalibrated);
    const auto raw = raw_only ? std::nullopt : memory.number(quantity.value + lane * 2);
    ModuleReading out{.what = std::string(quantity.what),
                      .lane = static_cast<std::uint8_t>(quantity.of_lanes ? lane + 1 : 0),
                      .latched = latched(memory, quantity.flags, lane)};
    const int value = raw ? number_of(quantity, *raw) : 0;
    const auto now = raw ? level(memory, quantity, value) : std::nullopt;
    // What is not measured reads as 0, and has no limits.
    if (!now && value == 0 && out.latched == Level::normal) return std::nullopt;
    if (raw) out.value = value_text(quantity, value, bias_scale(memory, map));
    out.level = now.value_or(out.latched);
    return out;
}

void add_quantity(const ModuleMemory& memory, const ModuleMap& map, const ModuleQuantity& quantity,
                  core::Transceiver& out) {
    if (quantity.measured && memory.byte(quantity.measured->at) &&
        !is_set(memory, *quantity.measured))
        return;
    for (unsigned lane = 0; lane < (quantity.of_lanes ? map.lanes : 1); ++lane) {
        if (quantity.of_lanes && !is_in_use(memory, map, lane, quantity.sends)) continue;
        if (auto one = reading(memory, map, quantity, lane)) out.readings.push_back(*one);
    }
}

void add_signal(const ModuleMemory& memory, const ModuleMap& map, const ModuleSignal& signal,
                core::Transceiver& out) {
    for (unsigned lane = 0; lane < map.lanes; ++lane)
        if (is_set(memory, signal.first, lane) && is_in_use(memory, map, lane, signal.sends))
            out.readings.push_back({.what = std::string(signal.what),
                                    .lane = static_cast<std::uint8_t>(lane + 1),
                                    .level = signal.latched ? Level::normal : Level::raised,
                                    .latched = Level::raised});
}

}  // namespace

std::string power_text(int tenth_microwatts) {
    if (tenth_microwatts <= 0) return "0 mW";
    constexpr int ten = 10;
    constexpr int half = 5;
    constexpr int of_one_milliwatt = 4;  // the decimal logarithm of 10000
    constexpr int digits = 4;
    double rest = tenth_microwatts;
    const auto digit = [&rest] {
        int out = 0;
        for (; rest >= ten; rest /= ten)
            ++out;
        return out;
    };
    // What the number of its tens leaves, to the tenth power, has the logarithm's next digit there.
    int logarithm = 0;
    for (int i = 0; i <= digits; ++i) {
        logarithm = logarithm * ten + digit();
        const double square = rest * rest;
        rest = square * square * square * square * square;
    }
    const int thousandths = (logarithm + half) / ten - of_one_milliwatt * ten * ten * ten;
    return two_places(thousandths) + " dBm";  // a hundredth of 10 times the logarithm
}

bool module_measures(const ModuleMemory& memory) {
    const ModuleMap* map = module_type(memory.byte({}).value_or(0)).map;
    return map != nullptr && is_set(memory, map->says_nothing) != map->when &&
           !(map->not_ready && is_set(memory, *map->not_ready));
}

core::Transceiver transceiver_of(const ModuleMemory& memory) {
    const unsigned identifier = memory.byte({}).value_or(0);
    const ModuleType type = module_type(identifier);
    core::Transceiver out;
    out.type = type.map == nullptr ? "type " + std::to_string(identifier) : std::string(type.name);
    if (type.map == nullptr) return out;
    constexpr unsigned name_length = 16;
    out.vendor = memory.text(type.map->vendor, name_length);
    out.part = memory.text(type.map->part, name_length);
    if (!module_measures(memory)) return out;
    for (const ModuleQuantity& quantity : type.map->quantities)
        add_quantity(memory, *type.map, quantity, out);
    for (const ModuleSignal& signal : type.map->signals)
        add_signal(memory, *type.map, signal, out);
    return out;
}

}  // namespace netlink
