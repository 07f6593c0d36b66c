// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "core/plan/judge.hpp"
#include "core/profile/derived.hpp"
#include "core/profile/draft.hpp"

// The inverse of derive: candidates are read off the port, and what they come to is held against
// it.

namespace core {
namespace {

/// The only priority with PFC.
std::optional<std::size_t> lossless_priority(const Port& port) {
    if (!port.pfc) return std::nullopt;
    std::optional<std::size_t> out;
    for (std::size_t i = 0; i < kPriorities; ++i) {
        if (((unsigned{port.pfc->priorities} >> i) & 1U) == 0) continue;
        if (out) return std::nullopt;
        out = i;
    }
    return out;
}

std::uint64_t share_of(const Port& port, std::size_t priority) {
    if (!port.ets) return 0;
    return port.ets->bandwidth.at(port.ets->traffic_class.at(priority) % kPriorities);
}

/// Null, and each code point that is mapped to another priority; or, where no code point means
/// anything, each other priority.
std::vector<Json> notifications(const Port& port, std::size_t priority, bool by_tag) {
    std::vector<Json> out;
    for (std::size_t other = 0; by_tag && other < kPriorities; ++other)
        if (other != priority) out.push_back({{"priority", other}});
    if (port.app)
        for (const AppEntry& entry : port.app->entries)
            if (entry.selector == AppEntry::dscp && entry.priority != priority)
                out.push_back({{"priority", entry.priority}, {"dscp", entry.protocol}});
    out.emplace_back(nullptr);
    return out;
}

std::optional<Intent> read(const Json& roce) {
    Problems problems;
    return read_intent(parse_tree(roce.dump(), "", problems), "", problems);
}

/// Whether all that follows from the intent is so on the port.
bool fits(const Intent& intent, const Port& port) {
    DesiredValues derived = derive(intent, driver_of(port));
    DesiredState desired_values{
        .ports = {port.name}, .desired_values = std::move(derived.desired_values), .exact = {}};
    for (Desired& desired : desired_values.desired_values) {
        desired.port = port.name;
        if (!desired.optional && reachable(port, desired) && !holds(port, desired)) return false;
    }
    for (Exact& exact : derived.exact) {
        exact.port = port.name;
        desired_values.exact.push_back(std::move(exact));
    }
    return satisfied(make_plan(desired_values, State{.host = {}, .ports = {port}}));
}

}  // namespace

std::optional<Intent> intent_of(const Port& port) {
    const std::optional<std::size_t> priority = lossless_priority(port);
    if (!priority || !port.cm_defaults) return std::nullopt;
    Json roce = {{"priority", *priority},
                 {"dscp", unsigned{port.cm_defaults->tos} >> 2U},
                 {"ecn", (port.cm_defaults->tos & 3U) == 2}};
    if (const std::uint64_t share = share_of(port, *priority); share > 0 && share < 100)
        roce["bandwidth"] = share;
    const bool by_tag =
        element_of(port, *find_field("dscp.trust"), "") == Value(std::string("pcp"));
    if (by_tag) roce["trust"] = "pcp";
    for (const Json& cnp : notifications(port, *priority, by_tag)) {
        roce["cnp"] = cnp;
        if (std::optional<Intent> intent = read(roce); intent && fits(*intent, port)) return intent;
    }
    return std::nullopt;
}

}  // namespace core
