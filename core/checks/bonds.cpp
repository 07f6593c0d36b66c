// SPDX-License-Identifier: Apache-2.0
#include "core/checks/health.hpp"
#include "core/checks/members.hpp"
#include "core/checks/reported_bond.hpp"
#include "core/objects/link/parts.hpp"
#include "core/objects/rdma/parts.hpp"

// Whether bonds carry RoCE, and all of their members do.

namespace core {
namespace {

constexpr std::array<Keys, 1> kOfAnyPort = {"up"};
constexpr std::array<Keys, 1> kOfBonds = {"bond.mode"};
constexpr std::array<Keys, 2> kDevicesToo = {"up", "rdma.device"};
constexpr std::array<Ids, 1> kModeIsRight = {"bond-mode"};
constexpr std::array<Ids, 2> kCanBond = {"bond-mode", "bond-members-apart"};
constexpr std::array<Ids, 1> kOfNoLag = {"rdma-device-missing"};

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
               .examines = Examines::port,
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
        .examines = Examines::port,
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
        .examines = Examines::port,
        .cause = {.explains = kOfNoLag,
                  .ruled_out_by = "no program uses RDMA over the bond's addresses",
                  .test = "rdma link; dmesg | grep -i lag"},
        .run = devices_of_members},
};

constexpr std::array kAllBonds = {
    &kRowsBonds[0],           &kRowsBonds[1],      &kRowsBonds[2],
    &bond_members::unwatched, &bond_members::lost, &bond_members::mtu,
    &bond_members::speed,     &bond_members::hash, &bond_members::address};

}  // namespace

const FindingGroup finding_group::bonds{
    .name = "bonds",
    .doc = "Whether bonds carry RoCE, and all of their members do.",
    .rows = kAllBonds};

}  // namespace core
