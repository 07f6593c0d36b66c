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

std::vector<Desired> desired_of(const StatedBond& bond) {
    Desired mode{.port = bond.name,
                 .field = find_field("bond.mode"),
                 .origin = origin_at(bond.place, bond.pointer)};
    if (!bond.wanted) return {mode};
    std::vector<Desired> out = stated_desired(bond.entry).desired_values;
    Desired up = mode;
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

std::vector<Finding> member_of_two(const std::vector<Desired>& desired_values) {
    const auto is_of_one = [](const Desired& desired) {
        return row_of(desired.field->object).names_ports;
    };
    return desired_of_two(
        desired_values, is_of_one, [](const Desired& desired, const Desired& other) {
            return Finding{.id = findings::member_twice,
                           .port = desired.port,
                           .key = std::string(desired.field->key),
                           .element = desired.element,
                           .text = text(desired.origin) + " states " + desired.element +
                                   " in this bond, " + text(other.origin) + " in " + other.port,
                           .remedy = "state it for one of the two",
                           .origin = desired.origin};
        });
}

}  // namespace core
