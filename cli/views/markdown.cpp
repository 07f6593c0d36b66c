// SPDX-License-Identifier: Apache-2.0
#include "cli/views/markdown.hpp"

#include <algorithm>

#include "cli/views/port_groups.hpp"
#include "cli/views/quoted.hpp"
#include "cli/views/text.hpp"
#include "core/model/finding_names.hpp"

namespace cli {
namespace {

/// A `|` would end the cell, in code too (tables of GFM, 4.10).
std::string in_cell(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c;
    }
    return out;
}

std::string table_line(const Row& cells) {
    std::string out = "|";
    for (const std::string& cell : cells) {
        out += ' ';
        out += in_cell(cell);
        out += " |";
    }
    return out + '\n';
}

/// Rows under a heading; the cells are Markdown already.
std::string markdown_table(const Row& heading, const std::vector<Row>& rows) {
    std::string out = table_line(heading) + table_line(Row(heading.size(), "---"));
    for (const Row& row : rows)
        out += table_line(row);
    return out + '\n';
}

Row as_code(Row row) {
    for (std::string& cell : row)
        cell = markdown_code(cell);
    return row;
}

std::vector<Row> change_rows(const Block& block, const Style& style) {
    std::vector<Row> rows;
    const std::vector<GroupedChange> changes =
        style.group_ports ? with_maps_once(block.changes) : block.changes;
    for (const GroupedChange& change : changes)
        rows.push_back({change.name, change.before, change.after, change.cost,
                        origin_in_short(change.origin)});
    if (style.group_ports) rows = grouped(rows, 0);
    std::ranges::transform(rows, rows.begin(), as_code);
    return rows;
}

/// What each port, or each element of one port, has for a `…` of the table before.
std::string source_routings(const Block& block) {
    std::string out;
    for (const GroupedChange& change : block.changes) {
        if (change.own.empty()) continue;
        const bool by_port = block.ports.size() > 1;
        std::vector<Row> rows;
        for (std::size_t i = 0; i < change.own.size(); ++i)
            rows.push_back(by_port ? as_code({block.ports[i], change.own[i]})
                                   : as_code({change.own[i]}));
        const std::string each = markdown_code(change.name) + ", each with";
        out += markdown_table(by_port ? Row{"port", each} : Row{each}, rows);
    }
    return out;
}

}  // namespace

std::string plan_markdown(const std::string& profile, const core::Plan& plan, const Style& style) {
    const Style plain{.colour = false, .group_ports = style.group_ports};
    const Grouping of = grouping_of(plan, plain.group_ports);
    std::string out = "### rocectl plan " + markdown_code(profile) + "\n\n" +
                      markdown_code(plan_summary(plan, plain)) + "\n\n";
    if (const std::string first = management_text(plan, plain); !first.empty())
        out += markdown_block(first) + '\n';
    for (const Block& block : blocks(plan.steps, of))
        out += "#### " + markdown_code(ports_text(block.ports, of)) + "\n\n" +
               markdown_table({"setting", "before", "after", "costs", "desired by"},
                              change_rows(block, plain)) +
               source_routings(block);
    core::Plan rest = plan;
    std::erase_if(rest.findings, [](const core::Finding& finding) {
        return finding.id == core::findings::management_link;
    });
    const std::string findings = plan_findings_text(rest, plain);
    return findings.empty() ? out : out + markdown_block(findings) + '\n';
}

}  // namespace cli
