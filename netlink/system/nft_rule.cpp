// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/nft_rule.hpp"

#include <arpa/inet.h>
#include <endian.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nf_tables_compat.h>
#include <linux/netfilter/nfnetlink.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <map>

// What nft(8) and iptables-nft make of a rule: expressions that load something into a register, and
// such as compare it (net/netfilter/nft_payload.c, nft_meta.c, nft_cmp.c, nft_range.c, nft_ct.c).

namespace netlink {
namespace {

constexpr std::uint32_t kRocePort = 4791;
constexpr std::uint32_t kMostPort = 65535;

/// What a register holds.
enum class Loaded : std::uint8_t { other, protocol, port, interface_name, interface_index, state };

std::uint32_t big(const Attributes& attributes, int type) {
    return ntohl(attributes.value<std::uint32_t>(type).value_or(0));
}

/// The registers of 16 bytes are the first four; each is as four of 4 bytes (NFT_REG32_00).
std::uint32_t register_of(std::uint32_t number) {
    return number >= NFT_REG_1 && number <= NFT_REG_4
               ? NFT_REG32_00 + (number - NFT_REG_1) * (NFT_REG_SIZE / NFT_REG32_SIZE)
               : number;
}

Bytes data_of(const Attributes& attributes, int type) {
    return attributes.nested(type).find(NFTA_DATA_VALUE).value_or(Bytes());
}

std::uint32_t number_in(Bytes data) {
    std::uint32_t number = 0;
    for (const std::byte byte : data.first(std::min<std::size_t>(data.size(), 2)))
        number = number << 8U | std::to_integer<std::uint32_t>(byte);
    return number;
}

std::string protocol_name(std::uint32_t number) {
    if (number == IPPROTO_UDP) return "udp";
    if (number == IPPROTO_TCP) return "tcp";
    return std::to_string(number);
}

class RuleReader {
public:
    explicit RuleReader(NftRule& rule) : rule_(rule) {}

    void read(const std::string& name, const Attributes& data) {
        if (name == "payload") return payload(data);
        if (name == "meta") return meta(data);
        if (name == "ct")
            return load(data, NFTA_CT_DREG,
                        big(data, NFTA_CT_KEY) == NFT_CT_STATE ? Loaded::state : Loaded::other);
        if (name == "cmp") return compare(data);
        if (name == "range") return range(data);
        if (name == "lookup") return look_up(data);
        if (name == "bitwise") return mask(data);
        if (name == "immediate") return immediate(data);
        if (name == "match") return match(data);
        if (name == "reject") return decide("reject");
        if (name == "target") return target(data);
        if (name != "counter" && name != "log") ask(name);
    }

private:
    void ask(std::string_view what) {
        if (rule_.beside.find(what) == std::string::npos) add_word(rule_.beside, what);
    }

    void decide(std::string_view verdict) { rule_.verdict = verdict; }

    void load(const Attributes& data, int destination, Loaded what) {
        held_[register_of(big(data, destination))] = what;
    }

    Loaded held(const Attributes& data, int source) const {
        const auto found = held_.find(register_of(big(data, source)));
        return found == held_.end() ? Loaded::other : found->second;
    }

    void payload(const Attributes& data) {
        if (!data.find(NFTA_PAYLOAD_DREG)) return;  // it writes a packet
        const std::uint32_t base = big(data, NFTA_PAYLOAD_BASE);
        const std::uint32_t offset = big(data, NFTA_PAYLOAD_OFFSET);
        const std::uint32_t length = big(data, NFTA_PAYLOAD_LEN);
        Loaded what = Loaded::other;
        if (base == NFT_PAYLOAD_TRANSPORT_HEADER && offset == 2 && length == 2) what = Loaded::port;
        // In a table of both families nft asks for the family before it.
        const bool of_ip =
            (rule_.family != "ip6" && offset == 9) || (rule_.family != "ip" && offset == 6);
        if (base == NFT_PAYLOAD_NETWORK_HEADER && of_ip && length == 1) what = Loaded::protocol;
        load(data, NFTA_PAYLOAD_DREG, what);
    }

    void meta(const Attributes& data) {
        if (!data.find(NFTA_META_DREG)) return;  // it marks a packet
        const std::uint32_t key = big(data, NFTA_META_KEY);
        Loaded what = Loaded::other;
        if (key == NFT_META_L4PROTO) what = Loaded::protocol;
        if (key == NFT_META_IIFNAME || key == NFT_META_OIFNAME) what = Loaded::interface_name;
        if (key == NFT_META_IIF || key == NFT_META_OIF) what = Loaded::interface_index;
        load(data, NFTA_META_DREG, what);
    }

    void compare(const Attributes& data) {
        const std::uint32_t how = big(data, NFTA_CMP_OP);
        const Bytes value = data_of(data, NFTA_CMP_DATA);
        switch (held(data, NFTA_CMP_SREG)) {
            case Loaded::protocol:
                if (how == NFT_CMP_EQ && !value.empty())
                    rule_.protocol = protocol_name(std::to_integer<std::uint32_t>(value.front()));
                else
                    ask("protocol");
                return;
            case Loaded::port: return ports(how, number_in(value));
            case Loaded::interface_name:
                ask("interface");
                rule_.passes_by |= how == NFT_CMP_EQ && is_lo(value);
                return;
            case Loaded::interface_index: {
                ask("interface");
                const auto index = header_of<std::uint32_t>(value);
                rule_.passes_by |= how == NFT_CMP_EQ && index == 1U;  // LOOPBACK_IFINDEX
                return;
            }
            case Loaded::state: return ask("state of the connection");
            case Loaded::other: return ask("more");
        }
    }

    static bool is_lo(Bytes value) {
        constexpr std::array<std::byte, 3> name = {std::byte{'l'}, std::byte{'o'}, std::byte{0}};
        return value.size() >= name.size() && std::equal(name.begin(), name.end(), value.begin());
    }

    void ports(std::uint32_t how, std::uint32_t port) {
        if (how == NFT_CMP_EQ) return narrow(port, port);
        if (how == NFT_CMP_LTE) return narrow(0, port);
        if (how == NFT_CMP_GTE) return narrow(port, kMostPort);
        if (how == NFT_CMP_LT && port > 0) return narrow(0, port - 1);
        if (how == NFT_CMP_GT && port < kMostPort) return narrow(port + 1, kMostPort);
        ask("port");
    }

    void narrow(std::uint32_t first, std::uint32_t last) {
        rule_.port_first = std::max(rule_.port_first, first);
        rule_.port_last = std::min(rule_.port_last, last);
    }

    void range(const Attributes& data) {
        const Loaded what = held(data, NFTA_RANGE_SREG);
        if (what != Loaded::port || big(data, NFTA_RANGE_OP) != NFT_RANGE_EQ) return ask("more");
        narrow(number_in(data_of(data, NFTA_RANGE_FROM_DATA)),
               number_in(data_of(data, NFTA_RANGE_TO_DATA)));
    }

    void look_up(const Attributes& data) {
        rule_.of_set |= held(data, NFTA_LOOKUP_SREG) == Loaded::port;
        ask("a set");
    }

    /// `ct state established` is a mask of states, and then no state is not among them.
    void mask(const Attributes& data) {
        const Loaded what = held(data, NFTA_BITWISE_SREG);
        load(data, NFTA_BITWISE_DREG, what == Loaded::state ? what : Loaded::other);
        constexpr std::uint32_t fresh = 1U << 3U;  // NF_CT_STATE_BIT(IP_CT_NEW)
        const auto states = header_of<std::uint32_t>(data_of(data, NFTA_BITWISE_MASK));
        if (what == Loaded::state && states && (*states & fresh) == 0) rule_.passes_by = true;
    }

    void immediate(const Attributes& data) {
        const Attributes verdict = data.nested(NFTA_IMMEDIATE_DATA).nested(NFTA_DATA_VERDICT);
        const auto code = verdict.value<std::uint32_t>(NFTA_VERDICT_CODE);
        if (!code) return;
        switch (static_cast<std::int32_t>(ntohl(*code))) {
            case NF_DROP: return decide("drop");
            case NF_ACCEPT: return decide("accept");
            case NFT_JUMP: return decide("jump");
            case NFT_GOTO: return decide("goto");
            case NFT_RETURN: return decide("return");
            case NFT_CONTINUE: return;
            default: return decide("other");
        }
    }

    /// struct xt_udp and the beginning of struct xt_tcp: source ports, destination ports.
    struct Ports {
        std::array<std::uint16_t, 2> source;
        std::array<std::uint16_t, 2> destination;
    };
    void match(const Attributes& data) {
        const std::string name = data.text(NFTA_MATCH_NAME);
        const auto ports = data.value<Ports>(NFTA_MATCH_INFO);
        if ((name != "udp" && name != "tcp") || !ports) return ask(name);
        rule_.protocol = name;
        narrow(ports->destination.front(), ports->destination.back());
        if (ports->source.front() != 0 || ports->source.back() != kMostPort) ask("source port");
    }

    void target(const Attributes& data) {
        const std::string name = data.text(NFTA_TARGET_NAME);
        decide(name == "REJECT" ? "reject" : "other");
    }

    NftRule& rule_;
    std::map<std::uint32_t, Loaded> held_{};
};

std::string family_name(std::uint8_t family) {
    switch (family) {
        case NFPROTO_INET: return "inet";
        case NFPROTO_IPV4: return "ip";
        case NFPROTO_IPV6: return "ip6";
        case NFPROTO_BRIDGE: return "bridge";
        case NFPROTO_NETDEV: return "netdev";
        case NFPROTO_ARP: return "arp";
        default: return std::to_string(family);
    }
}

}  // namespace

bool NftRule::names_roce() const {
    const bool all = port_first == 0 && port_last == kMostPort;
    return !all && port_first <= kRocePort && kRocePort <= port_last;
}

bool NftRule::may_be_roce() const {
    return (protocol.empty() || protocol == "udp") && port_first <= kRocePort &&
           kRocePort <= port_last && !passes_by;
}

std::optional<NftRule> decode_nft_rule(Bytes payload) {
    const auto header = header_of<nfgenmsg>(payload);
    if (!header) return std::nullopt;
    const auto attributes = Attributes::after<nfgenmsg>(payload);
    NftRule rule{.family = family_name(header->nfgen_family),
                 .table = attributes.text(NFTA_RULE_TABLE),
                 .chain = attributes.text(NFTA_RULE_CHAIN),
                 .handle = be64toh(attributes.value<std::uint64_t>(NFTA_RULE_HANDLE).value_or(0))};
    if (rule.table.empty() || rule.chain.empty()) return std::nullopt;
    RuleReader reader(rule);
    attributes.nested(NFTA_RULE_EXPRESSIONS).for_each([&](int type, Bytes bytes) {
        if (type != NFTA_LIST_ELEM) return;
        const Attributes expression(bytes);
        reader.read(expression.text(NFTA_EXPR_NAME), expression.nested(NFTA_EXPR_DATA));
    });
    return rule;
}

std::optional<NftChain> decode_nft_chain(Bytes payload) {
    const auto header = header_of<nfgenmsg>(payload);
    if (!header) return std::nullopt;
    const auto attributes = Attributes::after<nfgenmsg>(payload);
    const Attributes hook = attributes.nested(NFTA_CHAIN_HOOK);
    const auto number = hook.value<std::uint32_t>(NFTA_HOOK_HOOKNUM);
    const bool of_ip = header->nfgen_family == NFPROTO_INET ||
                       header->nfgen_family == NFPROTO_IPV4 || header->nfgen_family == NFPROTO_IPV6;
    if (!number || !of_ip) return std::nullopt;
    constexpr std::array<const char*, NF_INET_NUMHOOKS> names = {"prerouting", "input", "forward",
                                                                 "output", "postrouting"};
    const std::uint32_t at = ntohl(*number);
    if (at >= names.size()) return std::nullopt;
    const auto policy = attributes.value<std::uint32_t>(NFTA_CHAIN_POLICY);
    return NftChain{.family = family_name(header->nfgen_family),
                    .table = attributes.text(NFTA_CHAIN_TABLE),
                    .name = attributes.text(NFTA_CHAIN_NAME),
                    .hook = names.at(at),
                    .drops = policy && ntohl(*policy) == NF_DROP};
}

}  // namespace netlink
