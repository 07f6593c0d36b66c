// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include "core/checks/checks.hpp"
#include "core/model/finding_names.hpp"
#include "core/objects/rdma/parts.hpp"

namespace core {
namespace {

constexpr std::array<Keys, 2> kCarrierOf = {"up", "carrier"};
constexpr std::array<Keys, 2> kStateOf = {"rdma.device", "rdma.state"};
constexpr std::array<Keys, 2> kMtuInUse = {"mtu", "rdma.active_mtu"};
constexpr std::array<Keys, 2> kGidsOf = {"rdma.gids", "addresses"};
constexpr std::array<Ids, 1> kNotDown = {"port-down"};
constexpr std::array<Ids, 3> kLinked = {"port-down", "no-carrier", "rdma-device-missing"};
constexpr std::array<Ids, 6> kOfNoCarrier = {"rdma-not-active",   "no-gid",
                                             "rdma-mtu",          "neighbour-failed",
                                             "speed-of-siblings", "asked-on-link"};

constexpr std::array<Keys, 1> kUp = {"up"};
constexpr std::array<Keys, 1> kDuplicates = {"addresses"};
constexpr std::array<Ids, 1> kOfDuplicate = {"no-gid"};
constexpr std::array<Ids, 6> kOfDown = {"no-carrier", "rdma-not-active",   "no-gid",
                                        "rdma-mtu",   "speed-of-siblings", "neighbour-failed"};

Faults set_down(const Evidence& evidence) {
    // By the device of a member its bond sends, and the member stays up when that is set down.
    Faults out;
    for (const Port* sender : senders_of(evidence)) {
        const bool is_own = sender == evidence.now;
        if (!sender->link || sender->link->up || evidence.index->is_desired_down(sender->name))
            continue;
        if (!is_own && sender->link->kind != "bond") continue;
        const std::string what =
            is_own ? "the port" : "the bond " + sender->name + ", which sends by the port,";
        out.push_back(
            {.text = what + " is administratively down", .fix = {fixed(*sender, "up", true)}});
    }
    return out;
}

constexpr std::array<Keys, 2> kReasons = {"link_state.reason", "link_state.detail"};

struct ReasonRow {
    std::string_view reason;
    std::string_view remedy;
};
/// What fixes what the device gives as its reason (link_state::reason_word).
constexpr std::array kNoLink = {
    ReasonRow{"autonegotiation",
              "the other end: whether it is on, has the same speeds and "
              "autonegotiates too (link.autoneg, link.speed)"},
    ReasonRow{"link training failure", "the cable or module, or the other end's settings of it"},
    ReasonRow{"logical mismatch", "the same speed and error correction at both ends (link.fec)"},
    ReasonRow{"bad signal integrity", "the cable or module cleaned or replaced"},
    ReasonRow{"no cable", "a cable, or the one that is there pushed in"},
    ReasonRow{"cable issue", "a cable or module that the device takes"},
    ReasonRow{"EEPROM issue", "another module: this one does not tell what it is"},
    ReasonRow{"power budget exceeded", "a module that takes less power, or more for the slot"},
    ReasonRow{"overheat", "the air around the module and the card"},
    ReasonRow{"module", "the module taken out and put in again, or another one"},
};

Faults carrier_off(const Evidence& evidence) {
    if (evidence.now->link->carrier) return {};
    Faults out = fault("the link is not there: carrier is off");
    const auto& reported = evidence.now->link_state;
    if (!reported || reported->reason.empty()) return out;
    out.front().text += ", the device says " + reported->reason;
    if (!reported->detail.empty()) out.front().text += ", " + reported->detail;
    const auto known = std::ranges::find(kNoLink, reported->reason, &ReasonRow::reason);
    if (known != kNoLink.end()) out.front().remedy = known->remedy;
    return out;
}

/// What the fact's proof says is missing on the port beside the setting that it follows from.
Faults missing(const Evidence& evidence, const Port& port, std::string_view key,
               const Value& desired) {
    const auto* proof = find_field(key)->proves;
    const auto said = proof->missing(*evidence.state, port, desired);
    return said && !said->empty() ? fault(*said) : Faults{};
}

Faults missing(const Evidence& evidence, std::string_view key, const Value& desired) {
    return missing(evidence, *evidence.now, key, desired);
}

Faults not_active(const Evidence& evidence) {
    return missing(evidence, "rdma.state", true);
}

Faults other_mtu(const Evidence& evidence) {
    return missing(evidence, "rdma.active_mtu", std::uint64_t{evidence.now->link->mtu});
}

/// The same for each of the addresses of the port, which is named where it is another one.
void add_missing(const Evidence& evidence, const Port& port, std::string_view key,
                 const std::vector<Address>& addresses, Faults& out) {
    for (const Address& address : addresses) {
        const Prefix prefix{.ip = address.ip, .length = address.prefix_length};
        for (Fault& each : missing(evidence, port, key, text(prefix))) {
            if (&port != evidence.now) each.text += ", an address of " + port.name;
            out.push_back(std::move(each));
        }
    }
}

/// The GIDs of the addresses of VLANs and bonds are in the table of the device below, as long as
/// they are up; and in no other, where the bond is looked at by itself.
Faults gids_lacking(const Evidence& evidence) {
    Faults out;
    for (const Port* port : evidence.index->senders_by(*evidence.now))
        if (port == evidence.now || (port->link && port->link->up))
            add_missing(evidence, *port, "rdma.gids", reachable_addresses(*port), out);
    return out;
}

/// The kernel has the address, and uses it for nothing.
Faults used_by_another(const Evidence& evidence) {
    Faults out;
    for (const Port* port : evidence.index->senders_by(*evidence.now))
        if (port->addresses)
            add_missing(evidence, *port, "addresses_duplicate", *port->addresses, out);
    return out;
}

}  // namespace

const FindingRow findings::port_down{
    .id = "port-down",
    .why = "A port that is down sends nothing, and its RDMA device has no port.",
    .remedy = "up true",
    .manual = "rocectl-doctor(8), DESCRIPTION",
    .needs = {.keys = kUp},
    .examines = CheckTarget::port,
    .cause = {.explains = kOfDown,
              .ruled_out_by = "ip link shows the flag UP",
              .weight = Weight::stop},
    .run = set_down};
const FindingRow findings::no_carrier{
    .id = "no-carrier",
    .why = "The port is up as desired, and has no link: nothing leaves it, whatever is set.",
    .remedy = "the cable, the module and the other end; --wait where it is only slow",
    .manual = "rocectl(8), READINESS",
    .needs = {.keys = kCarrierOf, .beside = kReasons, .sound = kNotDown},
    .examines = CheckTarget::port,
    .cause = {.explains = kOfNoCarrier,
              .ruled_out_by = "ethtool names a link partner",
              .test = "ethtool PORT; the counters of the switch port",
              .weight = Weight::stop},
    .run = carrier_off};
const FindingRow findings::other_speed{
    .id = "other-speed",
    .why = "The link has another speed than the one that is desired.",
    .remedy = "the cable, the module and the speed that the other end offers",
    .manual = "rocectl(8), READINESS"};
const FindingRow findings::rdma_not_active{
    .id = "rdma-not-active",
    .why = "The link is there, and the RDMA port on it is not ACTIVE: nothing can connect.",
    .remedy = "what the kernel's log says of the RDMA device; rocectl show tells its state",
    .manual = "rocectl(8), READINESS",
    .needs = {.keys = kStateOf, .sound = kLinked},
    .examines = CheckTarget::port,
    .cause = {.weight = Weight::stop},
    .run = not_active};
const FindingRow findings::rdma_mtu{
    .id = "rdma-mtu",
    .why =
        "The RDMA MTU follows from the port's MTU. A smaller one costs speed, a larger one loses "
        "packets.",
    .remedy = "the port down and up again, or its RDMA device made anew",
    .manual = "rocectl(8), READINESS",
    .needs = {.keys = kMtuInUse, .sound = kLinked},
    .examines = CheckTarget::port,
    .run = other_mtu};
const FindingRow findings::no_gid{
    .id = "no-gid",
    .why =
        "The kernel keeps a GID for each address of a RoCE port. Without one nobody can connect "
        "from that address.",
    .remedy = "the address removed and added again; rocectl show lists the GIDs",
    .manual = "rocectl(8), READINESS",
    .needs = {.keys = kGidsOf, .sound = kLinked},
    .examines = CheckTarget::port,
    .cause = {.weight = Weight::stop},
    .run = gids_lacking};

const FindingRow findings::address_in_use{
    .id = "address-in-use",
    .why =
        "Another host on the link had the IPv6 address first: the kernel keeps it and uses it for "
        "nothing, so that it has no GID and nothing can bind to it.",
    .remedy = "an address that no other host has; then the address removed and added again",
    .manual = "rocectl(8), READINESS",
    .needs = {.keys = kDuplicates},
    .examines = CheckTarget::port,
    .cause = {.explains = kOfDuplicate,
              .ruled_out_by = "ip -6 address shows the address without dadfailed",
              .weight = Weight::stop},
    .run = used_by_another};

namespace {

constexpr std::array kAllReadiness = {&findings::port_down,       &findings::no_carrier,
                                      &findings::other_speed,     &findings::address_in_use,
                                      &findings::rdma_not_active, &findings::rdma_mtu,
                                      &findings::no_gid};

}  // namespace

const FindingGroup finding_group::readiness{
    .name = "readiness", .doc = "Whether ports that are as desired work.", .rows = kAllReadiness};

}  // namespace core
