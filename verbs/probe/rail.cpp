// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/rail.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace verbs {
namespace {

NoRail none(const std::string& text) {
    return NoRail(text);
}

const core::Port* port_with(const core::State& state, const core::Ip& address) {
    for (const core::Port& port : state.ports)
        if (port.addresses && std::ranges::any_of(*port.addresses, [&](const core::Address& one) {
                return one.ip == address;
            }))
            return &port;
    return nullptr;
}

std::string holders_of(const core::Port& port) {
    std::string out;
    if (!port.queue_pairs) return out;
    for (const auto& [name, count] : *port.queue_pairs) {
        out += out.empty() ? "" : ", ";
        out += name;
    }
    return out;
}

std::uint8_t prefix_of(const core::Port& port, const core::Ip& address) {
    for (const core::Address& one : *port.addresses)
        if (one.ip == address) return one.prefix_length;
    return 0;
}

/// The first address of the port that has a GID and is not of its link alone; null where none is.
const core::Address* first_address(const core::Port& port) {
    if (port.addresses)
        for (const core::Address& one : *port.addresses)
            if (!core::is_link_local(one.ip) && core::find_gid(port, one.ip) != nullptr)
                return &one;
    return nullptr;
}

Rail rail_at(const core::Port& port, const core::Ip& address) {
    if (!port.rdma_link || port.rdma_link->device.empty())
        throw none(port.name + ": has no RDMA device; rocectl doctor says why");
    const core::Gid* gid = core::find_gid(port, address);
    if (gid == nullptr)
        throw none(port.name + ": " + port.rdma_link->device + " has no RoCE v2 GID of " +
                   core::text(address) + "; rocectl doctor says why");
    return {.port = port.name,
            .device = port.rdma_link->device,
            .address = address,
            .prefix_length = prefix_of(port, address),
            .gid_index = gid->index,
            .gid = core::mapped(address).bytes,
            .mtu = port.link ? port.link->mtu : 0U,
            .holders = holders_of(port)};
}

bool is_named(const core::Port& one, const std::string& port, const std::string& device) {
    if (!port.empty()) return one.name == port;
    return one.rdma_link && one.rdma_link->device == device;
}

}  // namespace

core::State read_rails(core::Kernel& kernel) {
    return kernel.read({.ports = std::nullopt,
                        .objects = core::objects_of(
                            {"mtu", "addresses", "rdma.device", "rdma.gids", "rdma.queue_pairs"})});
}

core::Port read_counters(core::Kernel& kernel, const Rail& rail) {
    core::State state =
        kernel.read({.ports = std::vector<std::string>{rail.port},
                     .objects = core::objects_of({"mtu", "driver", "rdma.device", "pfc.priorities",
                                                  "statistics", "rdma.counters"})});
    if (state.ports.size() != 1) throw none("the port " + rail.port + " is there no more");
    return std::move(state.ports.front());
}

Rail rail_of(const core::State& state, const core::Ip& address) {
    const core::Port* port = port_with(state, address);
    if (port == nullptr) throw none("no port of this host has the address " + core::text(address));
    return rail_at(*port, address);
}

std::optional<Rail> rail_or_lack(const core::State& state, const core::Ip& address,
                                 std::string& unsupported_text) {
    try {
        return rail_of(state, address);
    } catch (const core::Error& error) {
        unsupported_text = error.what();
        return std::nullopt;
    }
}

std::vector<Rail> rails_in(const core::State& state) {
    std::vector<Rail> out;
    for (const core::Port& port : state.ports)
        if (const core::Address* address = first_address(port))
            if (port.rdma_link && !port.rdma_link->device.empty())
                out.push_back(rail_at(port, address->ip));
    return out;
}

Rail rail_named(const core::State& state, const std::string& port, const std::string& device) {
    const std::string& name = port.empty() ? device : port;
    const auto it = std::ranges::find_if(
        state.ports, [&](const core::Port& one) { return is_named(one, port, device); });
    if (it == state.ports.end()) throw none("found no port or RDMA device '" + name + "'");
    if (const core::Address* address = first_address(*it)) return rail_at(*it, address->ip);
    throw none(name + ": none of its addresses has a RoCE v2 GID; rocectl doctor says why");
}

}  // namespace verbs
