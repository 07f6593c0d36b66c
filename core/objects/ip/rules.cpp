// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/model/access.hpp"
#include "core/model/edit.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/long_lists.hpp"
#include "core/objects/ip/records.hpp"
#include "core/objects/ip/route_words.hpp"
#include "core/objects/rows.hpp"

namespace core::rules {

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

constexpr std::array<std::string_view, 2> kFamilies = {"ipv4", "ipv6"};

constexpr RecordPart selector(std::string_view name, Shape shape, std::string_view doc) {
    return {.name = name, .shape = shape, .doc = doc, .identity = true};
}

constexpr Shape kNetwork{.kind = Shape::Kind::text, .text = Shape::Text::network};
constexpr Shape kPort{
    .kind = Shape::Kind::text, .text = Shape::Text::name, .names = Shape::Names::port};
constexpr Shape kNumber{.kind = Shape::Kind::number, .min = 1, .max = kU32};

constexpr std::array kRuleParts = {
    RecordPart{.name = "priority",
               .shape = {.kind = Shape::Kind::number, .min = 0, .max = kU32},
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
    selector("tos", {.kind = Shape::Kind::number, .min = 1, .max = 255},
             "Type of service of the packet; of IPv4 the bits 2 to 4 alone."),
    RecordPart{.name = "table",
               .shape = {.kind = Shape::Kind::word, .min = 1, .max = kU32, .words = kTableWords},
               .doc = "Routing table that is asked.",
               .required = true},
    RecordPart{.name = "protocol",
               .shape = {.kind = Shape::Kind::word, .max = 255, .words = kProtocolWords},
               .doc = "Who made the rule; unspec where not stated."}};

constexpr auto kRuleBeyondParts = with_what(kRuleParts);

constexpr std::array kFields = {
    with(kLong, setting("rules", {.kind = items, .parts = kRuleParts, .canonical = canonical_rule},
                        "Which packets are looked up in which routing table. Rules are the host's, "
                        "whichever port states them.",
                        get_rules, set_rules)),
    fact("rules_beyond",
         {.kind = items, .parts = kRuleBeyondParts, .canonical = canonical_rule_beyond},
         "Rules that no setting describes; they are left alone.", get_beyond, set_beyond),
};

using RuleEdit = Edit<Rule>;

/// What a removal leaves unsaid stands for anything (net/core/fib_rules.c rule_find,
/// net/ipv4/fib_rules.c fib4_rule_compare), so it may find another rule of the same priority.
bool also_means(const Rule& removed, const Rule& other) {
    const auto same = [](const auto& asked, const auto& has) { return !asked || asked == has; };
    const auto same_name = [](const std::string& asked, const std::string& has) {
        return asked.empty() || asked == has;
    };
    const auto same_number = [](std::uint32_t asked, std::uint32_t has) {
        return asked == 0 || asked == has;
    };
    return removed.v6 == other.v6 && removed.priority == other.priority &&
           removed.table == other.table && same(removed.from, other.from) &&
           same(removed.to, other.to) && same_name(removed.iif, other.iif) &&
           same_name(removed.oif, other.oif) && same_number(removed.fwmark, other.fwmark) &&
           same_number(removed.fwmask, other.fwmask) && same_number(removed.tos, other.tos) &&
           same_number(removed.protocol, other.protocol);
}

Refused add_refused(const Port& host, const Rule& rule) {
    // Bits of the ToS that an IPv4 rule may look at: IPTOS_TOS_MASK without ECN.
    constexpr unsigned tos_mask = 0x1c;
    if (!rule.v6 && (unsigned{rule.tos} & ~tos_mask) != 0)
        return Refusal{.code = EINVAL, .text = "Invalid argument"};
    const bool there = std::ranges::any_of(host.rules_beyond, [&](const RuleBeyond& beyond) {
        return beyond.what == kSecondRule && identity(beyond.rule) == identity(rule) &&
               beyond.rule.table == rule.table;
    });
    if (there) return Refusal{.code = EEXIST, .text = "File exists"};
    return std::nullopt;
}

std::string hexadecimal(std::uint32_t number) {
    std::array<char, 8> buffer{};
    std::string out = "0x";
    return out.append(buffer.begin(), std::to_chars(buffer.begin(), buffer.end(), number, 16).ptr);
}

std::string spell_rule(const Rule& rule) {
    std::string line = "priority " + std::to_string(rule.priority);
    line += " from " + (rule.from ? core::text(*rule.from) : "all");
    if (rule.to) line += " to " + core::text(*rule.to);
    if (!rule.iif.empty()) line += " iif " + shell(rule.iif);
    if (!rule.oif.empty()) line += " oif " + shell(rule.oif);
    if (rule.fwmark != 0 || rule.fwmask != 0)
        line += " fwmark " + hexadecimal(rule.fwmark) + "/" + hexadecimal(rule.fwmask);
    if (rule.tos != 0) line += " tos " + hexadecimal(rule.tos);
    line += " table " + table_word(rule.table);
    if (rule.protocol != 0) line += " protocol " + protocol_word(rule.protocol);
    return line;
}

}  // namespace

std::vector<RuleEdit> edits(const std::vector<Rule>& now, const std::vector<Rule>& then) {
    std::vector<RuleEdit> edits;
    const std::set<Rule> before(now.begin(), now.end());
    const std::set<Rule> after(then.begin(), then.end());
    for (const Rule& rule : now)
        if (!after.contains(rule)) edits.push_back({RuleEdit::Kind::remove, rule});
    for (const Rule& rule : then)
        if (!before.contains(rule)) edits.push_back({RuleEdit::Kind::add, rule});
    return edits;
}

Refused removal_refused(const Port& host, const Rule& rule) {
    std::string other;
    for (const Rule& one : *host.rules)
        if (!(one == rule) && also_means(rule, one)) other = spell_rule(one);
    for (const RuleBeyond& beyond : host.rules_beyond)
        if (also_means(rule, beyond.rule)) other = spell_rule(beyond.rule) + ", " + beyond.what;
    if (other.empty()) return std::nullopt;
    return Refusal{.code = 0,
                   .text = "the kernel would not tell the rule from another one (" + other +
                           "); give them different priorities"};
}

namespace {

/// The rules among which a removal may find another one, while some are removed.
class Alike {
public:
    explicit Alike(const Port& host) {
        for (const Rule& rule : *host.rules)
            add({false, rule});
        for (const RuleBeyond& beyond : host.rules_beyond)
            add({true, beyond.rule});
    }

    /// Whether the kernel may take another rule for this one.
    [[nodiscard]] bool is_uncertain(const Rule& rule) const {
        const auto found = rules_.find(key_of(rule));
        return found != rules_.end() && std::ranges::any_of(found->second, [&](const One& other) {
                   return !(other == One{false, rule}) && also_means(rule, other.second);
               });
    }

    void remove(const Rule& rule) {
        for (const Key& key : keys_of(rule))
            rules_[key].erase({false, rule});
    }

private:
    /// What a removal always says, and the networks where it says them.
    using Key = std::tuple<bool, std::uint32_t, std::uint32_t, std::optional<Prefix>,
                           std::optional<Prefix>>;
    static Key key_of(const Rule& rule) {
        return {rule.v6, rule.priority, rule.table, rule.from, rule.to};
    }
    /// Of the removals that may find the rule.
    static std::set<Key> keys_of(const Rule& rule) {
        std::set<Key> out;
        for (const auto& from : {rule.from, std::optional<Prefix>{}})
            for (const auto& to : {rule.to, std::optional<Prefix>{}})
                out.emplace(rule.v6, rule.priority, rule.table, from, to);
        return out;
    }
    using One = std::pair<bool, Rule>;  ///< and before it whether no setting describes it
    void add(const One& one) {
        for (const Key& key : keys_of(one.second))
            rules_[key].insert(one);
    }

    std::map<Key, std::set<One>> rules_{};
};

Played play(const Driver& /*driver*/, State& /*state*/, Port& now, const Port& then) {
    std::set<Rule> removed;
    std::vector<Rule> added;
    Alike alike(now);
    for (const RuleEdit& edit : edits(*now.rules, *then.rules)) {
        if (edit.kind == RuleEdit::Kind::remove) {
            if (alike.is_uncertain(edit.entry)) {
                std::erase_if(*now.rules, [&](const Rule& rule) { return removed.contains(rule); });
                return *removal_refused(now, edit.entry);
            }
            alike.remove(edit.entry);
            removed.insert(edit.entry);
        } else if (Refused no = add_refused(now, edit.entry)) {
            return no;
        } else {
            added.push_back(edit.entry);
        }
    }
    std::erase_if(*now.rules, [&](const Rule& rule) { return removed.contains(rule); });
    now.rules->insert(now.rules->end(), added.begin(), added.end());
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const RuleEdit& edit : edits(*now.rules, *then.rules)) {
        std::string line = edit.entry.v6 ? "ip -6 rule " : "ip rule ";
        line += edit.kind == RuleEdit::Kind::remove ? "delete " : "add ";
        lines.push_back(line + spell_rule(edit.entry));
    }
    return lines;
}

ElementNames by_kernel(const Port& host) {
    ElementNames out;
    if (!host.rules) return out;
    for (const Rule& rule : *host.rules)
        if (made_by_kernel(rule)) out.insert(identity(rule));
    return out;
}

constexpr std::array kAtBoot = {
    AtBoot{"rules", BootProgram::networkd, "RoutingPolicyRule.*", false},
    AtBoot{"rules", BootProgram::network_manager, "ipv4.routing-rule*", false},
    AtBoot{"rules", BootProgram::network_manager, "ipv6.routing-rule*", false},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::rules,
    .name = "rules",
    .doc = "Policy rules of the host.",
    .topic = Topic::ip,
    .lives = Lives::host,
    .child_states = true,
    .fields = kFields,
    .play = play,
    .chosen_by = {.kernel = by_kernel, .others = Others::network_daemon},
    .words = {.spell = spell},
    .boot = {.programs = kAtBoot}};

}  // namespace core::rules
