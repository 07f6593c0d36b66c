// SPDX-License-Identifier: Apache-2.0
#include "core/profile/fabric.hpp"

#include <algorithm>
#include <array>

#include "core/json/json.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/origin.hpp"

namespace core {
namespace {

using Kind = Shape::Kind;

constexpr std::array kFabricKeys = {
    FabricKey{"dscp_map",
              {.kind = Kind::map, .max = 7, .key_max = 63},
              "Priority that the switch gives each code point; null for one that is not known."},
    FabricKey{"lossless",
              {.kind = Kind::set, .max = 7},
              "Priorities that the switch makes lossless by PFC."},
};

void take(Fabric& fabric, const FabricKey& key, const std::vector<Stated>& elements) {
    for (const Stated& stated : elements) {
        if (!stated.value) continue;
        const Origin origin = origin_at(stated.place);
        if (key.shape.kind == Kind::map)
            fabric.dscp_map[std::stoul(stated.element)] = {std::get<std::uint64_t>(*stated.value),
                                                           origin};
        else
            fabric.lossless = {std::get<Numbers>(*stated.value), origin};
    }
}

}  // namespace

std::span<const FabricKey> fabric_keys() {
    return kFabricKeys;
}

std::optional<Fabric> read_fabric(const Node& node, const std::string& pointer,
                                  Problems& problems) {
    if (node.kind == Node::Kind::null) return std::nullopt;
    if (node.kind != Node::Kind::object) {
        problems.push_back(
            {node.place, pointer,
             found(node) + ", expected an object of dscp_map and lossless, or null"});
        return std::nullopt;
    }
    const std::size_t before = problems.size();
    std::vector<std::string> known;
    for (const FabricKey& key : kFabricKeys)
        known.emplace_back(key.name);
    Fabric out;
    for (const Node::Member& member : node.members) {
        const std::string at = pointer_to(pointer, member.name);
        const auto* const key = std::ranges::find(kFabricKeys, member.name, &FabricKey::name);
        if (key == kFabricKeys.end()) {
            problems.push_back({member.place, at, unknown_key(member.name, known)});
        } else {
            take(out, *key, parse_stated(key->shape, member.value, at, problems));
        }
    }
    if (problems.size() > before) return std::nullopt;
    return out;
}

}  // namespace core
