// SPDX-License-Identifier: Apache-2.0
#include "core/profile/count.hpp"

#include <algorithm>
#include <set>

#include "core/model/finding_names.hpp"
#include "core/model/glob.hpp"
#include "core/profile/reference.hpp"

namespace core {
namespace {

std::string names_of(const auto& names) {
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "" : ", ") + name;
    return out;
}

/// Ports that the match names one beside others, or that have variables and would match by name,
/// and are not there.
std::set<std::string> missing_names(const Match& match, const State& inventory,
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
        const bool meant =
            patterns == nullptr ||
            std::ranges::any_of(*patterns, [&port = name](const std::string& pattern) {
                return glob_matches(pattern, port);
            });
        const bool said = patterns != nullptr && *patterns == std::vector<std::string>{name};
        if (meant && !said && absent(name)) out.insert(name);
    }
    return out;
}

/// The remedy for a match with a driver that no port has, with the host's drivers; empty otherwise.
std::string other_driver(const Match& match, const State& inventory) {
    const std::vector<std::string>* wanted = match.values("driver");
    std::set<std::string> here;
    for (const Port& port : inventory.ports)
        if (port.device && !port.device->driver.empty()) here.insert(port.device->driver);
    if (wanted == nullptr || here.empty() ||
        std::ranges::any_of(*wanted, [&](const std::string& name) { return here.contains(name); }))
        return {};
    return "driver has the whole name of one; the ports that come into question have " +
           names_of(here);
}

/// A port of another function than a match means that says nothing of it.
std::string other_function(const Match& match, const State& inventory) {
    std::string remedy = "rocectl show lists the ports of this host";
    if (std::string driver = other_driver(match, inventory); !driver.empty()) return driver;
    if (match.values("function")) return remedy;
    for (const Port& port : inventory.ports)
        if (match.holds_but_for_function(port))
            remedy =
                port.name + " would, if match had \"function\": \"" + port.link->function + '"';
    return remedy;
}

}  // namespace

std::optional<Finding> miscount(const Entry& entry, const std::vector<const Port*>& ports,
                                const State& inventory, const Variables& variables) {
    const bool enough = entry.expect ? ports.size() == *entry.expect : !ports.empty();
    if (enough) return std::nullopt;
    const Place& place = entry.match.place;
    std::string text = place.file.text() + ':' + std::to_string(place.line) + ": ";
    const bool fewer = ports.size() < entry.expect.value_or(1);
    std::string missing;
    if (fewer) missing = names_of(missing_names(entry.match, inventory, variables));
    if (!missing.empty()) missing = "; not there: " + missing;
    if (ports.empty())
        return Finding{.id = findings::no_match,
                       .text = text + "no port matches " + core::text(entry.match) + missing,
                       .remedy = other_function(entry.match, inventory)};
    std::vector<std::string> names;
    for (const Port* port : ports)
        names.push_back(port->name);
    text += std::to_string(ports.size()) +
            (ports.size() == 1 ? " port matches " : " ports match ") + core::text(entry.match) +
            " (" + names_of(names) + "), expected " + std::to_string(*entry.expect) + missing;
    return Finding{.id = findings::expect,
                   .text = std::move(text),
                   .remedy = "fix 'match' or 'expect', or find the missing port"};
}

Node without_index(const Node& entry, const Node* roce) {
    Node out = entry;
    const auto numbered = [](const Node::Member& member) { return uses_index(member.value); };
    const Node::Member* own = entry.member("roce");
    const bool numbered_roce =
        (roce != nullptr && uses_index(*roce)) || (own != nullptr && numbered(*own));
    if (out.members.erase_if(numbered) > 0) {
        // What is not known to be desired is not known to be too much either.
        out.members.erase_if([](const Node::Member& member) { return member.name == "exact"; });
    }
    if (!numbered_roce) return out;
    out.members.erase_if([](const Node::Member& member) { return member.name == "roce"; });
    out.members.push_back(
        {.name = "roce", .place = entry.place, .value = Node::of(Node::Kind::null, entry.place)});
    return out;
}

}  // namespace core
