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
struct Refusal;
struct Unsupported;
enum class Object : std::uint8_t;

/// devlink's parameter enable_roce of the port's NIC.
struct EnableRoce {
    enum class Mode : std::uint8_t { runtime, driverinit, permanent };  // devlink_param_cmode
    bool on = false;               ///< as it will be: nobody tells what the NIC was started with
    Mode mode = Mode::driverinit;  ///< when a change takes effect
    bool operator==(const EnableRoce&) const = default;
};

/// How a device takes part in DCQCN: as notification point (it receives marked packets and sends
/// CNPs), as reaction point (it receives CNPs and slows down), and by which numbers. What the
/// interface in use does not have is absent.
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
    /// Nothing where the device has the number and none is in force.
    struct Held {
        std::optional<std::uint32_t> value;
        bool operator==(const Held&) const = default;
    };
    /// By priority, "0" to "7".
    using Switches = std::map<std::string, bool, std::less<>>;

    std::string interface;  ///< FileBackEnd::name
    std::optional<Switches> notify{};
    std::optional<Switches> react{};
    std::optional<bool> marking{};  ///< RoCE packets are sent with ECT
    std::array<std::optional<Held>, number_count> numbers{};
    bool operator==(const Ecn&) const = default;
};

namespace ecn {

/// The driver's back end of congestion control (Driver::ecn) by which the port was read, or would
/// be once its directory is made; null where there is none.
const FileBackEnd* back_end_of(const Driver& driver, const Port& port);
/// Why the device has no congestion control that could be set.
std::optional<Unsupported> unsupported(const Driver& driver, const Port& port,
                                       std::string_view key);
/// On bnxt_en a commit clears the device's table of code points, so that APP comes after it.
std::optional<Object> goes_before(const Driver& driver, const std::function<Port()>& then);

}  // namespace ecn

/// The RDMA device on a port.
struct RdmaLink {
    std::string device;  ///< empty: the port has none
    std::uint32_t index = 0;
    std::string type{};                 ///< rxe or siw for a soft link, empty for a NIC's own
    std::string protocol{};             ///< roce, iw and so on; empty where it is not known
    std::vector<std::string> others{};  ///< further RDMA devices on the same port
    /// What namespaces do with RDMA devices, `shared` or `exclusive`, of a port that is in another
    /// network namespace than the first; empty in the first, and where it is not known.
    std::string netns{};
    /// Of a port without a device: those that are on no port of this network namespace.
    std::vector<std::string> elsewhere{};
    bool operator==(const RdmaLink&) const = default;
};

namespace rdma_link {

/// A driver that gives any network interface an RDMA device.
struct SoftDriver {
    std::string_view type;           ///< of the device, as rdma(8) has it
    std::string_view module;         ///< the kernel's
    std::string_view protocol;       ///< of the device, as RdmaLink has it
    std::uint32_t mtu_overhead = 0;  ///< what headers take of the MTU
};
/// drivers/infiniband/sw: rxe (rxe_param.h, RXE_MAX_HDR_LENGTH) and siw.
inline constexpr std::array kSoftDrivers = {
    SoftDriver{.type = "rxe", .module = "rdma_rxe", .protocol = "roce", .mtu_overhead = 80},
    SoftDriver{.type = "siw", .module = "siw", .protocol = "iw"}};
/// Of a device of this type; null where a NIC's own driver has it.
constexpr const SoftDriver* soft_driver(std::string_view type) {
    const auto* const found = std::ranges::find(kSoftDrivers, type, &SoftDriver::type);
    return found == kSoftDrivers.end() ? nullptr : found;
}

/// Whether RoCE can be had of the port's RDMA device, as far as that is known.
bool speaks_roce(const Port& port);

/// Gives the port the RDMA device, and what the kernel gives a device that has just come.
void add_device(Port& port, RdmaLink device);

/// What is said of an object that hangs on the RDMA device, where the port has none.
std::optional<Unsupported> no_device(const Driver& driver, const Port& port, std::string_view key);

/// Whether the port has an RDMA device, as far as that is known.
bool has_device(const Port& port);

/// Whether the object is one of the port's RDMA device, and says so where there is none.
bool hangs_on_device(const ObjectRow& other);

}  // namespace rdma_link

struct Gid {
    std::uint32_t index = 0;
    std::string gid;   ///< as sysfs prints it
    std::string type;  ///< "RoCE v2" or "IB/RoCE v1"
    std::string port;  ///< the netdev it belongs to
    bool operator==(const Gid&) const = default;
};

/// The RDMA port of a network interface, with its table of GIDs.
struct RdmaPort {
    std::string state;           ///< ACTIVE, DOWN, … (enum ib_port_state)
    std::string physical_state;  ///< LINK_UP, DISABLED, …
    std::vector<Gid> gids;
    bool operator==(const RdmaPort&) const = default;
};

/// The kernel makes GIDs of the addresses, in an order that nobody can foretell.
void forget_gids(Port& port);

/// The RoCE v2 GID of the address in the port's table; null where it has none, or no table is
/// known.
const Gid* find_gid(const Port& port, const Ip& address);

/// How much the packets of the RDMA port carry: its state is the kernel's, this is verbs' to tell.
struct ActiveMtu {
    std::uint32_t bytes = 0;  ///< 0 where a state does not tell
    std::uint32_t max = 0;
    bool operator==(const ActiveMtu&) const = default;
};

namespace active_mtu {

/// What follows from the port's MTU, of a port of which that is known.
std::optional<std::uint32_t> expected(const Driver& driver, const Port& port);

/// Says of the port that verbs, which alone tell it, cannot be asked without their module.
void lacks_verbs(Port& port);

}  // namespace active_mtu

/// Queue pairs on the RDMA device by who has them, those of the management datagrams (SMI, GSI)
/// left out: `ib_write_bw (1234)`, `nvme_rdma (kernel)`, `not visible`.
using QueuePairs = std::map<std::string, std::uint64_t, std::less<>>;

/// What a driver counts, by its own names: what each means is in core/drivers/counters.cpp.
using Counters = std::map<std::string, std::uint64_t, std::less<>>;

namespace cm_directory {

/// The directory of the port's RDMA device in rdma_cm's configfs.
std::string path(const Port& port);

/// How reading the defaults of rdma_cm is refused on a host where the module rdma_cm is not loaded.
Refusal no_module();
/// Whether the port was read on a host where the module rdma_cm is not loaded.
bool lacks_module(const Port& port);
/// Makes the port what it is once the module rdma_cm is loaded, or removed.
void module_came(Port& port);
void module_went(Port& port);
/// Whether loading the module of the name brings rdma_cm: it is itself, or needs it
/// (drivers/infiniband/core/ucma.c, Linux 6.12).
bool comes_with(std::string_view module);

}  // namespace cm_directory

/// rdma_cm's configfs directory of a device: default_roce_mode and default_roce_tos can be
/// read only inside it (Documentation/ABI/testing/configfs-rdma_cm).
struct CmDefaults {
    std::string mode;  ///< "RoCE v2" or "IB/RoCE v1"
    std::uint8_t tos = 0;
    bool operator==(const CmDefaults&) const = default;
};

namespace cm_defaults {

/// Whether the kernel's own RDMA driver of the port takes the whole ToS for the DSCP, and packets
/// leave with another one (Driver::cm_defaults, shifts_since), unless that was fixed in it.
bool takes_tos_for_dscp(const Driver& driver, const Host& host, const Port& port);

}  // namespace cm_defaults

/// What the vendor's driver forces on every connection of the RDMA device.
struct TrafficClass {
    std::optional<std::uint32_t> tos{};  ///< nothing: it leaves the class as it is asked for
    bool operator==(const TrafficClass&) const = default;
};

/// What devlink tells of the parameters of the port's NIC, by their names, in devlink(8)'s words.
struct Parameters {
    std::map<std::string, std::string> stored{};  ///< what the NIC keeps for its next start
    std::map<std::string, std::string> driver{};  ///< what its driver holds, or starts with
    bool operator==(const Parameters&) const = default;
};

}  // namespace core
