// SPDX-License-Identifier: Apache-2.0
#include "core/checks/members.hpp"

#include "core/checks/health.hpp"
#include "core/checks/reported_bond.hpp"
#include "core/model/shell.hpp"
#include "core/objects/link/parts.hpp"

// Whether the members of bonds carry what the bonds send.

namespace core {
namespace {

constexpr std::array<Keys, 1> kOfMembers = {"up"};
constexpr std::array<Keys, 1> kModeAlone = {"bond.mode"};
constexpr std::array<Keys, 2> kAddressesToo = {"up", "addresses"};
constexpr std::array<Keys, 2> kSpeedsAndMode = {"speed", "bond.mode"};

/// Those that have no link, where others have one.
std::vector<const Port*> lost_members_of(const std::vector<const Port*>& members) {
    std::vector<const Port*> lost;
    for (const Port* member : members)
        if (member->link && (!member->link->up || !member->link->carrier)) lost.push_back(member);
    if (lost.size() == members.size()) lost.clear();
    return lost;
}

std::string names_in_order(const std::vector<const Port*>& ports) {
    std::string out;
    for (const Port* port : ports)
        out.append(out.empty() ? "" : ", ").append(port->name);
    return out;
}

Faults lost_member(const Evidence& evidence) {
    const Port* bond = reported_bond(evidence);
    if (bond == nullptr) return {};
    const std::vector<const Port*> members = members_at(evidence, *bond);
    const std::vector<const Port*> lost = lost_members_of(members);
    if (lost.empty()) return {};
    return {{.text = std::to_string(lost.size()) + " of " + std::to_string(members.size()) +
                     " members of the bond " + bond->name +
                     " have no link: " + names_in_order(lost),
             .names = {{"BOND", shell(bond->name)}}}};
}

/// The bond stays with a member whose link is lost (drivers/net/bonding/bond_main.c
/// bond_slave_netdev_event chooses no other one when a member goes down).
Faults not_watched(const Evidence& evidence) {
    const Port* bond = reported_bond(evidence);
    if (bond == nullptr || !bond->bond) return {};
    const std::vector<const Port*> members = members_at(evidence, *bond);
    if (bond->bond->mode.empty() || members.size() < 2 || bond::watches_members(*bond->bond))
        return {};
    const std::vector<const Port*> lost = lost_members_of(members);
    Fault out{.text = "the bond " + bond->name +
                      " watches no links (miimon 0), and goes on sending by a member that lost its "
                      "own",
              .fix = {fixed(*bond, "bond.miimon", std::uint64_t{100})},
              .slight = lost.empty(),
              .names = {{"BOND", shell(bond->name)}}};
    if (!lost.empty()) out.text += ": " + names_in_order(lost);
    return {std::move(out)};
}

Faults one_hash(const Evidence& evidence) {
    const Port* bond = reported_bond(evidence);
    if (bond == nullptr || !bond->bond) return {};
    if (!bond::spreads(*bond->bond) || bond->bond->xmit_hash_policy != "layer2") return {};
    return fault("the bond " + bond->name +
                     " chooses the member by hardware addresses alone "
                     "(layer2): all that goes to one gateway takes one member",
                 fixed(*bond, "bond.xmit_hash_policy", std::string("layer3+4")));
}

/// The kernel lets a member's MTU be set by itself (drivers/net/bonding/bond_main.c
/// bond_slave_netdev_event), and the hardware takes it.
Faults member_of_other_mtu(const Evidence& evidence) {
    const Port* bond = reported_bond(evidence);
    Faults out;
    if (bond == nullptr || !bond->link) return out;
    const std::string mtu = std::to_string(bond->link->mtu);
    for (const Port* member : members_at(evidence, *bond))
        if (member->link && member->link->mtu != bond->link->mtu)
            out.push_back({.text = member->name + ", a member of " + bond->name + ", has MTU " +
                                   std::to_string(member->link->mtu) + ", the bond has " + mtu,
                           .fix = {fixed(*member, "mtu", std::uint64_t{bond->link->mtu})}});
    return out;
}

Faults members_of_two_speeds(const Evidence& evidence) {
    const Port* bond = reported_bond(evidence);
    // Of active-backup one member sends, and the other may well be a slower spare.
    if (bond == nullptr || !bond->bond || bond->bond->mode == "active-backup") return {};
    const Port* first = nullptr;
    for (const Port* member : members_at(evidence, *bond)) {
        if (!speed::known(*member) || !member->link || !member->link->carrier) continue;
        if (first == nullptr) first = member;
        if (*member->speed != *first->speed)
            return {{.text = "members of the bond " + bond->name + " have different speeds: " +
                             first->name + " has " + std::to_string(*first->speed) + " Mb/s, " +
                             member->name + " has " + std::to_string(*member->speed),
                     .names = {{"BOND", shell(bond->name)}}}};
    }
    return {};
}

Faults member_with_address(const Evidence& evidence) {
    const Port* bond = reported_bond(evidence);
    Faults out;
    if (bond == nullptr) return out;
    for (const Port* member : members_at(evidence, *bond))
        for (const Address& address : reachable_addresses(*member))
            out.push_back({.text = member->name + " is a member of " + bond->name +
                                   " and has the address " + text(address.ip) +
                                   ", which belongs on the bond"});
    return out;
}

constexpr std::array<Ids, 1> kModeOfBond = {"bond-mode"};
constexpr std::array<Ids, 1> kIsWatched = {"bond-unwatched"};
constexpr std::array<Ids, 3> kOfUnwatched = {"bond-member-lost", "link-flapping",
                                             "retries-exhausted"};
constexpr std::array<Keys, 2> kMonitors = {"bond.mode", "bond.miimon"};
constexpr std::array<Ids, 2> kOfLostMember = {"link-flapping", "retries-exhausted"};

}  // namespace

const FindingRow bond_members::unwatched{
    .id = "bond-unwatched",
    .why =
        "The bond leaves a member that lost its link only where it watches: by miimon "
        "or arp_interval. Without both, what it sends by that member is lost, and "
        "nothing fails over.",
    .remedy = "bond.miimon 100",
    .manual = "rocectl-doctor(8), DESCRIPTION",
    .needs = {.keys = kOfMembers, .beside = kMonitors, .sound = kModeOfBond},
    .examines = Examines::port,
    .cause = {.explains = kOfUnwatched,
              .ruled_out_by = "/proc/net/bonding names a polling interval that is not 0",
              .test = "cat /proc/net/bonding/BOND"},
    .run = not_watched};

const FindingRow bond_members::lost{
    .id = "bond-member-lost",
    .level = FindingLevel::note,
    .why =
        "The bond goes on with what it has: half the bandwidth, and nothing left "
        "when the next link goes.",
    .remedy = "the cable and the switch port of that member",
    .manual = "rocectl-doctor(8), DESCRIPTION",
    .needs = {.keys = kOfMembers, .sound = kIsWatched},
    .examines = Examines::port,
    .cause = {.explains = kOfLostMember,
              .ruled_out_by = "the member is meant to be a cold spare",
              .test = "cat /proc/net/bonding/BOND"},
    .run = lost_member};

const FindingRow bond_members::mtu{
    .id = "bond-member-mtu",
    .why =
        "What the bond sends by that member is cut off at the member's own MTU: "
        "larger RDMA packets are lost there.",
    .remedy = "the member's MTU, as the bond has it: ip link set dev MEMBER mtu",
    .manual = "rocectl-doctor(8), DESCRIPTION",
    .needs = {.keys = kOfMembers},
    .examines = Examines::port,
    .run = member_of_other_mtu};

const FindingRow bond_members::speed{
    .id = "bond-member-speed",
    .level = FindingLevel::note,
    .why =
        "802.3ad leaves a member of another speed out of the aggregate, and in the "
        "other modes its share of the connections is slower.",
    .remedy = "the same speed on all members and at the switch",
    .manual = "rocectl-doctor(8), DESCRIPTION",
    .needs = {.keys = kOfMembers, .beside = kSpeedsAndMode},
    .examines = Examines::port,
    .cause = {.test = "cat /proc/net/bonding/BOND"},
    .run = members_of_two_speeds};

const FindingRow bond_members::hash{
    .id = "bond-hash",
    .level = FindingLevel::note,
    .why =
        "Queue pairs are told apart by addresses and UDP ports; by hardware addresses "
        "they are all alike, and one member carries everything.",
    .remedy = "bond.xmit_hash_policy layer3+4, and the same at the switch",
    .manual = "rocectl-doctor(8), DESCRIPTION",
    .needs = {.keys = kOfMembers, .beside = kModeAlone, .sound = kModeOfBond},
    .examines = Examines::port,
    .cause = {.ruled_out_by = "all peers are on the link, each with its own address",
              .test = "ethtool -S of both members, bytes sent"},
    .run = one_hash};

const FindingRow bond_members::address{
    .id = "bond-member-address",
    .why =
        "A member sends what the bond gives it: an address of its own has a GID that "
        "works by luck, and ARP answers for it on either port.",
    .remedy = "the address on the bond",
    .manual = "rocectl-doctor(8), DESCRIPTION",
    .needs = {.keys = kAddressesToo},
    .examines = Examines::port,
    .cause = {.ruled_out_by = "ip address shows none on the member"},
    .run = member_with_address};

}  // namespace core
