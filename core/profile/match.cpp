// SPDX-License-Identifier: Apache-2.0
#include "core/profile/match.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/model/glob.hpp"
#include "core/profile/keys.hpp"

namespace core {
namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    return out;
}

}  // namespace

std::string full_pci(std::string_view text) {
    const bool short_form = std::ranges::count(text, ':') == 1;
    return (short_form ? "0000:" : "") + lower(text);
}

namespace {

bool is_name(const Port& port, std::string_view wanted) {
    if (wanted == port.name) return true;
    // The loopback device is never meant by a pattern.
    return port.name != "lo" && is_glob(wanted) && glob_matches(wanted, port.name);
}
bool is_driver(const Port& port, std::string_view wanted) {
    return port.device && port.device->driver == wanted;
}
/// A member of a bond has the bond's address (drivers/net/bonding/bond_main.c bond_enslave), which
/// is no more its own than the other members'.
bool is_mac(const Port& port, std::string_view wanted) {
    if (!port.link) return false;
    const Link& link = *port.link;
    const bool lent = !link::bond_of(port).empty() && !link.permanent_mac.empty();
    const std::string& mac = lent ? link.permanent_mac : link.mac;
    return !mac.empty() && lower(mac) == as_read(Shape::Text::mac, wanted);
}
bool is_pci(const Port& port, std::string_view wanted) {
    if (!port.link || port.link->pci.empty()) return false;
    const std::string address = full_pci(port.link->pci);
    return address == full_pci(wanted) ||
           (is_glob(wanted) && glob_matches(full_pci(wanted), address));
}
bool is_rdma(const Port& port, std::string_view wanted) {
    const auto is = [wanted](const std::string& device) {
        return !device.empty() &&
               (device == wanted || (is_glob(wanted) && glob_matches(wanted, device)));
    };
    return port.rdma_link &&
           (is(port.rdma_link->device) || std::ranges::any_of(port.rdma_link->others, is));
}
bool is_function(const Port& port, std::string_view wanted) {
    return port.link && port.link->function == wanted;
}

constexpr std::array<std::string_view, 4> kFunctions = {"pf", "vf", "sf", "rep"};

constexpr std::array kMatchKeys = {
    MatchKey{"name", "Name of the port; `*`, `?` and `[…]` are wild cards.", {}, is_name},
    MatchKey{"driver", "Kernel driver of the port, such as mlx5_core.", "driver", is_driver},
    MatchKey{"mac",
             "Hardware address of the port; of a bond's member the one that it was made with, "
             "where the kernel tells it.",
             "mac", is_mac},
    MatchKey{"pci", "PCI address of the port, such as 0000:3b:00.0, or a pattern.", "pci", is_pci},
    MatchKey{"rdma", "Name of the RDMA device on the port, such as mlx5_0, or a pattern.",
             "rdma.device", is_rdma},
    MatchKey{"function",
             "What part of a NIC the port is: pf, vf, sf or rep (a representor); pf where not "
             "stated, for what is a part of one.",
             {},
             is_function,
             kFunctions},
};

std::string known_keys() {
    std::string out;
    for (const MatchKey& key : kMatchKeys)
        out += (out.empty() ? "" : ", ") + std::string(key.name);
    return out;
}

bool digit(char c) {
    return c >= '0' && c <= '9';
}

/// Text with runs of digits compared as numbers.
bool natural_less(std::string_view left, std::string_view right) {
    std::size_t i = 0;
    std::size_t j = 0;
    const auto digits = [](std::string_view text, std::size_t at) {
        std::size_t end = at;
        while (end < text.size() && digit(text[end]))
            ++end;
        std::string_view run = text.substr(at, end - at);
        run.remove_prefix(std::min(run.find_first_not_of('0'), run.size()));
        return std::pair(run, end);
    };
    while (i < left.size() && j < right.size()) {
        if (digit(left[i]) && digit(right[j])) {
            const auto [one, one_end] = digits(left, i);
            const auto [other, other_end] = digits(right, j);
            if (one.size() != other.size()) return one.size() < other.size();
            if (one != other) return one < other;
            i = one_end;
            j = other_end;
        } else if (left[i] != right[j]) {
            return left[i] < right[j];
        } else {
            ++i;
            ++j;
        }
    }
    if (left.size() - i != right.size() - j) return left.size() - i < right.size() - j;
    return left < right;
}

}  // namespace

std::span<const MatchKey> match_keys() {
    return kMatchKeys;
}

const std::vector<std::string>* Match::values(std::string_view key) const {
    for (const Condition& condition : conditions)
        if (condition.key->name == key) return &condition.values;
    return nullptr;
}

bool Match::holds(const Port& port) const {
    const bool other = port.link && !port.link->function.empty() && port.link->function != "pf";
    if (other && values("function") == nullptr) return false;
    return holds_but_for_function(port);
}

bool Match::holds_but_for_function(const Port& port) const {
    const std::vector<std::string>* names = values("name");
    const bool named = names != nullptr && std::ranges::find(*names, port.name) != names->end();
    // Nor is a VLAN, which may be what the entry itself made of a port, or is about to.
    const bool made = port.vlan && !port.vlan->parent.empty();
    const bool is_vlan = made || (port.link && port.link->vlan);
    if ((port.name == "lo" || is_vlan) && !named) return false;
    return std::ranges::all_of(conditions, [&](const Condition& condition) {
        return std::ranges::any_of(condition.values, [&](const std::string& value) {
            return condition.key->is(port, value);
        });
    });
}

std::string text(const Match& match) {
    std::string out;
    for (const Condition& condition : match.conditions) {
        out += (out.empty() ? "" : ", ") + std::string(condition.key->name);
        for (const std::string& value : condition.values)
            out += (&value == &condition.values.front() ? " " : " or ") + value;
    }
    return out;
}

Match read_match(const Node& node, const std::string& pointer, Problems& problems) {
    Match out{.conditions = {}, .place = node.place};
    const auto wrong = [&](const Node& at, const std::string& where, const std::string& expected) {
        problems.push_back({at.place, where, found(at) + ", expected " + expected});
    };
    std::vector<std::string> known;
    for (const MatchKey& key : kMatchKeys)
        known.emplace_back(key.name);
    if (node.kind != Node::Kind::object || node.members.empty()) {
        wrong(node, pointer, "an object with at least one of " + known_keys());
        return out;
    }
    for (const Node::Member& member : node.members) {
        const std::string at = pointer_to(pointer, member.name);
        const auto key = std::ranges::find(kMatchKeys, member.name, &MatchKey::name);
        if (key == kMatchKeys.end()) {
            problems.push_back({member.place, at, unknown_key(member.name, known)});
            continue;
        }
        Condition condition{.key = &*key, .values = {}};
        const Node& value = member.value;
        const auto take = [&](const Node& one, const std::string& where) {
            if (one.kind != Node::Kind::text || one.text.empty())
                return wrong(one, where, "a text");
            const auto words = key->words;
            if (!words.empty() && !one.text.starts_with("${") &&
                std::ranges::find(words, one.text) == words.end())
                return wrong(one, where, admits({.kind = Shape::Kind::word, .words = words}));
            condition.values.push_back(one.text);
        };
        if (value.kind != Node::Kind::array) {
            take(value, at);
        } else if (value.items.empty()) {
            problems.push_back({value.place, at, "found an empty list, expected a text in it"});
        }
        for (std::size_t i = 0; i < value.items.size(); ++i)
            take(value.items[i], pointer_to(at, i));
        out.conditions.push_back(std::move(condition));
    }
    return out;
}

namespace {

/// A bond comes after its members and a VLAN after what it is on, whatever they are called.
int storey(const Port& port) {
    const bool vlan =
        port.link ? port.link->vlan.has_value() : port.vlan && !port.vlan->parent.empty();
    if (vlan) return 2;
    const bool bond = (port.link && port.link->kind == "bond") ||
                      (port.device && port.device->driver == "bonding");
    return bond ? 1 : 0;
}

}  // namespace

bool comes_before(const Port& left, const Port& right) {
    if (storey(left) != storey(right)) return storey(left) < storey(right);
    const auto pci = [](const Port& port) { return port.link ? full_pci(port.link->pci) : ""; };
    const std::string one = pci(left);
    const std::string other = pci(right);
    if (one.empty() != other.empty()) return !one.empty();
    return one == other ? natural_less(left.name, right.name) : one < other;
}

std::vector<const Port*> matching(const Match& match, const State& state) {
    std::vector<const Port*> out;
    for (const Port& port : state.ports)
        if (match.holds(port)) out.push_back(&port);
    std::ranges::sort(
        out, [](const Port* left, const Port* right) { return comes_before(*left, *right); });
    return out;
}

std::vector<const Driver*> possible_drivers(const Match& match) {
    std::vector<const Driver*> out;
    const std::vector<std::string>* named = match.values("driver");
    const bool any = named == nullptr || std::ranges::any_of(*named, [](const std::string& name) {
                         return name.find("${") != std::string::npos;
                     });
    for (const Driver* const driver : drivers())
        if (any || std::ranges::any_of(*named, [&](const std::string& name) {
                return &driver_named(name) == driver;
            }))
            out.push_back(driver);
    return out;
}

}  // namespace core
