// SPDX-License-Identifier: Apache-2.0
#include "cli/views/map_text.hpp"

#include <algorithm>
#include <charconv>

#include "core/model/object.hpp"

namespace cli {
namespace {

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

}  // namespace

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

}  // namespace cli
