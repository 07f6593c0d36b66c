// SPDX-License-Identifier: Apache-2.0
#include "netlink/ip/codecs.hpp"

#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "core/model/edit.hpp"
#include "core/objects/ip/records.hpp"

namespace netlink {
namespace {

using RuleEdit = core::Edit<core::Rule>;

/// What `core::Rule` holds, where a goto leads, and what says nothing.
bool is_described(int type) {
    constexpr std::array kDescribed = {FRA_DST,      FRA_SRC,    FRA_IIFNAME, FRA_PRIORITY,
                                       FRA_FWMARK,   FRA_FWMASK, FRA_TABLE,   FRA_OIFNAME,
                                       FRA_PROTOCOL, FRA_GOTO,   FRA_PAD};
    return std::ranges::find(kDescribed, type) != kDescribed.end();
}

/// The name of the number; without one, `kind` and the number, as in `attribute 99`.
std::string named(const auto& words, int number, const char* kind) {
    const auto found =
        std::ranges::find(words, number, [](const auto& word) { return int{word.first}; });
    return found == words.end() ? std::string(kind) + ' ' + std::to_string(number) : found->second;
}

std::string word_of(int type) {
    constexpr std::array kWords = {std::pair{FRA_FLOW, "realms"},
                                   std::pair{FRA_TUN_ID, "tun_id"},
                                   std::pair{FRA_SUPPRESS_IFGROUP, "suppress_ifgroup"},
                                   std::pair{FRA_SUPPRESS_PREFIXLEN, "suppress_prefixlength"},
                                   std::pair{FRA_L3MDEV, "l3mdev"},
                                   std::pair{FRA_UID_RANGE, "uidrange"},
                                   std::pair{FRA_IP_PROTO, "ipproto"},
                                   std::pair{FRA_SPORT_RANGE, "sport"},
                                   std::pair{FRA_DPORT_RANGE, "dport"}};
    return named(kWords, type, "attribute");
}

/// ip-rule(8)'s words for what it does in the place of looking up a table
/// (include/uapi/linux/fib_rules.h).
std::string action_of(std::uint8_t action) {
    constexpr std::array kWords = {std::pair{FR_ACT_GOTO, "goto"}, std::pair{FR_ACT_NOP, "nop"},
                                   std::pair{FR_ACT_BLACKHOLE, "blackhole"},
                                   std::pair{FR_ACT_UNREACHABLE, "unreachable"},
                                   std::pair{FR_ACT_PROHIBIT, "prohibit"}};
    return named(kWords, action, "action");
}

/// What makes it another rule than `core::Rule` describes. The kernel always states the suppressed
/// prefix length, as -1 where there is none (net/core/fib_rules.c fib_nl_fill_rule).
std::string not_described(const fib_rule_hdr& header, const Attributes& attributes) {
    constexpr std::uint32_t none = 0xffffffff;
    std::string words;
    if ((header.flags & FIB_RULE_INVERT) != 0) add_word(words, "not");
    if (header.action != FR_ACT_TO_TBL) add_word(words, action_of(header.action));
    attributes.for_each([&](int type, Bytes payload) {
        const bool none_stated = type == FRA_SUPPRESS_PREFIXLEN &&
                                 header_of<std::uint32_t>(payload).value_or(none) == none;
        if (!is_described(type) && !none_stated) add_word(words, word_of(type));
    });
    return words;
}

std::optional<core::Prefix> network_in(const Attributes& attributes, int type,
                                       std::uint8_t length) {
    const auto ip = ip_of(attributes.find(type).value_or(Bytes()));
    // Of no bits it selects nothing, whatever the address (net/core/fib_rules.c tells none then).
    if (!ip || length == 0) return std::nullopt;
    return core::Prefix{.ip = *ip, .length = length};
}

bool has_host_bits(const std::optional<core::Prefix>& prefix) {
    return prefix && !(core::network(*prefix) == *prefix);
}

Message rule_message(int type, int flags, const core::Rule& rule) {
    Message message(type, flags);
    fib_rule_hdr header{};
    header.family = static_cast<std::uint8_t>(rule.v6 ? AF_INET6 : AF_INET);
    header.tos = rule.tos;
    header.action = FR_ACT_TO_TBL;
    // Tables above 255 are stated in FRA_TABLE alone.
    header.table = static_cast<std::uint8_t>(rule.table < 256 ? rule.table : RT_TABLE_UNSPEC);
    if (rule.from) header.src_len = rule.from->length;
    if (rule.to) header.dst_len = rule.to->length;
    message.put_header(header);
    message.put(FRA_PRIORITY, rule.priority);
    message.put(FRA_TABLE, rule.table);
    message.put(FRA_PROTOCOL, rule.protocol);
    if (rule.from) message.put_bytes(FRA_SRC, bytes_of(rule.from->ip));
    if (rule.to) message.put_bytes(FRA_DST, bytes_of(rule.to->ip));
    if (!rule.iif.empty()) message.put_text(FRA_IIFNAME, rule.iif);
    if (!rule.oif.empty()) message.put_text(FRA_OIFNAME, rule.oif);
    if (rule.fwmark != 0 || rule.fwmask != 0) {
        message.put(FRA_FWMARK, rule.fwmark);
        message.put(FRA_FWMASK, rule.fwmask);
    }
    return message;
}

void send_edit(Machine& machine, const core::Port& now, const RuleEdit& edit) {
    const bool remove = edit.kind == RuleEdit::Kind::remove;
    if (remove)
        if (const auto no = core::rules::removal_refused(now, edit.entry))
            throw KernelError(EBUSY, no->text);
    Message message = rule_message(remove ? RTM_DELRULE : RTM_NEWRULE,
                                   remove ? 0 : NLM_F_CREATE | NLM_F_EXCL, edit.entry);
    machine.route().change(message);
}

}  // namespace

std::optional<RuleAnswer> decode_rule(Bytes payload) {
    const auto header = header_of<fib_rule_hdr>(payload);
    if (!header || (header->family != AF_INET && header->family != AF_INET6)) return std::nullopt;
    const auto attributes = Attributes::after<fib_rule_hdr>(payload);
    const auto number = [&](int type) { return attributes.value<std::uint32_t>(type); };
    RuleAnswer answer;
    core::Rule& rule = answer.rule;
    rule.v6 = header->family == AF_INET6;
    rule.from = network_in(attributes, FRA_SRC, header->src_len);
    rule.to = network_in(attributes, FRA_DST, header->dst_len);
    rule.iif = attributes.text(FRA_IIFNAME);
    rule.oif = attributes.text(FRA_OIFNAME);
    rule.fwmark = number(FRA_FWMARK).value_or(0);
    rule.fwmask = number(FRA_FWMASK).value_or(0);
    rule.tos = header->tos;
    rule.priority = number(FRA_PRIORITY).value_or(0);
    rule.table = number(FRA_TABLE).value_or(header->table);
    rule.protocol = attributes.value<std::uint8_t>(FRA_PROTOCOL).value_or(0);
    answer.beyond = not_described(*header, attributes);
    if (has_host_bits(rule.from) || has_host_bits(rule.to)) add_word(answer.beyond, "host bits");
    return answer;
}

void read_rules(Machine& machine, core::Port& whole) {
    Message request(RTM_GETRULE);
    request.put_header(fib_rule_hdr{});
    const auto answers = machine.route().dump<RuleAnswer>(
        request, [](const Reply& reply) { return decode_rule(reply.payload); });
    std::vector<core::Rule> rules;
    for (const RuleAnswer& answer : answers) {
        const bool again = std::ranges::any_of(rules, [&](const core::Rule& rule) {
            return core::identity(rule) == core::identity(answer.rule);
        });
        std::string what = answer.beyond;
        if (what.empty() && again) what = core::kSecondRule;
        if (what.empty())
            rules.push_back(answer.rule);
        else
            whole.rules_beyond.push_back({.rule = answer.rule, .what = what});
    }
    whole.rules = std::move(rules);
}

void write_rules(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.rules || !then.rules) throw KernelError(ENODEV);
    for (const RuleEdit& edit : core::rules::edits(*now.rules, *then.rules))
        send_edit(machine, now, edit);
}

}  // namespace netlink
