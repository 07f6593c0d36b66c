// SPDX-License-Identifier: Apache-2.0
#include "core/profile/switch.hpp"

#include <array>

#include "core/json/json.hpp"
#include "core/profile/origin.hpp"

namespace core {
namespace {

using Kind = Shape::Kind;

constexpr std::array kFabricKeys = {
    SectionKey{"dscp_map",
               {.kind = Kind::map, .max = 7, .key_max = 63},
               "Priority that the switch gives each code point; null for one that is not known."},
    SectionKey{"lossless",
               {.kind = Kind::set, .max = 7},
               "Priorities that the switch makes lossless by PFC."},
};

}  // namespace

std::span<const SectionKey> switch_keys() {
    return kFabricKeys;
}

std::optional<SwitchSettings> read_switch(const Node& node, const std::string& pointer,
                                          Problems& problems) {
    if (node.kind == Node::Kind::null) return std::nullopt;
    if (node.kind != Node::Kind::object) {
        problems.push_back(
            {node.place, pointer,
             found(node) + ", expected an object of dscp_map and lossless, or null"});
        return std::nullopt;
    }
    const std::size_t before = problems.size();
    SwitchSettings out;
    read_section(node, pointer, kFabricKeys, problems,
                 [&](const SectionKey& key, const Stated& stated) {
                     const Origin origin = origin_at(stated.place);
                     if (key.shape.kind == Kind::map)
                         out.dscp_map[std::stoul(stated.element)] = {
                             std::get<std::uint64_t>(*stated.value), origin};
                     else
                         out.lossless = {std::get<Numbers>(*stated.value), origin};
                 });
    if (problems.size() > before) return std::nullopt;
    return out;
}

}  // namespace core
