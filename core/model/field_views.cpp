// SPDX-License-Identifier: Apache-2.0
#include "core/model/field_views.hpp"

#include "core/model/driver.hpp"
#include "core/model/field_access.hpp"
#include "core/model/route_record.hpp"

namespace core::views {
namespace {

/// The names `dcb app` gives the selectors that no setting shows.
std::string selector_word(std::uint8_t selector) {
    switch (selector) {
        case AppEntry::ethertype: return "ethtype";
        case AppEntry::stream: return "stream-port";
        case AppEntry::any: return "port";
        case AppEntry::pcp: return "pcp";
        default: return std::to_string(selector);
    }
}

std::uint8_t selector_of(const std::string& word) {
    for (const std::uint8_t selector :
         {AppEntry::ethertype, AppEntry::stream, AppEntry::any, AppEntry::pcp})
        if (selector_word(selector) == word) return selector;
    return static_cast<std::uint8_t>(std::strtoul(word.c_str(), nullptr, 10));
}

bool shown_by_map(const AppEntry& entry) {
    return entry.selector == AppEntry::dscp || entry.selector == AppEntry::dgram;
}

std::uint64_t number_part(const Record& record, std::string_view part) {
    const auto found = record.find(part);
    const auto* number =
        found == record.end() ? nullptr : std::get_if<std::uint64_t>(&found->second);
    return number == nullptr ? 0 : *number;
}

std::string text_part(const Record& record, std::string_view part) {
    const auto found = record.find(part);
    const auto* word = found == record.end() ? nullptr : std::get_if<std::string>(&found->second);
    return word == nullptr ? std::string() : *word;
}

}  // namespace

Got get_dcbx_mode(const Port& port) {
    if (!port.dcbx) return std::nullopt;
    const bool host =
        (port.dcbx->bits & Dcbx::host) != 0 && (port.dcbx->bits & Dcbx::lld_managed) == 0;
    return one(std::string(host ? "host" : "firmware"));
}

void set_dcbx_mode(Port& port, const Elements& elements) {
    if (port.dcbx && get_dcbx_mode(port) == elements) return;
    const bool host = plain<std::string>(elements) == "host";
    const Driver& driver = driver_of(port);
    part_of<&Port::dcbx>(port).bits = host ? driver.host_dcbx : driver.firmware_dcbx.value_or(0);
}

Got get_vlan(const Port& port) {
    if (!port.link) return std::nullopt;
    return port.link->vlan ? one(std::uint64_t{*port.link->vlan}) : Elements{};
}

void set_vlan(Port& port, const Elements& elements) {
    auto& vlan = part_of<&Port::link>(port).vlan;
    vlan.reset();
    if (!elements.empty()) vlan = static_cast<std::uint16_t>(plain<std::uint64_t>(elements));
}

Got get_speed(const Port& port) {
    if (!port.speed) return std::nullopt;
    return one(std::uint64_t{*port.speed});
}

void set_speed(Port& port, const Elements& elements) {
    port.speed = static_cast<std::uint32_t>(plain<std::uint64_t>(elements));
}

Got get_algorithm(const Port& port) {
    if (!port.ets) return std::nullopt;
    Words words;
    for (const std::uint8_t algorithm : port.ets->algorithm)
        words.emplace_back(kAlgorithms.at(std::min<std::size_t>(algorithm, 3)));
    return one(words);
}

void set_algorithm(Port& port, const Elements& elements) {
    auto& algorithms = part_of<&Port::ets>(port).algorithm;
    algorithms = {};
    const auto words = plain<Words>(elements);
    for (std::size_t i = 0; i < std::min(words.size(), algorithms.size()); ++i) {
        const auto found = std::ranges::find(kAlgorithms, words[i]);
        const auto index = static_cast<std::uint8_t>(found - kAlgorithms.begin());
        algorithms.at(i) = index == 3 ? Ets::vendor : index;
    }
}

bool same_bandwidth(const Port& port, const Value& left, const Value& right) {
    const auto* one = std::get_if<Numbers>(&left);
    const auto* other = std::get_if<Numbers>(&right);
    if (one == nullptr || other == nullptr || one->size() != other->size()) return false;
    for (std::size_t i = 0; i < one->size(); ++i) {
        const bool shares = !port.ets || port.ets->algorithm.at(i) == Ets::shared;
        if (shares && (*one)[i] != (*other)[i]) return false;
    }
    return true;
}

Got get_priorities(const Port& port) {
    if (!port.pfc) return std::nullopt;
    Numbers priorities;
    for (std::uint64_t priority = 0; priority < kPriorities; ++priority)
        if (((unsigned{port.pfc->priorities} >> priority) & 1U) != 0)
            priorities.push_back(priority);
    return one(priorities);
}

void set_priorities(Port& port, const Elements& elements) {
    unsigned mask = 0;
    for (const std::uint64_t priority : plain<Numbers>(elements))
        mask |= 1U << priority;
    part_of<&Port::pfc>(port).priorities = static_cast<std::uint8_t>(mask);
}

Got get_trust(const Port& port) {
    if (!port.app) return std::nullopt;
    const auto& app = *port.app;
    bool dscp = false;
    if (driver_of(port).trust == Driver::Trust::by_map) {
        dscp = std::ranges::any_of(
            app.entries, [](const AppEntry& entry) { return entry.selector == AppEntry::dscp; });
    } else {
        if (!app.trust) return std::nullopt;
        dscp = !app.trust->empty() && app.trust->front() == AppEntry::dscp;
    }
    return one(std::string(dscp ? "dscp" : "pcp"));
}

/// Where trust follows from the map there is nothing to set.
void set_trust(Port& port, const Elements& elements) {
    auto& app = part_of<&Port::app>(port);
    if (driver_of(port).trust == Driver::Trust::by_map || get_trust(port) == elements) return;
    const bool dscp = plain<std::string>(elements) == "dscp";
    app.trust = std::vector<std::uint8_t>{dscp ? AppEntry::dscp : AppEntry::pcp};
}

Got get_app_map(const Port& port, std::uint8_t selector) {
    if (!port.app) return std::nullopt;
    Elements elements;
    for (const AppEntry& entry : port.app->entries) {
        if (entry.selector != selector) continue;
        const std::string key = std::to_string(entry.protocol);
        const auto found = elements.find(key);
        if (found == elements.end()) {
            elements.emplace(key, std::uint64_t{entry.priority});
            continue;
        }
        Numbers several;
        if (const auto* number = std::get_if<std::uint64_t>(&found->second)) several = {*number};
        if (const auto* numbers = std::get_if<Numbers>(&found->second)) several = *numbers;
        several.push_back(entry.priority);
        found->second = several;
    }
    return elements;
}

void set_app_map(Port& port, std::uint8_t selector, const Elements& elements) {
    auto& entries = part_of<&Port::app>(port).entries;
    std::erase_if(entries, [&](const AppEntry& entry) { return entry.selector == selector; });
    for (const auto& [key, value] : elements) {
        Numbers priorities;
        if (const auto* number = std::get_if<std::uint64_t>(&value)) priorities = {*number};
        if (const auto* numbers = std::get_if<Numbers>(&value)) priorities = *numbers;
        const auto protocol = static_cast<std::uint16_t>(std::strtoul(key.c_str(), nullptr, 10));
        for (const std::uint64_t priority : priorities)
            entries.insert({selector, protocol, static_cast<std::uint8_t>(priority)});
    }
}

Got get_other_app(const Port& port) {
    if (!port.app) return std::nullopt;
    Elements elements;
    for (const AppEntry& entry : port.app->entries) {
        if (shown_by_map(entry)) continue;
        const std::string selector = selector_word(entry.selector);
        Record record{{"selector", selector},
                      {"protocol", std::uint64_t{entry.protocol}},
                      {"priority", std::uint64_t{entry.priority}}};
        elements.emplace(
            selector + ' ' + std::to_string(entry.protocol) + ' ' + std::to_string(entry.priority),
            std::move(record));
    }
    return elements;
}

void set_other_app(Port& port, const Elements& elements) {
    auto& entries = part_of<&Port::app>(port).entries;
    std::erase_if(entries, [](const AppEntry& entry) { return !shown_by_map(entry); });
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        entries.insert({selector_of(text_part(record, "selector")),
                        static_cast<std::uint16_t>(number_part(record, "protocol")),
                        static_cast<std::uint8_t>(number_part(record, "priority"))});
    }
}

Got get_rdma_link(const Port& port) {
    if (!port.rdma) return std::nullopt;
    if (port.rdma->type.empty()) return Elements{};
    return one(Record{{"type", port.rdma->type}, {"name", port.rdma->device}});
}

void set_rdma_link(Port& port, const Elements& elements) {
    auto& rdma = part_of<&Port::rdma>(port);
    const auto record = plain<Record>(elements);
    if (record.empty() && rdma.type.empty()) return;
    rdma.type = text_part(record, "type");
    rdma.device = text_part(record, "name");
}

Got get_rdma_device(const Port& port) {
    if (!port.rdma) return std::nullopt;
    return port.rdma->device.empty() ? Elements{} : one(port.rdma->device);
}

void set_rdma_device(Port& port, const Elements& elements) {
    auto& rdma = part_of<&Port::rdma>(port);
    rdma.device = plain<std::string>(elements);
    if (rdma.device.empty()) rdma.type.clear();
}

Got get_rdma_others(const Port& port) {
    if (!port.rdma) return std::nullopt;
    Elements elements;
    for (const std::string& other : port.rdma->others)
        elements.emplace(other, other);
    return elements;
}

void set_rdma_others(Port& port, const Elements& elements) {
    auto& others = part_of<&Port::rdma>(port).others;
    others.clear();
    for (const auto& [key, value] : elements)
        others.push_back(key);
}

Got get_gids(const Port& port) {
    if (!port.rdma_port) return std::nullopt;
    Elements elements;
    for (const Gid& gid : port.rdma_port->gids) {
        Record record{{"index", std::uint64_t{gid.index}}, {"gid", gid.gid}};
        if (!gid.type.empty()) record["type"] = gid.type;
        if (!gid.port.empty()) record["port"] = gid.port;
        elements.emplace(std::to_string(gid.index), std::move(record));
    }
    return elements;
}

void set_gids(Port& port, const Elements& elements) {
    auto& gids = part_of<&Port::rdma_port>(port).gids;
    gids.clear();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        gids.push_back({.index = static_cast<std::uint32_t>(number_part(record, "index")),
                        .gid = text_part(record, "gid"),
                        .type = text_part(record, "type"),
                        .port = text_part(record, "port")});
    }
}

Got get_cm_directory(const Port& port) {
    if (!port.cm_directory) return std::nullopt;
    return one(*port.cm_directory);
}

void set_cm_directory(Port& port, const Elements& elements) {
    port.cm_directory = plain<bool>(elements);
}

Got get_addresses(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const Address& address : *port.addresses)
        elements.emplace(text(address.ip),
                         text(Prefix{.ip = address.ip, .length = address.prefix_length}));
    return elements;
}

void set_addresses(Port& port, const Elements& elements) {
    std::vector<Address> addresses;
    for (const auto& [key, value] : elements) {
        const auto prefix = parse_prefix(std::get<std::string>(value)).value_or(Prefix{});
        bool by_kernel = prefix.ip.v6 && is_link_local(prefix.ip);
        if (port.addresses)
            for (const Address& old : *port.addresses)
                if (old.ip == prefix.ip) by_kernel = old.by_kernel;
        addresses.push_back(
            {.ip = prefix.ip, .prefix_length = prefix.length, .by_kernel = by_kernel});
    }
    port.addresses = std::move(addresses);
}

Got get_kernel_addresses(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const Address& address : *port.addresses)
        if (address.by_kernel)
            elements.emplace(text(address.ip),
                             text(Prefix{.ip = address.ip, .length = address.prefix_length}));
    return elements;
}

void set_kernel_addresses(Port& port, const Elements& elements) {
    auto& addresses = part_of<&Port::addresses>(port);
    for (Address& address : addresses)
        address.by_kernel = elements.contains(text(address.ip));
}

Value canonical_address(const Value& value) {
    const auto* address = std::get_if<std::string>(&value);
    const auto prefix = address == nullptr ? std::nullopt : parse_prefix(*address);
    return prefix ? Value(text(*prefix)) : value;
}

Got get_routes(const Port& port) {
    if (!port.routes) return std::nullopt;
    Elements elements;
    for (const Route& route : *port.routes)
        elements.emplace(identity(route), record_of(route));
    return elements;
}

void set_routes(Port& port, const Elements& elements) {
    std::vector<Route> routes;
    for (const auto& [key, value] : elements)
        routes.push_back(route_of(std::get<Record>(value)));
    port.routes = std::move(routes);
}

Got get_addresses_beyond(const Port& port) {
    if (!port.addresses) return std::nullopt;
    Elements elements;
    for (const AddressBeyond& beyond : port.addresses_beyond)
        elements.emplace(text(beyond.ip) + ' ' + beyond.what,
                         Record{{"address", text(beyond.ip)}, {"what", beyond.what}});
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

Got get_routes_beyond(const Port& port) {
    if (!port.routes) return std::nullopt;
    Elements elements;
    for (const RouteBeyond& beyond : port.routes_beyond) {
        Record record = record_of(beyond.route);
        record["what"] = beyond.what;
        elements.emplace(identity(beyond.route) + ' ' + beyond.what, std::move(record));
    }
    return elements;
}

void set_routes_beyond(Port& port, const Elements& elements) {
    part_of<&Port::routes>(port);
    port.routes_beyond.clear();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        port.routes_beyond.push_back(
            {.route = route_of(record), .what = text_part(record, "what")});
    }
}

Value canonical_route(const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    return record == nullptr ? value : Value(record_of(route_of(*record)));
}

}  // namespace core::views
