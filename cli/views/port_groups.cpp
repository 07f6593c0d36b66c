// SPDX-License-Identifier: Apache-2.0
#include "cli/views/port_groups.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "cli/views/printable.hpp"
#include "cli/views/style.hpp"
#include "core/model/letters.hpp"
#include "core/model/object.hpp"
#include "core/model/priority.hpp"
#include "core/plan/readiness.hpp"

namespace cli {
namespace {

using core::Change;
using core::Finding;
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

// Maps and lists of a value for each priority.

using Numbers = std::vector<std::uint64_t>;

/// `0-7,26`
std::string ranges(const Numbers& numbers) {
    std::string out;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            ++end;
        out += (i == 0 ? "" : ",") + std::to_string(numbers[i]);
        if (end - i > 1) out += '-' + std::to_string(numbers[end - 1]);
        i = end;
    }
    return out;
}

/// The value where it is the same for all, `0-7:0 8-15:1` where it is not.
std::string side(const std::vector<MapEntry>& entries, std::string MapEntry::*value) {
    const std::string& first = entries.front().*value;
    if (std::ranges::all_of(entries, [&](const auto& entry) { return entry.*value == first; }))
        return first;
    std::string out;
    for (std::size_t i = 0; i < entries.size();) {
        Numbers run;
        const std::string& text = entries[i].*value;
        for (; i < entries.size() && entries[i].*value == text &&
               (run.empty() || entries[i].number == run.back() + 1);
             ++i)
            run.push_back(entries[i].number);
        out += (out.empty() ? "" : " ") + ranges(run) + ':' + text;
    }
    return out;
}

template <typename Items>
bool uniform(const Items& items) {
    return items.size() == core::kPriorities &&
           std::ranges::adjacent_find(items, std::not_equal_to{}) == items.end();
}

/// `all ets but 6 strict`, where one stands alone among equals.
std::string but_one(const core::Words& words) {
    for (std::size_t i = 0; i < words.size() && words.size() == core::kPriorities; ++i) {
        core::Words rest = words;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        if (std::ranges::adjacent_find(rest, std::not_equal_to{}) == rest.end())
            return "all " + rest.front() + " but " + std::to_string(i) + " " + words[i];
    }
    return {};
}

// What is found, each cause once.

void add(Concerned concerned, std::vector<Concerned>& all) {
    for (Concerned& other : all) {
        if (other.names != concerned.names) continue;
        other.ports.insert(other.ports.end(), concerned.ports.begin(), concerned.ports.end());
        return;
    }
    all.push_back(std::move(concerned));
}

/// Which desired values of which ports.
std::vector<Concerned> concerned_by(const std::vector<const Finding*>& findings) {
    std::vector<Concerned> by_port;
    for (const Finding* finding : findings) {
        const auto found = std::ranges::find_if(
            by_port, [&](const Concerned& one) { return one.ports.front() == finding->port; });
        Concerned& one = found == by_port.end()
                             ? by_port.emplace_back(Concerned{.ports = {finding->port}})
                             : *found;
        const std::string name = subject_of(*finding);
        if (std::ranges::find(one.names, name) == one.names.end()) one.names.push_back(name);
    }
    std::vector<Concerned> out;
    for (Concerned& one : by_port)
        add(std::move(one), out);
    return out;
}

Reported reported_once(const std::vector<const Finding*>& findings, const Grouping& of) {
    const Finding& first = *findings.front();
    Reported out{.level = first.level, .concerned = concerned_by(findings)};
    const bool one_port = out.concerned.size() == 1 && out.concerned.front().ports.size() == 1;
    const auto spelled = [&](const std::string& text) {
        return one_port ? text : shared_text(text, first.port, of);
    };
    out.by_cause = findings.size() > 1 && !first.cause.empty();
    out.text = spelled(out.by_cause ? first.cause : first.text);
    out.remedy = spelled(first.remedy);
    return out;
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

std::string places_text(const std::vector<std::string>& ports, const Grouping& of) {
    return ports.front() == core::kHost ? std::string(core::kHost) : ports_text(ports, of);
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

MapText map_text(const std::string& key, const std::vector<MapEntry>& entries) {
    std::vector<MapEntry> sorted = entries;
    std::ranges::sort(sorted, {}, &MapEntry::number);
    MapText out{.name = key,
                .before = side(sorted, &MapEntry::before),
                .after = side(sorted, &MapEntry::after)};
    // Nothing else would say which numbers are meant.
    const auto alike = [&](const MapEntry& entry) {
        return entry.before == sorted.front().before && entry.after == sorted.front().after;
    };
    if (!std::ranges::all_of(sorted, alike)) return out;
    Numbers numbers;
    for (const MapEntry& entry : sorted)
        numbers.push_back(entry.number);
    out.name += ' ' + ranges(numbers);
    return out;
}

std::optional<std::pair<std::string, std::uint64_t>> map_entry(std::string_view name) {
    const std::size_t space = name.rfind(' ');
    if (space == std::string_view::npos) return std::nullopt;
    const core::Field* field = core::find_field(name.substr(0, space));
    if (field == nullptr || field->shape.kind != core::Shape::Kind::map) return std::nullopt;
    std::uint64_t number = 0;
    const char* const last = name.data() + name.size();
    const auto [end, error] = std::from_chars(name.data() + space + 1, last, number);
    if (error != std::errc() || end != last) return std::nullopt;
    return std::pair(std::string(name.substr(0, space)), number);
}

std::vector<std::string> names_once(const std::vector<std::string>& names) {
    std::vector<std::string> out;
    std::vector<std::pair<std::string, Numbers>> maps;
    std::vector<std::size_t> places;
    for (const std::string& name : names) {
        auto entry = map_entry(name);
        if (!entry) {
            out.push_back(name);
            continue;
        }
        const auto known =
            std::ranges::find(maps, entry->first, &std::pair<std::string, Numbers>::first);
        if (known != maps.end()) {
            known->second.push_back(entry->second);
            continue;
        }
        maps.push_back({entry->first, {entry->second}});
        places.push_back(out.size());
        out.emplace_back();
    }
    for (std::size_t i = 0; i < maps.size(); ++i) {
        std::ranges::sort(maps[i].second);
        out[places[i]] = maps[i].first + ' ' + ranges(maps[i].second);
    }
    return out;
}

std::string value_text(const std::optional<core::Value>& value) {
    if (!value) return "none";
    if (const auto* words = std::get_if<core::Words>(&*value); words != nullptr) {
        if (uniform(*words)) return "all " + words->front();
        if (std::string text = but_one(*words); !text.empty()) return text;
    }
    if (const auto* numbers = std::get_if<core::Numbers>(&*value);
        numbers != nullptr && uniform(*numbers))
        return "all " + std::to_string(numbers->front());
    return core::text(*value);
}

std::string likeness_of(const Finding& finding, const std::string& name) {
    std::string out(word(finding.level));
    return out + '\n' + (finding.cause.empty() ? name + '\n' + finding.text : finding.cause);
}

/// Why a port is not ready says of what it speaks.
std::string subject_of(const Finding& finding) {
    if (core::is_of_readiness(finding)) return {};
    const core::Field* field = core::find_field(finding.key);
    return field == nullptr ? finding.key : core::element_name(*field, finding.element);
}

std::vector<Reported> reported(const std::vector<Finding>& findings, const Grouping& of) {
    std::vector<std::vector<const Finding*>> groups;
    std::map<std::string, std::size_t> places;
    for (const Finding& finding : findings) {
        const std::string alike = shared_text(
            likeness_of(finding, subject_of(finding)) + '\n' + finding.remedy, finding.port, of);
        const auto [place, fresh] = places.try_emplace(alike, groups.size());
        if (fresh || !of.group_ports)
            groups.push_back({&finding});
        else
            groups[place->second].push_back(&finding);
    }
    std::vector<Reported> out;
    for (const auto& group : groups) {
        Reported one = reported_once(group, of);
        // What is fixed by the same stands together, and that is reported once.
        const auto fixed_so = [&](const Reported& other) {
            return of.group_ports && !one.remedy.empty() && other.remedy == one.remedy &&
                   other.level == one.level;
        };
        const auto last = std::find_if(out.rbegin(), out.rend(), fixed_so);
        if (last == out.rend()) {
            out.push_back(std::move(one));
        } else {
            last->remedy.clear();
            out.insert(last.base(), std::move(one));
        }
    }
    return out;
}

}  // namespace cli
