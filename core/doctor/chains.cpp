// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/diagnosis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <map>

#include "core/checks/catalogue.hpp"
#include "core/checks/checks.hpp"
#include "core/checks/growth.hpp"
#include "core/model/driver.hpp"
#include "core/model/tos.hpp"
#include "core/objects/ip/route_words.hpp"

namespace core {
namespace {

/// What a link is read of.
struct Spot {
    const HostIndex& index;
    const Port& port;
    const EffectiveIntent& roce;
    const Port* before = nullptr;  ///< the port in an earlier reading
    double seconds = 0;
};
using Breaks = std::array<std::string_view, 4>;

/// A link of a chain: the value it shows, and the findings that break it.
struct LinkRow {
    std::string_view chain{};
    std::string_view name{};
    std::string (*found)(const Spot&) = nullptr;
    Breaks breaks{};
};

std::string number(std::uint64_t value) {
    return std::to_string(value);
}

std::string tos(const Spot& place) {
    return place.port.cm_defaults ? number(place.port.cm_defaults->tos) : "";
}

unsigned sent_dscp(const Spot& place) {
    const auto& defaults = place.port.cm_defaults;
    return defaults ? unsigned{defaults->tos} >> 2U : place.roce.dscp;
}

std::string dscp(const Spot& place) {
    return number(sent_dscp(place));
}

std::string trust(const Spot& place) {
    const auto trusts = trusts_dscp(place.port);
    return !trusts ? "" : *trusts ? "dscp" : "pcp";
}

/// ` (an entry for 8 is ignored)`: what the kernel holds for the DSCP beside, and nobody looks at.
std::string ignored_entry(const Spot& place) {
    if (!place.port.app) return {};
    for (const AppEntry& entry : place.port.app->entries)
        if (entry.selector == AppEntry::dscp && entry.protocol == sent_dscp(place) &&
            entry.priority >= kPriorities)
            return " (an entry for " + number(entry.priority) + " is ignored)";
    return {};
}

/// By the tag of a VLAN where the port goes by it; else by DSCP.
std::string priority(const Spot& place) {
    if (trusts_dscp(place.port) == false) {
        if (!has_tags(place.index, place.port)) return number(0);
        if (driver_of(place.port).app.tags_by_class) return "by tag";
        const unsigned tos = tos_of(sent_dscp(place), place.roce.ecn);
        return priorities_text(tagged_priorities(place.index, place.port, tos)) + " by tag";
    }
    const auto found = priority_of_dscp(place.port, sent_dscp(place));
    return (found ? number(*found) : "") + ignored_entry(place);
}

/// The priority that packets of RoCE get here, so that behind a broken link stands what follows
/// from it; that of RoCE where it is not known, or tags have several.
unsigned followed_priority(const Spot& place) {
    const unsigned meant = place.roce.priority;
    if (trusts_dscp(place.port) != false)
        return priority_of_dscp(place.port, sent_dscp(place)).value_or(meant);
    if (!has_tags(place.index, place.port)) return 0;
    if (driver_of(place.port).app.tags_by_class) return meant;
    const unsigned tos = tos_of(sent_dscp(place), place.roce.ecn);
    const unsigned tags = tagged_priorities(place.index, place.port, tos);
    return std::has_single_bit(tags) ? static_cast<unsigned>(std::countr_zero(tags)) : meant;
}

/// The value of the followed priority; a kernel may hold a priority that is none of the eight.
std::string of_followed(const Spot& place, const PerPriority<std::uint8_t>& all) {
    const unsigned priority = followed_priority(place);
    return priority < all.size() ? number(all.at(priority)) : "";
}

std::string traffic_class(const Spot& place) {
    return place.port.ets ? of_followed(place, place.port.ets->traffic_class) : "";
}

std::string buffer(const Spot& place) {
    return place.port.buffer ? of_followed(place, place.port.buffer->of_priority) : "";
}

std::string paused(std::uint8_t priorities) {
    return priorities == 0 ? "off" : priorities_text(priorities);
}

std::string pfc(const Spot& place) {
    return place.port.pfc ? paused(place.port.pfc->priorities) : "";
}

std::string peer_pfc(const Spot& place) {
    return place.port.peer && place.port.peer->pfc ? paused(*place.port.peer->pfc) : "";
}

/// What the priority carried between two readings. No numbers, so that ports share a chain.
std::string traffic(const Spot& place) {
    const Evidence evidence{
        .now = &place.port, .before = place.before, .seconds = place.seconds, .roce = &place.roce};
    const auto sent = growth(evidence, Meter::tx_bytes);
    const auto received = growth(evidence, Meter::rx_bytes);
    if (!sent || !received) return "";
    return sent->by + received->by == 0 ? "none" : "carried";
}

std::string mtu(const Spot& place) {
    return place.port.link ? number(place.port.link->mtu) : "";
}

std::string active(const Spot& place) {
    const auto& held = place.port.active_mtu;
    return held && held->bytes != 0 ? number(held->bytes) : "";
}

std::string most(const Spot& place) {
    const auto& held = place.port.active_mtu;
    return held && held->max != 0 ? number(held->max) : "";
}

std::string carrier(const Spot& place) {
    const auto& link = place.port.link;
    return !link ? "" : !link->up ? "down" : link->carrier ? "up" : "no carrier";
}

std::string rdma_state(const Spot& place) {
    return place.port.rdma_port ? place.port.rdma_port->state : "";
}

/// The first that sends by the port's device and has an address; the port itself where none has.
const Port& sender(const Spot& place) {
    const std::vector<const Port*> all = place.index.senders_by(place.port);
    const auto found = std::ranges::find_if(
        all, [](const Port* port) { return !reachable_addresses(*port).empty(); });
    return found == all.end() ? place.port : **found;
}

std::string address(const Spot& place) {
    if (!place.port.addresses) return "";
    const std::vector<Address> own = reachable_addresses(sender(place));
    return own.empty() ? "none" : text(own.front().ip);
}

std::string gid(const Spot& place) {
    const std::vector<Address> own = reachable_addresses(sender(place));
    if (!place.port.rdma_port || !place.port.rdma_port->gids || own.empty()) return "";
    const Gid* found = find_gid(place.port, own.front().ip);
    return found == nullptr ? "none" : "index " + number(found->index);
}

std::string gateway(const Spot& place) {
    const Port& port = sender(place);
    if (!port.routes) return "";
    std::string out;
    routes::each_open(port, [&](const Route& route) {
        if (out.empty() && route.via)
            out = text(*route.via) + " in table " + table_word(route.table);
    });
    return out.empty() ? "on link" : out;
}

constexpr std::array kLinks = {
    LinkRow{"class", "ToS", tos, {"tos-unset", "tos-elsewhere", "tos-lossy"}},
    LinkRow{"class", "DSCP", dscp, {}},
    LinkRow{"class", "trust", trust, {"dscp-untrusted", "dscp-not-trusted"}},
    LinkRow{"class", "priority", priority, {"dscp-elsewhere", "vlan-tag-elsewhere"}},
    LinkRow{
        "class", "traffic class", traffic_class, {"ets-no-share", "lossless-shared", "ets-shares"}},
    LinkRow{"class", "buffer", buffer, {"buffer-shared"}},
    LinkRow{"class",
            "PFC",
            pfc,
            {"pfc-off", "pfc-elsewhere", "pfc-with-rx-pause", "pfc-with-tx-pause"}},
    LinkRow{"class", "peer's PFC", peer_pfc, {"peer-pfc-differs"}},
    LinkRow{"class",
            "traffic",
            traffic,
            {"traffic-in-other-priority", "rx-discards", "pfc-rx-storm", "pfc-tx-storm"}},
    LinkRow{"mtu", "MTU", mtu, {"mtu-low", "mtu-small", "mtu-headers", "vlan-mtu"}},
    LinkRow{"mtu", "RDMA MTU", active, {"rdma-mtu"}},
    LinkRow{"mtu", "of at most", most, {}},
    LinkRow{"reach", "link", carrier, {"port-down", "no-carrier", "vlan-down"}},
    LinkRow{"reach", "RDMA port", rdma_state, {"rdma-device-missing", "rdma-not-active"}},
    LinkRow{"reach", "address", address, {"no-address", "address-on-two-ports"}},
    LinkRow{"reach", "GID", gid, {"no-gid"}},
    LinkRow{"reach", "route", gateway, {"no-route-by-port", "route-by-other-port"}},
};

/// The chain of which a bond's members have the links: the others are the bond's.
constexpr std::string_view kOfWire = "class";

/// The chains, in the order of their links.
std::vector<std::string_view> names() {
    std::vector<std::string_view> out;
    for (const LinkRow& row : kLinks)
        if (out.empty() || out.back() != row.chain) out.push_back(row.chain);
    return out;
}

/// What was found, by port and id.
using Found = std::map<std::string, std::map<std::string_view, const Check*>, std::less<>>;

Found found_on(const Examination& examination) {
    Found out;
    for (const Check& check : examination.checks)
        if (check.verdict == Verdict::fail || check.verdict == Verdict::warn)
            out[check.port].emplace(check.row->id, &check);
    return out;
}

bool is_cause(const Check* check, const std::vector<Suspect>& causes) {
    return std::ranges::any_of(causes, [&](const Suspect& cause) {
        return std::ranges::find(cause.checks, check) != cause.checks.end();
    });
}

ChainLink link_of(const LinkRow& row, const Spot& place, const Found& found,
                  const std::vector<Suspect>& causes) {
    ChainLink out{.name = row.name, .found = row.found(place)};
    const auto here = found.find(place.port.name);
    if (here == found.end()) return out;
    for (const std::string_view id : row.breaks)
        if (const auto broken = here->second.find(id); broken != here->second.end()) {
            const Check* check = broken->second;
            out.broken = check->row;
            out.follows = !is_cause(check, causes);
            if (const std::string& seen = check->faults.front().in_chain; !seen.empty())
                out.found = seen;
            if (!out.follows) break;
        }
    return out;
}

/// Ports that differ in nothing but where in their tables they are share a chain.
void add(std::vector<Chain>& all, Chain chain) {
    for (Chain& known : all) {
        if (known.name != chain.name || known.links != chain.links) continue;
        known.ports.push_back(chain.ports.front());
        return;
    }
    all.push_back(std::move(chain));
}

}  // namespace

const ChainLink* first_broken(const Chain& chain) {
    const ChainLink* out = nullptr;
    for (const ChainLink& link : chain.links) {
        if (link.broken == nullptr) continue;
        if (!link.follows) return &link;
        if (out == nullptr) out = &link;
    }
    return out;
}

std::vector<std::string_view> chain_breaks() {
    std::vector<std::string_view> out;
    for (const LinkRow& row : kLinks)
        std::ranges::copy_if(row.breaks, std::back_inserter(out),
                             [](std::string_view id) { return !id.empty(); });
    return out;
}

std::vector<Chain> chains(const Inquiry& inquiry, const Examination& examination,
                          const std::vector<Suspect>& causes) {
    const Found found = found_on(examination);
    const HostIndex index(*inquiry.now, {}, inquiry.desired_values);
    std::vector<Chain> out;
    for (const std::string_view name : names())
        for (const std::string& each : examination.ports) {
            const Port* port = find_port(*inquiry.now, each);
            const Port* before =
                inquiry.earlier == nullptr ? nullptr : find_port(*inquiry.earlier, each);
            const auto roce = examination.intents.find(each);
            Chain chain{.name = name, .ports = {each}};
            if (port == nullptr || (name != kOfWire && examination.bonds.contains(each))) continue;
            const Spot place{index, *port, roce->second, before, inquiry.seconds};
            for (const LinkRow& row : kLinks)
                if (row.chain == name) chain.links.push_back(link_of(row, place, found, causes));
            std::erase_if(chain.links, [](const ChainLink& link) {
                return link.found.empty() && link.broken == nullptr;
            });
            if (!chain.links.empty()) add(out, std::move(chain));
        }
    return out;
}

}  // namespace core
