// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/codecs.hpp"

#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>

#include <algorithm>
#include <cerrno>

#include "netlink/files/loaded_modules.hpp"
#include "netlink/files/text_file.hpp"
#include "netlink/system/nft_rule.hpp"

namespace netlink {
namespace {

Message dump_of(int what) {
    Message request(NFNL_SUBSYS_NFTABLES << 8U | what);
    request.put_header(nfgenmsg{.nfgen_family = AF_UNSPEC, .version = NFNETLINK_V0, .res_id = 0});
    return request;
}

bool is_in(const NftRule& rule, const NftChain& chain) {
    return rule.family == chain.family && rule.table == chain.table && rule.chain == chain.name;
}

/// Whether a packet that no other rule takes is dropped in the chain: by its policy, or by a rule
/// that asks for nothing.
bool drops_the_rest(const NftChain& chain, const std::vector<NftRule>& rules) {
    return chain.drops || std::ranges::any_of(rules, [&](const NftRule& rule) {
               return is_in(rule, chain) && (rule.verdict == "drop" || rule.verdict == "reject") &&
                      rule.protocol.empty() && rule.beside.empty() && rule.port_first == 0 &&
                      !rule.names_roce() && rule.may_be_roce();
           });
}

bool may_accept(const NftChain& chain, const std::vector<NftRule>& rules) {
    return std::ranges::any_of(rules, [&](const NftRule& rule) {
        return is_in(rule, chain) && !rule.verdict.empty() && rule.verdict != "drop" &&
               rule.verdict != "reject" && rule.verdict != "return" && rule.may_be_roce();
    });
}

void add_tables(const Machine& machine, const std::string& program, const std::string& file,
                std::string& out) {
    try {
        std::string tables = read_text_file(machine.file(file));
        std::ranges::replace(tables, '\n', ' ');
        if (!tables.empty()) add_word(out, program + ": " + tables);
    } catch (const KernelError& error) {
        if (error.code != ENOENT) throw;
    }
}

/// The tables of the iptables that is older than nftables, which no netlink tells.
std::string legacy_tables(const Machine& machine) {
    std::string out;
    add_tables(machine, "iptables", "/proc/net/ip_tables_names", out);
    add_tables(machine, "ip6tables", "/proc/net/ip6_tables_names", out);
    return out;
}

}  // namespace

void read_firewall(Machine& machine, const Names& /*names*/, core::Port& itself) {
    core::Firewall found;
    found.unread = legacy_tables(machine);
    if (!machine.rooted() && !would_load(machine, "nf_tables")) {
        Socket socket(NETLINK_NETFILTER);
        Message asks_rules = dump_of(NFT_MSG_GETRULE);
        const auto rules = socket.dump<NftRule>(
            asks_rules, [](const Reply& reply) { return decode_nft_rule(reply.payload); });
        Message asks_chains = dump_of(NFT_MSG_GETCHAIN);
        const auto chains = socket.dump<NftChain>(
            asks_chains, [](const Reply& reply) { return decode_nft_chain(reply.payload); });
        for (const NftRule& rule : rules) {
            if (rule.of_set && rule.may_be_roce() && rule.verdict != "accept")
                add_word(found.unread, "nftables " + rule.family + ' ' + rule.table + ' ' +
                                           rule.chain + " handle " + std::to_string(rule.handle) +
                                           " (a set of ports)");
            else if (rule.names_roce())
                found.rules.push_back({.family = rule.family,
                                       .table = rule.table,
                                       .chain = rule.chain,
                                       .handle = rule.handle,
                                       .protocol = rule.protocol,
                                       .verdict = rule.verdict,
                                       .beside = rule.beside});
        }
        for (const NftChain& chain : chains)
            if (chain.hook != "forward" && drops_the_rest(chain, rules))
                found.chains.push_back({.family = chain.family,
                                        .table = chain.table,
                                        .name = chain.name,
                                        .hook = chain.hook,
                                        .accepts = may_accept(chain, rules) ? "maybe" : "no"});
    }
    itself.firewall = std::move(found);
}

}  // namespace netlink
