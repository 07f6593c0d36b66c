// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::firewall {

namespace {

using enum Shape::Kind;

RecordPart constexpr named_part(std::string_view name, std::string_view doc) {
    return {.name = name, .shape = {.kind = text}, .doc = doc, .required = true, .identity = true};
}

constexpr std::array kRuleParts = {
    named_part("family", "Family of the table."),
    named_part("table", "The table."),
    named_part("chain", "The chain."),
    RecordPart{.name = "handle",
               .shape = {.kind = number, .max = kU64},
               .doc = "The rule's handle.",
               .required = true,
               .identity = true},
    RecordPart{.name = "protocol", .shape = {.kind = text}, .doc = "udp or tcp."},
    RecordPart{.name = "verdict", .shape = {.kind = text}, .doc = "What becomes of a packet."},
    RecordPart{.name = "beside", .shape = {.kind = text}, .doc = "What it asks beside."},
};

constexpr std::array kChainParts = {
    named_part("family", "Family of the table."),
    named_part("table", "The table."),
    named_part("chain", "The chain."),
    RecordPart{.name = "hook", .shape = {.kind = text}, .doc = "Where packets come by it."},
    RecordPart{.name = "accepts",
               .shape = {.kind = text},
               .doc = "Whether a rule may let RoCE packets pass: no, or maybe."},
};

Got get_rules(const Port& port) {
    if (!port.firewall) return std::nullopt;
    Elements elements;
    for (const FirewallRule& rule : port.firewall->rules) {
        Record record{{"family", rule.family},
                      {"table", rule.table},
                      {"chain", rule.chain},
                      {"handle", rule.handle}};
        if (!rule.verdict.empty()) record["verdict"] = rule.verdict;
        if (!rule.protocol.empty()) record["protocol"] = rule.protocol;
        if (!rule.beside.empty()) record["beside"] = rule.beside;
        std::string id = identity({.kind = items, .parts = kRuleParts}, record);
        elements.emplace(std::move(id), std::move(record));
    }
    return elements;
}

void set_rules(Port& port, const Elements& elements) {
    auto& rules = part_of<&Port::firewall>(port).rules;
    rules.clear();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        rules.push_back({.family = text_part(record, "family"),
                         .table = text_part(record, "table"),
                         .chain = text_part(record, "chain"),
                         .handle = number_part(record, "handle"),
                         .protocol = text_part(record, "protocol"),
                         .verdict = text_part(record, "verdict"),
                         .beside = text_part(record, "beside")});
    }
}

Got get_chains(const Port& port) {
    if (!port.firewall) return std::nullopt;
    Elements elements;
    for (const FirewallChain& chain : port.firewall->chains) {
        Record record{{"family", chain.family}, {"table", chain.table}, {"chain", chain.name}};
        if (!chain.hook.empty()) record["hook"] = chain.hook;
        if (!chain.accepts.empty()) record["accepts"] = chain.accepts;
        std::string id = identity({.kind = items, .parts = kChainParts}, record);
        elements.emplace(std::move(id), std::move(record));
    }
    return elements;
}

void set_chains(Port& port, const Elements& elements) {
    auto& chains = part_of<&Port::firewall>(port).chains;
    chains.clear();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        chains.push_back({.family = text_part(record, "family"),
                          .table = text_part(record, "table"),
                          .name = text_part(record, "chain"),
                          .hook = text_part(record, "hook"),
                          .accepts = text_part(record, "accepts")});
    }
}

constexpr std::array kFields = {
    fact("host.firewall.rules", {.kind = items, .parts = kRuleParts},
         "Rules of nftables that name port 4791, on which RoCE v2 is, as far as they can be told: "
         "whose protocol is not said ask for something that is not understood.",
         get_rules, set_rules),
    fact("host.firewall.dropping", {.kind = items, .parts = kChainParts},
         "Chains of nftables that drop what no rule accepts, and whether one of their rules may "
         "accept packets to port 4791.",
         get_chains, set_chains),
    fact("host.firewall.unread", {.kind = text},
         "What else filters packets here and was not read, such as tables of the old iptables.",
         get_text<&Port::firewall, &Firewall::unread>,
         set_text<&Port::firewall, &Firewall::unread>),
};

}  // namespace

constinit const ObjectRow row = {.object = Object::firewall,
                                 .name = "firewall",
                                 .doc = "What the host's own firewall does with RoCE packets.",
                                 .topic = Topic::host,
                                 .lives = Lives::host,
                                 .fields = kFields,
                                 .read = {.on_demand = true}};

}  // namespace core::firewall
