// SPDX-License-Identifier: Apache-2.0
#include "core/profile/offline_profile.hpp"

#include <algorithm>

#include "core/json/json.hpp"
#include "core/profile/bonds.hpp"
#include "core/profile/merge.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/substitution.hpp"

namespace core {
namespace {

using Given = std::map<std::string, std::string>;

/// The values below `node` that are still open, each under its key; of a collection's element
/// the whole.
void add_open(const Node& node, const std::string& key, std::vector<OpenValue>& out) {
    if (!is_pending(node)) return;
    const Field* field = find_field(key);
    const bool whole = field != nullptr && field->shape.kind == Shape::Kind::record;
    if (node.kind == Node::Kind::object && !whole) {
        const char* const joint = field == nullptr ? "." : " ";
        for (const Node::Member& member : node.members)
            add_open(member.value, key.empty() ? member.name.text() : key + joint + member.name,
                     out);
        return;
    }
    const auto add = [&](const Node& value) {
        out.push_back({.key = key, .text = source_text(value), .origin = origin_at(value.place)});
    };
    if (node.kind == Node::Kind::array && field != nullptr && is_collection(field->shape)) {
        for (const Node& item : node.items)
            if (is_pending(item)) add(item);
    } else {
        add(node);
    }
}

bool same(const std::vector<Desired>& left, const std::vector<Desired>& right) {
    return std::ranges::equal(left, right, [](const Desired& one, const Desired& other) {
        return same_element(one, other) && one.value == other.value && one.origin == other.origin &&
               one.optional == other.optional && one.external == other.external &&
               one.required == other.required;
    });
}

void add_driver(const Driver& driver, const Entry& entry, const std::optional<Intent>& intent,
                std::vector<OfflinePort>& out) {
    DesiredValues all = desired_by(entry, intent, driver);
    std::ranges::stable_sort(all.desired_values, {}, &Desired::field);
    for (OfflinePort& known : out)
        if (same(known.desired_values, all.desired_values)) {
            known.drivers.push_back(&driver);
            return;
        }
    out.push_back({.drivers = {&driver},
                   .desired_values = std::move(all.desired_values),
                   .exact = std::move(all.exact)});
}

/// An entry as it is read, with the intent that its ports have.
struct ReadEntry {
    Entry entry;
    std::optional<Intent> intent;
};

ReadEntry entry_and_intent(const Node& whole, const Node& node, const std::string& pointer,
                           Problems& problems) {
    const Node* own = node.find("roce");
    return {.entry = read_entry(node, pointer, problems),
            .intent = read_intent(own == nullptr ? whole : merge(whole, *own), "/roce", problems)};
}

/// Calls `visit(node, pointer)` for each entry with what is given put in.
template <typename Visit>
void each_node(const Profile& profile, const Given& given, Problems& problems, const Visit& visit) {
    const Node* ports = profile.tree.find("ports");
    const std::vector<std::string> pointers = entry_pointers(ports);
    for (std::size_t i = 0; i < pointers.size(); ++i)
        visit(substitute_given(ports->items[i], given, pointers[i], problems), pointers[i]);
}

Node roce_of(const Profile& profile, const Given& given, Problems& problems) {
    const Node* stated = profile.tree.find("roce");
    return stated == nullptr ? Node{} : substitute_given(*stated, given, "/roce", problems);
}

OfflineEntry offline_entry(const Node& node, const std::string& pointer, const ReadEntry& both) {
    const auto& [entry, intent] = both;
    OfflineEntry out{.match = entry.match,
                     .pointer = pointer,
                     .expect = entry.expect,
                     .open = {},
                     .offline_ports = {},
                     .children = {}};
    for (const Node::Member& member : node.members)
        if (member.name != "match") add_open(member.value, member.name, out.open);
    for (const Driver* driver : possible_drivers(entry.match))
        add_driver(*driver, entry, intent, out.offline_ports);
    for (const VlanChild& child : entry.children)
        out.children.push_back(
            {.id = child.id,
             .name = child.name,
             .wanted = child.wanted,
             .desired_values =
                 desired_by(child.entry, std::nullopt, *drivers().back()).desired_values});
    return out;
}

void add_host(const Entry& host, OfflineProfile& out) {
    out.host = desired_by(host, std::nullopt, *drivers().back()).desired_values;
    for (const StatedBond& bond : host.bonds)
        out.bonds.push_back(
            {.name = bond.name, .wanted = bond.wanted, .desired_values = desired_of(bond)});
}

}  // namespace

OfflineProfile offline_profile(const Profile& profile, const Given& given) {
    Problems problems;
    OfflineProfile out{
        .name = profile.name, .intent = {}, .fabric = {}, .host = {}, .bonds = {}, .open = {}};
    const auto top = [&](const char* name) {
        const Node* stated = profile.tree.find(name);
        const std::string at = pointer_to("", name);
        Node node = stated == nullptr ? Node{} : substitute_given(*stated, given, at, problems);
        add_open(node, name, out.open);
        return node;
    };
    const Node roce = top("roce");
    out.intent = read_intent(roce, "/roce", problems);
    out.fabric = read_fabric(top("switch"), "/switch", problems);
    if (const Node host = top("host"); host.kind == Node::Kind::object)
        add_host(read_host(host, problems), out);
    each_node(profile, given, problems, [&](const Node& node, const std::string& pointer) {
        entry_and_intent(roce, node, pointer, problems);
    });
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return out;
}

void each_entry(const Profile& profile, const Given& given,
                const std::function<void(const OfflineEntry&)>& visit) {
    Problems ignored;  // outlook says them
    const Node roce = roce_of(profile, given, ignored);
    each_node(profile, given, ignored, [&](const Node& node, const std::string& pointer) {
        visit(offline_entry(node, pointer, entry_and_intent(roce, node, pointer, ignored)));
    });
}

}  // namespace core
