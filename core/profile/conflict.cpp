// SPDX-License-Identifier: Apache-2.0
#include "core/profile/conflict.hpp"

#include <algorithm>
#include <array>

#include "core/model/finding_names.hpp"
#include "core/model/glob.hpp"
#include "core/profile/variables.hpp"

namespace core {
namespace {

/// `roce.json:8 states 9000`; with the pointer where the line is that of `other` too.
std::string reported_from(const Said& said, const Said& other) {
    const bool same_line =
        said.origin.file == other.origin.file && said.origin.line == other.origin.line;
    return text(said.origin) + (same_line ? " at " + said.origin.pointer : "") + " states " +
           said.value;
}

}  // namespace

Said said_in(const Desired& desired, const std::string& port) {
    Said out{.value = desired.value ? text(*desired.value) : "none", .origin = desired.origin};
    if (desired.port != port) out.origin.pointer += " for " + desired.port;
    return out;
}

Finding conflict(const std::string& port, const std::string& key, const Said& one,
                 const Said& other) {
    return {.id = findings::conflict,
            .port = port,
            .key = key,
            .text = reported_from(one, other) + ", but " + reported_from(other, one),
            .remedy = "let one of them not match this port, or state the same in both"};
}

namespace {

bool is_shared(const Field& field, const std::string& element) {
    const std::optional<Ip> ip = parse_ip(element);
    return field.key == "addresses" && ip && !is_link_local(*ip);
}

/// Whether one value of the condition can be true of several ports. What still holds `${…}` is not
/// known.
bool tells_apart(const Condition& condition) {
    if (condition.values.size() != 1) return false;
    const std::string& value = condition.values.front();
    if (has_reference(value)) return true;
    constexpr std::array<std::string_view, 3> own = {"mac", "pci", "rdma"};
    const bool name = condition.key->name == "name" && !is_glob(value);
    return name || std::ranges::find(own, condition.key->name) != own.end();
}

bool may_match_several(const Entry& entry) {
    if (entry.expect) return *entry.expect > 1;
    return std::ranges::none_of(entry.match.conditions, tells_apart);
}

void check_statements(const Entry& stating, const Match& match, Problems& problems) {
    for (const Statement& statement : stating.statements)
        for (const Stated& stated : statement.elements)
            if (stated.value && is_shared(*statement.field, stated.element))
                problems.push_back(
                    {stated.place, stated.pointer,
                     "found " + stated.element + " for every port that matches " + text(match) +
                         ", expected an address of one port: \"expect\": 1, or ${address} and a "
                         "value for each port in --vars"});
}

}  // namespace

void check_addresses(const Entry& entry, Problems& problems) {
    if (entry.match.conditions.empty() || !may_match_several(entry)) return;
    check_statements(entry, entry.match, problems);
    for (const VlanChild& child : entry.children)
        check_statements(child.entry, entry.match, problems);
}

std::vector<Finding> desired_twice(const std::vector<Desired>& desired_values) {
    const auto is_of_one = [](const Desired& desired) {
        return is_shared(*desired.field, desired.element);
    };
    return desired_of_two(
        desired_values, is_of_one, [](const Desired& desired, const Desired& other) {
            return Finding{.id = findings::address_twice,
                           .port = desired.port,
                           .key = std::string(desired.field->key),
                           .element = desired.element,
                           .text = text(desired.origin) + " states " + desired.element + " here, " +
                                   text(other.origin) + " on " + other.port,
                           .remedy = "state an address for each port: ${address} and --vars",
                           .origin = desired.origin};
        });
}

}  // namespace core
