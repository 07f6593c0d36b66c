// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model/edit.hpp"
#include "core/model/priority.hpp"

namespace core {

struct Driver;
struct Played;
struct Port;
struct State;
enum class Object : std::uint8_t;

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

namespace dcbx {

/// Why ETS, PFC and APP cannot be written: DCBX is not the host's, or the port is a bond's member.
/// Nothing where they can, or where the driver does not care.
std::optional<std::string> owned_by_agent(const Driver& driver, const Port& port);

/// Objects that a write of ETS, PFC or APP also changes on this driver.
std::set<Object> disturbed_by_qos(const Driver& driver);

}  // namespace dcbx

/// IEEE 802.1Qaz ETS as struct ieee_ets holds it.
struct Ets {
    static constexpr std::uint8_t strict = 0;
    static constexpr std::uint8_t cb_shaper = 1;
    static constexpr std::uint8_t shared = 2;  // IEEE_8021QAZ_TSA_ETS
    static constexpr std::uint8_t vendor = 255;
    PerPriority<std::uint8_t> traffic_class{};  ///< per priority
    PerPriority<std::uint8_t> algorithm{};      ///< TSA per traffic class
    PerPriority<std::uint8_t> bandwidth{};      ///< percent per traffic class
    std::uint8_t capability = 0;                ///< number of traffic classes; 0 means 8
    bool willing = false;
    bool operator==(const Ets&) const = default;
};

namespace ets {

/// How many traffic classes the port reports to have.
std::uint8_t classes_of(const Port& port);
/// Whether the port reads as zeros because its driver was not given any ETS yet
/// (Driver::Ets::zero_until_written). It may also have been given zeros: nobody can tell.
bool is_never_written(const Driver& driver, const Port& port);

}  // namespace ets

/// Rate limits per traffic class, as struct ieee_maxrate holds them.
struct MaxRate {
    PerPriority<std::uint64_t> kbit{};  ///< kbit/s per traffic class; 0: no limit
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

/// The DCB settings that the other end of the link advertises by LLDP, as far as the driver passes
/// them on (DCB_ATTR_IEEE_PEER_* and DCB_ATTR_CEE_PEER_*, net/dcb/dcbnl.c).
struct Peer {
    std::string version{};              ///< its version of DCBX: `ieee`, or the older `cee`
    std::optional<std::uint8_t> pfc{};  ///< bit n is priority n
    std::optional<PerPriority<std::uint8_t>> traffic_class{};
    std::optional<PerPriority<std::uint8_t>> bandwidth{};
    std::set<std::string> app{};  ///< `dscp 26: 3`
    bool operator==(const Peer&) const = default;
};

/// ETHTOOL_PFC_PREVENTION_TOUT: how long the port may be paused before it ignores pause.
struct StormPrevention {
    static constexpr std::uint16_t off = 0;
    static constexpr std::uint16_t automatic = 0xffff;  // PFC_STORM_PREVENTION_AUTO
    std::uint16_t timeout = off;                        ///< ms
    bool operator==(const StormPrevention&) const = default;
};

/// The port's receive buffers, as struct dcbnl_buffer holds them.
struct Buffer {
    PerPriority<std::uint8_t> of_priority{};  ///< the buffer of each priority
    PerPriority<std::uint32_t> size{};        ///< bytes of each buffer
    std::uint32_t total = 0;                  ///< bytes for all eight together
    bool operator==(const Buffer&) const = default;
};

namespace buffer {

/// The writes that lead from `now` to `then` without a lossless priority ever being in too small a
/// buffer, as mlx5 checks a new mapping against the old sizes (mlx5e_port_manual_buffer_config):
/// first sizes for both mappings, then the mapping, then the new sizes. One write where that makes
/// no difference or there is no room for both; none where nothing differs.
std::vector<Buffer> edits(const Buffer& now, const Buffer& then);

}  // namespace buffer

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

/// Whether it is the entry for RoCE v2's UDP port, by which a NIC recognises RoCE.
[[nodiscard]] inline bool is_roce(const AppEntry& entry) {
    return entry.selector == AppEntry::dgram && entry.protocol == kRoceUdpPort;
}

/// The APP table: the priority of a packet by what it carries (IEEE 802.1Q, D.2.11).
struct App {
    std::set<AppEntry> entries;
    /// APP trust table, selectors in order; nothing where the driver has none (all but a few).
    std::optional<std::vector<std::uint8_t>> trust;
    bool operator==(const App&) const = default;
};

namespace app {

/// The edits that lead from one table to the other on this driver: mlx5 replaces in place, bnxt and
/// ice need the old entry gone first, and ice must never lose its last DSCP entry on the way.
std::vector<Edit<AppEntry>> edits(const Driver& driver, const App& now, const App& then);

}  // namespace app

/// What the port writes into the packets it sends: entries of the APP form, each giving packets of
/// its priority its protocol.
struct Rewrite {
    std::set<AppEntry> entries;
    bool operator==(const Rewrite&) const = default;
};

namespace rewrite {

/// The edits that lead from one table to the other.
std::vector<Edit<AppEntry>> edits(const Rewrite& now, const Rewrite& then);

}  // namespace rewrite

}  // namespace core
