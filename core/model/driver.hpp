// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "core/model/back_end.hpp"
#include "core/model/state.hpp"

namespace core {

/// What a write costs the port, from nothing to a reboot (rocectl(8), DISRUPTION).
enum class Disruption : std::uint8_t { none, queues, link, reload, reset, reboot };
std::string_view word(Disruption disruption);
std::optional<Disruption> disruption_named(std::string_view word);

/// What writing an object, or with a key that one setting of it, costs on a driver, everywhere or
/// where a condition holds. The first that fits counts.
struct Cost {
    Object object;
    Disruption disruption;
    std::string_view key{};
    bool (*holds)(const Port&) = nullptr;
    std::string_view where{};  ///< the condition in words
};
[[nodiscard]] bool is_of(const Cost& cost, Object object, const std::set<std::string_view>& keys);

/// Up to which limit of a traffic class, in kbit/s, a device counts in which step.
struct RateStep {
    std::uint64_t up_to;
    std::uint64_t step;
};

/// A version of the kernel, as 6.13.
struct Release {
    unsigned major = 0;
    unsigned minor = 0;
    auto operator<=>(const Release&) const = default;
};
/// Of `uname -r`; nothing where it does not start with two numbers.
std::optional<Release> release_of(std::string_view kernel);

/// How a NIC family differs from the others: what its driver does with each object. Every decision
/// that depends on the family is a fact here, with the kernel file it was read in at the family's
/// row (Linux 6.12 where nothing else is said). Many a fact is true of one family alone: that is
/// what a row is for. A loop that asks for it names no driver; the next family has it by a word.
struct Driver {
    /// Who owns the port's DCB state.
    struct Dcbx {
        std::uint8_t host = core::Dcbx::host | core::Dcbx::ieee;  ///< what to write to make it the
                                                                  ///< host's
        std::optional<std::uint8_t> firmware = core::Dcbx::ieee;  ///< what to write to give it
                                                                  ///< back; nothing: it cannot be
        bool writes_need_host = false;    ///< ETS, PFC and APP are refused unless it is the host's
        bool needs_no_bond = false;       ///< it, ETS, PFC and APP are refused of a bond's member
        std::string_view agent_remedy{};  ///< what to do where the NIC's own agent owns it and
                                          ///< keeps it; empty: the host can take it by a write
    };
    struct Ets {
        /// Which traffic classes the roce intent gives the priorities.
        enum class Classes : std::uint8_t {
            identity,  ///< priority n in traffic class n
            compact,   ///< others 0, RoCE 1, CNP 2
        };
        Classes classes = Classes::identity;
        std::uint8_t classes_sure = 8;     ///< how many every NIC of the family has; ets.capability
                                           ///< has those of a port
        bool classes_contiguous = false;   ///< a gap in the classes used resets all QoS
        bool fixed_with_dscp = false;      ///< priority n stays in class n while DSCP is trusted
        bool takes_vendor = true;          ///< the TSA "vendor"
        bool takes_cb_shaper = true;       ///< the TSA "cb_shaper"
        bool shares_checked = true;        ///< shares that do not sum to 100 are refused
        bool zero_share_refused = false;   ///< so is a class that shares, with 0 percent
        bool empty_share_refused = false;  ///< and one that shares, without a priority
        bool zero_until_reported = false;  ///< while DCBX is the host's, ETS and PFC read as zeros
                                           ///< until this driver was told ETS, whatever the device
                                           ///< has, and PFC is refused
        bool no_share_unless_ets = false;  ///< reads 0 percent for a class that is not ets
    };
    struct Pfc {
        bool delay_is_metres = false;     ///< the delay is pfc.cable_length, not bit times
        std::uint16_t delay_min = 0;      ///< delays outside delay_min..delay_max are answered with
        std::uint16_t delay_max = 65535;  ///< yes and not stored; none is where that is empty
    };
    struct App {
        /// How the port's trust is expressed.
        enum class Trust : std::uint8_t {
            by_map,  ///< DSCP entries exist <=> DSCP is trusted; never written by itself
            table,   ///< the APP trust table, where the device has one
        };
        /// What happens to an entry whose selector and protocol are there already.
        enum class Existing : std::uint8_t {
            kept_beside,  ///< a second entry is added
            replaced,     ///< the driver removes the old entry itself
            refused,      ///< EINVAL: delete first
        };
        /// Which priority a DSCP without an entry has, while DSCP is trusted.
        enum class Unlisted : std::uint8_t {
            zero,       ///< 0
            by_eights,  ///< DSCP / 8
            held,       ///< what the hardware holds unseen: DSCP / 8 where nobody wrote it
        };
        Trust trust = Trust::table;
        Existing existing = Existing::kept_beside;
        bool below_classes = false;  ///< a priority needs the class of its number: one that the
                                     ///< port has not is refused
        /// With several traffic classes the driver maps priorities to them for the kernel too
        /// (netdev_set_num_tc), and rdma_cm takes the tag of a VLAN from that map in the place of
        /// egress_priority (drivers/infiniband/core/cma.c iboe_tos_to_sl).
        bool tags_by_class = false;
        bool takes_others = true;          ///< entries with other selectors than DSCP
        bool dgram_tags = false;           ///< with that entry RoCE packets get a priority tag
        bool needs_dgram = false;          ///< RoCE needs (DGRAM, 4791) beside the DSCP entry
        bool first_dscp_sets_ets = false;  ///< the first DSCP entry rewrites ETS
        bool last_dscp_resets = false;     ///< removing the last DSCP entry resets all QoS
        Unlisted unlisted = Unlisted::zero;
    };
    struct MaxRate {
        std::span<const RateStep> steps{};  ///< ascending; empty: takes any
    };
    struct Buffer {
        bool checked = false;  ///< sizes the buffers by what is written, and refuses what does not
                               ///< fit or leaves a lossless one no room for what arrives after the
                               ///< pause
        bool follows = false;  ///< firmware that owns the buffers sizes them anew by MTU and PFC
    };
    struct StormPrevention {
        std::uint16_t min = 1;  ///< timeouts, in ms
        std::uint16_t max = 65534;
        std::uint16_t automatic = 0;  ///< what "auto" reads back as, in ms; 0: as auto
    };
    struct Rewrite {
        bool obeyed = false;  ///< may write DSCPs into what it sends; where it does not, the kernel
                              ///< keeps the table all the same
    };
    struct Pause {
        bool gives_way = false;  ///< while PFC is on, pause reads off and is refused
        int autoneg_errno = 0;   ///< how a change of pause.autoneg is refused; 0: it is not
    };
    struct Ring {
        std::uint32_t rx_min = 1;    ///< fewer descriptors in a receive ring are refused
        std::uint32_t tx_min = 1;    ///< and in a transmit ring
        std::uint32_t multiple = 1;  ///< a ring is made larger, to a multiple of this
        bool power_of_two = false;   ///< or to a power of two
    };
    struct Channels {
        bool combined_alone = false;  ///< combined channels beside others are refused
        bool one_sided = false;       ///< rx and tx channels beside each other are refused
        bool need_no_rdma = false;    ///< refused while the NIC's RDMA device is there
    };
    struct Coalesce {
        std::uint32_t usecs_max = 0xffffffff;
        std::uint32_t frames_max = 0xffffffff;
    };
    struct LinkModes {
        bool lanes_negotiated = false;      ///< lanes cannot be forced, only negotiated
        bool negotiates_all = false;        ///< what a negotiating port offers cannot be chosen
        bool forced_speed_offered = false;  ///< a port that forces a speed offers its modes alone
    };
    struct BondMembers {
        std::string_view one_device{};  ///< the ports of a NIC get one RDMA device in the place of
                                        ///< theirs when they are all that a bond has, and it hashes
                                        ///< or has a backup: the kernel's name for it; empty: not
    };
    struct Statistics {
        std::uint16_t refresh_ms = 0;  ///< after so long the driver asks its device again, and
                                       ///< shows the same till then; 0: each time it is asked
    };
    struct Owners {
        std::string_view udev_rules{};  ///< a part of the name of the vendor's udev rules, which
                                        ///< set the port up whenever its RDMA device appears
    };
    struct Fec {
        bool auto_negotiates = false;  ///< FEC auto is refused while autoneg is off
        bool auto_unread = false;      ///< whether FEC is auto cannot be read
    };
    struct Vf {
        bool spoofchk = false;  ///< whether a virtual function that is made checks its sources
    };
    struct PrivateFlags {
        std::string_view agent{};  ///< the flag that runs the NIC's own DCBX agent; whoever runs
                                   ///< DCBX after a change starts from the defaults
    };
    struct CmDefaults {
        Release shifts_since{};       ///< earlier kernels take the whole ToS for the DSCP
        bool tos_carries_ecn = true;  ///< RoCE packets have the ToS's ECN bits, else the NIC's own
    };
    struct RdmaPort {
        std::uint32_t mtu_overhead = 96;  ///< bytes the RDMA MTU needs beside the payload
    };
    struct RdmaSoftware {
        std::string_view module{};    ///< the kernel module that makes the RDMA device
        std::string_view provider{};  ///< libibverbs' library for it is lib<provider>-rdmavN.so
    };
    struct TrafficClass {
        std::span<const FileBackEnd> back_ends{};  ///< where to look for it, the best first; empty:
                                                   ///< nowhere
    };
    struct Ecn {
        std::span<const FileBackEnd> back_ends{};  ///< where to look for congestion control, the
                                                   ///< best first; empty: nowhere
        std::string_view offered_by{};             ///< which RDMA drivers have it, where not all do
    };

    std::string_view name;
    std::string_view doc;           ///< one sentence for explain and the manual
    std::span<const Cost> costs{};  ///< of the objects that cost more than what is usual
    std::string_view no_dcb{};      ///< why the kernel cannot be told DCB of it, and who can
    bool reopens = false;           ///< ETS, PFC and APP writes close and open the port
    bool dcb_applies_all = false;   ///< and apply all that the driver was ever told, so that each
                                    ///< may move ETS and PFC
    Dcbx dcbx{};
    Ets ets{};
    Pfc pfc{};
    App app{};
    MaxRate maxrate{};
    Buffer buffer{};
    StormPrevention storm_prevention{};
    Rewrite rewrite{};
    Pause pause{};
    Ring ring{};
    Channels channels{};
    Coalesce coalesce{};
    LinkModes link_modes{};
    BondMembers bond_members{};
    Statistics statistics{};
    Owners owners{};
    Fec fec{};
    Vf vf{};
    PrivateFlags private_flags{};
    CmDefaults cm_defaults{};
    RdmaPort rdma_port{};
    RdmaSoftware rdma_software{};
    TrafficClass traffic_class{};
    Ecn ecn{};
};

/// Every row; the last is the generic one, which every other driver name gets.
std::span<const Driver* const> drivers();
const Driver& driver_of(const Port& port);
const Driver& driver_named(std::string_view name);

/// The active RDMA MTU a netdev MTU gives: the largest of 256..4096 that fits (0: none does).
std::uint32_t rdma_mtu(const Driver& driver, std::string_view rdma_type, std::uint32_t mtu);

}  // namespace core
