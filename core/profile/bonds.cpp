// SPDX-License-Identifier: Apache-2.0
#include "core/profile/bonds.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/model/finding_names.hpp"
#include "core/profile/conflict.hpp"
#include "core/profile/origin.hpp"

namespace core {
namespace {

const Statement* statement_of(const Entry& entry, std::string_view key) {
    const auto found = std::ranges::find(entry.statements, find_field(key), &Statement::field);
    return found == entry.statements.end() ? nullptr : &*found;
}

/// The word that the key is stated to be; nothing where it is not known yet.
std::optional<std::string> word_of(const Entry& entry, std::string_view key) {
    const Statement* stated = statement_of(entry, key);
    if (stated == nullptr || stated->elements.empty()) return std::nullopt;
    return text(*stated->elements.front().value);
}

void check_bond(const StatedBond& bond, Problems& problems) {
    if (statement_of(bond.entry, "bond.mode") == nullptr)
        problems.push_back(
            {bond.place, bond.pointer, "found no 'mode', expected one, such as 802.3ad"});
    const Statement* rate = statement_of(bond.entry, "bond.lacp_rate");
    const auto mode = word_of(bond.entry, "bond.mode");
    if (rate != nullptr && mode && *mode != bond::kLacp)
        problems.push_back({rate->place, pointer_to(bond.pointer, "lacp_rate"),
                            "found lacp_rate with mode " + *mode + ", expected mode 802.3ad"});
}

std::string text_of(const Place& place) {
    return place.file.text() + ':' + std::to_string(place.line);
}

}  // namespace

Port bond_to_be(const std::string& name) {
    Port out(name);
    out.device = Device{.driver = "bonding", .firmware = {}};
    return out;
}

std::vector<Wish> wishes_of(const StatedBond& bond) {
    Wish mode{.port = bond.name,
              .field = find_field("bond.mode"),
              .origin = origin_at(bond.place, bond.pointer)};
    if (!bond.wanted) return {mode};
    std::vector<Wish> out = stated_wishes(bond.entry).wishes;
    Wish up = mode;
    up.field = find_field("up");
    up.value = Value(true);
    up.origin.derived_from = "host.bonds";
    out.push_back(std::move(up));  // gives way where it is stated
    return out;
}

void check_bonds(const Entry& host, Problems& problems) {
    std::map<std::string, std::pair<std::string, Place>> member_of;
    for (const StatedBond& bond : host.bonds) {
        if (!bond.wanted) continue;
        check_bond(bond, problems);
        const Statement* members = statement_of(bond.entry, "bond.members");
        for (const Stated& member :
             members == nullptr ? std::vector<Stated>{} : members->elements) {
            if (!member.value) continue;
            const auto [other, fresh] =
                member_of.try_emplace(member.element, bond.name, member.place);
            if (fresh) continue;
            problems.push_back({member.place, member.pointer,
                                "found " + member.element + " as a member of " + bond.name +
                                    ", and of " + other->second.first + " in " +
                                    text_of(other->second.second) + "; expected one bond"});
        }
    }
}

std::vector<Finding> member_of_two(const std::vector<Wish>& wishes) {
    const auto is_of_one = [](const Wish& wish) { return row_of(wish.field->object).names_ports; };
    return wished_of_two(wishes, is_of_one, [](const Wish& wish, const Wish& other) {
        return Finding{.id = findings::member_twice,
                       .port = wish.port,
                       .key = std::string(wish.field->key),
                       .element = wish.element,
                       .text = text(wish.origin) + " wishes " + wish.element + " in this bond, " +
                               text(other.origin) + " in " + other.port,
                       .remedy = "state it for one of the two",
                       .origin = wish.origin};
    });
}

}  // namespace core
