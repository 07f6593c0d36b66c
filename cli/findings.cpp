// SPDX-License-Identifier: Apache-2.0
#include "cli/findings.hpp"

#include <algorithm>

#include "cli/roff.hpp"
#include "core/checks/catalogue.hpp"
#include "core/doctor/examination.hpp"

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
    for (const auto& keys : {row.needs.keys, row.needs.desired})
        for (const std::string_view key : keys)
            out += (out.empty() ? "" : ", ") + std::string(key);
    return out;
}

/// `pfc-off, mtu-low`.
std::string list_of(std::span<const std::string_view> words) {
    std::string out;
    for (const std::string_view each : words)
        out += (out.empty() ? "" : ", ") + std::string(each);
    return out;
}

/// What doctor tells of it beside: the term, and what stands behind it.
std::vector<Row> cause_rows(const FindingRow& row) {
    std::vector<Row> out;
    const auto add = [&out](std::string_view term, std::string text) {
        if (!text.empty()) out.push_back({std::string(term), std::move(text)});
    };
    add("there", list_of(row.needs.named));
    add("examines also", list_of(row.needs.beside));
    add("not looked for after", list_of(row.needs.sound));
    add("explains", list_of(row.cause.explains));
    add("unless", std::string(row.cause.ruled_out_by));
    add("test", std::string(row.cause.test));
    return out;
}

bool is_doctors(const FindingRow& row) {
    static const std::vector<const FindingRow*> rows = core::doctor_rows();
    return std::ranges::find(rows, &row) != rows.end();
}

/// `Examines also`.
std::string capitalised(std::string text) {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string manual_entry(const FindingRow& row) {
    std::string out = ".TP\n.B " + roff(row.id) + "\n" + roff(row.why) + "\n";
    out += ".br\nLevel: " + std::string(word(row.level)) + ".\n";
    if (const std::string needs = needs_text(row); !needs.empty())
        out += ".br\nExamines: " + roff(needs) + ".\n";
    for (const Row& reported : cause_rows(row))
        out += ".br\n" + capitalised(reported[0]) + ": " + roff(reported[1]) + ".\n";
    if (row.needs.before) out += ".br\nTakes two readings.\n";
    if (!row.remedy.empty()) out += ".br\nWhat fixes it: " + roff(row.remedy) + ".\n";
    if (is_doctors(row)) out += ".br\nA check of rocectl doctor.\n";
    return out + ".br\nSee " + roff(row.manual) + ".\n";
}

}  // namespace

Entry entry_of(const FindingRow& row) {
    const core::FindingGroup& group = group_of(row);
    std::vector<Row> rows{
        {"level", std::string(word(row.level)) + ": " + std::string(meaning(row.level))},
        {"group", std::string(group.name) + ": " + std::string(group.doc)}};
    if (std::string needs = needs_text(row); !needs.empty())
        rows.push_back({"examines", std::move(needs)});
    for (Row& reported : cause_rows(row))
        rows.push_back(std::move(reported));
    if (!row.remedy.empty()) rows.push_back({"fixed by", std::string(row.remedy)});
    rows.push_back({"manual", std::string(row.manual)});
    return {.name = std::string(row.id), .doc = std::string(row.why), .rows = std::move(rows)};
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
