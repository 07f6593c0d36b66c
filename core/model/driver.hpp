// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/model/back_end.hpp"
#include "core/model/counter.hpp"
#include "core/model/state.hpp"

namespace core {

/// What a write disrupts on the port, from nothing to a reboot (rocectl(8), DISRUPTION). `unknown`
/// is what only a driver without a row decides: it may be the link, and is allowed where that is.
enum class Disruption : std::uint8_t { none, queues, unknown, link, reload, reset, reboot };
std::string_view word(Disruption disruption);
/// The class that a user may allow; nothing for another word, `unknown` among them.
std::optional<Disruption> disruption_named(std::string_view word);

/// A kernel release, such as 6.13.
struct Release {
    unsigned major = 0;
    unsigned minor = 0;
    auto operator<=>(const Release&) const = default;
};
/// Parses `uname -r`. Nothing where it does not start with two numbers.
std::optional<Release> release_of(std::string_view kernel);
std::string text(const Release& release);  ///< 6.13
/// Whether the host's kernel is older than the release, by its number: distributions put later
/// fixes into older kernels. Both are false where the number is not known.
bool is_before(const Host& host, const Release& release);
bool is_since(const Host& host, const Release& release);

/// What writing an object costs on a driver; with a key, only for that setting; with `holds`, only
/// where it is true of the port. The first entry that applies counts.
struct Cost {
    Object object;
    Disruption disruption;
    std::string_view key{};
    bool (*holds)(const Port&) = nullptr;
    std::string_view where{};  ///< the condition of `holds` in words
    Release before{};          ///< only on kernels before this release; 0.0: on all
};
[[nodiscard]] bool is_of(const Cost& cost, Object object, const std::set<std::string_view>& keys);

/// The granularity of a device's rate limit per traffic class: `step` for limits up to `up_to`,
/// both in kbit/s.
struct RateStep {
    std::uint64_t up_to;
    std::uint64_t step;
};

/// What is special about a NIC family: how its driver treats each object. Every decision that
/// depends on the family is a fact here; its row cites the kernel file in which it was read (Linux
/// 6.12 unless stated). Code asks for a fact and never for a driver by name, so a fact may be true
/// of one family only. The defaults below hold for a driver whose row is silent. `source` of a part
/// is where its facts were read: files of `folder`, or of the kernel where they begin with its
/// folder, with their functions. rocectl-drivers(7) is generated from all of it.
struct Driver {
    /// Who controls the port's DCB state.
    struct Dcbx {
        /// DCBX bits to write to take it for the host.
        std::uint8_t host = core::Dcbx::host | core::Dcbx::ieee;
        /// Bits to write to give it back to firmware; nothing: not possible.
        std::optional<std::uint8_t> firmware = core::Dcbx::ieee;
        /// ETS, PFC and APP are refused while DCBX is not the host's.
        bool writes_need_host = false;
        bool needs_no_bond = false;  ///< DCBX, ETS, PFC and APP are refused on a bond's member
        /// What to do where the NIC's own agent runs DCBX and cannot be stopped by a write; empty:
        /// a write takes it for the host.
        std::string_view agent_remedy{};
        std::string_view source{};
    };
    struct Ets {
        /// How `roce` assigns priorities to traffic classes.
        enum class Classes : std::uint8_t {
            identity,  ///< priority n in traffic class n
            compact,   ///< all others in 0, RoCE in 1, CNP in 2
        };
        Classes classes = Classes::identity;
        /// Traffic classes that every NIC of the family has; a port reports its own number in
        /// ets.capability.
        std::uint8_t classes_sure = 8;
        bool classes_contiguous = false;  ///< a gap in the traffic classes in use resets all QoS
        bool fixed_with_dscp = false;     ///< priority n stays in class n while DSCP is trusted
        bool takes_vendor = true;         ///< accepts the TSA "vendor"
        bool takes_cb_shaper = true;      ///< accepts the TSA "cb_shaper"
        bool shares_checked = true;       ///< shares that do not sum to 100 percent are refused
        /// Of the classes below the highest one in use the shares may not sum to more than 100
        /// percent, and none may have 0 where they sum to 100; the sum of all is not looked at.
        bool shares_below_checked = false;
        bool zero_share_refused = false;   ///< a class with the TSA ets and 0 percent is refused
        bool empty_share_refused = false;  ///< a class with the TSA ets and no priority is refused
        /// While DCBX is the host's, ETS and PFC read as zeros, whatever the device has, and PFC
        /// is refused until this driver was given ETS once.
        bool zero_until_written = false;
        std::string_view zero_shown_by{};  ///< what shows the device's own while they read so
        bool no_share_unless_ets = false;  ///< classes with another TSA than ets read 0 percent
        std::string_view source{};
    };
    struct Pfc {
        bool delay_is_metres = false;  ///< the delay is pfc.cable_length in metres, not bit times
        std::uint16_t delay_min = 0;   ///< delays outside delay_min..delay_max are accepted ...
        std::uint16_t delay_max = 65535;  ///< ... and not stored; an empty range stores none
        std::string_view source{};
    };
    struct App {
        /// How a port expresses which field it trusts.
        enum class Trust : std::uint8_t {
            /// DSCP is trusted exactly while there are DSCP entries; never written by itself.
            by_map,
            table,  ///< by the APP trust table, where the device has one
        };
        /// What happens to a new entry whose selector and protocol are already in the table.
        enum class Existing : std::uint8_t {
            kept_beside,  ///< both entries stay
            replaced,     ///< the driver removes the old entry itself
            refused,      ///< EINVAL: the old one must be deleted first
        };
        /// The priority of a DSCP without an entry, while DSCP is trusted.
        enum class Unlisted : std::uint8_t {
            zero,       ///< 0
            by_eights,  ///< DSCP / 8
            /// DSCP / 8, and DSCP modulo 8 of one whose entry was removed while others stayed.
            /// Which were cannot be read, so that the priority is known where both are the same.
            by_eights_unless_removed,
            /// What the hardware holds, which cannot be read: DSCP / 8 unless somebody wrote it.
            held,
        };
        Trust trust = Trust::table;
        Existing existing = Existing::kept_beside;
        /// A priority is refused unless the port has the traffic class of the same number.
        bool below_classes = false;
        /// With several traffic classes the driver sets the netdev's priority map too
        /// (netdev_set_num_tc). rdma_cm then takes VLAN priorities from that map instead of
        /// egress_priority (drivers/infiniband/core/cma.c iboe_tos_to_sl).
        bool tags_by_class = false;
        bool takes_others = true;  ///< accepts entries with other selectors than DSCP
        /// Kernels before this release have an RDMA driver that tags RoCE packets with a priority
        /// while there is the entry (DGRAM, 4791), and the device then goes by the tag alone.
        Release dgram_tags_before{};
        bool needs_dgram = false;  ///< RoCE needs (DGRAM, 4791) besides the DSCP entry
        /// Why the device has no table of code points; empty: it has one.
        std::string_view no_dscp{};
        bool first_dscp_sets_ets = false;  ///< adding the first DSCP entry rewrites ETS
        bool last_dscp_resets = false;     ///< removing the last DSCP entry resets all QoS
        Unlisted unlisted = Unlisted::zero;
        /// The priorities of DSCP 0 to 31, and again of 32 to 63, without an entry on a port with
        /// four traffic classes; empty: as `unlisted` says.
        std::span<const std::uint8_t> unlisted_of_four{};
        std::string_view source{};
    };
    struct MaxRate {
        std::span<const RateStep> steps{};  ///< ascending; empty: accepts any limit
        bool rounds_up = false;             ///< to the next step; else down
        /// Kernels since this release take limits above the last step, in steps of the last, on
        /// devices that cannot be told from the others; 0.0: none do.
        Release higher_since{};
        std::string_view source{};
    };
    struct Buffer {
        /// Sizes buffers as written, and refuses what does not fit or leaves a lossless buffer too
        /// little headroom.
        bool checked = false;
        bool follows = false;  ///< firmware owns the buffers and resizes them by MTU and PFC
        std::string_view source{};
    };
    struct StormPrevention {
        std::uint16_t min = 1;  ///< accepted timeouts, in ms
        std::uint16_t max = 65534;
        std::uint16_t automatic = 0;  ///< what "auto" reads back as, in ms; 0: as auto
        bool takes_automatic = true;
        /// Kernels since this release refuse more than the firmware's maximum, which cannot be
        /// read; 0.0: none do.
        Release limited_since{};
        std::string_view source{};
    };
    struct Rewrite {
        /// May rewrite the DSCP of packets it sends. The kernel keeps the table on any device.
        bool obeyed = false;
    };
    struct Pause {
        bool gives_way = false;  ///< while PFC is on, pause reads off and is refused
        bool absent = false;     ///< the driver has no operation for pause
        /// PFC and pause are two types of one setting, of which only the flags are read: what
        /// sets the type by another way, and a write of pause makes it pause. Empty: they are two.
        std::string_view type_set_by{};
        /// Errno with which a change of pause.autoneg is refused; 0: it is accepted.
        int autoneg_errno = 0;
        std::string_view source{};
    };
    struct Ring {
        std::uint32_t rx_min = 1;  ///< a receive ring with fewer descriptors is refused
        std::uint32_t tx_min = 1;  ///< a transmit ring with fewer descriptors is refused
        /// The same where the driver itself cuts UDP packets into segments, which cannot be read:
        /// fewer may be refused while tx-udp-segmentation is on; 0: they are not.
        std::uint32_t tx_min_segmenting = 0;
        std::uint32_t multiple = 1;  ///< sizes are rounded up to a multiple of this
        bool power_of_two = false;   ///< sizes are rounded up to a power of two
        bool rounds = true;          ///< else a size that would be rounded is refused
        std::string_view source{};
    };
    struct Channels {
        bool combined_alone = false;  ///< combined channels together with others are refused
        bool one_sided = false;       ///< rx and tx channels together are refused
        bool need_no_rdma = false;    ///< refused while the NIC's RDMA device exists
        std::string_view source{};
    };
    struct Coalesce {
        std::uint32_t usecs_max = 0xffffffff;
        std::uint32_t frames_max = 0xffffffff;
        std::string_view source{};
    };
    struct LinkModes {
        bool lanes_negotiated = false;  ///< lanes cannot be forced, only negotiated
        Release lanes_forced_since{};   ///< kernels before this release refuse to force lanes
        bool negotiates_all = false;  ///< the modes that a negotiating port offers cannot be chosen
        /// A port with a forced speed offers only the modes of that speed.
        bool forced_speed_offered = false;
        std::string_view source{};
    };
    struct BondMembers {
        /// The kernel's name for the one RDMA device that a NIC's ports get instead of their own
        /// when a bond has exactly them as members and hashes or has a backup; empty: they keep
        /// their own.
        std::string_view one_device{};
        /// How many members such a bond may have, all of one NIC.
        std::size_t most = 2;
        bool of_one_bus = false;  ///< one NIC is what has one PCI bus, and not one PCI device
        std::string_view source{};
    };
    struct Statistics {
        /// The driver caches its counters for this long; 0: it asks the device each time.
        std::uint16_t refresh_ms = 0;
        std::string_view source{};
    };
    struct Owners {
        /// Part of the file name of the vendor's udev rules, which configure the port whenever its
        /// RDMA device appears.
        std::string_view udev_rules{};
        std::string_view source{};
    };
    struct Fec {
        bool auto_negotiates = false;  ///< FEC auto is refused while autoneg is off
        bool auto_unread = false;      ///< whether FEC is auto cannot be read
        std::string_view source{};
    };
    struct Vf {
        bool spoofchk = false;  ///< spoofchk of a newly created virtual function
        std::string_view source{};
    };
    struct PrivateFlags {
        /// The private flag that runs the NIC's own DCBX agent. Whoever runs DCBX after a change
        /// of it starts from the defaults.
        std::string_view agent{};
        std::string_view source{};
    };
    struct CmDefaults {
        Release shifts_since{};  ///< kernels before this release take the whole ToS for the DSCP
        /// RoCE packets carry the ECN bits of the ToS; false: those the NIC sets.
        bool tos_carries_ecn = true;
        std::string_view source{};
    };
    struct RdmaPort {
        /// Bytes of headers between the RDMA MTU and the netdev MTU; nothing: not known.
        std::optional<std::uint32_t> mtu_overhead = 96;
        /// Why its RDMA device is none of RoCE v2, or why it has none; empty: it is one.
        std::string_view no_roce{};
        bool roce_v1 = true;  ///< the table has GIDs of RoCE v1 too
        std::string_view source{};
    };
    struct RdmaSoftware {
        std::string_view module{};    ///< the kernel module that creates the RDMA device
        std::string_view provider{};  ///< its libibverbs provider is lib<provider>-rdmavN.so
        /// Which kernels have the module, where not all do.
        std::string_view offered_by{};
        /// Parameters that the vendor's own module of that name has, and the kernel's has not.
        std::span<const std::string_view> parameters{};
        std::string_view device_name{};  ///< the kernel's name for its devices, as mlx5_%d
        /// Beside the vendor's ib_core it registers memory of GPUs that nvidia_peermem knows.
        bool takes_peer_memory = false;
        std::string_view source{};
    };
    struct TrafficClass {
        /// Interfaces to read and write it by, the preferred one first; empty: none.
        std::span<const FileBackEnd> back_ends{};
        std::string_view source{};
    };
    struct Ecn {
        /// Interfaces to congestion control, the preferred one first; empty: none.
        std::span<const FileBackEnd> back_ends{};
        /// The RDMA drivers that offer it, where not all of the family do.
        std::string_view offered_by{};
        std::string_view elsewhere{};  ///< who decides it where there are no back ends
        std::string_view source{};
    };

    std::string_view name;       ///< as the kernel and JSON have it
    std::string_view title{};    ///< what text calls it, where that is not its name
    std::string_view doc;        ///< one sentence for explain and the manual
    std::string_view devices{};  ///< what the family is sold as
    std::string_view folder{};   ///< the kernel's folder of the driver
    std::string_view read_in{};  ///< the kernels whose sources were read
    /// The objects for which it has DCB operations (struct dcbnl_rtnl_ops); empty: none, or they
    /// are not known.
    std::span<const Object> dcb_operations{};
    /// Further drivers that the row is for.
    std::span<const std::string_view> also{};
    /// Kinds of ports (Link::kind) that the row is for, whatever their driver is called.
    std::span<const std::string_view> kinds{};
    /// A driver of whose devices the row is for some alone: another row has its name.
    std::string_view of_driver{};
    /// The devices, as Device::pci_id, that it is not for.
    std::span<const std::string_view> but_pci_ids{};
    std::span<const Cost> costs{};        ///< objects that cost more than ObjectRow::disruption
    std::span<const Counter> counters{};  ///< what its devices count
    std::string_view costs_source{};
    std::string_view counters_source{};
    bool costs_known = true;     ///< else what only the driver decides costs Disruption::unknown
    bool counters_known = true;  ///< else its devices may count what `counters` lacks
    /// Its devices differ from each other: what follows from roce and one of them lacks is a note.
    bool of_many_devices = false;
    /// Lines of the kernel's log by which it reports a fault.
    std::span<const kernel_log::Kind> log{};
    std::string_view no_dcb{};         ///< why the kernel cannot set DCB on it, and who can
    std::string_view no_dcb_remedy{};  ///< the commands that set and show it instead
    bool reopens = false;              ///< ETS, PFC and APP writes close and open the port
    /// ETS, PFC and APP writes apply all three as this driver was last given them, so each may
    /// change the others.
    bool dcb_applies_all = false;
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

/// Every row. The last is the one for driver names without a row.
std::span<const Driver* const> drivers();
/// What people read of a row: its name, or `unknown driver`.
std::string_view title_of(const Driver& driver);
const Driver& driver_of(const Port& port);
const Driver& driver_named(std::string_view name);

/// Whether rows tell the driver's devices apart by their PCI ids (Driver::of_driver).
bool has_variants(std::string_view driver);
/// Whether DCBX can be taken for the host.
bool can_be_hosts(const Driver& driver);

/// The active RDMA MTU that a netdev MTU gives: the largest of 256..4096 that fits; 0: none does.
/// Where the driver's rule is not known: the most that it can give.
std::uint32_t rdma_mtu(const Driver& driver, std::string_view rdma_type, std::uint32_t mtu);
/// Whether the rule by which the active RDMA MTU follows from the netdev MTU is known.
bool knows_rdma_mtu(const Driver& driver, std::string_view rdma_type);
/// The priority of a DSCP without an entry, while the port trusts DSCP; nothing where that cannot
/// be known.
std::optional<unsigned> unlisted_priority(const Driver& driver, const Port& port, unsigned dscp);

}  // namespace core
