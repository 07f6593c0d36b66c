// SPDX-License-Identifier: Apache-2.0
#include "core/field/access.hpp"
#include "core/field/rows.hpp"
#include "core/objects/ip/rule_record.hpp"

// Policy routing: which routing table a packet is looked up in.

namespace core {
namespace {

Got get_rules(const Port& host) {
    if (!host.rules) return std::nullopt;
    Elements elements;
    for (const Rule& rule : *host.rules)
        elements.emplace(identity(rule), record_of(rule));
    return elements;
}

void set_rules(Port& host, const Elements& elements) {
    std::vector<Rule> rules;
    for (const auto& [key, value] : elements)
        rules.push_back(rule_of(std::get<Record>(value)));
    host.rules = std::move(rules);
}

Got get_beyond(const Port& host) {
    if (!host.rules) return std::nullopt;
    Elements elements;
    for (const RuleBeyond& beyond : host.rules_beyond) {
        Record record = record_of(beyond.rule);
        record["what"] = beyond.what;
        elements.emplace(identity(beyond.rule) + ' ' + beyond.what, std::move(record));
    }
    return elements;
}

void set_beyond(Port& host, const Elements& elements) {
    part_of<&Port::rules>(host);
    host.rules_beyond.clear();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        host.rules_beyond.push_back({.rule = rule_of(record), .what = text_part(record, "what")});
    }
}

using enum Shape::Kind;
using enum Object;

const std::array kRows = {
    setting("rules", rules, {.kind = items, .parts = rule_parts(), .canonical = canonical_rule},
            "Which packets are looked up in which routing table. Rules are the host's, whichever "
            "port states them.",
            get_rules, set_rules),
    fact("rules_beyond", rules,
         {.kind = items, .parts = rule_beyond_parts(), .canonical = canonical_rule_beyond},
         "Rules that no setting describes; they are left alone.", get_beyond, set_beyond),
};

}  // namespace

std::span<const Field> rule_fields() {
    return kRows;
}

}  // namespace core
