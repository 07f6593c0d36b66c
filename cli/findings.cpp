// SPDX-License-Identifier: Apache-2.0
#include "cli/findings.hpp"

#include "cli/roff.hpp"
#include "core/checks/catalogue.hpp"

namespace cli {
namespace {

using core::FindingRow;

std::string_view meaning(core::FindingLevel level) {
    switch (level) {
        case core::FindingLevel::note: return "to be known, and no fault";
        case core::FindingLevel::unknown: return "could not be read, and so is no pass";
        case core::FindingLevel::failure: return "a fault, or what cannot be had";
    }
    return {};
}

/// The keys that it looks at.
std::string needs_text(const FindingRow& row) {
    std::string out;
    for (const auto& keys : {row.needs.keys, row.needs.wished})
        for (const std::string_view key : keys)
            out += (out.empty() ? "" : ", ") + std::string(key);
    return out;
}

std::string manual_entry(const FindingRow& row) {
    std::string out = ".TP\n.B " + roff(row.id) + "\n" + roff(row.why) + "\n";
    out += ".br\nLevel: " + std::string(word(row.level)) + ".\n";
    if (const std::string needs = needs_text(row); !needs.empty())
        out += ".br\nLooks at: " + roff(needs) + ".\n";
    if (!row.remedy.empty()) out += ".br\nWhat mends it: " + roff(row.remedy) + ".\n";
    return out + ".br\nSee " + roff(row.manual) + ".\n";
}

}  // namespace

std::string explanation(const FindingRow& row, const Style& style) {
    const core::FindingGroup& group = group_of(row);
    std::vector<Row> rows{
        {"level", std::string(word(row.level)) + ": " + std::string(meaning(row.level))},
        {"group", std::string(group.name) + ": " + std::string(group.doc)}};
    if (std::string needs = needs_text(row); !needs.empty())
        rows.push_back({"looks at", std::move(needs)});
    if (!row.remedy.empty()) rows.push_back({"mended by", std::string(row.remedy)});
    rows.push_back({"manual", std::string(row.manual)});
    return style.bold(row.id) + '\n' + std::string(row.why) + "\n\n" + table(rows, "  ");
}

std::string manual_findings() {
    std::string out;
    for (const core::FindingGroup* group : core::finding_groups()) {
        out += ".SS " + roff(group->name) + "\n" + roff(group->doc) + "\n";
        for (const FindingRow* row : group->rows)
            out += manual_entry(*row);
    }
    return out;
}

}  // namespace cli
