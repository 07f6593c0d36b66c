// SPDX-License-Identifier: Apache-2.0
#include "core/profile/tagging.hpp"

#include <algorithm>

#include "core/model/access.hpp"
#include "core/model/finding_names.hpp"
#include "core/profile/origin.hpp"

namespace core {
namespace {

constexpr std::string_view kTagger = "egress_priority";

bool states_tagger(const Node& node) {
    const auto member = [](const Node::Member& one) {
        const bool here = one.name == kTagger && one.value.kind != Node::Kind::null;
        return here || states_tagger(one.value);
    };
    return std::ranges::any_of(node.items, states_tagger) ||
           std::ranges::any_of(node.members, member);
}

bool desired_tagger(const PortDesired& all) {
    return std::ranges::any_of(all.desired_values, [](const Desired& desired) {
        return desired.field->key == kTagger && desired.value;
    });
}

/// Whether the port of these desired values is, or is to be, a VLAN of the other one or of its
/// bond.
bool is_child(const PortDesired& child, const Port& parent) {
    const auto is_below = [&](const std::string& name) {
        return !name.empty() &&
               (name == parent.name || (parent.link && name == parent.link->master));
    };
    if (child.port->link && child.port->link->vlan && is_below(child.port->link->lower))
        return true;
    return std::ranges::any_of(child.desired_values, [&](const Desired& desired) {
        if (desired.field->key != "vlan_link" || !desired.value) return false;
        return is_below(text_part(std::get<Record>(*desired.value), "parent"));
    });
}

}  // namespace

void check_tagging(const Intent& intent, const Node& ports, Problems& problems) {
    if (!trusts_tag(intent) || states_tagger(ports)) return;
    problems.push_back({file_place(intent.trust.origin), "",
                        "roce.trust: found pcp, and no VLAN with egress_priority, so that nothing "
                        "puts a priority into a tag; expected 'vlans' with egress_priority in the "
                        "entry, or dscp"});
}

std::vector<Finding> untagged(const std::vector<PortDesired>& ports) {
    std::vector<Finding> out;
    std::vector<const PortDesired*> taggers;
    for (const PortDesired& all : ports)
        if (desired_tagger(all)) taggers.push_back(&all);
    for (const PortDesired& all : ports) {
        if (!all.intent || !trusts_tag(*all.intent)) continue;
        const bool tags = std::ranges::any_of(taggers, [&](const PortDesired* other) {
            return other == &all || is_child(*other, *all.port);
        });
        if (!tags)
            out.push_back({.id = findings::untagged,
                           .port = all.port->name,
                           .key = "roce.trust",
                           .text = text(all.intent->trust.origin) +
                                   ": pcp, and no VLAN on the port has egress_priority"});
    }
    return out;
}

}  // namespace core
