// SPDX-License-Identifier: Apache-2.0
#include "core/checks/lookup.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "core/model/words.hpp"
#include "core/objects/ip/records.hpp"
#include "core/objects/ip/route_words.hpp"

namespace core {
namespace {

constexpr std::uint32_t kDefault = 253;

/// Those that every kernel starts with (fib_default_rules_init).
std::vector<Rule> initial_rules(bool v6) {
    return {{.v6 = v6, .priority = 0, .table = kLocalTable},
            {.v6 = v6, .priority = 32766, .table = kMainTable},
            {.v6 = v6, .priority = 32767, .table = kDefault}};
}

bool matches(const Rule& rule, const Query& query) {
    const auto within = [](const std::optional<Prefix>& wanted, const std::optional<Ip>& ip) {
        return !wanted || (ip && contains(*wanted, *ip));
    };
    // What this host sends comes in at lo (net/ipv4/route.c ip_route_output_key_hash_rcu), carries
    // no mark that is known, and no ToS.
    return (rule.iif.empty() || rule.iif == "lo") && rule.fwmask == 0 && rule.tos == 0 &&
           rule.v6 == query.to.v6 && (rule.oif.empty() || rule.oif == query.port) &&
           within(rule.from, query.from) && within(rule.to, query.to);
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

/// Whether such a rule decides nothing for RDMA: its lookup is of no VRF's device, and states no
/// protocol and no ports (drivers/infiniband/core/addr.c addr4_resolve), and nop leads nowhere.
bool decides_nothing(const std::vector<std::string>& words) {
    constexpr std::array<std::string_view, 5> others = {"l3mdev", "ipproto", "sport", "dport",
                                                        "tun_id"};
    const auto has = [&](std::string_view word) {
        return std::ranges::find(words, word) != words.end();
    };
    return has("nop") || (!has("not") && std::ranges::any_of(others, has));
}

/// The first rule that is none of those and may match; one that says `not` matches what its
/// selectors do not.
const RuleBeyond* first_beyond(const State& state, const Query& query) {
    const Port* host = find_port(state, kHost);
    const RuleBeyond* out = nullptr;
    if (host == nullptr || !host->rules) return out;
    for (const RuleBeyond& beyond : host->rules_beyond) {
        if (beyond.what == kSecondRule) continue;
        const std::vector<std::string> words = words_in(beyond.what, ", ");
        const bool inverted = std::ranges::find(words, "not") != words.end();
        if (decides_nothing(words) || beyond.rule.v6 != query.to.v6) continue;
        const bool selected = matches(beyond.rule, query);
        if (inverted ? selected && words.size() == 1 : !selected) continue;
        if (out == nullptr || beyond.rule.priority < out->rule.priority) out = &beyond;
    }
    return out;
}

std::optional<Lookup> in_table(const State& state, const Query& query, std::uint32_t table) {
    std::optional<Lookup> best;
    const auto rank = [](const Route& route) {
        return std::tuple(-int{route.to.length}, route.metric);
    };
    for (const Port& port : state.ports) {
        if (!query.port.empty() && port.name != query.port) continue;
        routes::each_open(port, [&](const Route& route) {
            if (route.table != table || !contains(route.to, query.to)) return;
            if (!best || rank(route) < rank(best->route) ||
                (rank(route) == rank(best->route) && port.name == query.sender))
                best = Lookup{.port = port.name, .route = route};
        });
    }
    return best;
}

}  // namespace

bool ends_lookup(const RuleBeyond& rule) {
    // Snapshots had the kernel's numbers once (include/uapi/linux/fib_rules.h).
    constexpr std::array<std::string_view, 6> ends = {"blackhole", "unreachable", "prohibit",
                                                      "action 6",  "action 7",    "action 8"};
    return std::ranges::find(ends, rule.what) != ends.end();
}

std::string text(const RuleBeyond& rule) {
    return std::to_string(rule.rule.priority) + " (" + rule.what + ')';
}

std::optional<Lookup> route_lookup(const State& state, const Query& query) {
    const std::vector<Rule> presets = initial_rules(query.to.v6);
    const RuleBeyond* beyond = first_beyond(state, query);
    const std::vector<const Rule*> rules = in_order(state, query, presets);
    for (const Rule* rule : rules) {
        const bool comes_first = beyond != nullptr && beyond->rule.priority < rule->priority;
        if (comes_first && ends_lookup(*beyond)) break;
        if (auto found = in_table(state, query, rule->table)) {
            found->rule = *rule;
            if (comes_first) found->before = *beyond;
            return found;
        }
    }
    // Behind all others it is not why there is none.
    if (beyond == nullptr || rules.empty() || beyond->rule.priority > rules.back()->priority)
        return std::nullopt;
    return Lookup{.before = *beyond};
}

}  // namespace core
