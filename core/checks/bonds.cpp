// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/model/shell.hpp"
#include "core/objects/link/parts.hpp"
#include "core/objects/rdma/parts.hpp"

// Whether bonds carry RoCE, and all of their members do.

namespace core {
namespace {

constexpr std::array<Keys, 2> kAddressesToo = {"up", "addresses"};
constexpr std::array<Keys, 2> kSpeedsAndMode = {"speed", "bond.mode"};
constexpr std::array<Keys, 1> kOfAnyPort = {"up"};
constexpr std::array<Keys, 1> kOfBonds = {"bond.mode"};
constexpr std::array<Keys, 2> kDevicesToo = {"up", "rdma.device"};
constexpr std::array<Keys, 2> kMonitors = {"bond.mode", "bond.miimon"};
constexpr std::array<Ids, 1> kModeIsRight = {"bond-mode"};
constexpr std::array<Ids, 2> kCanBond = {"bond-mode", "bond-members-apart"};
constexpr std::array<Ids, 1> kOfNoLag = {"rdma-device-missing"};
constexpr std::array<Ids, 1> kIsWatched = {"bond-unwatched"};
constexpr std::array<Ids, 3> kOfUnwatched = {"bond-member-lost", "link-flapping",
                                             "retries-exhausted"};
constexpr std::array<Ids, 2> kOfLostMember = {"link-flapping", "retries-exhausted"};

/// The bond that the port is, or is a member of; null where it is neither, or it was not read.
const Port* bond_at(const Evidence& evidence) {
    const Link& link = *evidence.now->link;
    if (link.kind == "bond") return evidence.now;
    const std::string name = link::bond_of(*evidence.now);
    return name.empty() ? nullptr : find_port(*evidence.state, name);
}

bool is_reported_here(const Evidence& evidence, const Port& bond) {
    const auto& ports = evidence.fabric_ports;
    if (evidence.index->is_of_fabric(bond.name)) return evidence.now->name == bond.name;
    const auto first = std::ranges::find_if(
        ports, [&](const Port* port) { return link::bond_of(*port) == bond.name; });
    return first != ports.end() && (*first)->name == evidence.now->name;
}

/// The bond to report on while this port is examined, so that each bond is reported once: with the
/// bond itself if it is a port of the fabric, else with its first member that is. Null for every
/// other port, and where the bond was not read.
const Port* reported_bond(const Evidence& evidence) {
    const Port* bond = bond_at(evidence);
    return bond != nullptr && is_reported_here(evidence, *bond) ? bond : nullptr;
}

/// The bond's members that are in the state.
std::vector<const Port*> members_at(const Evidence& evidence, const Port& bond) {
    std::vector<const Port*> out;
    for (const std::string& name : link::members_of(*evidence.state, bond.name))
        out.push_back(find_port(*evidence.state, name));
    return out;
}

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

/// drivers/net/ethernet/mellanox/mlx5/core/lag/lag.c mlx5_lag_check_prereq takes these modes, and
/// the other drivers no more of them.
Faults other_mode(const Evidence& evidence) {
    const Port* bond = reported_bond(evidence);
    if (bond == nullptr || !bond->bond) return {};
    constexpr std::array<std::string_view, 3> can = {"active-backup", "balance-xor", "802.3ad"};
    if (std::ranges::find(can, bond->bond->mode) != can.end() || bond->bond->mode.empty())
        return {};
    return fault("the bond " + bond->name + " has mode " + bond->bond->mode +
                 ", in which no NIC sends RoCE by both its ports");
}

bool spreads_at(const Port& bond) {
    return bond.bond && bond::spreads(*bond.bond);
}

/// `0000:1a:00` of `0000:1a:00.1`: functions of one NIC differ in the last part alone.
std::string card_of(const Port& port) {
    const std::string& pci = port.link ? port.link->pci : std::string();
    return pci.substr(0, pci.rfind('.'));
}

Faults two_cards(const Evidence& evidence) {
    const Port* bond = reported_bond(evidence);
    if (bond == nullptr) return {};
    const Port* first = nullptr;
    for (const Port* member : members_at(evidence, *bond)) {
        if (card_of(*member).empty()) continue;
        if (first == nullptr) first = member;
        if (card_of(*member) != card_of(*first)) {
            Faults out =
                fault("members of the bond " + bond->name +
                      " are ports of different NICs: " + first->name + " (" + first->link->pci +
                      ") and " + member->name + " (" + member->link->pci + ')');
            out.front().slight = !spreads_at(*bond);
            return out;
        }
    }
    return {};
}

/// A NIC that bonds RoCE has one device for all its ports: mlx5 makes one of the bond
/// (drivers/net/ethernet/mellanox/mlx5/core/lag/lag.c mlx5_activate_lag), irdma keeps that of one
/// port. A soft device stands on any port, and is nothing that a NIC could bond.
Faults devices_of_members(const Evidence& evidence) {
    const Port* bond = reported_bond(evidence);
    if (bond == nullptr) return {};
    std::string devices;
    std::size_t count = 0;
    for (const Port* member : members_at(evidence, *bond)) {
        if (!rdma_link::has_device(*member) || !member->rdma_link->type.empty()) continue;
        devices.append(devices.empty() ? "" : ", ").append(member->name);
        devices.append(" has ").append(member->rdma_link->device);
        ++count;
    }
    if (count < 2) return {};
    Faults out = fault("RDMA does not use the bond " + bond->name +
                       ", its members have a device each: " + devices);
    out.front().slight = !spreads_at(*bond);
    return out;
}

constexpr std::array kRowsBonds = {
    FindingRow{.id = "bond-mode",
               .why = "NICs bond RoCE by themselves, and only as active-backup, balance-xor or "
                      "802.3ad: in another mode RDMA has one port, or none.",
               .remedy = "bond.mode 802.3ad or active-backup",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kOfAnyPort, .beside = kOfBonds},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "rdma link shows the bond as the port of the device"},
               .run = other_mode},
    FindingRow{
        .id = "bond-members-apart",
        .why = "A NIC bonds its own ports. Over two NICs RDMA stays with the one that it began "
               "with, and ends when that link is lost; where the bond spreads packets (802.3ad, "
               "balance-xor), the switch answers to the other NIC too, and what arrives there "
               "is lost.",
        .remedy = "a bond of the ports of one NIC",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kOfAnyPort, .beside = kOfBonds, .sound = kModeIsRight},
        .examines = CheckTarget::port,
        .cause = {.ruled_out_by = "the NIC is one with several PCI functions of this kind"},
        .run = two_cards},
    FindingRow{
        .id = "roce-lag-inactive",
        .why = "A NIC that bonds RoCE has one RDMA device for all members. With one each, RDMA to "
               "and from the bond's addresses ends when the link of the member that has it is "
               "lost; where the bond spreads packets (802.3ad, balance-xor), the switch answers "
               "to the other member too, and what arrives there is lost.",
        .remedy = "RDMA without the bond, where the NIC's driver bonds no RoCE; else what keeps "
                  "it from that: with mlx5 virtual functions or switchdev of one port alone",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kDevicesToo, .beside = kOfBonds, .sound = kCanBond},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfNoLag,
                  .ruled_out_by = "no program uses RDMA over the bond's addresses",
                  .test = "rdma link; dmesg | grep -i lag"},
        .run = devices_of_members},
    FindingRow{.id = "bond-unwatched",
               .why =
                   "The bond leaves a member that lost its link only where it watches: by miimon "
                   "or arp_interval. Without both, what it sends by that member is lost, and "
                   "nothing fails over.",
               .remedy = "bond.miimon 100",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kOfAnyPort, .beside = kMonitors, .sound = kModeIsRight},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfUnwatched,
                         .ruled_out_by = "/proc/net/bonding names a polling interval that is not 0",
                         .test = "cat /proc/net/bonding/BOND"},
               .run = not_watched},
    FindingRow{.id = "bond-member-lost",
               .level = FindingLevel::note,
               .why = "The bond goes on with what it has: half the bandwidth, and nothing left "
                      "when the next link goes.",
               .remedy = "the cable and the switch port of that member",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kOfAnyPort, .sound = kIsWatched},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfLostMember,
                         .ruled_out_by = "the member is meant to be a cold spare",
                         .test = "cat /proc/net/bonding/BOND"},
               .run = lost_member},
    FindingRow{.id = "bond-member-mtu",
               .why = "What the bond sends by that member is cut off at the member's own MTU: "
                      "larger RDMA packets are lost there.",
               .remedy = "the member's MTU, as the bond has it: ip link set dev MEMBER mtu",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kOfAnyPort},
               .examines = CheckTarget::port,
               .run = member_of_other_mtu},
    FindingRow{.id = "bond-member-speed",
               .level = FindingLevel::note,
               .why = "802.3ad leaves a member of another speed out of the aggregate, and in the "
                      "other modes its share of the connections is slower.",
               .remedy = "the same speed on all members and at the switch",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kOfAnyPort, .beside = kSpeedsAndMode},
               .examines = CheckTarget::port,
               .cause = {.test = "cat /proc/net/bonding/BOND"},
               .run = members_of_two_speeds},
    FindingRow{.id = "bond-hash",
               .level = FindingLevel::note,
               .why =
                   "Queue pairs are told apart by addresses and UDP ports; by hardware addresses "
                   "they are all alike, and one member carries everything.",
               .remedy = "bond.xmit_hash_policy layer3+4, and the same at the switch",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kOfAnyPort, .beside = kOfBonds, .sound = kModeIsRight},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "all peers are on the link, each with its own address",
                         .test = "ethtool -S of both members, bytes sent"},
               .run = one_hash},
    FindingRow{.id = "bond-member-address",
               .why = "A member sends what the bond gives it: an address of its own has a GID that "
                      "works by luck, and ARP answers for it on either port.",
               .remedy = "the address on the bond",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kAddressesToo},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "ip address shows none on the member"},
               .run = member_with_address},
};

constexpr auto kAllBonds = each_of(kRowsBonds);

}  // namespace

const FindingGroup finding_group::bonds{
    .name = "bonds",
    .doc = "Whether bonds carry RoCE, and all of their members do.",
    .rows = kAllBonds};

}  // namespace core
