// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/model/field.hpp"

/// Fields that are more than a member: words for bits, sets for masks, maps over the APP table.
namespace core::views {

inline constexpr std::array<std::string_view, 4> kAlgorithms = {"strict", "cb_shaper", "ets",
                                                                "vendor"};

using Got = std::optional<Elements>;

Got get_dcbx_mode(const Port& port);
void set_dcbx_mode(Port& port, const Elements& elements);
Got get_vlan(const Port& port);
void set_vlan(Port& port, const Elements& elements);
Got get_speed(const Port& port);
void set_speed(Port& port, const Elements& elements);
Got get_algorithm(const Port& port);
void set_algorithm(Port& port, const Elements& elements);
/// Shares count only for the classes whose algorithm is ets.
bool same_bandwidth(const Port& port, const Value& left, const Value& right);
Got get_priorities(const Port& port);
void set_priorities(Port& port, const Elements& elements);

Got get_trust(const Port& port);
void set_trust(Port& port, const Elements& elements);
Got get_app_map(const Port& port, std::uint8_t selector);
void set_app_map(Port& port, std::uint8_t selector, const Elements& elements);
template <std::uint8_t Selector>
Got get_map(const Port& port) {
    return get_app_map(port, Selector);
}
template <std::uint8_t Selector>
void set_map(Port& port, const Elements& elements) {
    set_app_map(port, Selector, elements);
}
Got get_other_app(const Port& port);
void set_other_app(Port& port, const Elements& elements);

Got get_rdma_link(const Port& port);
void set_rdma_link(Port& port, const Elements& elements);
Got get_rdma_device(const Port& port);
void set_rdma_device(Port& port, const Elements& elements);
Got get_rdma_others(const Port& port);
void set_rdma_others(Port& port, const Elements& elements);
Got get_gids(const Port& port);
void set_gids(Port& port, const Elements& elements);
Got get_cm_directory(const Port& port);
void set_cm_directory(Port& port, const Elements& elements);

Got get_addresses(const Port& port);
void set_addresses(Port& port, const Elements& elements);
Got get_kernel_addresses(const Port& port);
void set_kernel_addresses(Port& port, const Elements& elements);
Value canonical_address(const Value& value);
Got get_routes(const Port& port);
void set_routes(Port& port, const Elements& elements);
Value canonical_route(const Value& value);
Got get_addresses_beyond(const Port& port);
void set_addresses_beyond(Port& port, const Elements& elements);
Got get_routes_beyond(const Port& port);
void set_routes_beyond(Port& port, const Elements& elements);

}  // namespace core::views
