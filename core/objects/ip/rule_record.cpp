// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/rule_record.hpp"

#include <algorithm>
#include <array>

#include "core/objects/ip/route_words.hpp"

namespace core {
namespace {

constexpr std::uint64_t kMaxU32 = 0xffffffff;
constexpr std::uint64_t kMaxU8 = 0xff;
constexpr std::array<std::string_view, 2> kFamilies = {"ipv4", "ipv6"};

constexpr RecordPart selector(std::string_view name, Shape shape, std::string_view doc) {
    return {.name = name, .shape = shape, .doc = doc, .identity = true};
}

constexpr Shape kNetwork{.kind = Shape::Kind::text, .text = Shape::Text::network};
constexpr Shape kPort{.kind = Shape::Kind::text, .text = Shape::Text::name};
constexpr Shape kNumber{.kind = Shape::Kind::number, .min = 1, .max = kMaxU32};

constexpr std::array kParts = {
    RecordPart{.name = "priority",
               .shape = {.kind = Shape::Kind::number, .min = 0, .max = kMaxU32},
               .doc = "Lower ones are asked first; 32765, just before main, where not stated.",
               .identity = true,
               .absent_means = "32765"},
    RecordPart{.name = "family",
               .shape = {.kind = Shape::Kind::word, .words = kFamilies},
               .doc = "What the rule is for; that of from or to, else ipv4, where not stated.",
               .identity = true,
               .absent_means = "ipv4"},
    selector("from", kNetwork, "Source address or network; any where not stated."),
    selector("to", kNetwork, "Destination address or network; any where not stated."),
    selector("iif", kPort, "Port that the packet came in by, lo for the host's own packets."),
    selector("oif", kPort, "Port that the sender is bound to."),
    selector("fwmark", kNumber, "Mark of the packet, after the mask."),
    selector("fwmask", kNumber, "Which bits of the mark count; all where not stated."),
    selector("tos", {.kind = Shape::Kind::number, .min = 1, .max = kMaxU8},
             "Type of service of the packet; of IPv4 the bits 2 to 4 alone."),
    RecordPart{.name = "table",
               .shape = {.kind = Shape::Kind::word, .min = 1, .max = kMaxU32, .words = kTableWords},
               .doc = "Routing table that is asked.",
               .required = true},
    RecordPart{.name = "protocol",
               .shape = {.kind = Shape::Kind::word, .max = kMaxU8, .words = kProtocolWords},
               .doc = "Who made the rule; unspec where not stated."},
};

constexpr auto with_what() {
    std::array<RecordPart, kParts.size() + 1> parts{};
    std::ranges::copy(kParts, parts.begin());
    parts.back() = {.name = "what",
                    .shape = {.kind = Shape::Kind::text},
                    .doc = "What it has beside, as ip(8) names it.",
                    .required = true,
                    .identity = true};
    return parts;
}
constexpr auto kBeyondParts = with_what();

std::uint32_t number_in(const Record& record, std::string_view part) {
    const auto found = record.find(part);
    return found == record.end()
               ? 0
               : static_cast<std::uint32_t>(std::get<std::uint64_t>(found->second));
}

std::string word_in(const Record& record, std::string_view part) {
    const auto found = record.find(part);
    return found == record.end() ? std::string() : std::get<std::string>(found->second);
}

void put(Record& record, std::string_view part, std::uint32_t number) {
    if (number != 0) record.emplace(part, std::uint64_t{number});
}

void put(Record& record, std::string_view part, const std::string& word) {
    if (!word.empty()) record.emplace(part, word);
}

}  // namespace

std::span<const RecordPart> rule_parts() {
    return kParts;
}

std::span<const RecordPart> rule_beyond_parts() {
    return kBeyondParts;
}

Rule rule_of(const Record& record) {
    Rule rule;
    rule.from = parse_network(word_in(record, "from"));
    rule.to = parse_network(word_in(record, "to"));
    rule.iif = word_in(record, "iif");
    rule.oif = word_in(record, "oif");
    rule.fwmark = number_in(record, "fwmark");
    rule.fwmask = number_in(record, "fwmask");
    if (rule.fwmark != 0 && rule.fwmask == 0) rule.fwmask = kMaxU32;
    rule.tos = static_cast<std::uint8_t>(number_in(record, "tos"));
    if (rule.to) rule.v6 = rule.to->ip.v6;
    if (rule.from) rule.v6 = rule.from->ip.v6;
    if (record.contains("family")) rule.v6 = word_in(record, "family") == "ipv6";
    // The kernel keeps no network of length 0: it is any address.
    if (rule.from && rule.from->length == 0) rule.from.reset();
    if (rule.to && rule.to->length == 0) rule.to.reset();
    if (record.contains("priority")) rule.priority = number_in(record, "priority");
    if (record.contains("table")) rule.table = table_number(word_in(record, "table"));
    if (record.contains("protocol")) rule.protocol = protocol_number(word_in(record, "protocol"));
    return rule;
}

Record record_of(const Rule& rule) {
    Record record;
    if (rule.from) record["from"] = text(*rule.from);
    if (rule.to) record["to"] = text(*rule.to);
    put(record, "iif", rule.iif);
    put(record, "oif", rule.oif);
    put(record, "fwmark", rule.fwmark);
    put(record, "fwmask", rule.fwmask);
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
    put(whole, "what", word_in(*record, "what"));
    return whole;
}

std::string identity(const Rule& rule) {
    static const Shape shape{.kind = Shape::Kind::items, .parts = kParts};
    return identity(shape, Value(record_of(rule)));
}

bool made_by_kernel(const Rule& rule) {
    constexpr std::uint8_t kernel = 2;
    return rule.protocol == kernel;
}

}  // namespace core
