// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/ip.hpp"

namespace core {

struct Driver;
struct FileBackEnd;
struct Host;
struct ObjectRow;
struct Port;
struct State;
struct Refusal;
struct Unsupported;
enum class Object : std::uint8_t;

/// The devlink parameter enable_roce of the port's NIC.
struct EnableRoce {
    enum class Mode : std::uint8_t { runtime, driverinit, permanent };  // devlink_param_cmode
    bool on = false;  ///< once in effect: what the NIC was started with is not reported
    Mode mode = Mode::driverinit;  ///< when a change takes effect
    bool operator==(const EnableRoce&) const = default;
};

/// A device's part in DCQCN: as notification point it receives marked packets and sends CNPs, as
/// reaction point it receives CNPs and slows down. Members without a value do not exist in the
/// interface in use.
struct Ecn {
    enum Number : std::uint8_t {
        cnp_dscp,
        cnp_priority,
        min_time_between_cnps,
        clamp_tgt_rate,
        clamp_tgt_rate_after_time_inc,
        rpg_time_reset,
        rpg_byte_reset,
        rpg_threshold,
        rpg_max_rate,
        rpg_ai_rate,
        rpg_hai_rate,
        rpg_gd,
        rpg_min_dec_fac,
        rpg_min_rate,
        rate_to_set_on_first_cnp,
        dce_tcp_g,
        dce_tcp_rtt,
        rate_reduce_monitor_period,
        initial_alpha_value,
        g,
        init_cr,
        init_tr,
        rtt,
        inact_th,
        number_count
    };
    /// A number that the device has; no value: none is in force.
    struct Held {
        std::optional<std::uint32_t> value;
        bool operator==(const Held&) const = default;
    };
    /// Algorithms of congestion control whose numbers a driver shows each by its own names.
    enum Algorithm : std::uint8_t { dcqcn, ldcp, hc3, dip, algorithm_count };
    using Parameters = std::map<std::string, std::uint32_t, std::less<>>;
    /// By priority, "0" to "7".
    using Switches = std::map<std::string, bool, std::less<>>;

    std::string interface;  ///< FileBackEnd::name
    std::optional<Switches> notify{};
    std::optional<Switches> react{};
    std::optional<bool> marking{};  ///< RoCE packets are sent with ECT
    std::array<std::optional<Held>, number_count> numbers{};
    std::array<std::optional<Parameters>, algorithm_count> parameters{};
    bool operator==(const Ecn&) const = default;
};

namespace ecn {

/// The back end of the driver (Driver::ecn) by which the port's congestion control was read, or
/// would be once its directory is made; null without one.
const FileBackEnd* back_end_of(const Driver& driver, const Port& port);
/// Why the device's congestion control cannot be set; nothing where it can.
std::optional<Unsupported> unsupported(const Driver& driver, const Port& port,
                                       std::string_view key);
/// On bnxt_en a commit clears the device's table of code points, so APP has to be written after it.
std::optional<Object> goes_before(const Driver& driver, const std::function<Port()>& then);

}  // namespace ecn

/// The RDMA device of a port.
struct RdmaLink {
    std::string device;  ///< empty: the port has none
    std::uint32_t index = 0;
    std::uint32_t port = 1;             ///< the port's number in the device, from 1
    std::string type{};                 ///< rxe or siw for a soft device; empty for a NIC's own
    std::string protocol{};             ///< roce, iw and so on; empty where not known
    std::vector<std::string> others{};  ///< further RDMA devices on the same port
    /// How network namespaces see RDMA devices, `shared` or `exclusive`. Only for a port outside
    /// the initial namespace; empty in it and where not known.
    std::string netns{};
    /// The device's port is in another network namespace, as below a macvlan in a pod: the GIDs of
    /// this port's addresses tell that it sends by it (gid_attrs/ndevs in sysfs).
    bool by_gids = false;
    /// For a port without a device: devices without a port in this network namespace.
    std::vector<std::string> elsewhere{};
    bool operator==(const RdmaLink&) const = default;
};

namespace rdma_link {

/// A driver that gives any network interface an RDMA device.
struct SoftDriver {
    std::string_view type;           ///< of the device, in rdma(8)
    std::string_view module;         ///< the kernel module
    std::string_view protocol;       ///< RdmaLink::protocol of the device
    std::uint32_t mtu_overhead = 0;  ///< bytes of headers between RDMA MTU and netdev MTU
    bool roce_v1 = false;            ///< its table has GIDs of RoCE v1 too
};
/// drivers/infiniband/sw: rxe (rxe_param.h, RXE_MAX_HDR_LENGTH; rxe_verbs.c rxe_port_immutable) and
/// siw.
inline constexpr std::array kSoftDrivers = {
    SoftDriver{.type = "rxe", .module = "rdma_rxe", .protocol = "roce", .mtu_overhead = 80},
    SoftDriver{.type = "siw", .module = "siw", .protocol = "iw"}};
/// The soft driver with devices of this type; null for a NIC's own driver.
constexpr const SoftDriver* soft_driver(std::string_view type) {
    const auto* const found = std::ranges::find(kSoftDrivers, type, &SoftDriver::type);
    return found == kSoftDrivers.end() ? nullptr : found;
}

/// Whether the port's RDMA device can speak RoCE. True where that is not known.
bool speaks_roce(const Port& port);

/// Gives the port the device, and what the kernel gives a new device.
void add_device(Port& port, RdmaLink device);
/// Takes the port's device away, and all that is read of it.
void lose_device(Port& port);

/// ObjectRow::unsupported of objects that need the RDMA device: that the port has none.
std::optional<Unsupported> no_device(const Driver& driver, const Port& port, std::string_view key);

/// Whether the port stands on one that this network namespace does not have: a macvlan or ipvlan.
bool is_on_another(const State& state, const Port& port);
/// Of ports that stand on one of another namespace, takes away that they have no RDMA device, where
/// the host has one that no port here has: whose it is only GIDs tell, which were not recorded.
void forget_unnamed(State& state);

/// Whether the port has an RDMA device, as far as known.
bool has_device(const Port& port);

/// Whether the object belongs to the port's RDMA device and reports its absence by no_device.
bool hangs_on_device(const ObjectRow& other);

}  // namespace rdma_link

struct Gid {
    std::uint32_t index = 0;
    std::string gid;   ///< as sysfs prints it
    std::string type;  ///< "RoCE v2" or "IB/RoCE v1"
    std::string port;  ///< the netdev that it belongs to
    bool operator==(const Gid&) const = default;
};

/// The RDMA port of a network interface, and its GID table.
struct RdmaPort {
    std::string state;           ///< ACTIVE, DOWN, … (enum ib_port_state)
    std::string physical_state;  ///< LINK_UP, DISABLED, …
    /// In the order of their indices; nothing where the table is not known.
    std::optional<std::vector<Gid>> gids{};
    bool operator==(const RdmaPort&) const = default;
};

/// The RoCE v2 GID for the address; null without one, or where the table is not known.
const Gid* find_gid(const Port& port, const Ip& address);

namespace rdma_port {

/// Takes the GID tables away where none of several RoCE devices has a GID: a live one has that of
/// its link-local address at least, so that they were not recorded.
void forget_empty_tables(State& state);

}  // namespace rdma_port

/// The RDMA MTU in use. Only verbs reports it; the kernel reports the port's state.
struct ActiveMtu {
    std::uint32_t bytes = 0;  ///< 0 where a state does not have it
    std::uint32_t max = 0;
    bool operator==(const ActiveMtu&) const = default;
};

namespace active_mtu {

/// The active MTU that follows from the port's MTU; nothing where active_mtu was not read, or the
/// driver's rule is not known.
std::optional<std::uint32_t> expected(const Driver& driver, const Port& port);

/// Marks the MTU as refused, because verbs reports it and needs its module.
void lacks_verbs(Port& port);

}  // namespace active_mtu

namespace dmabuf {

/// Whether the RDMA device takes memory of others as a dma-buf (ibv_reg_dmabuf_mr), and who refuses
/// where not. Only verbs tells.
inline constexpr std::string_view kYes = "yes";
inline constexpr std::string_view kNotByDriver = "not by driver";
inline constexpr std::string_view kNotByKernel = "not by kernel";
inline constexpr std::string_view kNotByLibrary = "not by library";

}  // namespace dmabuf

/// Queue pairs on the RDMA device by owner, without those for management datagrams (SMI, GSI):
/// `ib_write_bw (1234)`, `nvme_rdma (kernel)`, `not visible`.
using QueuePairs = std::map<std::string, std::uint64_t, std::less<>>;

/// The driver's counters by its own names. core/drivers/counters.cpp has their meaning.
using Counters = std::map<std::string, std::uint64_t, std::less<>>;

namespace cm_directory {

/// The configfs directory of rdma_cm for the port's RDMA device.
std::string path(const Port& port);
/// The directory in it that has the defaults of the port itself (drivers/infiniband/core/
/// cma_configfs.c make_cma_ports, Linux 6.12).
std::string path_of_port(const Port& port);

/// The refusal to read rdma_cm's defaults while the module rdma_cm is not loaded.
Refusal no_module();
/// Whether that is why the port's defaults were not read.
bool lacks_module(const Port& port);
/// Changes the port as loading or removing the module rdma_cm does.
void module_came(Port& port);
void module_went(Port& port);
/// Whether loading this module loads rdma_cm: it is rdma_cm or depends on it
/// (drivers/infiniband/core/ucma.c, Linux 6.12).
bool comes_with(std::string_view module);

}  // namespace cm_directory

/// rdma_cm's defaults for a device. default_roce_mode and default_roce_tos can be read only in the
/// device's configfs directory (Documentation/ABI/testing/configfs-rdma_cm).
struct CmDefaults {
    std::string mode;  ///< "RoCE v2" or "IB/RoCE v1"
    std::uint8_t tos = 0;
    bool operator==(const CmDefaults&) const = default;
};

namespace cm_defaults {

/// Whether the kernel's RDMA driver of the port takes the whole ToS for the DSCP, so that packets
/// leave with another one (Driver::cm_defaults, shifts_since), unless a fix was backported.
bool takes_tos_for_dscp(const Driver& driver, const Host& host, const Port& port);

}  // namespace cm_defaults

/// The traffic class that the vendor's driver forces on all connections of the RDMA device.
struct TrafficClass {
    std::optional<std::uint32_t> tos{};  ///< nothing: connections keep the class they ask for
    bool operator==(const TrafficClass&) const = default;
};

/// devlink parameters of the port's NIC, by devlink(8)'s names and in its words.
struct Parameters {
    std::map<std::string, std::string> stored{};  ///< stored in the NIC for its next start
    /// In force in the driver, or what it starts with.
    std::map<std::string, std::string> driver{};
    bool operator==(const Parameters&) const = default;
};

/// What the NIC's firmware itself answers by the kernel's fwctl. A member without a value is
/// another family's, or was refused.
struct Fwctl {
    using Numbers = std::map<std::string, std::uint64_t, std::less<>>;
    using Switches = std::map<std::string, bool, std::less<>>;
    using Texts = std::map<std::string, std::string, std::less<>>;

    std::optional<Switches> notify{};         ///< by priority, "0" to "7"
    std::optional<Switches> react{};          ///< by priority
    std::optional<Numbers> cc_params{};       ///< by the names of debugfs' cc_params
    std::optional<Switches> roce_accl{};      ///< by the names of NVIDIA's register ROCE_ACCL
    std::optional<Numbers> stored{};          ///< by mlxconfig's names, with the port behind them
    std::optional<Numbers> priority_queue{};  ///< by priority: the number of a CoS queue
    std::optional<Texts> queue_algorithm{};   ///< by the queue's number: strict or ets
    std::optional<Numbers> queue_share{};     ///< by the queue's number, in percent
    std::optional<Texts> refused{};           ///< by what was asked: what was answered
    bool operator==(const Fwctl&) const = default;
};

}  // namespace core
