// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model/ip.hpp"

namespace core {

/// What one exchange with the kernel reads or one step writes as a whole. The order is the
/// order in which a plan prefers to write (core/model/object.cpp says what each one is).
enum class Object : std::uint8_t {
    device,  // driver, firmware: facts
    ipv4,
    ipv6,
    private_flags,
    ring,
    channels,
    features,
    dcbx,
    link,
    speed,  // facts
    pause,
    ets,
    maxrate,
    pfc,
    storm_prevention,
    buffer,
    app,
    rdma_link,
    rdma_port,  // facts: port state, GIDs, MTU
    cm_directory,
    cm_defaults,
    addresses,
    routes,
};
inline constexpr std::size_t kObjectCount = static_cast<std::size_t>(Object::routes) + 1;

inline constexpr std::size_t kPriorities = 8;
template <typename T>
using PerPriority = std::array<T, kPriorities>;

/// A "no" from the kernel about one object: data to report, not a reason to stop.
struct Refusal {
    int code = 0;      ///< errno; 0 where the no is not the kernel's
    std::string text;  ///< the kernel's words
    bool operator==(const Refusal&) const = default;
};

struct Device {
    std::string driver;
    std::string firmware;
    bool operator==(const Device&) const = default;
};

struct Link {
    std::uint32_t index = 0;
    std::string mac{};
    std::string pci{};     ///< PCI address of the parent device, empty where there is none
    std::string kind{};    ///< rtnetlink kind (vlan, veth, bond), empty for a physical port
    std::string master{};  ///< the bond or bridge above
    std::string lower{};   ///< the device below, for a VLAN
    std::optional<std::uint16_t> vlan{};
    bool up = false;
    bool carrier = false;
    std::uint32_t mtu = 0;
    std::uint32_t mtu_min = 0;  ///< 0 where the kernel does not say
    std::uint32_t mtu_max = 0;
    std::uint32_t carrier_up_count = 0;
    std::uint32_t carrier_down_count = 0;
    bool operator==(const Link&) const = default;
};

struct Pause {
    bool rx = false;
    bool tx = false;
    bool autoneg = false;
    bool operator==(const Pause&) const = default;
};

/// A number of which the kernel uses the larger of the port's and the host's own
/// (IN_DEV_MAXCONF and IN_DEV_ORCONF, include/linux/inetdevice.h): net.ipv4.conf.PORT and .all.
struct Joint {
    std::uint8_t own = 0;
    std::uint8_t all = 0;
    [[nodiscard]] std::uint8_t in_force() const { return own > all ? own : all; }
    bool operator==(const Joint&) const = default;
};

struct Ipv4 {
    Joint arp_ignore;
    Joint arp_announce;
    Joint rp_filter;
    Joint accept_local;
    bool operator==(const Ipv4&) const = default;
};

struct Ipv6 {
    std::uint8_t addr_gen_mode = 0;  ///< IN6_ADDR_GEN_MODE_* (include/uapi/linux/if_link.h)
    bool operator==(const Ipv6&) const = default;
};

/// What a device names and can turn on and off.
using Flags = std::map<std::string, bool, std::less<>>;

/// Descriptors in each receive and transmit ring; nothing where the driver has no such ring.
struct Ring {
    std::optional<std::uint32_t> rx{};
    std::optional<std::uint32_t> tx{};
    std::uint32_t rx_max = 0;
    std::uint32_t tx_max = 0;
    bool operator==(const Ring&) const = default;
};

/// How many queues the port has; nothing where the driver has none of the kind.
struct Channels {
    std::optional<std::uint32_t> combined{};  ///< receive and transmit on one interrupt
    std::optional<std::uint32_t> rx{};        ///< that only receive
    std::optional<std::uint32_t> tx{};
    std::uint32_t combined_max = 0;
    std::uint32_t rx_max = 0;
    std::uint32_t tx_max = 0;
    bool operator==(const Channels&) const = default;
};

/// What the device does for the kernel, by the kernel's names (netdev_features_strings).
struct Features {
    Flags active;
    std::set<std::string> fixed;  ///< cannot be changed
    Flags requested;              ///< asked for by somebody, where it is not what is active
    bool operator==(const Features&) const = default;
};

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

/// The RDMA device on a port.
struct Rdma {
    std::string device;  ///< empty: the port has none
    std::uint32_t index = 0;
    std::string type{};                 ///< rxe or siw for a soft link, empty for a NIC's own
    std::vector<std::string> others{};  ///< further RDMA devices on the same port
    bool operator==(const Rdma&) const = default;
};

struct Gid {
    std::uint32_t index = 0;
    std::string gid;   ///< as sysfs prints it
    std::string type;  ///< "RoCE v2" or "IB/RoCE v1"
    std::string port;  ///< the netdev it belongs to
    bool operator==(const Gid&) const = default;
};

struct RdmaPort {
    std::string state;             ///< ACTIVE, DOWN, … (enum ib_port_state)
    std::string physical_state;    ///< LINK_UP, DISABLED, …
    std::uint32_t active_mtu = 0;  ///< bytes, 0 where not asked of verbs
    std::uint32_t max_mtu = 0;
    std::vector<Gid> gids;
    bool operator==(const RdmaPort&) const = default;
};

/// rdma_cm's configfs directory of a device: default_roce_mode and default_roce_tos can be
/// read only inside it (Documentation/ABI/testing/configfs-rdma_cm).
struct CmDefaults {
    std::string mode;  ///< "RoCE v2" or "IB/RoCE v1"
    std::uint8_t tos = 0;
    bool operator==(const CmDefaults&) const = default;
};

struct Address {
    Ip ip;
    std::uint8_t prefix_length = 0;
    bool by_kernel = false;  ///< link-local or SLAAC: a fact, never removed
    bool operator==(const Address&) const = default;
};

/// A unicast route out of the port. Identity is (table, to, metric). Which routes the kernel made
/// itself follows from the addresses (made_by_kernel in core/model/field.hpp).
struct Route {
    Prefix to;
    std::uint32_t table = 254;
    std::uint32_t metric = 0;
    std::optional<Ip> via{};
    std::optional<Ip> source{};
    std::uint8_t scope = 0;
    std::uint8_t protocol = 4;  ///< RTPROT_STATIC
    std::uint32_t mtu = 0;      ///< 0: none stated
    bool operator==(const Route&) const = default;
};

/// What an address has that no setting holds (a peer, a label, flags), in the words of ip(8). It
/// cannot be put back.
struct AddressBeyond {
    Ip ip;
    std::string what;
    bool operator==(const AddressBeyond&) const = default;
};

/// The same of a route. One that `Route` cannot describe at all (several next hops, a tunnel, a
/// type of service) is only here, with as much of it as a route has.
struct RouteBeyond {
    Route route;
    std::string what;
    bool operator==(const RouteBeyond&) const = default;
};

/// One network port as the kernel described it. An absent part was not read or not reported;
/// `refused` says why when the kernel said why; `unknown` are objects that exist but cannot be
/// read without a write.
struct Port {
    std::string name;
    std::optional<Device> device{};
    std::optional<Ipv4> ipv4{};
    std::optional<Ipv6> ipv6{};
    std::optional<Link> link{};
    std::optional<std::uint32_t> speed{};  ///< Mb/s
    std::optional<Pause> pause{};
    std::optional<Flags> private_flags{};
    std::optional<Ring> ring{};
    std::optional<Channels> channels{};
    std::optional<Features> features{};
    std::optional<Dcbx> dcbx{};
    std::optional<Ets> ets{};
    std::optional<MaxRate> maxrate{};
    std::optional<Pfc> pfc{};
    std::optional<StormPrevention> storm_prevention{};
    std::optional<Buffer> buffer{};
    std::optional<App> app{};
    std::optional<Rdma> rdma{};
    std::optional<RdmaPort> rdma_port{};
    std::optional<bool> cm_directory{};
    std::optional<CmDefaults> cm{};
    std::optional<std::vector<Address>> addresses{};
    std::vector<AddressBeyond> addresses_beyond{};
    std::optional<std::vector<Route>> routes{};
    std::vector<RouteBeyond> routes_beyond{};
    std::map<Object, Refusal> refused{};
    std::set<Object> unknown{};
    bool operator==(const Port&) const = default;
};

struct Host {
    std::string name;
    std::string kernel;  ///< uname -r
    bool operator==(const Host&) const = default;
};

/// A host as far as it was read.
struct State {
    Host host{};
    std::vector<Port> ports{};
    bool operator==(const State&) const = default;
};

const Port* find_port(const State& state, std::string_view name);
Port* find_port(State& state, std::string_view name);

}  // namespace core
