// SPDX-License-Identifier: Apache-2.0
#include "cli/views/doctor_lines.hpp"

#include <algorithm>
#include <array>

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

Pasted pasted(const std::string& text) {
    constexpr std::array<std::string_view, 20> programs{
        "cat",     "cpupower", "dcb",       "devlink",  "dmesg",     "echo",  "ethtool",
        "grep",    "ip",       "lspci",     "modprobe", "nft",       "ping",  "rdma",
        "rocectl", "sysctl",   "systemctl", "tc",       "tuned-adm", "ulimit"};
    // What tells of a command is no command.
    constexpr std::array<std::string_view, 8> prose{" of ",    " lists ", " tells ", " that ",
                                                    " shows ", " and ",   " the ",   " once "};
    Pasted out;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of(";,"), rest.size());
        const std::string_view part = rest.substr(0, end);
        const std::string_view program = part.substr(0, part.find(' '));
        const bool ends = end == rest.size() || rest.substr(end + 1).starts_with(' ');
        const bool is_prose = std::ranges::any_of(prose, [&](std::string_view word) {
            return part.find(word) != std::string_view::npos;
        });
        if (!ends || is_prose || std::ranges::find(programs, program) == programs.end()) break;
        out.commands.emplace_back(part);
        rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    out.words = rest;
    return out;
}

std::string label_line(std::string_view head) {
    return head.empty() ? "" : "   " + std::string(head) + '\n';
}

std::string paste_line(const std::string& command) {
    return std::string(kPaste) + on_one_line(command) + '\n';
}

std::string lines_of(std::string_view head, const std::string& text) {
    const Pasted parts = pasted(text);
    if (parts.commands.empty()) return line_of(head, text);
    std::string out = label_line(head);
    for (const std::string& command : parts.commands)
        out += paste_line(command);
    return parts.words.empty() ? out : out + line_of("", parts.words);
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
