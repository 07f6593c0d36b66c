// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/model/letters.hpp"
#include "core/model/shell.hpp"

// Whether the host's own firewall lets RoCE v2 pass, which is UDP to port 4791. A NIC's own RDMA
// goes past it; what a soft device sends and receives does not (drivers/infiniband/sw/rxe/rxe_net.c
// is a UDP tunnel).

namespace core {
namespace {

constexpr std::array<Keys, 2> kFirewallRules = {"host.firewall.rules", "host.firewall.dropping"};
constexpr std::array<Keys, 2> kFirewallUnread = {"host.firewall.rules", "host.firewall.unread"};

bool has_soft_device(const Evidence& evidence) {
    return std::ranges::any_of(evidence.fabric_ports, [](const Port* port) {
        return port->rdma_link && !port->rdma_link->type.empty();
    });
}

const std::vector<FirewallRule>& rules_of(const Evidence& evidence) {
    return evidence.now->firewall->rules;
}

bool is_about_udp(const FirewallRule& rule) {
    return rule.protocol.empty() || rule.protocol == "udp";
}

bool accepts_in(const Evidence& evidence, const FirewallRule& other) {
    return std::ranges::any_of(rules_of(evidence), [&](const FirewallRule& rule) {
        return rule.verdict == "accept" && is_about_udp(rule) && rule.family == other.family &&
               rule.table == other.table && rule.chain == other.chain && rule.handle < other.handle;
    });
}

std::string place_of(const FirewallRule& rule) {
    return rule.family + ' ' + rule.table + ' ' + rule.chain;
}

constexpr std::string_view kByHand =
    "let UDP 4791 pass there by hand: nft would read more than a name in what it is called";

/// Whether nft reads it as one name, or as a word of its own (nftables 1.0, src/scanner.l, string).
/// The kernel takes others too, in which nft would read more, and shells' quotes keep it from none.
bool is_name(std::string_view text) {
    constexpr std::string_view marks = "/_.-";
    return !text.empty() && (is_letter(text.front()) || text.front() == '_') &&
           std::ranges::all_of(text, [&](char c) {
               return is_letter_or_digit(c) || marks.find(c) != std::string_view::npos;
           });
}

/// ` inet filter input`; nothing where it cannot be told.
std::optional<std::string> for_nft(const std::string& family, const std::string& table,
                                   const std::string& chain) {
    if (!is_name(family) || !is_name(table) || !is_name(chain)) return std::nullopt;
    return ' ' + family + ' ' + table + ' ' + chain;
}

/// A port as nft takes it, in quotes of its own where it has to be; nothing where it cannot be.
std::optional<std::string> for_nft(const std::string& port) {
    if (is_name(port)) return port;
    if (port.find_first_of("\"*\\") != std::string::npos) return std::nullopt;
    return '"' + port + '"';
}

/// ` iifname eth1`, or `'{ eth1, eth2 }'`, of the ports of soft devices and what runs on them;
/// empty where there are none, nothing where one cannot be told.
std::optional<std::string> soft_ports(const Evidence& evidence, std::string_view key) {
    std::vector<std::string> names;
    for (const Port* port : evidence.fabric_ports) {
        if (!port->rdma_link || port->rdma_link->type.empty()) continue;
        names.push_back(port->name);
        for (const Port* above : evidence.index->on(port->name))
            names.push_back(above->name);
    }
    std::string list;
    for (const std::string& name : names) {
        const std::optional<std::string> one = for_nft(name);
        if (!one) return std::nullopt;
        list.append(list.empty() ? "" : ", ").append(*one);
    }
    if (names.size() > 1) list = "{ " + list + " }";
    return names.empty() ? list : std::string(key) + shell(list);
}

std::string let_in(const Evidence& evidence, const FirewallChain& chain) {
    const bool out = chain.hook == "output" || chain.hook == "postrouting";
    const auto place = for_nft(chain.family, chain.table, chain.name);
    const auto ports = soft_ports(evidence, out ? " oifname " : " iifname ");
    if (!place || !ports) return std::string(kByHand);
    return "nft insert rule" + *place + *ports + " udp dport 4791 accept";
}

Fault drop(const FirewallRule& rule) {
    const std::string handle = " handle " + std::to_string(rule.handle);
    const auto place = for_nft(rule.family, rule.table, rule.chain);
    return {.text = "nftables " + place_of(rule) + ": a rule (" + handle.substr(1) + ") " +
                    rule.verdict + "s UDP 4791" +
                    (rule.beside.empty() ? "" : ", where it holds: " + rule.beside),
            .remedy = place ? "nft delete rule" + *place + handle : std::string(kByHand)};
}

Faults dropped(const Evidence& evidence) {
    Faults out;
    for (const FirewallRule& rule : rules_of(evidence)) {
        if (!is_about_udp(rule) || (rule.verdict != "drop" && rule.verdict != "reject")) continue;
        if (accepts_in(evidence, rule)) continue;
        out.push_back(drop(rule));
    }
    for (const FirewallChain& chain : evidence.now->firewall->chains) {
        const std::string place = chain.family + ' ' + chain.table + ' ' + chain.name;
        if (chain.accepts == "no" && chain.hook != "forward")
            out.push_back({.text = "nftables " + place + " (" + chain.hook +
                                   ") drops what no rule accepts, and none accepts UDP 4791",
                           .remedy = let_in(evidence, chain)});
    }
    return out;
}

/// A rule that somebody wrote for RoCE, and by mistake for TCP; null: none.
const FirewallRule* rule_for_tcp(const Evidence& evidence) {
    const std::vector<FirewallRule>& rules = rules_of(evidence);
    const auto accepts = [](const FirewallRule& rule) { return rule.verdict == "accept"; };
    if (std::ranges::any_of(
            rules, [&](const FirewallRule& rule) { return accepts(rule) && is_about_udp(rule); }))
        return nullptr;
    const auto wrong = std::ranges::find_if(
        rules, [&](const FirewallRule& rule) { return accepts(rule) && rule.protocol == "tcp"; });
    return wrong == rules.end() ? nullptr : &*wrong;
}

Faults dropped_soft(const Evidence& evidence) {
    if (!has_soft_device(evidence)) return {};
    Faults out = dropped(evidence);
    const FirewallRule* wrong = rule_for_tcp(evidence);
    for (Fault& fault : out) {
        if (fault.remedy != kByHand) fault.command = fault.remedy;
        if (wrong != nullptr)
            fault.text += "; a rule for TCP 4791 (handle " + std::to_string(wrong->handle) +
                          ") is there and does nothing";
    }
    return out;
}

Faults dropped_beside(const Evidence& evidence) {
    return has_soft_device(evidence) ? Faults{} : dropped(evidence);
}

Faults for_tcp(const Evidence& evidence) {
    const FirewallRule* wrong = rule_for_tcp(evidence);
    if (wrong == nullptr) return {};
    return fault("nftables " + place_of(*wrong) + " accepts TCP 4791 (handle " +
                 std::to_string(wrong->handle) + "), and nothing accepts UDP 4791");
}

Faults not_read(const Evidence& evidence) {
    const std::string& unread = evidence.now->firewall->unread;
    if (unread.empty() || !has_soft_device(evidence)) return {};
    return fault("not read: " + unread);
}

constexpr std::array<Ids, 1> kWrongProtocol = {"firewall-wrong-protocol"};
constexpr std::array<Ids, 2> kOfSoft = {"firewall-wrong-protocol", "send-refused"};

constexpr std::array kRowsFirewall = {
    FindingRow{.id = "firewall-wrong-protocol",
               .level = FindingLevel::note,
               .why = "RoCE v2 is UDP to port 4791. A rule for TCP opens nothing.",
               .remedy = "the same rule for udp dport 4791",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kFirewallRules},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "the rule is for something else on TCP 4791"},
               .run = for_tcp},
    FindingRow{.id = "firewall-roce",
               .why = "A soft RoCE device sends and receives through the host's UDP, which the "
                      "firewall drops here: connecting ends with error 12 after all retries; where "
                      "what is sent is dropped, since Linux 6.10 at once, with status 5.",
               .remedy = "nft insert rule inet filter input udp dport 4791 accept",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kFirewallRules},
               .examines = CheckTarget::host,
               .cause = {.explains = kOfSoft,
                         .ruled_out_by = "the rule's counter does not grow while RDMA is tried",
                         .test = "nft list ruleset",
                         .weight = Weight::stop},
               .run = dropped_soft},
    FindingRow{
        .id = "firewall-roce-hardware",
        .level = FindingLevel::note,
        .why = "RDMA of a NIC goes past the host's firewall: the rule does nothing against "
               "RoCE. Whoever wrote it may have asked the same of a switch, where it does.",
        .remedy = "no such rule, here and in the switches",
        .manual = "rocectl-doctor(8), HOST",
        .needs = {.keys = kFirewallRules},
        .examines = CheckTarget::host,
        .cause = {.explains = kWrongProtocol, .ruled_out_by = "no access list of a switch has it"},
        .run = dropped_beside},
    FindingRow{.id = "firewall-unread",
               .level = FindingLevel::note,
               .why = "There are rules that are not read here, such as tables of the old iptables: "
                      "they may drop what others let pass.",
               .remedy = "nft list ruleset, iptables-legacy-save and ip6tables-legacy-save show "
                         "them",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kFirewallUnread},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "none of them is about UDP or 4791"},
               .run = not_read},
};

constexpr auto kAllFirewall = each_of(kRowsFirewall);

}  // namespace

const FindingGroup finding_group::firewall{
    .name = "firewall",
    .doc = "Whether the host's own firewall lets RoCE packets pass.",
    .rows = kAllFirewall};

}  // namespace core
