// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/records.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/model/access.hpp"
#include "core/objects/ip/route_words.hpp"

namespace core {
namespace {

const std::string* word_in(const Record& record, std::string_view part) {
    const auto found = record.find(part);
    return found == record.end() ? nullptr : std::get_if<std::string>(&found->second);
}

std::optional<std::uint32_t> number_in(const Record& record, std::string_view part) {
    const auto found = record.find(part);
    if (found == record.end()) return std::nullopt;
    return static_cast<std::uint32_t>(std::get<std::uint64_t>(found->second));
}

}  // namespace

Value canonical_route_beyond(const Value& value) {
    const auto* record = std::get_if<Record>(&value);
    if (record == nullptr) return value;
    Record whole = record_of(route_of(*record));
    if (const auto* what = word_in(*record, "what")) whole["what"] = *what;
    return whole;
}

Route route_of(const Record& record) {
    Route route;
    if (const auto* to = word_in(record, "to")) route.to = parse_prefix(*to).value_or(Prefix{});
    if (const auto* via = word_in(record, "via")) route.via = parse_ip(*via);
    if (const auto* source = word_in(record, "source")) route.source = parse_ip(*source);
    if (const auto* to = word_in(record, "to"); to != nullptr && *to == "default")
        route.to.ip.v6 = (route.via && route.via->v6) || (route.source && route.source->v6);
    if (const auto* table = word_in(record, "table")) route.table = table_number(*table);
    const bool v6 = route.to.ip.v6;
    route.metric = number_in(record, "metric").value_or(0);
    if (v6 && route.metric == 0) route.metric = 1024;  // IP6_RT_PRIO_USER
    const std::string scope_unstated = v6 || route.via ? "global" : "link";
    const auto* scope = word_in(record, "scope");
    // IPv6 has no scopes: fib6 answers global whatever was asked.
    route.scope = scope_number(scope != nullptr && !v6 ? *scope : scope_unstated);
    if (const auto* protocol = word_in(record, "protocol"))
        route.protocol = protocol_number(*protocol);
    route.mtu = number_in(record, "mtu").value_or(0);
    return route;
}

namespace {

/// Calls `put` with the name and the value of each part, in the order of the table.
template <typename Put>
void parts_of(const Route& route, const Put& put) {
    std::string text;
    const auto spelled = [&text](const auto& value) {
        text.clear();
        append(text, value);
        return std::string_view(text);
    };
    put("to", spelled(route.to));
    if (route.via) put("via", spelled(*route.via));
    if (route.source) put("source", spelled(*route.source));
    put("table", std::string_view(table_word(route.table)));
    put("metric", std::uint64_t{route.metric});
    put("scope", std::string_view(scope_word(route.scope)));
    put("protocol", std::string_view(protocol_word(route.protocol)));
    if (route.mtu != 0) put("mtu", std::uint64_t{route.mtu});
}

}  // namespace

Record record_of(const Route& route) {
    Record record;
    parts_of(route, [&record](std::string_view name, auto value) { put(record, name, value); });
    return record;
}

void tell(const Route& route, Listing& listing) {
    listing.open();
    parts_of(route, [&listing](std::string_view name, auto value) { listing.part(name, value); });
    listing.close();
}

void append_identity(std::string& out, const Route& route) {
    append(out, route.to);
    out.append(1, ' ').append(table_word(route.table)).append(1, ' ');
    out += std::to_string(route.metric);
}

std::string identity(const Route& route) {
    std::string out;
    append_identity(out, route);
    return out;
}

std::vector<Route> made_by_kernel(const Port& port) {
    constexpr std::uint8_t kernel = 2;
    constexpr std::uint8_t router_advertisement = 9;
    std::set<Prefix> connected;
    if (port.addresses)
        for (const Address& address : *port.addresses)
            connected.insert(addresses::network_of(address));
    const auto is_connected = [&](const Route& route) {
        const Ip& to = route.to.ip;
        if (to.v6 && (is_link_local(to) || to.bytes[0] == 0xff)) return true;
        return !port.addresses || connected.contains(route.to);
    };
    std::vector<Route> out;
    if (!port.routes) return out;
    for (const Route& route : *port.routes)
        if (route.protocol == router_advertisement ||
            (route.protocol == kernel && !route.via && is_connected(route)))
            out.push_back(route);
    return out;
}

}  // namespace core
