// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/rdma_port.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core {

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

using enum Shape::Kind;

constexpr std::array kGidParts = {
    RecordPart{.name = "index",
               .shape = {.kind = number, .max = kU32},
               .doc = "Index in the table.",
               .required = true,
               .identity = true},
    RecordPart{.name = "gid", .shape = {.kind = text}, .doc = "The GID.", .required = true},
    RecordPart{.name = "type", .shape = {.kind = text}, .doc = "RoCE version."},
    RecordPart{.name = "port", .shape = {.kind = text}, .doc = "Network port it belongs to."},
};

constexpr std::array kFields = {
    fact("rdma.state", {.kind = text}, "State of the RDMA port.",
         get_text<&Port::rdma_port, &RdmaPort::state>,
         set_text<&Port::rdma_port, &RdmaPort::state>),
    fact("rdma.physical_state", {.kind = text}, "Physical state of the RDMA port.",
         get_text<&Port::rdma_port, &RdmaPort::physical_state>,
         set_text<&Port::rdma_port, &RdmaPort::physical_state>),
    fact("rdma.active_mtu", {.kind = number, .max = 4096}, "RDMA MTU in use, in bytes of payload.",
         get_number<&Port::rdma_port, &RdmaPort::active_mtu>,
         set_number<&Port::rdma_port, &RdmaPort::active_mtu>),
    fact("rdma.max_mtu", {.kind = number, .max = 4096},
         "Largest RDMA MTU of the device, in bytes of payload.",
         get_number<&Port::rdma_port, &RdmaPort::max_mtu>,
         set_number<&Port::rdma_port, &RdmaPort::max_mtu>),
    fact("rdma.gids", {.kind = items, .parts = kGidParts},
         "GID table: what other hosts address the port by.", get_gids, set_gids),
};

constexpr std::array kFoundBy = {Object::rdma_link};

constexpr std::array kFollows = {Object::addresses, Object::rdma_link};

}  // namespace

constinit const ObjectRow row = {.object = Object::rdma_port,
                                 .name = "rdma_port",
                                 .doc = "State and GIDs.",
                                 .topic = Topic::rdma,
                                 .lives = Lives::rdma_device,
                                 .on_demand = true,
                                 .fields = kFields,
                                 .found_by = kFoundBy,
                                 .follows = kFollows};

}  // namespace core::rdma_port
