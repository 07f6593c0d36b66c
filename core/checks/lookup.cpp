// SPDX-License-Identifier: Apache-2.0
#include "core/checks/lookup.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "core/objects/ip/route_words.hpp"

namespace core {
namespace {

constexpr std::uint32_t kMain = 254;
constexpr std::uint32_t kLocal = 255;
constexpr std::uint32_t kDefault = 253;

/// Those that every kernel starts with (fib_default_rules_init).
std::vector<Rule> initial_rules(bool v6) {
    return {{.v6 = v6, .priority = 0, .table = kLocal},
            {.v6 = v6, .priority = 32766, .table = kMain},
            {.v6 = v6, .priority = 32767, .table = kDefault}};
}

bool matches(const Rule& rule, const Query& query) {
    const auto within = [](const std::optional<Prefix>& wanted, const std::optional<Ip>& ip) {
        return !wanted || (ip && contains(*wanted, *ip));
    };
    // What this host sends comes in at no port, carries no mark that is known, and no ToS.
    return rule.iif.empty() && rule.fwmask == 0 && rule.tos == 0 && rule.v6 == query.to.v6 &&
           (rule.oif.empty() || rule.oif == query.port) && within(rule.from, query.from) &&
           within(rule.to, query.to);
}

std::vector<const Rule*> in_order(const State& state, const Query& query,
                                  const std::vector<Rule>& presets) {
    std::vector<const Rule*> out;
    const Port* host = find_port(state, kHost);
    const std::vector<Rule>& rules = host != nullptr && host->rules ? *host->rules : presets;
    for (const Rule& rule : rules)
        if (matches(rule, query)) out.push_back(&rule);
    std::ranges::stable_sort(out, {}, [](const Rule* rule) { return rule->priority; });
    return out;
}

std::optional<Lookup> in_table(const State& state, const Query& query, std::uint32_t table) {
    std::optional<Lookup> best;
    const auto rank = [](const Route& route) {
        return std::tuple(-int{route.to.length}, route.metric);
    };
    for (const Port& port : state.ports) {
        if (!port.routes || (!query.port.empty() && port.name != query.port)) continue;
        for (const Route& route : *port.routes) {
            if (route.table != table || route.to.ip.v6 != query.to.v6 ||
                !contains(route.to, query.to))
                continue;
            if (!best || rank(route) < rank(best->route))
                best = Lookup{.port = port.name, .route = route};
        }
    }
    return best;
}

}  // namespace

std::optional<Lookup> route_lookup(const State& state, const Query& query) {
    const std::vector<Rule> presets = initial_rules(query.to.v6);
    for (const Rule* rule : in_order(state, query, presets))
        if (auto found = in_table(state, query, rule->table)) return found;
    return std::nullopt;
}

}  // namespace core
