// SPDX-License-Identifier: Apache-2.0
#include "core/checks/source_routing.hpp"

#include "core/model/access.hpp"
#include "core/objects/ip/route_words.hpp"

namespace core {
namespace {

/// The first rule that leads what is sent from there to the table; null where none does.
const Rule* rule_to(const State& state, const Ip& from, std::uint32_t table) {
    const Port* host = find_port(state, kHost);
    if (host == nullptr || !host->rules) return nullptr;
    const Rule* out = nullptr;
    for (const Rule& rule : *host->rules) {
        const bool leads =
            rule.table == table && rule.v6 == from.v6 && rule.from && contains(*rule.from, from);
        if (leads && (out == nullptr || rule.priority < out->priority)) out = &rule;
    }
    return out;
}

/// The table in which the port has a route to the destination, besides main; nothing: none.
std::optional<std::uint32_t> source_routing(const Port& port, const Ip& to) {
    std::optional<std::uint32_t> out;
    routes::each_open(port, [&](const Route& route) {
        if (!out && route.table != kMainTable && contains(route.to, to)) out = route.table;
    });
    return out;
}

}  // namespace

std::optional<Desired> missing_rule(const State& state, const Port& port, const Ip& from,
                                    const Ip& to) {
    const auto table = source_routing(port, to);
    if (!table || rule_to(state, from, *table) != nullptr) return std::nullopt;
    const Field& rules = *find_field("rules");
    const Record rule{{"from", text(from)}, {"table", table_word(*table)}};
    return Desired{.port = std::string(kHost), .field = &rules, .value = Value(rule)};
}

std::string lacking(const Ip& from, const Value& rule) {
    return "no rule sends packets from " + text(from) + " to table " +
           text_part(std::get<Record>(rule), "table");
}

std::string why_not_asked(const State& state, const Port& port, const Ip& from, const Ip& to,
                          const std::optional<Lookup>& found) {
    if (found && found->before)
        return "rule " + text(*found->before) + " comes first" +
               (ends_lookup(*found->before) ? " and ends the lookup" : "");
    if (const auto rule = missing_rule(state, port, from, to))
        return lacking(from, *rule->value) + ", which has one";
    const auto table = source_routing(port, to);
    const Rule* own = table ? rule_to(state, from, *table) : nullptr;
    if (own == nullptr || !found || found->rule.priority >= own->priority) return {};
    return "rule " + std::to_string(found->rule.priority) + " to table " +
           table_word(found->rule.table) + " comes before rule " + std::to_string(own->priority) +
           " to table " + table_word(*table);
}

}  // namespace core
