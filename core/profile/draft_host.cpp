// SPDX-License-Identifier: Apache-2.0
#include "core/profile/draft_host.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "core/model/state.hpp"
#include "core/objects/ip/records.hpp"

namespace core {
namespace {

/// Those of the kernel (rt_tables: default, main, local) hold routes of every port.
bool is_of_kernel(std::uint32_t table) {
    constexpr std::uint32_t first = 253;
    constexpr std::uint32_t last = 255;
    return table >= first && table <= last;
}

bool is_about(const Rule& rule, const Port& port) {
    if (rule.iif == port.name || rule.oif == port.name) return true;
    const auto is_from = [&](const Address& address) {
        return rule.from && !address.by_kernel && address.ip.v6 == rule.from->ip.v6 &&
               contains(*rule.from, address.ip);
    };
    if (port.addresses && std::ranges::any_of(*port.addresses, is_from)) return true;
    const auto is_to = [&](const Route& route) {
        return route.table == rule.table && route.to.ip.v6 == rule.v6;
    };
    return port.routes && !is_of_kernel(rule.table) && std::ranges::any_of(*port.routes, is_to);
}

/// The pools that hold pages, each once: a size says more than that it is the default one, and
/// how many lie on which node follows from the memory.
HugePages pools_of(const HugePages& all) {
    HugePages out;
    const auto preset = all.find("default");
    bool named = false;
    for (const auto& [name, count] : all) {
        const auto pool = parse_huge_page_pool(name);
        if (count == 0 || name == "default" || !pool || pool->node) continue;
        out.emplace(name, count);
        named = named || (preset != all.end() && preset->second == count);
    }
    if (preset != all.end() && preset->second > 0 && !named) out.insert(*preset);
    return out;
}

}  // namespace

std::vector<Desired> rules_about(const Port& host, const Port& port) {
    std::vector<Desired> out;
    if (!host.rules) return out;
    for (const Rule& rule : *host.rules)
        if (!made_by_kernel(rule) && is_about(rule, port))
            out.push_back({.port = host.name,
                           .field = find_field("rules"),
                           .element = identity(rule),
                           .value = Value(record_of(rule))});
    return out;
}

Json host_draft(const Port& host) {
    Json out;
    if (host.rdma_system && *host.rdma_system == "exclusive")
        out["rdma"] = {{"netns_mode", *host.rdma_system}};
    if (!host.hugepages) return out;
    for (const auto& [name, count] : pools_of(*host.hugepages))
        out["hugepages"][name] = count;
    return out;
}

}  // namespace core
