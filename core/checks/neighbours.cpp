// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <set>

#include "core/checks/checks.hpp"
#include "core/model/shell.hpp"

// Whether the ports find their neighbours, and neighbours find the right port.

namespace core {

namespace {

constexpr std::array<Keys, 2> kLearnedAndOwn = {"neighbours_learned", "addresses"};
constexpr std::array<Keys, 2> kLearnedAndRoutes = {"neighbours_learned", "routes"};
constexpr std::array<Keys, 2> kArp = {"addresses", "ip.arp_ignore"};
constexpr std::array<Keys, 2> kNotification = {"addresses", "ip.arp_announce"};
constexpr std::array<Keys, 2> kFilter = {"addresses", "ip.rp_filter"};
constexpr std::array<Ids, 3> kReaches = {"port-down", "no-carrier", "no-address"};

/// What no fabric port is answers for the fabric's addresses all the same.
Faults flux_of_others(const Evidence& evidence) {
    Faults out;
    for (const Port* other : evidence.index->strangers_in_subnet(*evidence.now)) {
        if (!other->ipv4 || !other->link || !other->link->up ||
            other->link->lower == evidence.now->name || other->ipv4->arp_ignore.in_force() != 0)
            continue;
        out.push_back({.text = other->name +
                               " is in one subnet with it and answers ARP for its addresses "
                               "(arp_ignore 0)",
                       .fix = {fixed(*other, "ip.arp_ignore", std::uint64_t{1})}});
    }
    return out;
}

Faults arp_flux(const Evidence& evidence) {
    const Port& port = *evidence.now;
    Faults out = flux_of_others(evidence);
    if (port.ipv4->arp_ignore.in_force() != 0) return out;
    const Port* other = evidence.index->in_one_subnet(port);
    if (other == nullptr) return out;
    out.push_back({.text = "it is in one subnet with " + other->name +
                           " and answers ARP for the addresses of other ports (arp_ignore 0)",
                   .fix = {fixed(port, "ip.arp_ignore", std::uint64_t{1})}});
    return out;
}

Faults arp_announce(const Evidence& evidence) {
    const Port& port = *evidence.now;
    constexpr std::uint64_t best = 2;
    if (port.ipv4->arp_announce.in_force() == best) return {};
    const Port* other = evidence.index->in_one_subnet(port);
    if (other == nullptr) return {};
    return fault("it is in one subnet with " + other->name +
                     " and asks by ARP in the name of any address of the host (arp_announce " +
                     std::to_string(port.ipv4->arp_announce.in_force()) + ')',
                 fixed(port, "ip.arp_announce", best));
}

Faults strict_filter(const Evidence& evidence) {
    const Port& port = *evidence.now;
    constexpr std::uint64_t loose = 2;
    if (port.ipv4->rp_filter.in_force() != 1) return {};
    const Port* other = evidence.index->in_one_subnet(port);
    if (other == nullptr) return {};
    return fault("it is in one subnet with " + other->name +
                     " and drops packets whose way back is another port (rp_filter 1)",
                 fixed(port, "ip.rp_filter", loose));
}

bool is_unanswered(const Neighbour& neighbour) {
    return neighbour.state == "failed" || neighbour.state == "incomplete";
}

/// Gateways of the routes of all that sends by the port's device.
Faults failed_neighbour(const Evidence& evidence) {
    Faults out;
    for (const Port* sender : senders_of(evidence)) {
        if (!sender->neighbours) continue;
        std::set<Ip> gateways;
        routes::each_open(*sender, [&](const Route& route) {
            if (route.via) gateways.insert(*route.via);
        });
        for (const Neighbour& each : *sender->neighbours)
            if (is_unanswered(each) && gateways.contains(each.ip))
                out.push_back(
                    {.text = "the gateway " + text(each.ip) + " does not answer" +
                             (sender == evidence.now ? "" : " on " + sender->name) + " (" +
                             each.state + ")",
                     .names = {{"GATEWAY", text(each.ip)}, {"PORT", shell(sender->name)}}});
    }
    return out;
}

/// A neighbour beyond the networks of who sends was asked for on the link: the on-link trap, met.
Faults asked_on_link(const Evidence& evidence) {
    for (const Port* sender : senders_of(evidence)) {
        if (!sender->neighbours || !sender->addresses) continue;
        for (const Neighbour& each : *sender->neighbours) {
            const bool near = std::ranges::any_of(*sender->addresses, [&](const Address& own) {
                return contains(network({.ip = own.ip, .length = own.prefix_length}), each.ip);
            });
            if (!is_unanswered(each) || near || is_link_local(each.ip)) continue;
            const bool is_own = sender == evidence.now;
            return fault("the host asked on " + (is_own ? "this link" : sender->name) + " for " +
                         text(each.ip) + ", which is in no network of " +
                         (is_own ? "the port" : sender->name) + ", and nobody answered");
        }
    }
    return {};
}

constexpr std::array kRowsNeighbours = {
    FindingRow{.id = "asked-on-link",
               .why = "A neighbour that is in no network of the port is what a connection leaves "
                      "behind for which no route led out of it.",
               .remedy = "routes and rules of the port: a table for each rail",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kLearnedAndOwn, .of_senders = true, .sound = kReaches},
               .examines = CheckTarget::port,
               .run = asked_on_link},
    FindingRow{.id = "neighbour-failed",
               .why =
                   "Nobody answers for the gateway's address: nothing beyond the link is reached, "
                   "and connections fail after a second.",
               .remedy = "the VLAN, the switch port and the gateway's address",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kLearnedAndRoutes, .of_senders = true, .sound = kReaches},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "the gateway answers a ping from this port",
                         .test = "ping -I PORT GATEWAY; ip neighbour show dev PORT"},
               .run = failed_neighbour},
    FindingRow{.id = "arp-flux",
               .why =
                   "Others learn the hardware address of the wrong port for an address, and what "
                   "they send arrives at a device that has no such GID.",
               .remedy = "ip.arp_ignore 1",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kArp, .of_networks = true},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "each port has a subnet of its own, or arp_filter is 1",
                         .test = "on a peer: ip neighbour show, two addresses with one lladdr"},
               .run = arp_flux},
    FindingRow{.id = "arp-announce",
               .level = FindingLevel::note,
               .why = "Others learn from requests too which hardware address an address has.",
               .remedy = "ip.arp_announce 2",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kNotification},
               .examines = CheckTarget::port,
               .run = arp_announce},
    FindingRow{.id = "rp-filter-strict",
               .level = FindingLevel::note,
               .why = "Of two ports in one subnet one is the way back for both: ARP, TCP and soft "
                      "RoCE to the other are dropped. The NIC's own RoCE does not pass the filter.",
               .remedy = "ip.rp_filter 2",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kFilter},
               .examines = CheckTarget::port,
               .run = strict_filter},
};

constexpr auto kAllNeighbours = each_of(kRowsNeighbours);

}  // namespace

const FindingGroup finding_group::neighbours{
    .name = "neighbours",
    .doc = "Whether ports find their neighbours, and neighbours the right port.",
    .rows = kAllNeighbours};

}  // namespace core
