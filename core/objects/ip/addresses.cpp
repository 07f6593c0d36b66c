// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include "core/model/access.hpp"
#include "core/model/edit.hpp"
#include "core/model/finding_names.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/long_lists.hpp"
#include "core/objects/ip/records.hpp"
#include "core/objects/rows.hpp"

namespace core::addresses {

bool share_network(const Address& one, const Address& other) {
    constexpr unsigned of_two = 31;
    const auto holds = [](const Address& address, const Ip& ip) {
        return address.prefix_length < of_two &&
               contains({.ip = address.ip, .length = address.prefix_length}, ip);
    };
    return !one.ip.v6 && !other.ip.v6 && (holds(one, other.ip) || holds(other, one.ip));
}

Prefix network_of(const Address& address) {
    return network({.ip = address.ip, .length = address.prefix_length});
}

void lose(Port& port, const std::function<bool(const Ip&)>& gone) {
    if (!port.addresses) return;
    std::erase_if(*port.addresses, [&](const Address& address) { return gone(address.ip); });
    std::erase_if(port.addresses_beyond,
                  [&](const AddressBeyond& beyond) { return gone(beyond.ip); });
}

namespace {

using AddressEdit = Edit<Address>;
/// The addresses of a port while some of them are taken, one after the other.
class Taking {
public:
    explicit Taking(const std::vector<Address>& addresses)
        : addresses_(addresses), there_(addresses.size(), true) {
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            by_ip_[addresses[i].ip].push_back(i);
            by_network_[network_of(addresses[i])].insert(i);
            if (!addresses[i].ip.v6) ++v4_;
        }
    }

    /// Takes the address where it is there, and the IPv4 secondaries of the same network where it
    /// is their primary (promote_secondaries is off by default).
    void take(const Ip& ip) {
        const auto [here, any] = first_of(ip);
        if (!any) return;
        const Prefix network = network_of(addresses_[here]);
        const std::set<std::size_t>& same = by_network_.at(network);
        std::vector<std::size_t> lost = {here};
        if (!ip.v6 && *same.begin() == here)
            lost.insert(lost.end(), std::next(same.begin()), same.end());
        for (const std::size_t i : lost)
            lose(addresses_[i].ip);
        if (by_network_.at(network).empty()) unconnected_.insert(network);
        if (!ip.v6) took_v4_ = true;
        took_any_ = true;
    }

    [[nodiscard]] bool is_lost(const Ip& ip) const { return lost_.contains(ip); }
    /// Of the connected route of a network that has no address any more.
    [[nodiscard]] bool is_unconnected(const Prefix& network) const {
        return unconnected_.contains(network);
    }
    /// With the last IPv4 address goes all of IPv4.
    [[nodiscard]] bool no_v4_routes() const { return took_any_ && v4_ == 0; }
    [[nodiscard]] bool no_v4_neighbours() const { return took_v4_ && v4_ == 0; }

private:
    [[nodiscard]] std::pair<std::size_t, bool> first_of(const Ip& ip) const {
        const auto known = by_ip_.find(ip);
        if (known != by_ip_.end())
            for (const std::size_t i : known->second)
                if (there_[i]) return {i, true};
        return {0, false};
    }

    void lose(const Ip& ip) {
        lost_.insert(ip);
        for (const std::size_t i : by_ip_.at(ip)) {
            if (!there_[i]) continue;
            there_[i] = false;
            by_network_.at(network_of(addresses_[i])).erase(i);
            if (!ip.v6) --v4_;
        }
    }

    const std::vector<Address>& addresses_;
    std::vector<bool> there_;
    std::map<Ip, std::vector<std::size_t>> by_ip_{};
    std::map<Prefix, std::set<std::size_t>> by_network_{};  ///< those that are there, in order
    std::size_t v4_ = 0;
    std::set<Ip> lost_{};
    std::set<Prefix> unconnected_{};
    bool took_any_ = false;
    bool took_v4_ = false;
};

/// Takes addresses, one after the other, and what goes with each: routes from it, the connected
/// network, IPv4 secondaries of the same network, and with the last IPv4 address every IPv4 route
/// and neighbour (net/ipv4/devinet.c __inet_del_ifa, fib_frontend.c fib_del_ifaddr and
/// fib_disable_ip).
void take(Port& port, const std::vector<Ip>& gone) {
    const std::vector<Address> before = *port.addresses;
    Taking taking(before);
    for (const Ip& ip : gone)
        taking.take(ip);
    lose(port, [&](const Ip& ip) { return taking.is_lost(ip); });
    routes::lose(port, [&](const Route& route) {
        const bool from_lost = route.source && taking.is_lost(*route.source);
        const bool connected = !route.via && route.protocol == 2 && taking.is_unconnected(route.to);
        return from_lost || connected || (!route.to.ip.v6 && taking.no_v4_routes());
    });
    if (taking.no_v4_neighbours()) neighbours::lose(port, [](const Ip& ip) { return !ip.v6; });
}

}  // namespace

namespace {

/// Whether the one address is the other with the same attributes, so that no write is needed.
bool same_attributes(const Address& one, const Address& other) {
    return one.prefix_length == other.prefix_length && one.broadcast == other.broadcast &&
           one.deprecated == other.deprecated;
}

/// Those of the addresses that stay as they are, if no others had to be in between.
std::vector<Address> staying(const std::vector<Address>& now, const std::vector<Address>& then) {
    std::map<Ip, const Address*> after;
    for (const Address& address : then)
        after.emplace(address.ip, &address);
    std::vector<Address> out;
    for (const Address& address : now)
        if (const auto found = after.find(address.ip);
            found != after.end() && same_attributes(address, *found->second))
            out.push_back(address);
    return out;
}

/// The first IPv4 addresses of `then` that are in place among those that stay. What is behind them
/// is in another order; new ones at the end are not.
std::set<Ip> out_of_order(const std::vector<Address>& stay, const std::vector<Address>& then) {
    const auto v4 = [](const std::vector<Address>& all) {
        std::vector<Ip> out;
        for (const Address& address : all)
            if (!address.ip.v6 && !address.by_kernel) out.push_back(address.ip);
        return out;
    };
    const std::vector<Ip> here = v4(stay);
    const std::vector<Ip> there = v4(then);
    const auto differs = std::ranges::mismatch(here, there).in1;
    return {differs, here.end()};
}

}  // namespace

std::vector<AddressEdit> edits(const std::vector<Address>& now, const std::vector<Address>& then) {
    std::vector<AddressEdit> edits;
    const std::vector<Address> stay = staying(now, then);
    const std::set<Ip> moved = out_of_order(stay, then);
    std::set<Ip> kept;
    for (const Address& address : stay)
        if (!moved.contains(address.ip)) kept.insert(address.ip);
    for (const Address& address : now)
        if (!kept.contains(address.ip)) edits.push_back({AddressEdit::Kind::remove, address});
    for (const Address& address : then)
        if (!kept.contains(address.ip)) edits.push_back({AddressEdit::Kind::add, address});
    return edits;
}

void insert(std::vector<Address>& addresses, const Address& address) {
    const auto is_primary_of = [&](const Address& other) {
        return !other.ip.v6 && other.prefix_length == address.prefix_length &&
               network_of(other) == network_of(address);
    };
    if (address.ip.v6 || std::ranges::any_of(addresses, is_primary_of)) {
        addresses.push_back(address);
        return;
    }
    std::set<Prefix> networks;
    const auto is_secondary = [&](const Address& other) {
        return !other.ip.v6 && !networks.insert(network_of(other)).second;
    };
    addresses.insert(std::ranges::find_if(addresses, is_secondary), address);
}

namespace {

Got get_addresses(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const Address& address : *port.addresses)
        elements.emplace(core::text(address.ip),
                         core::text(Prefix{.ip = address.ip, .length = address.prefix_length}));
    return elements;
}

/// Those that stay are where they were; new ones are behind them.
void set_addresses(Port& port, const Elements& elements) {
    std::map<Ip, Prefix> stated;
    for (const auto& [key, value] : elements) {
        const auto prefix = parse_prefix(std::get<std::string>(value)).value_or(Prefix{});
        stated.insert_or_assign(prefix.ip, prefix);
    }
    std::vector<Address> addresses;
    for (const Address& old : port.addresses.value_or(std::vector<Address>{})) {
        const auto found = stated.find(old.ip);
        // With another prefix length it is a new one.
        if (found == stated.end() || found->second.length != old.prefix_length) continue;
        addresses.push_back(old);
        stated.erase(found);
    }
    for (const auto& [key, value] : elements) {
        const auto prefix = parse_prefix(std::get<std::string>(value)).value_or(Prefix{});
        if (stated.erase(prefix.ip) == 0) continue;
        addresses.push_back({.ip = prefix.ip,
                             .prefix_length = prefix.length,
                             .by_kernel = prefix.ip.v6 && is_link_local(prefix.ip)});
    }
    port.addresses = std::move(addresses);
}

// What addresses have that no profile states, and undo restores: their order, and what the kernel
// does not make by itself.

Got get_kept(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    const auto has_place = [](const Address& address) {
        return !address.ip.v6 && !address.by_kernel;
    };
    const bool has_order = std::ranges::count_if(*port.addresses, has_place) > 1;
    Ip last;
    for (const Address& address : *port.addresses) {
        std::string ip = core::text(address.ip);
        Record record{{"address", ip}};
        if (has_order && has_place(address)) {
            put(record, "after", std::string_view(core::text(last)));
            last = address.ip;
        }
        if (address.broadcast)
            put(record, "broadcast", std::string_view(core::text(*address.broadcast)));
        if (address.deprecated) put(record, "preferred_lft", std::uint64_t{0});
        if (address.by_hand) {
            put(record, "link_local", std::uint64_t{address.prefix_length});
            ip += " link_local " + std::to_string(address.prefix_length);
        }
        if (record.size() > 1) elements.emplace(std::move(ip), std::move(record));
    }
    return elements;
}

/// In the order in which each address is behind the one that its record names. The others are
/// where they were, behind the same address.
void put_in_order(std::vector<Address>& addresses, const std::map<Ip, Ip>& after) {
    std::vector<Address> left;
    std::vector<Address> out;
    for (const Address& address : addresses)
        (address.ip.v6 ? out : left).push_back(address);
    std::multimap<Ip, std::size_t> behind;
    for (std::size_t i = 0; i < left.size(); ++i)
        if (const auto found = after.find(left[i].ip); found != after.end())
            behind.emplace(found->second, i);
    std::vector<bool> taken(left.size(), false);
    std::size_t first = 0;  // none before it is left
    Ip last;
    for (std::size_t count = 0; count < left.size(); ++count) {
        auto next = behind.find(last);
        while (next != behind.end() && taken[next->second]) {
            behind.erase(next);
            next = behind.find(last);
        }
        while (taken[first])
            ++first;
        const std::size_t place = next == behind.end() ? first : next->second;
        taken[place] = true;
        out.push_back(left[place]);
        last = left[place].ip;
    }
    addresses = std::move(out);
}

void set_kept(Port& port, const Elements& elements) {
    auto& addresses = part_of<&Port::addresses>(port);
    std::map<Ip, std::size_t> places;
    for (std::size_t i = 0; i < addresses.size() && !elements.empty(); ++i)
        places.emplace(addresses[i].ip, i);
    std::map<Ip, Ip> after;
    std::set<Ip> known;
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        const Ip ip = parse_ip(text_part(record, "address")).value_or(Ip{});
        known.insert(ip);
        if (record.contains("after"))
            after.emplace(ip, parse_ip(text_part(record, "after")).value_or(Ip{}));
        if (!places.contains(ip) && record.contains("link_local")) {
            places.emplace(ip, addresses.size());
            addresses.push_back({.ip = ip, .by_kernel = true});
        }
        const auto place = places.find(ip);
        if (place == places.end()) continue;
        Address* const found = &addresses[place->second];
        found->broadcast = {};
        if (record.contains("broadcast"))
            found->broadcast = parse_ip(text_part(record, "broadcast"));
        found->deprecated = record.contains("preferred_lft");
        found->by_hand = record.contains("link_local");
        if (found->by_hand)
            found->prefix_length = static_cast<std::uint8_t>(number_part(record, "link_local"));
    }
    for (Address& address : addresses) {
        if (known.contains(address.ip)) continue;
        address.broadcast = {};
        address.deprecated = address.by_hand = false;
    }
    if (!after.empty()) put_in_order(addresses, after);
}

Got get_kernel_addresses(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const Address& address : *port.addresses)
        if (address.by_kernel)
            elements.emplace(core::text(address.ip),
                             core::text(Prefix{.ip = address.ip, .length = address.prefix_length}));
    return elements;
}

void set_kernel_addresses(Port& port, const Elements& elements) {
    auto& addresses = part_of<&Port::addresses>(port);
    for (Address& address : addresses)
        address.by_kernel = elements.contains(core::text(address.ip));
}

/// Told where there is one: hardly any port ever has.
Got get_duplicates(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const Address& address : *port.addresses)
        if (address.duplicate)
            elements.emplace(core::text(address.ip),
                             core::text(Prefix{.ip = address.ip, .length = address.prefix_length}));
    if (elements.empty()) return std::nullopt;
    return elements;
}

void set_duplicates(Port& port, const Elements& elements) {
    for (Address& address : part_of<&Port::addresses>(port))
        address.duplicate = elements.contains(core::text(address.ip));
}

/// Of an address that the port has.
std::optional<std::string> in_use(const State& /*state*/, const Port& port, const Value& desired) {
    const auto prefix = parse_prefix(std::get<std::string>(desired));
    if (!port.addresses || !prefix) return std::nullopt;
    for (const Address& address : *port.addresses)
        if (address.duplicate && address.ip == prefix->ip)
            return "another host has " + core::text(address.ip) +
                   " too (IPv6 duplicate address detection)";
    return std::string();
}

constexpr std::array<std::string_view, 1> kOfAddresses = {"addresses"};
constexpr Proof kNotInUse = {
    .from = kOfAddresses, .finding = &findings::address_in_use, .missing = in_use};

Value canonical_address(const Value& value) {
    const auto* address = std::get_if<std::string>(&value);
    const auto prefix = address == nullptr ? std::nullopt : parse_prefix(*address);
    return prefix ? Value(core::text(*prefix)) : value;
}

Got get_addresses_beyond(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const AddressBeyond& beyond : port.addresses_beyond)
        elements.emplace(core::text(beyond.ip) + ' ' + beyond.what,
                         Record{{"address", core::text(beyond.ip)}, {"what", beyond.what}});
    return elements;
}

void set_addresses_beyond(Port& port, const Elements& elements) {
    part_of<&Port::addresses>(port);
    port.addresses_beyond.clear();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        port.addresses_beyond.push_back(
            {.ip = parse_ip(text_part(record, "address")).value_or(Ip{}),
             .what = text_part(record, "what")});
    }
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kAddressBeyondParts = {RecordPart{.name = "address",
                                                       .shape = {.kind = text, .text = Text::ip},
                                                       .doc = "The address.",
                                                       .required = true,
                                                       .identity = true},
                                            kWhat};

constexpr std::array kKeptParts = {
    RecordPart{.name = "address",
               .shape = {.kind = text, .text = Text::ip},
               .doc = "The address.",
               .required = true,
               .identity = true},
    RecordPart{.name = "after",
               .shape = {.kind = text, .text = Text::ip},
               .doc = "The IPv4 address of the port before it, 0.0.0.0 for the first: of a network "
                      "the first is the primary one."},
    RecordPart{.name = "broadcast",
               .shape = {.kind = text, .text = Text::ip},
               .doc = "Its broadcast address."},
    RecordPart{.name = "preferred_lft",
               .shape = {.kind = number, .max = kU32},
               .doc = "0: no new connection gets it as its source."},
    RecordPart{.name = "link_local",
               .shape = {.kind = number, .max = 128},
               .doc = "The prefix length of a link-local address that a program added.",
               .identity = true}};

constexpr std::array kFields = {
    with(kLong, setting("addresses",
                        {.kind = items, .text = Text::address, .canonical = canonical_address},
                        "IPv4 and IPv6 addresses, each with its prefix length.", get_addresses,
                        set_addresses)),
    kept("addresses_kept", {.kind = items, .parts = kKeptParts},
         "What addresses have that no profile states: the order of IPv4 addresses, broadcast "
         "addresses, a preferred lifetime of 0, link-local addresses that a program added.",
         get_kept, set_kept),
    fact("addresses_by_kernel", {.kind = items, .text = Text::address},
         "Addresses that the kernel made itself: link-local and autoconfigured ones.",
         get_kernel_addresses, set_kernel_addresses),
    fact(
        "addresses_duplicate", {.kind = items, .text = Text::address},
        "IPv6 addresses that another host on the link had first: the kernel uses them for nothing.",
        get_duplicates, set_duplicates, &kNotInUse),
    beyond("addresses_beyond", {.kind = items, .parts = kAddressBeyondParts},
           "What addresses have that no setting holds; it goes with the address for good.",
           get_addresses_beyond, set_addresses_beyond),
};

/// The addresses that the edits remove, in order.
std::vector<Ip> removed(const std::vector<AddressEdit>& edits) {
    std::vector<Ip> out;
    for (const AddressEdit& edit : edits)
        if (edit.kind == AddressEdit::Kind::remove) out.push_back(edit.entry.ip);
    return out;
}

/// The addresses of `then` that the removals take along, to be put back in the same write.
std::vector<Address> taken_along(const Port& now, const Port& then) {
    Port port(now.name);
    port.addresses = now.addresses;
    const std::vector<AddressEdit> messages = edits(*now.addresses, *then.addresses);
    take(port, removed(messages));
    std::set<Ip> there;
    for (const Address& address : *port.addresses)
        there.insert(address.ip);
    for (const AddressEdit& edit : messages)
        if (edit.kind != AddressEdit::Kind::remove) there.insert(edit.entry.ip);
    std::vector<Address> out;
    for (const Address& address : *then.addresses)
        if (!there.contains(address.ip) && !address.by_kernel) out.push_back(address);
    return out;
}

/// Nothing reaches an address of a member: what arrives is the bond's.
Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    const std::string bond = link::bond_of(now);
    const auto messages = edits(*now.addresses, *then.addresses);
    const bool adds = std::ranges::any_of(
        messages, [](const AddressEdit& edit) { return edit.kind != AddressEdit::Kind::remove; });
    if (bond.empty() || !adds) return std::nullopt;
    return "the port is a member of " + bond +
           ", to which all that arrives goes; state addresses for " + bond;
}

Played play(const Driver& /*driver*/, State& /*state*/, Port& now, const Port& then) {
    const std::vector<Address> back = taken_along(now, then);
    const std::vector<AddressEdit> messages = edits(*now.addresses, *then.addresses);
    take(now, removed(messages));
    for (const AddressEdit& edit : messages) {
        if (edit.kind == AddressEdit::Kind::remove) continue;
        if (edit.entry.ip.v6 && now.link && now.link->mtu < link::kIpv6Minimum)
            return Played::no_by_port(  // ipv6_add_dev
                {.code = EINVAL, .text = "Invalid argument"});
        insert(*now.addresses, edit.entry);
    }
    for (const Address& address : back)
        insert(*now.addresses, address);
    routes::connect(now);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    const auto spelled = [&](const char* verb, const Address& address) {
        return std::string("ip address ") + verb +
               core::text(Prefix{.ip = address.ip, .length = address.prefix_length});
    };
    const auto add = [&](const Address& address) {
        std::string line = spelled("add ", address);
        if (address.broadcast) line += " broadcast " + core::text(*address.broadcast);
        line += " dev " + shell(now.name);
        if (address.deprecated) line += " preferred_lft 0";
        lines.push_back(std::move(line));
    };
    for (const AddressEdit& edit : edits(*now.addresses, *then.addresses)) {
        if (edit.kind == AddressEdit::Kind::remove)
            lines.push_back(spelled("delete ", edit.entry) + " dev " + shell(now.name));
        else
            add(edit.entry);
    }
    for (const Address& address : taken_along(now, then))
        add(address);
    return lines;
}

constexpr std::array kTouches = {Object::routes, Object::neighbours};

ElementNames by_kernel(const Port& port) {
    ElementNames out;
    if (!port.addresses) return out;
    for (const Address& address : *port.addresses)
        if (address.by_kernel) out.insert(core::text(address.ip));
    return out;
}

constexpr std::array kAtBoot = {
    AtBoot{"addresses", BootProgram::networkd, "Network.Address"},
    AtBoot{"addresses", BootProgram::networkd, "Address.Address"},
    AtBoot{"addresses", BootProgram::network_manager, "ipv4.address*"},
    AtBoot{"addresses", BootProgram::network_manager, "ipv6.address*"},
    AtBoot{"addresses", BootProgram::ifupdown, "address"},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::addresses,
    .name = "addresses",
    .doc = "IP addresses.",
    .topic = Topic::ip,
    .child_states = true,
    .at_one_port = true,
    .fields = kFields,
    .refuses = refuses,
    .play = play,
    .order = {.touches = kTouches},
    .chosen_by = {.kernel = by_kernel, .others = Others::network_daemon},
    .words = {.spell = spell},
    .boot = {.programs = kAtBoot}};

}  // namespace core::addresses
