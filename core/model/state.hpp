// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/address.hpp"
#include "core/model/congestion.hpp"
#include "core/model/dcb.hpp"
#include "core/model/ethernet.hpp"
#include "core/model/host.hpp"
#include "core/model/interrupts.hpp"
#include "core/model/pcie.hpp"
#include "core/model/rdma.hpp"

namespace core {

/// What one exchange with the kernel reads or one step writes as a whole. The order is the
/// order in which a plan prefers to write (core/model/object.cpp says what each one is).
enum class Object : std::uint8_t {
    modules,  // from here to memlock: of the host, not of a port
    rdma_system,
    hugepages,
    sysctl,
    governor,
    irqbalance,
    tuned,
    memlock,
    device,  // driver, firmware: facts
    owners,  // facts: who else writes here
    devlink,
    vlan,
    ipv4,
    ipv6,
    private_flags,
    ring,
    channels,
    coalesce,
    features,
    dcbx,
    link,
    link_modes,
    fec,
    speed,  // facts
    pause,
    ets,
    maxrate,
    pfc,
    storm_prevention,
    buffer,
    app,
    rewrite,
    ecn_directory,
    ecn,
    rdma_link,
    rdma_name,
    rdma_port,    // facts: port state, GIDs, MTU
    queue_pairs,  // facts
    rdma_moderation,
    cm_directory,
    cm_defaults,
    traffic_class,
    addresses,
    routes,
    neighbours,
    pcie,
    interrupts,
    rules,  // the host's
};
inline constexpr std::size_t kObjectCount = static_cast<std::size_t>(Object::rules) + 1;

/// A "no" from the kernel about one object: data to report, not a reason to stop.
struct Refusal {
    int code = 0;      ///< errno; 0 where the no is not the kernel's
    std::string text;  ///< the kernel's words
    bool operator==(const Refusal&) const = default;
};

/// The port that stands for the host: what is no port's own is there, and only that. No interface
/// can be called so (net/core/dev.c dev_valid_name).
inline constexpr std::string_view kHost = "the host";

/// Programs that manage the port too, and how that was seen: `NetworkManager` to the path of its
/// connection profile.
using Owners = std::map<std::string, std::string, std::less<>>;

/// One network port as the kernel described it. An absent part was not read or not reported;
/// `refused` says why when the kernel said why; `unknown` are objects that exist but cannot be
/// read without a write. What belongs to the host and to no port of it is the port without a name.
struct Port {
    std::string name;
    std::optional<Modules> modules{};
    std::optional<std::string> netns_mode{};  ///< shared or exclusive
    std::optional<HugePages> hugepages{};
    std::optional<Sysctl> sysctl{};
    std::optional<Governors> governors{};
    std::optional<bool> irqbalance{};    ///< whether the daemon runs
    std::optional<std::string> tuned{};  ///< its active profile
    std::optional<std::map<std::string, std::string, std::less<>>> memlock{};
    std::optional<Device> device{};
    std::optional<Owners> owners{};
    std::optional<EnableRoce> enable_roce{};
    std::optional<Vlan> vlan{};
    std::optional<Ipv4> ipv4{};
    std::optional<Ipv6> ipv6{};
    std::optional<Link> link{};
    std::optional<std::uint32_t> speed{};  ///< Mb/s
    std::optional<LinkModes> link_modes{};
    std::optional<Fec> fec{};
    std::optional<Pause> pause{};
    std::optional<Flags> private_flags{};
    std::optional<Ring> ring{};
    std::optional<Channels> channels{};
    std::optional<Coalesce> coalesce{};
    std::optional<Features> features{};
    std::optional<Dcbx> dcbx{};
    std::optional<Ets> ets{};
    std::optional<MaxRate> maxrate{};
    std::optional<Pfc> pfc{};
    std::optional<StormPrevention> storm_prevention{};
    std::optional<Buffer> buffer{};
    std::optional<App> app{};
    std::optional<Rewrite> rewrite{};
    std::optional<bool> congestion_directory{};
    std::optional<Congestion> congestion{};
    std::optional<Rdma> rdma{};
    std::optional<RdmaPort> rdma_port{};
    std::optional<QueuePairs> queue_pairs{};
    std::optional<bool> rdma_moderation{};
    std::optional<bool> cm_directory{};
    std::optional<CmDefaults> cm{};
    std::optional<TrafficClass> traffic_class{};
    std::optional<std::vector<Address>> addresses{};
    std::vector<AddressBeyond> addresses_beyond{};
    std::optional<std::vector<Route>> routes{};
    std::vector<RouteBeyond> routes_beyond{};
    std::optional<std::vector<Neighbour>> neighbours{};
    std::vector<AddressBeyond> neighbours_beyond{};
    std::optional<std::vector<Rule>> rules{};  ///< of the host
    std::vector<RuleBeyond> rules_beyond{};
    std::optional<Pcie> pcie{};
    std::optional<Interrupts> interrupts{};
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
    std::vector<Port> ports{};  ///< kHost among them where it was asked for
    bool operator==(const State&) const = default;
};

const Port* find_port(const State& state, std::string_view name);
Port* find_port(State& state, std::string_view name);

}  // namespace core
