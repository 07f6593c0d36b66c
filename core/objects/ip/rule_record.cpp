// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/records.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/ip/route_words.hpp"

namespace core {
namespace {

std::uint32_t number_of_rule(const Record& record, std::string_view part) {
    return static_cast<std::uint32_t>(number_part(record, part));
}

/// Calls `put` with the name and the value of each part, in the order of the table.
template <typename Put>
void parts_of(const Rule& rule, const Put& put) {
    std::string text;
    const auto number = [&put](std::string_view name, std::uint64_t value) {
        if (value != 0) put(name, value);
    };
    const auto network = [&](std::string_view name, const std::optional<Prefix>& prefix) {
        if (!prefix) return;
        text.clear();
        append(text, *prefix);
        put(name, std::string_view(text));
    };
    const auto word = [&put](std::string_view name, const std::string& value) {
        if (!value.empty()) put(name, std::string_view(value));
    };
    put("priority", std::uint64_t{rule.priority});
    put("family", std::string_view(rule.v6 ? "ipv6" : "ipv4"));
    network("from", rule.from);
    network("to", rule.to);
    word("iif", rule.iif);
    word("oif", rule.oif);
    number("fwmark", rule.fwmark);
    // A mask of 0 beside a mark matches every packet, which one that is not stated does not.
    if (rule.fwmark != 0 || rule.fwmask != 0) put("fwmask", std::uint64_t{rule.fwmask});
    number("tos", rule.tos);
    put("table", std::string_view(table_word(rule.table)));
    put("protocol", std::string_view(protocol_word(rule.protocol)));
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
    parts_of(rule, [&record](std::string_view name, auto value) { put(record, name, value); });
    return record;
}

void tell(const Rule& rule, Listing& listing) {
    listing.open();
    parts_of(rule, [&listing](std::string_view name, auto value) { listing.part(name, value); });
    listing.close();
}

Value canonical_rule(const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    return record == nullptr ? value : Value(record_of(rule_of(*record)));
}

Value canonical_rule_beyond(const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    if (record == nullptr) return value;
    Record whole = record_of(rule_of(*record));
    if (const std::string what = text_part(*record, "what"); !what.empty())
        put(whole, "what", what);
    return whole;
}

void append_identity(std::string& out, const Rule& rule) {
    const auto put = [&out](std::string_view name, auto value) {
        if (name == "table" || name == "protocol") return;
        // The two that no rule is without are there without their names.
        if (name != "priority" && name != "family") out.append(1, ' ').append(name);
        if (name != "priority") out += ' ';
        if constexpr (std::is_integral_v<decltype(value)>)
            out += std::to_string(value);
        else
            out += value;
    };
    parts_of(rule, put);
}

std::string identity(const Rule& rule) {
    std::string out;
    append_identity(out, rule);
    return out;
}

bool made_by_kernel(const Rule& rule) {
    constexpr std::uint8_t kernel = 2;
    return rule.protocol == kernel;
}

}  // namespace core
