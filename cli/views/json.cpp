// SPDX-License-Identifier: Apache-2.0
#include "cli/views/json.hpp"

#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "cli/views/printable.hpp"
#include "core/checks/catalogue.hpp"
#include "core/drivers/topics.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/readiness.hpp"

namespace cli {

extern const std::string_view kPage;  ///< page.html, which CMakeLists.txt puts into the binary

namespace {

using core::Json;

Json value_json(const core::Field& field, const std::optional<core::Value>& value) {
    return value ? core::to_json(field.shape, *value) : Json(nullptr);
}

Json differences(const core::Plan& plan) {
    Json out = Json::array();
    for (const core::Step& step : plan.steps) {
        for (const core::Change& change : step.changes) {
            Json row = {{"port", step.port}, {"setting", change.field->key}};
            if (!change.element.empty()) row["element"] = change.element;
            row["expected"] = value_json(*change.field, change.after);
            row["found"] = value_json(*change.field, change.before);
            if (change.before_unknown) row["unknown"] = true;
            row["origin"] = core::to_json(change.origin);
            out.push_back(row);
        }
    }
    return out;
}

Json findings(const std::vector<core::Finding>& rows) {
    Json out = Json::array();
    for (const core::Finding& finding : rows)
        out.push_back(core::to_json(finding));
    return out;
}

}  // namespace

std::string json_text(const Json& json) {
    return core::written(json, 2);
}

namespace {

Json head_json(const Heading& heading) {
    return {{"format", 1},
            {"rocectl", ROCECTL_VERSION},
            {"command", heading.command},
            {"status", static_cast<int>(heading.status)}};
}

Json whole(const Heading& heading, Json body) {
    Json out = head_json(heading);
    for (auto& [name, value] : body.items())
        out[name] = std::move(value);
    return out;
}

}  // namespace

std::string document(const Heading& heading, Json body) {
    return json_text(whole(heading, std::move(body))) + '\n';
}

std::string page(const Heading& heading, Json body) {
    std::string out(kPage);
    // In a text of JSON each is the same character, and nothing ends the element.
    std::string json;
    for (const char c : printable(core::written(whole(heading, std::move(body)))))
        json += c == '<' ? std::string("\\u003c") : std::string(1, c);
    constexpr std::string_view place = "{}</script>";
    return out.replace(out.find(place), 2, json);
}

std::string plan_json(const Heading& heading, const core::Plan& plan) {
    Json out = core::to_json(plan);
    out["ready"] = core::tells_ready(plan.findings);
    return document(heading, out);
}

std::string verify_json(const Heading& heading, const core::Plan& plan,
                        const core::DesiredState& desired_values) {
    const core::Tally tally = core::tally(desired_values, plan.before);
    return document(heading, {{"satisfied", satisfied(plan)},
                              {"ready", core::tells_ready(plan.findings)},
                              {"wished", tally.desired},
                              {"held", tally.held},
                              {"optional_not_held", tally.optional},
                              {"ports", plan.ports},
                              {"differences", differences(plan)},
                              {"findings", findings(plan.findings)}});
}

std::string report_json(const Heading& heading, const core::Report& report) {
    Json out = core::to_json(report);
    out["ready"] = core::tells_ready(report.remaining.findings);
    return document(heading, out);
}

std::string state_json(const Heading& heading, const core::State& state) {
    return core::written(state, head_json(heading), 2) + '\n';
}

void print_state(std::ostream& out, const Heading& heading, const core::State& state) {
    core::write_state(state, head_json(heading), 2, [&](std::string_view piece) { out << piece; });
    out << '\n';
}

std::string errors_json(const Heading& heading, const std::vector<std::string>& lines) {
    return document(heading, {{"errors", lines}});
}

std::string field_json(const Heading& heading, const core::Field& field) {
    Json example = core::to_json(field.shape, core::samples(field.shape).front());
    return document(heading, {{"key", field.key},
                              {"use", word(field.use)},
                              {"doc", field.doc},
                              {"admits", core::admits(field.shape)},
                              {"object", core::row_of(field.object).name},
                              {"disruption", core::word(core::row_of(field.object).disruption)},
                              {"example", std::move(example)}});
}

std::string key_json(const Heading& heading, const core::ProfileKey& key) {
    return document(heading, {{"key", key.name},
                              {"use", "key"},
                              {"doc", key.doc},
                              {"admits", key.takes},
                              {"place", key.place}});
}

std::string term_json(const Heading& heading, const core::GlossaryEntry& term) {
    return document(heading,
                    {{"term", term.name}, {"use", "term"}, {"doc", term.doc}, {"keys", term.keys}});
}

std::string driver_json(const Heading& heading, const core::Driver& driver) {
    Json topics = Json::array();
    for (const core::DriverTopic& topic : core::topics_of(driver))
        topics.push_back({{"topic", topic.name},
                          {"text", topic.text},
                          {"by", topic.by},
                          {"source", topic.source}});
    return document(heading, {{"driver", driver.name},
                              {"use", "driver"},
                              {"doc", driver.doc},
                              {"topics", std::move(topics)}});
}

std::string finding_json(const Heading& heading, const core::FindingRow& row) {
    Json needs = Json::array();
    for (const auto& keys : {row.needs.keys, row.needs.desired})
        for (const std::string_view key : keys)
            needs.push_back(key);
    return document(heading, {{"id", row.id},
                              {"group", group_of(row).name},
                              {"level", word(row.level)},
                              {"why", row.why},
                              {"needs", std::move(needs)},
                              {"remedy", row.remedy},
                              {"manual", row.manual}});
}

std::string names_json(const Heading& heading, const std::vector<std::string>& profiles,
                       const std::vector<std::string>& notes) {
    return document(heading, {{"profiles", profiles}, {"notes", notes}});
}

}  // namespace cli
