// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/model/tos.hpp"
#include "core/objects/link/parts.hpp"
#include "core/objects/rdma/parts.hpp"

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

bool is_vlan(const Port& port) {
    return port.link && port.link->kind == "vlan";
}

/// The VLANs that send by the port's RDMA device: on the port, and on a bond whose member it is.
std::vector<const Port*> vlans_that_send(const Evidence& evidence) {
    std::vector<const Port*> out = senders_of(evidence);
    std::erase_if(out,
                  [&](const Port* sender) { return sender == evidence.now || !is_vlan(*sender); });
    return out;
}

/// The VLANs that RoCE is sent in: those that have an address; any, where nothing of the port has.
std::vector<const Port*> roce_vlans(const HostIndex& index, const Port& port) {
    const auto lacks_address = [](const Port* one) { return reachable_addresses(*one).empty(); };
    std::vector<const Port*> out = index.vlans_by(port);
    if (!std::ranges::all_of(index.carried_by(port), lacks_address))
        std::erase_if(out, lacks_address);
    return out;
}

/// What the VLAN is on; null where that was not read.
const Port* below(const Evidence& evidence, const Port& vlan) {
    const Port* port = find_port(*evidence.state, vlan.link->lower);
    return port == nullptr || !port->link ? nullptr : port;
}

/// The kernel keeps a VLAN's MTU at or below that of the device below when it is set, and lets the
/// one below go under it later (net/8021q/vlan_dev.c, vlan_device_event).
Faults vlan_above_parent(const Evidence& evidence) {
    Faults out;
    for (const Port* child : vlans_that_send(evidence)) {
        const Port* port = below(evidence, *child);
        if (port == nullptr || child->link->mtu <= port->link->mtu) continue;
        const bool is_own = port == evidence.now;
        out.push_back(
            {.text = "VLAN " + child->name + " has MTU " + std::to_string(child->link->mtu) + ", " +
                     (is_own ? "the port" : port->name) + " below it has " +
                     std::to_string(port->link->mtu),
             .fix = {fixed(*port, "mtu", std::uint64_t{child->link->mtu})},
             .in_chain = is_own ? "" : std::to_string(port->link->mtu) + " of " + port->name});
    }
    return out;
}

/// One without an address may be there for nothing: IPv6 addresses go when it is set down. Those on
/// what is down itself cannot be set up (net/8021q/vlan_dev.c vlan_dev_open): that is reported.
Faults vlan_set_down(const Evidence& evidence) {
    Faults out;
    for (const Port* child : vlans_that_send(evidence)) {
        const Port* port = below(evidence, *child);
        if (child->link->up || evidence.index->is_desired_down(child->name) ||
            (port && !port->link->up))
            continue;
        const std::vector<Address> addresses = reachable_addresses(*child);
        const std::string with =
            addresses.empty() ? "" : ", with the address " + text(addresses.front().ip) + ',';
        out.push_back({.text = "VLAN " + child->name + with + " is set down",
                       .fix = {fixed(*child, "up", true)},
                       .slight = addresses.empty()});
    }
    return out;
}

/// No VLAN on the port has the priority of RoCE in its tags, and the port goes by tags. Judged by
/// the ToS that RoCE is meant to have: that rdma_cm sends another one is reported by itself.
Faults tagged_elsewhere(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const EffectiveIntent& roce = *evidence.roce;
    if (!roce.lossless || trusts_dscp(port) != false || !has_tags(*evidence.index, port)) return {};
    if (evidence.driver->app.tags_by_class)
        return {{.text = "which tag connections of rdma_cm get is not known: with several traffic "
                         "classes " +
                         std::string(evidence.driver->name) +
                         " maps priorities to them itself, and egress_priority is not asked",
                 .remedy = "roce.trust dscp, or the service level in the application",
                 .slight = true}};
    const unsigned tos = tos_of(roce.dscp, roce.ecn);
    const std::uint8_t tagged = tagged_priorities(*evidence.index, port, tos);
    if ((unsigned{tagged} >> roce.priority & 1U) != 0) return {};
    const std::uint32_t of_tos = packet_priority(tos);
    Fault out{.text = "tags carry priority " + priorities_text(tagged) + " for ToS " +
                      std::to_string(tos) + ", which is packet priority " + std::to_string(of_tos) +
                      "; " + intended(roce)};
    const std::vector<const Port*> children = evidence.index->vlans_by(port);
    const auto tags = [](const Port* child) { return !child->vlan->egress.empty(); };
    // Packet priority 0 is that of everything else.
    if (of_tos != 0 && std::ranges::count_if(children, tags) == 1)
        out.fix.push_back(fixed(**std::ranges::find_if(children, tags), "egress_priority",
                                std::uint64_t{roce.priority}, std::to_string(of_tos)));
    return {out};
}

/// The port by whose RDMA device it sends: it itself, or of a bond that has none the first member
/// that has one.
const Port& with_device(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if (rdma_link::has_device(port)) return port;
    for (const std::string& name : link::members_of(*evidence.state, port.name))
        if (const Port& member = *find_port(*evidence.state, name); rdma_link::has_device(member))
            return member;
    return port;
}

/// RDMA takes the MTU of the VLAN for a connection in it (include/rdma/ib_addr.h iboe_get_mtu).
Faults vlan_below_port(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const Port& by = with_device(evidence);
    if (!by.rdma_link) return {};
    const auto gives = [&](std::uint32_t size) {
        return rdma_mtu(driver_of(by), by.rdma_link->type, size);
    };
    Faults out;
    for (const Port* child : vlans_that_send(evidence)) {
        const Port* parent = below(evidence, *child);
        const std::uint32_t mtu = child->link->mtu;
        // What is on a bond has at most the bond's: that a member has another is reported by
        // itself.
        const std::uint32_t most =
            std::min(port.link->mtu, parent == nullptr ? port.link->mtu : parent->link->mtu);
        if (reachable_addresses(*child).empty() || gives(mtu) >= gives(most)) continue;
        out.push_back({.text = "VLAN " + child->name + " has MTU " + std::to_string(mtu) +
                               ", which gives an RDMA MTU of " + std::to_string(gives(mtu)) +
                               "; that of the port gives " + std::to_string(gives(most)),
                       .fix = {fixed(*child, "mtu", std::uint64_t{most})}});
    }
    return out;
}

constexpr std::array<Ids, 2> kOfTooLarge = {"ack-timeouts", "retries-exhausted"};
constexpr std::array<Ids, 3> kOfSetDown = {"neighbour-failed", "no-route-by-port",
                                           "route-by-other-port"};
constexpr std::array<Ids, 5> kOfOtherTag = {"traffic-in-other-priority", "rx-discards",
                                            "out-of-sequence", "ack-timeouts", "retries-exhausted"};

constexpr std::array kRowsVlans = {
    FindingRow{.id = "vlan-mtu",
               .why = "What the VLAN sends is too large for the port below, and is lost.",
               .remedy = "mtu of the port, at least that of its VLANs",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kVlanMtu},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfTooLarge},
               .run = vlan_above_parent},
    FindingRow{.id = "vlan-mtu-low",
               .level = FindingLevel::note,
               .why =
                   "Connections in the VLAN have its MTU: smaller RDMA packets cost bandwidth and "
                   "packet rate.",
               .remedy = "mtu of the VLAN, that of the port",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kVlanMtu, .beside = kOfChildren},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "no RDMA is meant to be in this VLAN"},
               .run = vlan_below_port},
    FindingRow{.id = "vlan-down",
               .why = "A VLAN that is down sends nothing and takes nothing, whatever the port "
                      "below it does, and its addresses have no route.",
               .remedy = "up true of the VLAN",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kPortUp, .beside = kOfChildren, .sound = kNotSetDown},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfSetDown,
                         .ruled_out_by = "ip link shows the VLAN with the flag UP",
                         .weight = Weight::stop},
               .run = vlan_set_down},
    FindingRow{.id = "vlan-tag-elsewhere",
               .why = "A port that goes by VLAN tags puts RoCE into the priority of its tag: in "
                      "another one than PFC has, it is lost where buffers are full.",
               .remedy = "egress_priority of the VLAN",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kTrustAndPfc, .beside = kTagsOfChildren, .sound = kPfcIsOn},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfOtherTag,
                         .ruled_out_by = "programs name the priority themselves, as the service "
                                         "level of their queue pairs",
                         .test = "ip -d link show type vlan"},
               .run = tagged_elsewhere},
};

constexpr auto kAllVlans = each_of(kRowsVlans);

}  // namespace

bool has_tags(const HostIndex& index, const Port& port) {
    return std::ranges::any_of(roce_vlans(index, port),
                               [](const Port* child) { return !child->vlan->egress.empty(); });
}

std::uint8_t tagged_priorities(const HostIndex& index, const Port& port, unsigned tos) {
    unsigned out = 0;
    for (const Port* child : roce_vlans(index, port)) {
        const auto& egress = child->vlan->egress;
        const auto tag = egress.find(packet_priority(tos));
        const unsigned priority = tag == egress.end() ? 0 : tag->second;
        if (priority < kPriorities) out |= 1U << priority;
    }
    return static_cast<std::uint8_t>(out);
}

const FindingGroup finding_group::vlans{
    .name = "vlans",
    .doc = "Whether what is sent in VLANs gets through, and with its priority.",
    .rows = kAllVlans};

}  // namespace core
