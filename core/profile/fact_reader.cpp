// SPDX-License-Identifier: Apache-2.0
#include "core/profile/fact_reader.hpp"

#include <span>

#include "core/json/value_json.hpp"
#include "core/profile/entry_keys.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/reference.hpp"

namespace core {
namespace {

class FactReader {
public:
    FactReader(Entry& entry, Problems& problems) : entry_(entry), problems_(problems) {}

    /// `"pcie": {"link_width": 16}` and `"pcie.link_width": [8, 16]` alike.
    void facts(const Node& node, const std::string& prefix, const std::string& pointer) {
        if (node.kind != Node::Kind::object)
            wrong(node, pointer, "an object of " + listed(facts_below(prefix)));
        for (const Node::Member& member : node.members) {
            const std::string key = prefix + member.name;
            const std::string at = pointer_to(pointer, member.name);
            const Field* field = find_field(key);
            if (field != nullptr && may_expect(*field)) {
                fact(*field, member, at);
            } else if (!facts_below(key + '.').empty()) {
                facts(member.value, key + '.', at);
            } else if (field != nullptr) {
                problems_.push_back({member.place, at,
                                     "found '" + key + "', of which nothing can be expected here"});
            } else {
                problems_.push_back(
                    {member.place, at, unknown_key(member.name, facts_below(prefix))});
            }
        }
    }

private:
    void wrong(const Node& node, const std::string& pointer, const std::string& expected) {
        problems_.push_back({node.place, pointer, found(node) + ", expected " + expected});
    }

    void fact(const Field& field, const Node::Member& member, const std::string& pointer) {
        Statement out{.field = &field,
                      .elements = {},
                      .pending = is_pending(member.value),
                      .place = member.place};
        const bool named = field.shape.kind == Shape::Kind::named;
        if (named && member.value.kind == Node::Kind::object) {
            for (const Node::Member& one : member.value.members)
                those_that_do(*field.shape.of, one.value, pointer_to(pointer, one.name), one.name,
                              out);
        } else if (named) {
            wrong(member.value, pointer, admits(field.shape));
        } else {
            those_that_do(field.shape, member.value, pointer, "", out);
        }
        entry_.facts.push_back(std::move(out));
    }

    /// A value, or a list of those that do.
    void those_that_do(const Shape& shape, const Node& node, const std::string& pointer,
                       const std::string& element, Statement& out) {
        const bool several = node.kind == Node::Kind::array;
        const List<Node>& items = node.items;
        for (const Node& value : several ? std::span<const Node>(items.begin(), items.end())
                                         : std::span<const Node>(&node, 1))
            for (Stated& stated : parse_stated(shape, value, pointer, problems_)) {
                if (!stated.value) continue;
                if (!element.empty()) stated.element = element;
                out.elements.push_back(std::move(stated));
            }
        if (several && items.empty()) wrong(node, pointer, "at least one of " + admits(shape));
    }

    Entry& entry_;
    Problems& problems_;
};

}  // namespace

std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "" : ", ") + name;
    return out;
}

void read_facts(const Node& node, const std::string& pointer, Entry& entry, Problems& problems) {
    FactReader(entry, problems).facts(node, "", pointer);
}

}  // namespace core
