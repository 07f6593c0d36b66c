// SPDX-License-Identifier: Apache-2.0
#include "core/profile/joint_roce.hpp"

#include <algorithm>

#include "core/profile/conflict.hpp"
#include "core/profile/merge.hpp"
#include "core/profile/origin.hpp"

namespace core {
namespace {

bool opts_out(const OwnRoce& own) {
    return own.roce.kind == Node::Kind::null;
}

/// A value that a variable made is a text, and may mean a number.
std::string roce_value(const Node& node) {
    return node.substituted ? node.text : source_text(node);
}

/// One key in two entries, from `roce` down to where they differ.
struct TwoSaid {
    const Node& one;
    const Node& other;
    std::string one_at;
    std::string other_at;
};

void compare(const std::string& port, const std::string& key, const TwoSaid& said,
             std::vector<Finding>& out) {
    const bool deeper =
        said.one.kind == Node::Kind::object && said.other.kind == Node::Kind::object;
    if (!deeper) {
        const Said one{.value = roce_value(said.one),
                       .origin = origin_at(said.one.place, said.one_at)};
        const Said other{.value = roce_value(said.other),
                         .origin = origin_at(said.other.place, said.other_at)};
        if (one.value != other.value) out.push_back(conflict(port, key, one, other));
        return;
    }
    for (const Node::Member& member : said.one.members)
        if (const Node* other = said.other.find(member.name))
            compare(port, key + '.' + member.name,
                    {member.value, *other, pointer_to(said.one_at, member.name),
                     pointer_to(said.other_at, member.name)},
                    out);
}

}  // namespace

std::optional<Node> joint_roce(const Node* whole, const std::vector<OwnRoce>& own) {
    if (std::ranges::any_of(own, opts_out)) return std::nullopt;
    std::optional<Node> out;
    if (whole != nullptr) out = *whole;
    for (const OwnRoce& one : own)
        out = out ? merge(std::move(*out), one.roce) : one.roce;
    return out;
}

std::vector<Finding> roce_conflicts(const std::string& port, const std::vector<OwnRoce>& own) {
    std::vector<Finding> out;
    if (std::ranges::any_of(own, opts_out)) return out;
    for (std::size_t i = 0; i < own.size(); ++i)
        for (std::size_t j = i + 1; j < own.size(); ++j)
            compare(port, "roce", {own[i].roce, own[j].roce, own[i].pointer, own[j].pointer}, out);
    return out;
}

}  // namespace core
