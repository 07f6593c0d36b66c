// SPDX-License-Identifier: Apache-2.0
#include "cli/views/doctor_lines.hpp"

#include <algorithm>

#include "cli/views/map_text.hpp"
#include "cli/views/printable.hpp"
#include "core/model/reading.hpp"

namespace cli {

std::string line_of(std::string_view head, std::string_view text) {
    constexpr std::size_t wide = 14;
    std::string out = "   " + std::string(head);
    out.resize(std::max(out.size() + 1, wide), ' ');
    return out + on_one_line(std::string(text)) + '\n';
}

std::string more_lines(std::size_t all, std::size_t shown, const Style& style) {
    if (all <= shown || !style.group_ports) return "";
    return line_of("", "… and " + std::to_string(all - shown) + " more: -v lists them");
}

namespace {

/// The entry of a map that is not as desired; nothing where a fault is of anything else.
std::optional<std::pair<std::string, MapEntry>> drifted(const core::Fault& fault,
                                                        const core::Reading& now) {
    const core::Desired* desired = fault.row == &core::findings::drift ? fault.at : nullptr;
    if (desired == nullptr || !desired->accepted.empty()) return std::nullopt;
    const auto entry = map_entry(core::element_name(*desired->field, desired->element));
    if (!entry) return std::nullopt;
    const core::Value* found = now.element(*desired->field, desired->element);
    return std::pair(entry->first,
                     MapEntry{.number = entry->second,
                              .before = found != nullptr ? core::text(*found) : "nothing",
                              .after = desired->value ? core::text(*desired->value) : "nothing"});
}

/// What a check found, the entries of one map as one.
std::vector<std::string> texts_of(const core::Check& check, const Grouping& of) {
    const core::Port* port = of.state == nullptr ? nullptr : core::find_port(*of.state, check.port);
    std::vector<std::string> out;
    std::string key;
    std::size_t place = 0;
    std::vector<MapEntry> entries;
    for (const core::Fault& fault : check.faults) {
        const auto entry =
            of.group_ports && port != nullptr ? drifted(fault, core::Reading(*port)) : std::nullopt;
        if (!entry || (!key.empty() && entry->first != key)) {
            out.push_back(fault.text);
            continue;
        }
        if (key.empty()) {
            key = entry->first;
            place = out.size();
            out.emplace_back();
        }
        entries.push_back(entry->second);
    }
    if (key.empty()) return out;
    const MapText text = map_text(key, entries);
    out[place] = text.name + ": expected " + text.after + ", found " + text.before;
    return out;
}

}  // namespace

std::vector<Reason> reasons_of(const core::Suspect& cause, const Grouping& of) {
    std::vector<Reason> out;
    std::vector<std::string> shared;
    for (const core::Check* check : cause.checks)
        for (const std::string& found : texts_of(*check, of)) {
            const std::string text = shared_text(found, check->port, of);
            const auto known = std::ranges::find(shared, text);
            if (known == shared.end()) {
                shared.push_back(text);
                out.push_back({.text = found, .ports = {check->port}});
                continue;
            }
            Reason& reason = out[static_cast<std::size_t>(known - shared.begin())];
            reason.text = text;
            reason.ports.push_back(check->port);
        }
    return out;
}

}  // namespace cli
