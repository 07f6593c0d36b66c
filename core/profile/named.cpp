// SPDX-License-Identifier: Apache-2.0
#include "core/json/json.hpp"
#include "core/model/object.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/substitution.hpp"

namespace core {
namespace {

/// The name in a list of names, which may be said to be absent there.
const Node& name_in(const Shape& shape, const Node& item) {
    const Node* name = item.find(item_part(shape));
    return name == nullptr ? item : *name;
}

void add_names(const Field& field, const Node& node, std::set<std::string>& names) {
    for (const Node::Member& member : node.members)
        if (is_keyed(field.shape)) names.insert(member.name);
    for (const Node& item : node.items) {
        const Node& name = name_in(field.shape, item);
        if (name.kind != Node::Kind::text || is_pending(name)) continue;
        names.insert(identity(field.shape, canonical(field.shape, Value(name.text))));
    }
}

}  // namespace

std::map<Object, std::set<std::string>> named_elements(const Profile& profile,
                                                       const Variables& variables) {
    std::map<Object, std::set<std::string>> out;
    std::map<std::string, std::string> given = variables.host;
    for (const auto& [name, value] : variables.set)
        given.insert_or_assign(name, value);
    Problems nobodys;
    const Node* host = profile.tree.find("host");
    if (host == nullptr) return out;
    for (const Field& field : fields()) {
        const Node* stated =
            row_of(field.object).read.by_name ? host->find(key_in_place(field)) : nullptr;
        if (stated == nullptr) continue;
        add_names(field, substitute_given(*stated, given, "/host", nobodys), out[field.object]);
    }
    return out;
}

}  // namespace core
