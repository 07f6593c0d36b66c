// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/model/back_end.hpp"
#include "core/model/state.hpp"

namespace core {

/// What a write costs the port, from nothing to a reboot (rocectl(8), DISRUPTION).
enum class Disruption : std::uint8_t { none, queues, link, reload, reset, reboot };
std::string_view word(Disruption disruption);

/// What writing an object, or with a key that one setting of it, costs on a driver.
struct Cost {
    Object object;
    Disruption disruption;
    std::string_view key{};
};

/// Up to which limit of a traffic class, in kbit/s, a device counts in which step.
struct RateStep {
    std::uint64_t up_to;
    std::uint64_t step;
};

/// One way a NIC family differs from the others. Every decision that depends on the family is a
/// column here; sources are Linux 6.12's drivers, named at each row.
struct Driver {
    /// What happens to an APP entry whose selector and protocol are there already.
    enum class Existing : std::uint8_t {
        kept_beside,  ///< a second entry is added
        replaced,     ///< the driver removes the old entry itself
        refused,      ///< EINVAL: delete first
    };
    /// How the port's trust is expressed.
    enum class Trust : std::uint8_t {
        by_map,  ///< DSCP entries exist <=> DSCP is trusted; never written by itself
        table,   ///< the APP trust table, where the device has one
    };
    /// Which traffic classes the roce intent gives the priorities.
    enum class Classes : std::uint8_t {
        identity,  ///< priority n in traffic class n
        compact,   ///< others 0, RoCE 1, CNP 2
    };

    std::string_view name;
    std::string_view doc;  ///< one sentence for explain and the manual
    Trust trust = Trust::table;
    Existing existing = Existing::kept_beside;
    bool other_app = true;                 ///< takes APP entries with other selectors than DSCP
    bool needs_dgram_app = false;          ///< RoCE needs (DGRAM, 4791) beside the DSCP entry
    bool first_dscp_sets_ets = false;      ///< the first DSCP entry rewrites ETS
    bool last_dscp_resets = false;         ///< removing the last DSCP entry resets all QoS
    bool unlisted_dscp_by_eights = false;  ///< a DSCP without an entry has priority DSCP / 8
    bool fixed_classes_with_dscp = false;  ///< priority n stays in class n while DSCP is trusted
    bool classes_contiguous = false;       ///< a gap in the classes used resets all QoS
    bool zero_share_refused = false;       ///< an ETS class with 0 percent
    bool empty_share_refused = false;      ///< an ETS class without a priority
    bool takes_vendor = true;              ///< the TSA "vendor"
    bool takes_cb_shaper = true;           ///< the TSA "cb_shaper"
    bool shares_checked = true;            ///< ETS shares that do not sum to 100 are refused
    bool no_share_unless_ets = false;      ///< reads 0 percent for a class that is not ets
    bool pause_gives_way = false;          ///< while PFC is on, pause reads off and is refused
    int pause_autoneg_errno = 0;         ///< how a change of pause.autoneg is refused; 0: it is not
    bool writes_need_host_dcbx = false;  ///< ETS, PFC and APP are refused unless DCBX is the host's
    bool dcb_needs_no_bond = false;      ///< nor from a member of a bond
    bool sized_buffers = false;    ///< the host may size the receive buffers; lossless ones need
                                   ///< room for what arrives after the pause
    bool buffers_follow = false;   ///< firmware that owns them sizes them anew by MTU and PFC
    bool reopens = false;          ///< ETS, PFC and APP writes close and open the port
    bool dcb_applies_all = false;  ///< and apply all that the driver was ever told, so that
                                   ///< each may move ETS and PFC
    bool rewrites = false;         ///< may write DSCPs into what it sends; where it does
                                   ///< not, the kernel keeps the table all the same
    std::uint8_t classes_max = 8;
    bool delay_is_metres = false;     ///< PFC's delay is pfc.cable_length, not bit times
    std::uint16_t delay_max = 65535;  ///< larger PFC delays are answered with yes and not stored
    std::uint16_t delay_min = 0;      ///< so are smaller ones
    std::uint8_t host_dcbx = Dcbx::host | Dcbx::ieee;  ///< what to write to make DCBX the host's
    std::optional<std::uint8_t> firmware_dcbx = Dcbx::ieee;  ///< what to write to give it back;
                                                             ///< nothing: it cannot be given back
    std::string_view agent_remedy{};       ///< what to do where the NIC's own agent owns DCBX and
                                           ///< keeps it; empty: the host can take it by a write
    std::uint32_t ring_rx_min = 1;         ///< fewer descriptors in a receive ring are refused
    std::uint32_t ring_tx_min = 1;         ///< and in a transmit ring
    std::uint32_t ring_multiple = 1;       ///< a ring is made larger, to a multiple of this
    bool ring_power_of_two = false;        ///< or to a power of two
    bool channels_combined_alone = false;  ///< combined channels beside others are refused
    bool channels_one_sided = false;       ///< rx and tx channels beside each other are refused
    bool channels_need_no_rdma = false;    ///< refused while the NIC's RDMA device is there
    std::uint32_t coalesce_usecs_max = 0xffffffff;  ///< of interrupt coalescing
    std::uint32_t coalesce_frames_max = 0xffffffff;
    bool lanes_negotiated = false;      ///< lanes cannot be forced, only negotiated
    bool negotiates_all = false;        ///< what a negotiating port offers cannot be chosen
    bool forced_speed_offered = false;  ///< a port that forces a speed offers its modes alone
    bool fec_auto_negotiates = false;   ///< FEC auto is refused while autoneg is off
    bool fec_auto_unread = false;       ///< whether FEC is auto cannot be read
    std::string_view agent_flag{};      ///< the private flag that runs the NIC's own DCBX agent
    Classes classes = Classes::identity;
    bool tos_carries_ecn = true;  ///< RoCE packets have the ToS's ECN bits, else the NIC's own
    std::uint32_t rdma_mtu_overhead = 96;  ///< bytes the RDMA MTU needs beside the payload
    std::uint16_t storm_min = 1;           ///< timeouts of PFC storm prevention, in ms
    std::uint16_t storm_max = 65534;
    std::uint16_t storm_auto = 0;            ///< what "auto" reads back as, in ms; 0: as auto
    std::span<const RateStep> rate_steps{};  ///< of maxrate, ascending; empty: takes any
    std::span<const Cost> costs{};
    std::span<const FileBackEnd> traffic_class{};  ///< the same for rdma.traffic_class
    std::span<const FileBackEnd> congestion{};  ///< where to look for congestion control, the best
                                                ///< first; empty: nowhere
};

/// Every row; the last is the generic one, which every other driver name gets.
std::span<const Driver> drivers();
const Driver& driver_of(const Port& port);
const Driver& driver_named(std::string_view name);

/// The active RDMA MTU a netdev MTU gives: the largest of 256..4096 that fits (0: none does).
std::uint32_t rdma_mtu(const Driver& driver, std::string_view rdma_type, std::uint32_t mtu);

}  // namespace core
