// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/link/parts.hpp"
#include "core/objects/rows.hpp"

namespace core {
const Gid* find_gid(const Port& port, const Ip& address) {
    if (!port.rdma_port) return nullptr;
    const Ip wanted = mapped(address);
    for (const Gid& gid : port.rdma_port->gids)
        if (gid.type == "RoCE v2" && parse_ip(gid.gid) == wanted) return &gid;
    return nullptr;
}

void forget_gids(Port& port) {
    if (port.rdma_port) port.rdma_port->gids.clear();
}

}  // namespace core

namespace core::rdma_port {

namespace {

Got get_gids(const Port& port) {
    if (!port.rdma_port) return std::nullopt;
    Elements elements;
    for (const Gid& gid : port.rdma_port->gids) {
        Record record{{"index", std::uint64_t{gid.index}}, {"gid", gid.gid}};
        if (!gid.type.empty()) record["type"] = gid.type;
        if (!gid.port.empty()) record["port"] = gid.port;
        elements.emplace(std::to_string(gid.index), std::move(record));
    }
    return elements;
}

void set_gids(Port& port, const Elements& elements) {
    auto& gids = part_of<&Port::rdma_port>(port).gids;
    gids.clear();
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

/// Whether the table has a GID of the port itself, or of its bond.
bool is_reported(const Port& table) {
    const std::string bond = link::bond_of(table);
    return std::ranges::any_of(table.rdma_port->gids, [&](const Gid& gid) {
        return gid.port == table.name || (!bond.empty() && gid.port == bond);
    });
}

/// The kernel keeps a GID for each address of a netdev that a RoCE port is on (roce_gid_mgmt.c,
/// from a work queue). What has none of its netdev is no RoCE port (iWARP, InfiniBand), or is not
/// told: a live one has that of its link-local address at least.
std::optional<std::string> no_gid(const State& state, const Port& port, const Value& address) {
    const auto* words = std::get_if<std::string>(&address);
    const auto prefix = words == nullptr ? std::nullopt : parse_prefix(*words);
    if (!prefix) return std::nullopt;
    const std::vector<const Port*> tables = with_tables(state, port);
    if (std::ranges::none_of(tables, [](const Port* table) { return is_reported(*table); }))
        return std::nullopt;
    const bool there = std::ranges::any_of(
        tables, [&](const Port* table) { return find_gid(*table, prefix->ip) != nullptr; });
    return there ? std::string() : "no RoCE v2 GID is " + core::text(prefix->ip);
}

constexpr std::array<std::string_view, 2> kActiveWith = {"up", "rdma.link"};
constexpr Proof kActive = {.from = kActiveWith,
                           .after = "carrier",
                           .finding = &findings::rdma_not_active,
                           .missing = not_active};
constexpr std::array<std::string_view, 1> kOfAddresses = {"addresses"};
constexpr Proof kGid = {
    .from = kOfAddresses, .after = "carrier", .finding = &findings::no_gid, .missing = no_gid};

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

}  // namespace

constinit const ObjectRow row = {.object = Object::rdma_port,
                                 .name = "rdma_port",
                                 .doc = "State and GIDs.",
                                 .topic = Topic::rdma,
                                 .lives = Lives::rdma_device,
                                 .fields = kFields,
                                 .read = {.on_demand = true, .found_by = kFoundBy}};

}  // namespace core::rdma_port
