// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/model/state.hpp"

namespace netlink {

/// The ports of which something is to be read, by the index of their link. The kernel walks all of
/// a table for each dump and filters what it sends (net/ipv4/fib_trie.c fib_table_dump,
/// net/core/neighbour.c neigh_dump_table), so that several ports share one dump of all links.
struct Links {
    std::unordered_map<std::uint32_t, core::Port*> ports;
    std::uint32_t only = 0;  ///< the link to ask for; 0 is every one

    [[nodiscard]] core::Port* find(std::uint32_t index) const {
        const auto found = ports.find(index);
        return found == ports.end() ? nullptr : found->second;
    }
};

/// The state's ports must not move while this is used.
inline Links links_of(core::State& state) {
    Links out;
    for (core::Port& port : state.ports)
        if (port.link) out.ports.emplace(port.link->index, &port);
    if (out.ports.size() == 1) out.only = out.ports.begin()->first;
    return out;
}

}  // namespace netlink
