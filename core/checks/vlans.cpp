// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "core/checks/health.hpp"
#include "core/checks/opposed.hpp"
#include "core/objects/link/link.hpp"

// Whether what is sent in VLANs gets through, and with its priority.

namespace core {
namespace {

constexpr std::array<Keys, 1> kVlanMtu = {"mtu"};
constexpr std::array<Keys, 1> kPortUp = {"up"};
constexpr std::array<Keys, 2> kOfChildren = {"vlan_link", "addresses"};
constexpr std::array<Keys, 2> kTrustAndPfc = {"dscp.trust", "pfc.priorities"};
constexpr std::array<Keys, 2> kTagsOfChildren = {"vlan_link", "egress_priority"};
constexpr std::array<Ids, 1> kNotSetDown = {"port-down"};
constexpr std::array<Ids, 1> kPfcIsOn = {"pfc-off"};

/// The VLANs on the port, and on the bond that sends by it.
std::vector<const Port*> vlans_by(const State& state, const Port& port) {
    const std::string bond = link::bond_of(port);
    std::vector<const Port*> out;
    for (const Port& child : state.ports)
        if (child.vlan && !child.vlan->parent.empty() &&
            (child.vlan->parent == port.name || child.vlan->parent == bond))
            out.push_back(&child);
    return out;
}

/// The kernel keeps a VLAN's MTU at or below that of the device below when it is set, and lets the
/// one below go under it later (net/8021q/vlan_dev.c, vlan_device_event).
Faults vlan_above_parent(const Evidence& evidence) {
    const Port& port = *evidence.now;
    for (const Port& child : evidence.state->ports) {
        if (!child.link || child.link->lower != port.name) continue;
        if (child.link->mtu > port.link->mtu)
            return fault("VLAN " + child.name + " has MTU " + std::to_string(child.link->mtu) +
                             ", the port below it has " + std::to_string(port.link->mtu),
                         mended(port, "mtu", std::uint64_t{child.link->mtu}));
    }
    return {};
}

/// One without an address may be there for nothing: IPv6 addresses go when it is set down.
Faults vlan_set_down(const Evidence& evidence) {
    Faults out;
    for (const Port& child : evidence.state->ports) {
        if (!child.link || child.link->lower != evidence.now->name || child.link->up) continue;
        const std::vector<Address> addresses = reachable_addresses(child);
        const std::string with =
            addresses.empty() ? "" : ", with the address " + text(addresses.front().ip);
        out.push_back({.text = "VLAN " + child.name + with + ", is set down",
                       .mend = {mended(child, "up", true)},
                       .slight = addresses.empty()});
    }
    return out;
}

/// No VLAN on the port has the priority of RoCE in its tags, and the port goes by tags.
Faults tagged_elsewhere(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const Aim& aim = *evidence.aim;
    const std::uint8_t tagged = tagged_priorities(*evidence.state, port);
    if (!aim.lossless || trusts_dscp(port) != false || tagged == 0 ||
        (unsigned{tagged} >> aim.priority & 1U) != 0)
        return {};
    Fault out{.text = "tags carry priority " + priorities_text(tagged) + ", " + aimed(aim)};
    for (const Port* child : vlans_by(*evidence.state, port))
        if (std::has_single_bit(tagged) && !child->vlan->egress.empty())
            out.mend.push_back(mended(*child, "egress_priority", std::uint64_t{aim.priority},
                                      std::to_string(child->vlan->egress.begin()->first)));
    return {out};
}

constexpr std::array<Ids, 2> kOfTooLarge = {"ack-timeouts", "retries-exhausted"};
constexpr std::array<Ids, 3> kOfSetDown = {"neighbour-failed", "no-route-by-port",
                                           "route-by-other-port"};
constexpr std::array<Ids, 6> kOfOtherTag = {"tos-lossy",    "traffic-in-other-priority",
                                            "rx-discards",  "out-of-sequence",
                                            "ack-timeouts", "retries-exhausted"};

constexpr std::array kRowsVlans = {
    FindingRow{.id = "vlan-mtu",
               .why = "What the VLAN sends is too large for the port below, and is lost.",
               .remedy = "mtu of the port, at least that of its VLANs",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kVlanMtu},
               .looks_at = LooksAt::port,
               .cause = {.explains = kOfTooLarge},
               .look = vlan_above_parent},
    FindingRow{.id = "vlan-down",
               .why = "A VLAN that is down sends nothing and takes nothing, whatever the port "
                      "below it does, and its addresses have no route.",
               .remedy = "up true of the VLAN",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kPortUp, .beside = kOfChildren, .sound = kNotSetDown},
               .looks_at = LooksAt::port,
               .cause = {.explains = kOfSetDown,
                         .ruled_out_by = "ip link shows the VLAN with the flag UP",
                         .weight = Weight::stop},
               .look = vlan_set_down},
    FindingRow{.id = "vlan-tag-elsewhere",
               .why = "A port that goes by VLAN tags puts RoCE into the priority of its tag: in "
                      "another one than PFC has, it is lost where buffers are full.",
               .remedy = "egress_priority of the VLAN",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kTrustAndPfc, .beside = kTagsOfChildren, .sound = kPfcIsOn},
               .looks_at = LooksAt::port,
               .cause = {.explains = kOfOtherTag,
                         .ruled_out_by = "programs name the priority themselves, as the service "
                                         "level of their queue pairs",
                         .test = "ip -d link show type vlan"},
               .look = tagged_elsewhere},
};

constexpr auto kAllVlans = each_of(kRowsVlans);

}  // namespace

std::uint8_t tagged_priorities(const State& state, const Port& port) {
    unsigned out = 0;
    for (const Port* child : vlans_by(state, port))
        for (const auto& [packet_priority, tag] : child->vlan->egress)
            if (tag < kPriorities) out |= 1U << tag;
    return static_cast<std::uint8_t>(out);
}

const FindingGroup finding_group::vlans{
    .name = "vlans",
    .doc = "Whether what is sent in VLANs gets through, and with its priority.",
    .rows = kAllVlans};

}  // namespace core
