// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model/edit.hpp"

namespace core {

struct Driver;
struct Played;
struct Port;
struct State;

/// One entry of the APP table, struct dcb_app; protocol is in host byte order.
struct AppEntry {
    static constexpr std::uint8_t ethertype = 1;
    static constexpr std::uint8_t stream = 2;
    static constexpr std::uint8_t dgram = 3;
    static constexpr std::uint8_t any = 4;
    static constexpr std::uint8_t dscp = 5;
    static constexpr std::uint8_t pcp = 255;
    std::uint8_t selector = 0;
    std::uint16_t protocol = 0;
    std::uint8_t priority = 0;
    auto operator<=>(const AppEntry&) const = default;
};

inline constexpr std::uint16_t kRoceUdpPort = 4791;  // IANA; IBTA annex A17

/// Whether it is the entry by which a NIC tells RoCE.
[[nodiscard]] inline bool is_roce(const AppEntry& entry) {
    return entry.selector == AppEntry::dgram && entry.protocol == kRoceUdpPort;
}

/// The APP table, which says for what a packet carries in which priority it goes (IEEE 802.1Q,
/// D.2.11).
struct App {
    std::set<AppEntry> entries;
    /// APP trust table, selectors in order; nothing where the driver has none (all but a few).
    std::optional<std::vector<std::uint8_t>> trust;
    bool operator==(const App&) const = default;
};

}  // namespace core

namespace core::app {

/// How the driver gets from one APP table to the other: mlx5 replaces in place, bnxt and ice need
/// the old entry gone first, and ice must never lose its last DSCP entry on the way.
std::vector<Edit<AppEntry>> edits(const Driver& driver, const App& now, const App& then);

/// Why the driver does not take the change (ObjectRow::refuses).
std::optional<std::string> refuses(const Driver& driver, const Port& now, const Port& then);
/// Makes `now` what it would be with the entries of `then`, one edit after the other
/// (ObjectRow::play).
Played play(const Driver& driver, State& state, Port& now, const Port& then);

/// Whether both are for the same packets, whatever priority they give them.
bool same_key(const AppEntry& left, const AppEntry& right);
/// The entries of the one table that the other has not.
std::vector<AppEntry> minus(const std::set<AppEntry>& left, const std::set<AppEntry>& right);

}  // namespace core::app
