// SPDX-License-Identifier: Apache-2.0
#include "cli/views/port_groups.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "cli/views/map_text.hpp"
#include "cli/views/printable.hpp"
#include "cli/views/style.hpp"
#include "core/model/letters.hpp"

namespace cli {
namespace {

using core::Change;
using core::Step;
using core::Value;

using Values = std::vector<std::optional<Value>>;

constexpr std::size_t kMostNamed = 12;
constexpr std::string_view kRest = "…";
constexpr std::string_view kNone = "none";  // as value_text says it

bool part_of_name(char c) {
    return core::is_letter_or_digit(c) || c == '_';
}

/// The text with the name put in the place of a word.
std::string replaced(std::string text, const std::string& word, std::string_view by) {
    if (word.empty()) return text;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
        const std::size_t end = at + word.size();
        const bool whole = (at == 0 || !part_of_name(text[at - 1])) &&
                           (end == text.size() || !part_of_name(text[end]));
        if (whole) text.replace(at, word.size(), by);
        at += whole ? by.size() : word.size();
    }
    return text;
}

bool same(const Values& values) {
    return std::ranges::adjacent_find(values, std::not_equal_to{}) == values.end();
}

/// A text for all of some values, and one for each where they are not the same.
struct Split {
    std::string shared{};
    std::vector<std::string> own{};
};

/// The parts that all records have alike, and the rest of each.
Split split_records(const Values& values) {
    const auto of_all = [&values](const auto& part) {
        return std::ranges::all_of(values, [&part](const auto& value) {
            const auto& record = std::get<core::Record>(*value);
            const auto found = record.find(part.first);
            return found != record.end() && found->second == part.second;
        });
    };
    core::Record common;
    for (const auto& part : std::get<core::Record>(*values.front()))
        if (of_all(part)) common.emplace(part.first, part.second);
    Split out{.shared = core::text(Value(common))};
    out.shared += (out.shared.empty() ? "" : " ") + std::string(kRest);
    for (const auto& value : values) {
        core::Record rest;
        for (const auto& part : std::get<core::Record>(*value))
            if (!common.contains(part.first)) rest.emplace(part.first, part.second);
        out.own.push_back(core::text(Value(rest)));
    }
    return out;
}

Split split(const Values& values) {
    if (same(values)) return {.shared = value_text(values.front())};
    const bool records = std::ranges::all_of(values, [](const auto& value) {
        return value && std::holds_alternative<core::Record>(*value);
    });
    if (records) return split_records(values);
    Split out{.shared = std::string(kRest)};
    for (const auto& value : values)
        out.own.push_back(value_text(value));
    return out;
}

struct OneChange {
    const Change* change = nullptr;
    std::string cost{};
};

/// Some changes as one: of several ports the same setting, or of one port several elements.
GroupedChange grouped_change(const std::vector<const OneChange*>& rows) {
    const Change& first = *rows.front()->change;
    GroupedChange out{.name = core::element_name(*first.field, first.element),
                      .origin = first.origin,
                      .cost = rows.front()->cost};
    Values before;
    Values after;
    for (const OneChange* row : rows) {
        before.push_back(row->change->before);
        after.push_back(row->change->after);
    }
    const Split was = split(before);
    const Split is = split(after);
    out.before = first.before_unknown ? "unknown" : was.shared;
    out.after = is.shared;
    for (std::size_t i = 0; i < rows.size() && !(was.own.empty() && is.own.empty()); ++i) {
        std::string own = is.own.empty() ? std::string() : is.own[i];
        if (!was.own.empty()) own.insert(0, was.own[i] + (own.empty() ? "" : " → "));
        out.own.push_back(std::move(own));
    }
    return out;
}

/// Whether the value is a port's own: an address, a name.
bool is_own(const core::Field& field) {
    using enum core::Shape::Kind;
    const auto kind = field.shape.kind;
    return kind == items || kind == text || kind == record;
}

/// What is reported of a change, with the names that its port has.
std::string reported_of(const OneChange& row) {
    const Change& change = *row.change;
    std::string out = is_own(*change.field)
                          ? std::string(change.field->key) + (change.before ? " had" : "") +
                                (change.after ? " has" : "")
                          : core::element_name(*change.field, change.element) + ' ' +
                                value_text(change.before) + ' ' + value_text(change.after);
    if (change.before_unknown) out += " unknown";
    return out + ' ' + text(change.origin) + ' ' + row.cost;
}

/// What two changes have to have alike to be reported in one line.
std::string likeness(const OneChange& row, const std::string& port, const Grouping& of) {
    return shared_text(reported_of(row), port, of);
}

bool same_change(const OneChange& left, const OneChange& right) {
    const Change& one = *left.change;
    const Change& other = *right.change;
    return one.field == other.field && one.element == other.element && one.before == other.before &&
           one.after == other.after && one.before_unknown == other.before_unknown &&
           one.origin == other.origin && left.cost == right.cost;
}

/// What is reported of the nth change of each port: most ports change as the one before.
class Prefetched {
public:
    const std::string& of(const OneChange& row, std::size_t nth) {
        if (nth == reported_.size()) reported_.emplace_back();
        auto& [before, text] = reported_[nth];
        if (before == nullptr || !same_change(*before, row)) text = reported_of(row);
        before = &row;
        return text;
    }

private:
    std::vector<std::pair<const OneChange*, std::string>> reported_{};
};

std::string cost_of(const Step& step) {
    std::string out(step.disruption == core::Disruption::none ? "" : word(step.disruption));
    if (step.irreversible) out += out.empty() ? "irreversible" : ", irreversible";
    return out;
}

struct ChangesOfPort {
    std::string port{};
    std::vector<OneChange> rows{};
};

std::vector<ChangesOfPort> rows_by_port(const std::vector<Step>& steps) {
    std::vector<ChangesOfPort> out;
    std::map<std::string, std::size_t> places;
    for (const Step& step : steps) {
        const auto [place, fresh] = places.try_emplace(step.port, out.size());
        if (fresh) out.push_back({.port = step.port});
        for (const Change& change : step.changes)
            out[place->second].rows.push_back({&change, cost_of(step)});
    }
    return out;
}

/// Of one port: elements that are stated in one place are one line.
Block block_of(const ChangesOfPort& port, const Grouping& of) {
    Block out{.ports = {port.port}};
    for (std::size_t i = 0; i < port.rows.size();) {
        std::vector<const OneChange*> alike = {&port.rows[i]};
        const bool list = of.group_ports && is_own(*port.rows[i].change->field);
        const std::string likely = likeness(port.rows[i], port.port, of);
        for (++i; list && i < port.rows.size(); ++i) {
            if (likeness(port.rows[i], port.port, of) != likely) break;
            alike.push_back(&port.rows[i]);
        }
        out.changes.push_back(grouped_change(alike));
    }
    return out;
}

Block block_of(const std::vector<const ChangesOfPort*>& ports) {
    Block out;
    for (const ChangesOfPort* port : ports)
        out.ports.push_back(port->port);
    for (std::size_t i = 0; i < ports.front()->rows.size(); ++i) {
        std::vector<const OneChange*> alike;
        for (const ChangesOfPort* port : ports)
            alike.push_back(&port->rows[i]);
        out.changes.push_back(grouped_change(alike));
    }
    return out;
}

std::string driver_at(const Grouping& of, const std::string& name) {
    const core::Port* port = of.state == nullptr ? nullptr : core::find_port(*of.state, name);
    return port != nullptr && port->device ? port->device->driver : std::string();
}

}  // namespace

std::string shared_text(const std::string& text, const std::string& name, const Grouping& of) {
    if (!of.group_ports || name == core::kHost) return text;
    std::string out = replaced(text, name, "PORT");
    const core::Port* port = of.state == nullptr ? nullptr : core::find_port(*of.state, name);
    if (port == nullptr) return out;
    if (port->link) out = replaced(std::move(out), port->link->pci, "PCI");
    if (port->rdma_link) out = replaced(std::move(out), port->rdma_link->device, "RDMA");
    return out;
}

Grouping grouping_of(const core::Plan& plan, bool group_ports) {
    Grouping out{.ports = plan.ports, .state = &plan.before, .group_ports = group_ports};
    std::erase(out.ports, core::kHost);
    return out;
}

std::string ports_text(const std::vector<std::string>& ports, const Grouping& of) {
    constexpr std::size_t few = 3;
    const std::set<std::string_view> meant(ports.begin(), ports.end());
    const auto is_meant = [&meant](const std::string& port) { return meant.contains(port); };
    const bool all = ports.size() == of.ports.size() && std::ranges::all_of(of.ports, is_meant);
    const std::string number = " (" + count(ports.size(), "port") + ")";
    if (all && ports.size() > few)
        return on_one_line(ports.front()) + ' ' + std::string(kRest) + number;
    std::string out;
    for (std::size_t i = 0; i < ports.size() && i < kMostNamed; ++i)
        out += (i == 0 ? "" : ", ") + on_one_line(ports[i]);
    if (ports.size() > kMostNamed) return out + ' ' + std::string(kRest) + number;
    return out;
}

bool is_named_apart(const core::Field& field) {
    return !is_own(field) && field.shape.kind != core::Shape::Kind::map;
}

char mark_of(const GroupedChange& change) {
    if (change.before == kNone) return '+';
    return change.after == kNone ? '-' : '~';
}

std::vector<GroupedChange> with_maps_once(const std::vector<GroupedChange>& changes) {
    struct Map {
        std::size_t place = 0;
        std::string key{};
        std::vector<MapEntry> entries{};
    };
    std::vector<GroupedChange> out;
    std::vector<Map> maps;
    for (const GroupedChange& change : changes) {
        const auto entry = map_entry(change.name);
        if (!entry || !change.own.empty()) {
            out.push_back(change);
            continue;
        }
        const auto same = [&](const Map& map) {
            const GroupedChange& first = out[map.place];
            return map.key == entry->first && mark_of(first) == mark_of(change) &&
                   first.cost == change.cost && first.origin == change.origin;
        };
        auto map = std::ranges::find_if(maps, same);
        if (map == maps.end()) {
            map = maps.insert(map, Map{.place = out.size(), .key = entry->first});
            out.push_back(change);
        }
        map->entries.push_back({entry->second, change.before, change.after});
    }
    for (const Map& map : maps) {
        MapText text = map_text(map.key, map.entries);
        GroupedChange& change = out[map.place];
        change.name = std::move(text.name);
        change.before = std::move(text.before);
        change.after = std::move(text.after);
    }
    return out;
}

std::vector<Block> blocks(const std::vector<Step>& steps, const Grouping& of) {
    const std::vector<ChangesOfPort> ports = rows_by_port(steps);
    std::vector<std::vector<const ChangesOfPort*>> groups;
    std::map<std::string, std::size_t> places;
    Prefetched reported;
    for (const ChangesOfPort& port : ports) {
        std::string like = of.group_ports ? driver_at(of, port.port) : port.port;
        for (std::size_t i = 0; i < port.rows.size(); ++i)
            like += '\n' + shared_text(reported.of(port.rows[i], i), port.port, of);
        if (port.port == core::kHost) like += "\nhost";
        const auto [place, fresh] = places.try_emplace(like, groups.size());
        if (fresh) groups.emplace_back();
        groups[place->second].push_back(&port);
    }
    std::vector<Block> out;
    for (const auto& group : groups)
        out.push_back(group.size() == 1 ? block_of(*group.front(), of) : block_of(group));
    return out;
}

}  // namespace cli
