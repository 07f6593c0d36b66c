// SPDX-License-Identifier: Apache-2.0
#include "cli/reference.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/example_profile.hpp"
#include "cli/roff.hpp"
#include "core/checks/catalogue.hpp"
#include "core/doctor/examination.hpp"
#include "core/json/json.hpp"
#include "core/json/json_text.hpp"
#include "core/model/driver.hpp"

namespace cli {
namespace {

using core::Disruption;
using core::Driver;
using core::Field;
using core::FindingRow;
using core::Json;

/// A part of a record: its name, what it takes, what it is.
Row part_row(const core::RecordPart& part) {
    std::string notes = core::admits(part.shape);
    if (part.required) notes += ", required";
    if (part.identity) notes += ", part of its identity";
    return {std::string(part.name), notes, std::string(part.doc)};
}

Disruption disruption_on(const Driver& driver, const Field& field) {
    core::Port port;
    port.name = "port";
    port.device = core::Device{.driver = std::string(driver.name), .firmware = {}};
    return core::disruption_of(port, field.object, {field.key});
}

/// `queues on mlx5_core, ionic; link on ice; unknown on all others`: what a write costs.
std::string disruption_text(const Field& field) {
    using CostAndCondition = std::pair<Disruption, std::string_view>;
    const Disruption others = disruption_on(*core::drivers().back(), field);
    std::map<CostAndCondition, std::string> drivers_of;
    const auto add = [&](const CostAndCondition& cost, const Driver& driver) {
        std::string& names = drivers_of[cost];
        names += (names.empty() ? "" : ", ") + std::string(core::title_of(driver));
    };
    for (const Driver* const driver : core::drivers()) {
        const Disruption here = disruption_on(*driver, field);
        if (here != others) add({here, {}}, *driver);
        for (const core::Cost& cost : driver->costs)
            if (!cost.where.empty() && here == others && is_of(cost, field.object, {field.key}))
                add({cost.disruption, cost.where}, *driver);
    }
    std::string out;
    for (const auto& [cost, names] : drivers_of)
        out += std::string(core::word(cost.first)) + " on " + names +
               (cost.second.empty() ? "" : " where " + std::string(cost.second)) + "; ";
    return out + std::string(core::word(others)) + (out.empty() ? "" : " on all others");
}

/// A whole value for the field: one element where it is a collection.
core::Elements sample(const Field& field) {
    const core::Value value = core::samples(field.shape).front();
    switch (field.shape.kind) {
        case core::Shape::Kind::map:
        case core::Shape::Kind::named: return {{core::sample_keys(field.shape).front(), value}};
        case core::Shape::Kind::items: return {{core::identity(field.shape, value), value}};
        default: return {{"", value}};
    }
}

/// Where a profile states the field: `/ports/0/link/fec`.
Json::json_pointer place_of(const Field& field) {
    std::string path = (field.key.starts_with(core::kHostKeys) ? "/" : "/ports/0/");
    path += field.key;
    std::ranges::replace(path, '.', '/');
    return Json::json_pointer(path);
}

/// The field's value in the example; where it has none, one that the shape takes.
Json example_value(const Json& whole, const Field& field) {
    const auto place = place_of(field);
    return whole.contains(place) ? whole.at(place) : core::to_json(field.shape, sample(field));
}

/// `up, rdma.link; where it does not, rdma-not-active is found`.
std::string follows_text(const core::Proof& proof) {
    std::string out;
    for (const std::string_view key : proof.from)
        out += (out.empty() ? "" : ", ") + std::string(key);
    return out + "; where it does not, " + std::string(proof.finding->id) + " is found";
}

std::string manual_entry(const Field& field) {
    std::string out = ".TP\n.B " + roff(field.key) + "\n" + roff(field.doc) + "\n";
    if (field.use == Field::Use::kept) return out + ".br\nUndo puts it back.\n";
    if (field.proves != nullptr)
        out += ".br\nFollows from " + roff(follows_text(*field.proves)) + ".\n";
    if (field.use == Field::Use::fact) return out;
    out += ".br\nTakes " + roff(core::admits(field.shape)) +
           ".\n.br\nDisruption: " + roff(disruption_text(field)) + ".\n";
    for (const core::RecordPart& part : field.shape.parts)
        out += ".br\n.I " + roff(part.name) + "\n(" + roff(part_row(part)[1]) +
               "): " + roff(part.doc) + "\n";
    return out + ".nf\n\\fB" + roff(example(field)) + "\\fP\n.fi\n";
}

std::string manual_section(std::string_view title, bool settings) {
    std::string out = ".SH " + std::string(title) + "\n";
    for (const Field& field : core::fields())
        if ((field.use == Field::Use::setting) == settings) out += manual_entry(field);
    return out;
}

std::string_view meaning(Field::Use use) {
    if (use == Field::Use::setting) return "a profile may state it";
    if (use == Field::Use::kept) return "observed, and put back by undo; no profile may state it";
    return "only observed, no profile may state it";
}

std::string_view meaning(core::FindingLevel level) {
    switch (level) {
        case core::FindingLevel::note: return "to be known, and no fault";
        case core::FindingLevel::accepted: return "meant so, and no fault";
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

/// `CheckTarget also`.
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

std::string text_of(const Entry& entry, const Style& style) {
    std::string out =
        style.bold(entry.name) + '\n' + entry.doc + "\n\n" + table(entry.rows, "  ", style.width);
    for (const Entry::Part& part : entry.parts)
        out += '\n' + part.title + '\n' + table(part.rows, "  ", style.width);
    return fitted(out, style.width);
}

std::string example(const Field& field) {
    Json value = example_value(Json::parse(kExampleProfile), field);
    std::string_view key = field.key;
    for (std::size_t dot = key.rfind('.'); dot != std::string_view::npos; dot = key.rfind('.')) {
        value = Json{{std::string(key.substr(dot + 1)), std::move(value)}};
        key = key.substr(0, dot);
    }
    return '"' + std::string(key) + "\": " + value.dump();
}

std::string example_profile() {
    Json whole = Json::parse(kExampleProfile);
    bool stated = true;
    for (const Field& field : core::fields()) {
        if (field.use != Field::Use::setting || whole.contains(place_of(field))) continue;
        whole[place_of(field)] = example_value(whole, field);
        stated = false;
    }
    return stated ? std::string(kExampleProfile) : core::pretty(whole);
}

Entry entry_of(const Field& field) {
    const core::ObjectRow& object = core::row_of(field.object);
    const bool setting = field.use == Field::Use::setting;
    Entry out{.name = std::string(field.key), .doc = std::string(field.doc)};
    out.rows = {{"kind", std::string(word(field.use)) + ": " + std::string(meaning(field.use))},
                {setting ? "takes" : "reads", core::admits(field.shape)},
                {"object", std::string(object.name) + ": " + std::string(object.doc)}};
    if (field.proves != nullptr) out.rows.push_back({"follows from", follows_text(*field.proves)});
    if (setting) {
        out.rows.push_back({"disruption", disruption_text(field)});
        out.rows.push_back({"example", example(field)});
    }
    if (!field.shape.parts.empty()) {
        Entry::Part& parts = out.parts.emplace_back(Entry::Part{.title = "parts"});
        for (const core::RecordPart& part : field.shape.parts)
            parts.rows.push_back(part_row(part));
    }
    if (!setting || !object.words.by_family) return out;
    Entry::Part& drivers = out.parts.emplace_back(Entry::Part{.title = "drivers", .shared = true});
    for (const Driver* const driver : core::drivers())
        drivers.rows.push_back({std::string(core::title_of(*driver)), std::string(driver->doc)});
    return out;
}

Entry entry_of(const core::ProfileKey& key) {
    return {.name = key.name,
            .doc = key.doc,
            .rows = {{"kind", "key of a profile, no setting of its own"},
                     {"stands", key.place},
                     {"takes", key.takes},
                     {"manual", "rocectl-profile(5)"}}};
}

Entry entry_of(const core::GlossaryEntry& term) {
    std::string keys;
    for (const std::string_view key : term.keys)
        keys.append(keys.empty() ? "" : ", ").append(key);
    return {.name = std::string(term.name),
            .doc = std::string(term.doc),
            .rows = {{"kind", "word of RoCE"}, {"keys", keys}}};
}

std::string manual_tables() {
    std::string out =
        manual_section("SETTINGS", true) + manual_section("FACTS", false) + ".SH DRIVERS\n";
    for (const Driver* const driver : core::drivers())
        out += ".TP\n.B " + roff(core::title_of(*driver)) + "\n" + roff(driver->doc) + "\n";
    out +=
        ".SH EXAMPLE\nEvery setting, with a value that makes sense where others do "
        "too:\n.PP\n.EX\n";
    std::string line;
    for (const char c : example_profile() + '\n') {
        if (c != '\n') line += c;
        if (c == '\n') out += roff(std::exchange(line, {})) + '\n';
    }
    return out + ".EE\n";
}

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
