// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "core/model/access.hpp"
#include "core/model/driver.hpp"
#include "core/objects/link/parts.hpp"
#include "core/objects/rows.hpp"

namespace core {

namespace {

constexpr std::string_view kV1 = "IB/RoCE v1";
constexpr std::string_view kV2 = "RoCE v2";

}  // namespace

const Gid* find_gid(const Port& port, const Ip& address) {
    if (!port.rdma_port || !port.rdma_port->gids) return nullptr;
    const Ip wanted = mapped(address);
    for (const Gid& gid : *port.rdma_port->gids)
        if (gid.type == kV2 && parse_ip(gid.gid) == wanted) return &gid;
    return nullptr;
}

}  // namespace core

namespace core::rdma_port {

namespace {

Got get_gids(const Port& port) {
    if (!port.rdma_port || !port.rdma_port->gids) return std::nullopt;
    Elements elements;
    for (const Gid& gid : *port.rdma_port->gids) {
        Record record{{"index", std::uint64_t{gid.index}}, {"gid", gid.gid}};
        if (!gid.type.empty()) record["type"] = gid.type;
        if (!gid.port.empty()) record["port"] = gid.port;
        elements.emplace(std::to_string(gid.index), std::move(record));
    }
    return elements;
}

void set_gids(Port& port, const Elements& elements) {
    auto& gids = part_of<&Port::rdma_port>(port).gids.emplace();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        gids.push_back({.index = static_cast<std::uint32_t>(number_part(record, "index")),
                        .gid = text_part(record, "gid"),
                        .type = text_part(record, "type"),
                        .port = text_part(record, "port")});
    }
}

/// The state of a RoCE port follows its netdev (drivers/infiniband/core/roce_gid_mgmt.c and the
/// drivers' netdev notifiers), a little later.
std::optional<std::string> not_active(const State& /*state*/, const Port& port,
                                      const Value& desired) {
    if (!port.rdma_port || port.rdma_port->state.empty() || desired == Value(false))
        return std::nullopt;
    if (port.link && !port.link->up) return std::nullopt;  // that it is down is meant so
    const RdmaPort& now = *port.rdma_port;
    if (now.state == "ACTIVE") return std::string();
    return "the RDMA port is " + now.state +
           (now.physical_state.empty() ? "" : ", " + now.physical_state);
}

/// The ports with the tables that have the GIDs of this one: a VLAN's stand in that of the device
/// below, those of a bond without a device in those of its members: of the active one alone where
/// there is such a one (roce_gid_mgmt.c is_eth_port_of_netdev_filter).
std::vector<const Port*> with_tables(const State& state, const Port& port) {
    const auto has_table = [](const Port* one) {
        return one != nullptr && one->rdma_port &&
               (!one->rdma_link || !one->rdma_link->device.empty());
    };
    const Port* below = &port;
    if (!has_table(below) && port.link && !port.link->lower.empty())
        below = find_port(state, port.link->lower);
    if (has_table(below)) return {below};
    std::vector<const Port*> out;
    if (below == nullptr || !below->link || below->link->kind != "bond") return out;
    for (const std::string& name : link::members_of(state, below->name))
        if (const Port* member = find_port(state, name); has_table(member)) out.push_back(member);
    return out;
}

/// Whether nothing tells what the GIDs in the table are of. iWARP and InfiniBand have GIDs of no
/// netdev; of RoCE the kernel names it for each (drivers/infiniband/core/sysfs.c).
bool is_of_no_netdev(const Port& table) {
    const auto& gids = *table.rdma_port->gids;
    return !gids.empty() &&
           std::ranges::all_of(gids, [](const Gid& gid) { return gid.port.empty(); });
}

/// The kernel keeps a GID for each address of a netdev that a RoCE port is on (roce_gid_mgmt.c,
/// from a work queue), and one of its link-local address whatever addresses it has: a table that is
/// empty lacks them.
std::optional<std::string> no_gid(const State& state, const Port& port, const Value& address) {
    const auto* words = std::get_if<std::string>(&address);
    const auto prefix = words == nullptr ? std::nullopt : parse_prefix(*words);
    if (!prefix) return std::nullopt;
    std::vector<const Port*> tables = with_tables(state, port);
    std::erase_if(tables, [](const Port* table) {
        return !table->rdma_port->gids || !rdma_link::speaks_roce(*table) ||
               is_of_no_netdev(*table);
    });
    if (tables.empty()) return std::nullopt;
    const bool there = std::ranges::any_of(
        tables, [&](const Port* table) { return find_gid(*table, prefix->ip) != nullptr; });
    return there ? std::string() : "no RoCE v2 GID is " + core::text(prefix->ip);
}

/// Whether a RoCE device is there, and its table was not recorded.
bool has_unrecorded_gids(const State& state, const Port& port) {
    const auto is_unrecorded = [](const Port& table) {
        return rdma_link::has_device(table) && rdma_link::speaks_roce(table) &&
               (!table.rdma_port || !table.rdma_port->gids);
    };
    const std::vector<const Port*> tables = with_tables(state, port);
    if (tables.empty()) return is_unrecorded(port);
    return std::ranges::all_of(tables, [&](const Port* table) { return is_unrecorded(*table); });
}

}  // namespace

void forget_empty_tables(State& state) {
    std::vector<Port*> empty;
    for (Port& port : state.ports) {
        if (!rdma_link::has_device(port) || !rdma_link::speaks_roce(port) || !port.rdma_port ||
            !port.rdma_port->gids)
            continue;
        if (!port.rdma_port->gids->empty()) return;
        empty.push_back(&port);
    }
    if (empty.size() < 2) return;
    for (Port* port : empty)
        port->rdma_port->gids.reset();
}

namespace {

/// The GID of an address as sysfs prints it: eight groups of four digits.
std::string gid_text(const Ip& ip) {
    constexpr std::string_view digits = "0123456789abcdef";
    const Ip whole = mapped(ip);
    std::string out;
    for (std::size_t i = 0; i < whole.bytes.size(); ++i) {
        if (i != 0 && i % 2 == 0) out += ':';
        out += digits.at(whole.bytes.at(i) / 16U);
        out += digits.at(whole.bytes.at(i) % 16U);
    }
    return out;
}

/// The address that the kernel makes of a hardware address (include/net/addrconf.h
/// addrconf_addr_eui48), which has a GID whether the netdev has it or not
/// (drivers/infiniband/core/cache.c ib_cache_gid_set_default_gid). Nothing where the text is no
/// hardware address.
std::optional<Ip> link_local_of(const std::string& mac) {
    constexpr std::size_t octets = 6;
    std::array<std::uint8_t, octets> bytes{};
    if (mac.size() != octets * 3 - 1) return std::nullopt;
    for (std::size_t i = 0; i < octets; ++i) {
        const char* const at = mac.data() + i * 3;
        if (std::from_chars(at, at + 2, bytes.at(i), 16).ptr != at + 2) return std::nullopt;
    }
    Ip out{.v6 = true};
    out.bytes = {0xfe, 0x80,     0,        0,    0,    0,        0,        0,
                 0,    bytes[1], bytes[2], 0xff, 0xfe, bytes[3], bytes[4], bytes[5]};
    out.bytes[8] = static_cast<std::uint8_t>(bytes[0] ^ 2U);
    return out;
}

/// The netdev whose link-local address stands first in the table of the port's device: its bond,
/// where it has one (roce_gid_mgmt.c is_eth_port_of_netdev_filter).
const Port& netdev_of(const State& state, const Port& port) {
    const std::string bond = link::bond_of(port);
    const Port* found = bond.empty() ? nullptr : find_port(state, bond);
    return found == nullptr ? port : *found;
}

/// The GIDs that the kernel keeps in the table of the port's device, without indices: for each
/// address one of each version that the device does, v1 first (cache.c gid_type_str).
std::vector<Gid> wanted_gids(const State& state, const Port& port) {
    const auto& known = port.rdma_port ? port.rdma_port->gids : std::nullopt;
    const rdma_link::SoftDriver* soft = rdma_link::soft_driver(port.rdma_link->type);
    bool v1 = soft != nullptr ? soft->roce_v1 : driver_of(port).rdma_port.roce_v1;
    if (known && !known->empty()) v1 = std::ranges::find(*known, kV1, &Gid::type) != known->end();
    std::vector<Gid> out;
    const auto add = [&](const Ip& ip, const std::string& netdev) {
        const std::string text = gid_text(ip);
        const auto same = [&](const Gid& gid) { return gid.gid == text && gid.port == netdev; };
        if (std::ranges::any_of(out, same)) return;
        if (v1) out.push_back({.gid = text, .type = std::string(kV1), .port = netdev});
        out.push_back({.gid = text, .type = std::string(kV2), .port = netdev});
    };
    const Port& netdev = netdev_of(state, port);
    if (const auto own = link_local_of(netdev.link->mac)) add(*own, netdev.name);
    for (const Port& other : state.ports) {
        const bool above = other.link && other.link->kind == "vlan" &&
                           (other.link->lower == netdev.name || other.link->lower == port.name);
        if ((&other != &netdev && !above) || !other.addresses) continue;
        for (const bool v6 : {false, true})  // enum_netdev_ipv4_ips, then ipv6
            for (const Address& address : *other.addresses)
                if (address.ip.v6 == v6) add(address.ip, other.name);
    }
    return out;
}

/// What stays keeps its index, and what comes gets the lowest that is free (cache.c
/// __ib_cache_gid_add, find_gid).
std::vector<Gid> placed(std::vector<Gid> wanted, const std::vector<Gid>& held) {
    const auto same = [](const Gid& left, const Gid& right) {
        return parse_ip(left.gid) == parse_ip(right.gid) && left.type == right.type &&
               left.port == right.port;
    };
    std::vector<Gid> out;
    std::set<std::uint32_t> taken;
    for (const Gid& gid : held)
        if (std::ranges::any_of(wanted, [&](const Gid& one) { return same(one, gid); })) {
            taken.insert(gid.index);
            out.push_back(gid);
        }
    std::uint32_t next = 0;
    for (Gid& gid : wanted) {
        if (std::ranges::any_of(held, [&](const Gid& one) { return same(one, gid); })) continue;
        while (taken.contains(next))
            ++next;
        gid.index = next;
        taken.insert(next);
        out.push_back(std::move(gid));
    }
    std::ranges::sort(out, {}, &Gid::index);
    return out;
}

/// The port of a RoCE device goes by its netdev, and its table by the addresses.
void follow(const State& state, Port& port) {
    if (!rdma_link::has_device(port) || !rdma_link::speaks_roce(port) || !port.link) return;
    const Port& netdev = netdev_of(state, port);
    if (!netdev.link) return;
    RdmaPort now = port.rdma_port.value_or(RdmaPort{});
    const bool works = port.link->up && port.link->carrier;
    now.state = works ? "ACTIVE" : "DOWN";
    now.physical_state = works ? "LINK_UP" : "DISABLED";
    if (netdev.addresses)
        now.gids = placed(wanted_gids(state, port), now.gids.value_or(std::vector<Gid>{}));
    port.rdma_port = std::move(now);
}

constexpr std::array<std::string_view, 2> kActiveWith = {"up", "rdma.link"};
constexpr Proof kActive = {.from = kActiveWith,
                           .after = "carrier",
                           .finding = &findings::rdma_not_active,
                           .missing = not_active};
constexpr std::array<std::string_view, 1> kOfAddresses = {"addresses"};
constexpr Proof kGid = {.from = kOfAddresses,
                        .after = "carrier",
                        .finding = &findings::no_gid,
                        .missing = no_gid,
                        .unrecorded = has_unrecorded_gids};

using enum Shape::Kind;

constexpr std::array kGidParts = {
    RecordPart{.name = "index",
               .shape = {.kind = number, .max = kU32},
               .doc = "Index in the table.",
               .required = true,
               .identity = true},
    RecordPart{.name = "gid", .shape = {.kind = text}, .doc = "The GID.", .required = true},
    RecordPart{.name = "type", .shape = {.kind = text}, .doc = "RoCE version."},
    RecordPart{.name = "port",
               .shape = {.kind = text, .names = Shape::Names::port},
               .doc = "Network port it belongs to."},
};

constexpr std::array kFields = {
    fact("rdma.state", {.kind = text}, "State of the RDMA port.",
         get_text<&Port::rdma_port, &RdmaPort::state>, set_text<&Port::rdma_port, &RdmaPort::state>,
         &kActive),
    fact("rdma.physical_state", {.kind = text}, "Physical state of the RDMA port.",
         get_text<&Port::rdma_port, &RdmaPort::physical_state>,
         set_text<&Port::rdma_port, &RdmaPort::physical_state>),
    fact("rdma.gids", {.kind = items, .parts = kGidParts},
         "GID table: what other hosts address the port by.", get_gids, set_gids, &kGid),
};

constexpr std::array kFoundBy = {Object::rdma_link};
constexpr std::array kFollows = {Object::link,     Object::addresses,    Object::bond,
                                 Object::devlink,  Object::bond_members, Object::vlan,
                                 Object::rdma_link};

}  // namespace

constinit const ObjectRow row = {.object = Object::rdma_port,
                                 .name = "rdma_port",
                                 .doc = "State and GIDs.",
                                 .topic = Topic::rdma,
                                 .lives = Lives::rdma_device,
                                 .fields = kFields,
                                 .lifecycle = {.follows = kFollows, .follow = follow},
                                 .read = {.always = true, .on_demand = true, .found_by = kFoundBy}};

}  // namespace core::rdma_port
