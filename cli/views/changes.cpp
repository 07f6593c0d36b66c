// SPDX-License-Identifier: Apache-2.0
#include "cli/views/changes.hpp"

#include "cli/views/port_groups.hpp"
#include "cli/views/printable.hpp"

namespace cli {
namespace {

constexpr std::size_t kMostOfValues = 28;  // in a row, so that what follows stays on the screen

/// `ens1f0 … (8 ports, mlx5_core)`
std::string block_heading(const Block& block, const Grouping& of, const Style& style) {
    const core::Port* port =
        of.state == nullptr ? nullptr : core::find_port(*of.state, block.ports.front());
    const bool known = port != nullptr && port->device && !port->device->driver.empty();
    return style.bold(ports_text(block.ports, of)) +
           (known ? style.faint("  (" + port->device->driver + ")") : "") + '\n';
}

/// A value that is too long for its row is told in full below it.
struct Rows {
    std::vector<GroupedChange> changes{};
    std::string below{};
};

Rows rows_of(const Block& block, const Style& style, bool expected) {
    Rows out{.changes = style.group_ports ? with_maps_once(block.changes) : block.changes};
    for (GroupedChange& change : out.changes) {
        if (change.before.size() + change.after.size() <= kMostOfValues) continue;
        out.below += "    " +
                     on_one_line(change.name + ": " +
                                 (expected ? "expected " + change.after + ", found " + change.before
                                           : change.before + " → " + change.after)) +
                     '\n';
        for (std::string* value : {&change.before, &change.after})
            if (value->size() > kMostOfValues / 2) *value = "…";
    }
    return out;
}

/// What is not the same on all ports of a block, or in all elements of one port.
std::string own_lines(const Block& block, const Style& style) {
    Row head{""};
    std::vector<Row> rows(block.ports.size());
    std::string out;
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].push_back(block.ports[i]);
    bool any = false;
    for (const GroupedChange& change : block.changes) {
        if (change.own.empty()) continue;
        if (block.ports.size() == 1) {
            out += "    " + change.name + ", each with\n" +
                   wrapped(change.own, "; ", "      ", style.width);
            continue;
        }
        any = true;
        head.push_back(change.name);
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].push_back(change.own[i]);
    }
    if (!any) return out;
    rows.insert(rows.begin(), std::move(head));
    return out + table(rows, "    ", style.width);
}

std::string block_text(const Block& block, const Grouping& of, const Style& style) {
    const auto [changes, below] = rows_of(block, style, false);
    std::vector<Row> rows;
    for (const GroupedChange& change : changes)
        rows.push_back({std::string{mark_of(change), ' '} + change.name,
                        change.before + " → " + change.after, change.cost,
                        style.faint(origin_in_short(change.origin))});
    if (style.group_ports) rows = grouped(rows, 0);
    return block_heading(block, of, style) + table(rows, "", style.width) + below +
           own_lines(block, style);
}

std::string difference_text(const Block& block, const Grouping& of, const Style& style) {
    const auto [changes, below] = rows_of(block, style, true);
    std::vector<Row> rows{{"SETTING", "EXPECTED", "FOUND", "ORIGIN"}};
    for (const GroupedChange& change : changes)
        rows.push_back({change.name, change.after, change.before,
                        style.faint(origin_in_short(change.origin))});
    if (style.group_ports) rows = grouped(rows, 0);
    return block_heading(block, of, style) + table(rows, "  ", style.width) + below +
           own_lines(block, style);
}

}  // namespace

std::string origin_in_short(const core::Origin& origin) {
    if (!is_derived(origin) || !origin.other.empty()) return text(origin);
    return origin.derived_from + " (" + origin.file + ':' + std::to_string(origin.line) + ')';
}

std::string changes_text(const core::Plan& plan, const Style& style) {
    const Grouping of = grouping_of(plan, style.group_ports);
    std::string out;
    for (const Block& block : blocks(plan.steps, of))
        out += block_text(block, of, style);
    return out;
}

std::string differences_text(const core::Plan& plan, const Style& style) {
    const Grouping of = grouping_of(plan, style.group_ports);
    std::string out;
    for (const Block& block : blocks(plan.steps, of))
        out += difference_text(block, of, style);
    return out;
}

}  // namespace cli
