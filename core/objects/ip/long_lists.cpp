// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/long_lists.hpp"

#include <string>

#include "core/model/access.hpp"
#include "core/objects/ip/records.hpp"

namespace core {
namespace {

template <auto Part>
bool is_read(const Port& port) {
    return (port.*Part).has_value();
}

template <auto Part>
void clear_all(Port& port, std::size_t room) {
    (port.*Part).emplace().reserve(room);
}

template <auto Part>
void arrange(Port& port, std::size_t added, std::span<const std::uint32_t> order) {
    auto& items = *(port.*Part);
    const std::size_t first = items.size() - added;
    std::remove_reference_t<decltype(items)> arranged;
    arranged.reserve(order.size());
    for (const std::uint32_t place : order)
        arranged.push_back(std::move(items[first + place]));
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(first), items.end());
    std::ranges::move(arranged, std::back_inserter(items));
}

/// What has an identity and parts of its own.
template <auto Part>
void tell_records(const Port& port, Listing& listing) {
    NameOrder names;
    std::string name;
    for (const auto& item : *(port.*Part)) {
        name.clear();
        append_identity(name, item);
        names.add(name);
    }
    for (const std::uint32_t place : names.order())
        tell((*(port.*Part))[place], listing);
}

void add_route(Port& port, const Value& value, std::string& name) {
    append_identity(name, port.routes->emplace_back(route_of(std::get<Record>(value))));
}

void add_rule(Port& host, const Value& value, std::string& name) {
    append_identity(name, host.rules->emplace_back(rule_of(std::get<Record>(value))));
}

/// The address, with what says which it is; what was observed may be none.
template <typename Parsed>
Parsed named_by(const std::optional<Parsed>& parsed, const Ip& ip, const std::string& spelled,
                std::string& name) {
    if (parsed)
        append(name, ip);
    else
        name += spelled;
    return parsed.value_or(Parsed{});
}

void tell_addresses(const Port& port, Listing& listing) {
    NameOrder names;
    std::string spelled;
    const auto spell = [&spelled](const auto& what) -> const std::string& {
        spelled.clear();
        append(spelled, what);
        return spelled;
    };
    for (const Address& address : *port.addresses)
        names.add(spell(address.ip));
    for (const std::uint32_t place : names.order()) {
        const Address& address = (*port.addresses)[place];
        listing.text(spell(Prefix{.ip = address.ip, .length = address.prefix_length}));
    }
}

void add_address(Port& port, const Value& value, std::string& name) {
    const auto& spelled = std::get<std::string>(value);
    const auto parsed = parse_prefix(spelled);
    const Prefix prefix = named_by(parsed, parsed ? parsed->ip : Ip{}, spelled, name);
    port.addresses->push_back({.ip = prefix.ip,
                               .prefix_length = prefix.length,
                               .by_kernel = prefix.ip.v6 && is_link_local(prefix.ip)});
}

template <bool permanent>
void tell_neighbours(const Port& port, Listing& listing) {
    NameOrder names;
    std::vector<const Neighbour*> reported;
    for (const Neighbour& neighbour : *port.neighbours) {
        if (neighbour.is_permanent() != permanent) continue;
        names.add(text(neighbour.ip));
        reported.push_back(&neighbour);
    }
    for (const std::uint32_t place : names.order()) {
        const Neighbour& neighbour = *reported[place];
        listing.open();
        listing.part("ip", names.name(place));
        if (permanent || !neighbour.mac.empty()) listing.part("mac", neighbour.mac);
        if (!permanent) listing.part("state", neighbour.state);
        listing.close();
    }
}

/// Of the kind alone: a state file has both in one list.
template <bool permanent>
void clear_neighbours(Port& port, std::size_t room) {
    auto& kept = part_of<&Port::neighbours>(port);
    std::erase_if(kept, [](const Neighbour& old) { return old.is_permanent() == permanent; });
    kept.reserve(kept.size() + room);
}

template <bool permanent>
void add_neighbour(Port& port, const Value& value, std::string& name) {
    const auto& record = std::get<Record>(value);
    const std::string spelled = text_part(record, "ip");
    const auto ip = parse_ip(spelled);
    Neighbour neighbour{.ip = named_by(ip, ip.value_or(Ip{}), spelled, name),
                        .mac = text_part(record, "mac")};
    if (!permanent) neighbour.state = text_part(record, "state");
    port.neighbours->push_back(std::move(neighbour));
}

}  // namespace

constinit const Listed addresses::kLong{is_read<&Port::addresses>, tell_addresses,
                                        clear_all<&Port::addresses>, add_address,
                                        arrange<&Port::addresses>};
constinit const Listed neighbours::kLong{is_read<&Port::neighbours>, tell_neighbours<true>,
                                         clear_neighbours<true>, add_neighbour<true>,
                                         arrange<&Port::neighbours>};
constinit const Listed neighbours::kLongLearned{is_read<&Port::neighbours>, tell_neighbours<false>,
                                                clear_neighbours<false>, add_neighbour<false>,
                                                arrange<&Port::neighbours>};
constinit const Listed routes::kLong{is_read<&Port::routes>, tell_records<&Port::routes>,
                                     clear_all<&Port::routes>, add_route, arrange<&Port::routes>};
constinit const Listed rules::kLong{is_read<&Port::rules>, tell_records<&Port::rules>,
                                    clear_all<&Port::rules>, add_rule, arrange<&Port::rules>};

}  // namespace core
