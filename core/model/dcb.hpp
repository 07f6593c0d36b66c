// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace core {

inline constexpr std::size_t kPriorities = 8;
template <typename T>
using PerPriority = std::array<T, kPriorities>;

/// DCB_CAP_DCBX_* bits (include/uapi/linux/dcbnl.h).
struct Dcbx {
    static constexpr std::uint8_t host = 0x01;
    static constexpr std::uint8_t lld_managed = 0x02;
    static constexpr std::uint8_t cee = 0x04;
    static constexpr std::uint8_t ieee = 0x08;
    static constexpr std::uint8_t fixed = 0x10;  // DCB_CAP_DCBX_STATIC
    std::uint8_t bits = 0;
    bool operator==(const Dcbx&) const = default;
};

/// IEEE 802.1Qaz ETS as struct ieee_ets holds it.
struct Ets {
    static constexpr std::uint8_t strict = 0;
    static constexpr std::uint8_t cb_shaper = 1;
    static constexpr std::uint8_t shared = 2;  // IEEE_8021QAZ_TSA_ETS
    static constexpr std::uint8_t vendor = 255;
    PerPriority<std::uint8_t> traffic_class{};  ///< of each priority
    PerPriority<std::uint8_t> algorithm{};      ///< TSA of each traffic class
    PerPriority<std::uint8_t> bandwidth{};      ///< percent, of each traffic class
    std::uint8_t capability = 0;                ///< how many traffic classes, 0 means 8
    bool willing = false;
    bool operator==(const Ets&) const = default;
};

/// The most each traffic class sends, as struct ieee_maxrate holds it.
struct MaxRate {
    PerPriority<std::uint64_t> kbit{};  ///< kbit/s of each traffic class, 0 for no limit
    bool operator==(const MaxRate&) const = default;
};

/// IEEE 802.1Qbb PFC as struct ieee_pfc holds it.
struct Pfc {
    std::uint8_t priorities = 0;  ///< bit n is priority n
    std::uint16_t delay = 0;
    std::uint8_t capability = 0;               ///< how many traffic classes can be lossless
    PerPriority<std::uint64_t> requests{};     ///< PFC frames sent
    PerPriority<std::uint64_t> indications{};  ///< PFC frames received
    bool operator==(const Pfc&) const = default;
};

/// ETHTOOL_PFC_PREVENTION_TOUT: for how long the port may be paused before it stops obeying.
struct StormPrevention {
    static constexpr std::uint16_t off = 0;
    static constexpr std::uint16_t automatic = 0xffff;  // PFC_STORM_PREVENTION_AUTO
    std::uint16_t timeout = off;                        ///< ms
    bool operator==(const StormPrevention&) const = default;
};

/// The port's receive buffers, as struct dcbnl_buffer holds them.
struct Buffer {
    PerPriority<std::uint8_t> of_priority{};  ///< which of the eight buffers
    PerPriority<std::uint32_t> size{};        ///< bytes of each buffer
    std::uint32_t total = 0;                  ///< bytes that the eight may come to
    bool operator==(const Buffer&) const = default;
};

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

struct App {
    std::set<AppEntry> entries;
    /// APP trust table, selectors in order; nothing where the driver has none (all but a few).
    std::optional<std::vector<std::uint8_t>> trust;
    bool operator==(const App&) const = default;
};

/// What the port writes into the packets it sends: entries of the same form, of which each gives
/// its priority's packets its protocol.
struct Rewrite {
    std::set<AppEntry> entries;
    bool operator==(const Rewrite&) const = default;
};

}  // namespace core
