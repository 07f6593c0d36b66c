// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/rule_record.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/model/field.hpp"
#include "core/objects/ip/route_words.hpp"

namespace core {
namespace {

std::uint32_t number_of_rule(const Record& record, std::string_view part) {
    return static_cast<std::uint32_t>(number_part(record, part));
}

void put(Record& record, std::string_view part, std::uint32_t number) {
    if (number != 0) record.emplace(part, std::uint64_t{number});
}

void put(Record& record, std::string_view part, const std::string& word) {
    if (!word.empty()) record.emplace(part, word);
}

}  // namespace

Rule rule_of(const Record& record) {
    Rule rule;
    rule.from = parse_network(text_part(record, "from"));
    rule.to = parse_network(text_part(record, "to"));
    rule.iif = text_part(record, "iif");
    rule.oif = text_part(record, "oif");
    rule.fwmark = number_of_rule(record, "fwmark");
    rule.fwmask = number_of_rule(record, "fwmask");
    if (rule.fwmark != 0 && !record.contains("fwmask")) rule.fwmask = kU32;
    rule.tos = static_cast<std::uint8_t>(number_of_rule(record, "tos"));
    if (rule.to) rule.v6 = rule.to->ip.v6;
    if (rule.from) rule.v6 = rule.from->ip.v6;
    if (record.contains("family")) rule.v6 = text_part(record, "family") == "ipv6";
    // The kernel keeps no network of length 0: it is any address.
    if (rule.from && rule.from->length == 0) rule.from.reset();
    if (rule.to && rule.to->length == 0) rule.to.reset();
    if (record.contains("priority")) rule.priority = number_of_rule(record, "priority");
    if (record.contains("table")) rule.table = table_number(text_part(record, "table"));
    if (record.contains("protocol")) rule.protocol = protocol_number(text_part(record, "protocol"));
    return rule;
}

Record record_of(const Rule& rule) {
    Record record;
    if (rule.from) record["from"] = text(*rule.from);
    if (rule.to) record["to"] = text(*rule.to);
    put(record, "iif", rule.iif);
    put(record, "oif", rule.oif);
    put(record, "fwmark", rule.fwmark);
    // A mask of 0 beside a mark matches every packet, which one that is not stated does not.
    if (rule.fwmark != 0 || rule.fwmask != 0) record["fwmask"] = std::uint64_t{rule.fwmask};
    put(record, "tos", rule.tos);
    record["family"] = std::string(rule.v6 ? "ipv6" : "ipv4");
    record["priority"] = std::uint64_t{rule.priority};
    record["table"] = table_word(rule.table);
    record["protocol"] = protocol_word(rule.protocol);
    return record;
}

Value canonical_rule(const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    return record == nullptr ? value : Value(record_of(rule_of(*record)));
}

Value canonical_rule_beyond(const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    if (record == nullptr) return value;
    Record whole = record_of(rule_of(*record));
    put(whole, "what", text_part(*record, "what"));
    return whole;
}

std::string identity(const Rule& rule) {
    static const Field& rules = *find_field("rules");
    return identity_of_spelled(rules.shape, Value(record_of(rule)));
}

bool made_by_kernel(const Rule& rule) {
    constexpr std::uint8_t kernel = 2;
    return rule.protocol == kernel;
}

}  // namespace core
