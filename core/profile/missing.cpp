// SPDX-License-Identifier: Apache-2.0
#include "core/profile/missing.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

#include "core/model/glob.hpp"
#include "core/profile/resolve.hpp"

namespace core {
namespace {

bool is_meant(const std::vector<std::string>* patterns, const std::string& port) {
    return patterns == nullptr || std::ranges::any_of(*patterns, [&](const std::string& pattern) {
               return glob_matches(pattern, port);
           });
}

/// The number behind the letter, which is taken off; nothing where another letter is there.
std::optional<std::uint64_t> number_behind(char letter, std::string_view& rest) {
    if (!rest.starts_with(letter)) return std::nullopt;
    std::size_t end = 1;
    std::uint64_t out = 0;
    constexpr std::size_t longest = 6;
    while (end < rest.size() && end < longest && rest[end] >= '0' && rest[end] <= '9')
        out = out * 10 + static_cast<std::uint64_t>(rest[end++] - '0');
    if (end == 1) return std::nullopt;
    rest.remove_prefix(end);
    return out;
}

std::string hexadecimal(std::uint64_t number, std::size_t digits) {
    constexpr std::string_view letters = "0123456789abcdef";
    std::string out(digits, '0');
    for (std::size_t at = digits; at > 0; number /= 16)
        out[--at] = letters[number % 16];
    return out;
}

/// The addresses of match.pci; empty where one of them is a pattern.
std::vector<std::string> stated_places(const Match& match) {
    const std::vector<std::string>* places = match.values("pci");
    std::vector<std::string> out;
    if (places == nullptr) return out;
    for (const std::string& place : *places) {
        if (is_glob(place) || has_reference(place)) return {};
        out.push_back(full_pci(place));
    }
    std::ranges::sort(out);
    return out;
}

/// The names of ports that match, all there, in the order in which the entry counts them.
std::vector<std::string> names_when_whole(const Match& match, const State& inventory,
                                          const std::optional<State>& earlier) {
    const auto whole = earlier ? with_missing(inventory, *earlier) : std::nullopt;
    std::vector<std::string> out;
    if (whole)
        for (const Port* port : matching(match, *whole))
            out.push_back(port->name);
    return out;
}

/// Where each of these is among all; nothing where one is not, or they come in another order.
std::optional<std::vector<std::size_t>> positions(const std::vector<std::string>& these,
                                                  const std::vector<std::string>& all,
                                                  std::size_t expected) {
    if (all.size() != expected) return std::nullopt;
    std::vector<std::size_t> out;
    for (const std::string& one : these) {
        const auto at = std::ranges::find(all, one);
        if (at == all.end()) return std::nullopt;
        out.push_back(static_cast<std::size_t>(at - all.begin()));
    }
    if (!std::ranges::is_sorted(out)) return std::nullopt;
    return out;
}

}  // namespace

std::vector<std::string> missing_names(const Match& match, const State& inventory,
                                       const Variables& variables) {
    std::set<std::string> out;
    const std::vector<std::string>* patterns = match.values("name");
    const auto absent = [&](const std::string& name) {
        return find_port(inventory, name) == nullptr;
    };
    if (patterns != nullptr && patterns->size() > 1)
        for (const std::string& name : *patterns)
            if (!is_glob(name) && absent(name)) out.insert(name);
    for (const auto& [name, values] : variables.ports) {
        const bool said = patterns != nullptr && *patterns == std::vector<std::string>{name};
        if (is_meant(patterns, name) && !said && absent(name)) out.insert(name);
    }
    return {out.begin(), out.end()};
}

std::optional<std::string> pci_in_name(std::string_view name) {
    if (!name.starts_with("en")) return std::nullopt;
    name.remove_prefix(2);
    const std::uint64_t domain = number_behind('P', name).value_or(0);
    const auto bus = number_behind('p', name);
    const auto slot = bus ? number_behind('s', name) : std::nullopt;
    if (!slot) return std::nullopt;
    const std::uint64_t function = number_behind('f', name).value_or(0);
    if (!name.empty() && name.front() != 'n' && name.front() != 'd') return std::nullopt;
    constexpr std::size_t domain_digits = 4;
    return hexadecimal(domain, domain_digits) + ':' + hexadecimal(*bus, 2) + ':' +
           hexadecimal(*slot, 2) + '.' + hexadecimal(function, 1);
}

std::vector<std::string> missing_places(const Match& match, const State& inventory,
                                        const Variables& variables,
                                        const std::optional<State>& earlier) {
    std::vector<std::string> out;
    const auto is_there = [&](const std::string& place) {
        return std::ranges::any_of(inventory.ports, [&](const Port& port) {
            return port.link && !port.link->pci.empty() && full_pci(port.link->pci) == place;
        });
    };
    if (earlier)
        for (const Port* port : matching(match, *earlier))
            if (port->link && !port->link->pci.empty() && !is_there(full_pci(port->link->pci)))
                out.push_back(full_pci(port->link->pci));
    if (!out.empty()) return out;
    std::ranges::copy_if(stated_places(match), std::back_inserter(out),
                         [&](const std::string& place) { return !is_there(place); });
    if (!out.empty()) return out;
    for (const std::string& name : missing_names(match, inventory, variables))
        if (const auto place = pci_in_name(name); place && !is_there(*place)) out.push_back(*place);
    return out;
}

std::optional<std::vector<std::size_t>> indices_of(const std::vector<const Port*>& ports,
                                                   std::size_t expected, const Match& match,
                                                   const State& inventory,
                                                   const Variables& variables,
                                                   const std::optional<State>& earlier) {
    std::vector<std::string> names;
    std::vector<std::string> places;
    for (const Port* port : ports) {
        names.push_back(port->name);
        places.push_back(port->link ? full_pci(port->link->pci) : std::string());
    }
    if (auto out = positions(names, names_when_whole(match, inventory, earlier), expected))
        return out;
    if (auto out = positions(places, stated_places(match), expected)) return out;
    std::vector<std::string> order;
    std::ranges::copy_if(variables.order, std::back_inserter(order), [&](const std::string& name) {
        return is_meant(match.values("name"), name);
    });
    return positions(names, order, expected);
}

}  // namespace core
