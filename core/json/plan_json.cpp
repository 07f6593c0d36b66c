// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/json/list_json.hpp"

namespace core {
namespace {

Json value_json(const Change& change, const std::optional<Value>& value) {
    return value ? to_json(change.field->shape, *value) : Json();
}

Json to_json(const Change& change) {
    Json out = {{"setting", change.field->key}};
    if (!change.element.empty()) out["element"] = change.element;
    out["before"] = value_json(change, change.before);
    out["after"] = value_json(change, change.after);
    if (change.before_unknown) out["before_unknown"] = true;
    out["origin"] = to_json(change.origin);
    return out;
}

/// Whether the host differs from what it was before the command: a write was stored, or was
/// refused halfway and left something behind, and was not taken back.
bool changed(const Report& report) {
    if (report.status == Status::left_changed || !report.left_changed.empty()) return true;
    if (report.status != Status::done && report.status != Status::differs) return false;
    for (const Outcome& outcome : report.outcomes)
        if (outcome.result == Outcome::Result::applied) return true;
    return false;
}

}  // namespace

Json to_json(const Outcome& outcome) {
    Json out = {{"step", to_json(outcome.step)}, {"result", word(outcome.result)}};
    if (outcome.refusal)
        out["refusal"] = {{"code", outcome.refusal->code}, {"text", outcome.refusal->text}};
    if (!outcome.text.empty()) out["text"] = outcome.text;
    if (outcome.optional) out["optional"] = true;
    return out;
}

Json to_json(const Origin& origin) {
    Json out = Json::object();
    if (!origin.file.empty()) {
        out["file"] = origin.file;
        out["line"] = origin.line;
        out["column"] = origin.column;
    }
    if (!origin.derived_from.empty()) out["derived_from"] = origin.derived_from;
    if (!origin.other.empty()) out["other"] = origin.other;
    return out;
}

Json to_json(const Finding& finding) {
    Json out = {{"level", word(finding.level)}, {"id", finding.id.row().id},
                {"port", finding.port},         {"key", finding.key},
                {"element", finding.element},   {"text", finding.text},
                {"remedy", finding.remedy}};
    if (finding.origin != Origin{}) out["origin"] = to_json(finding.origin);
    return out;
}

Json to_json(const Step& step) {
    Json out = {{"port", step.port},
                {"object", row_of(step.object).name},
                {"disruption", word(step.disruption)},
                {"irreversible", step.irreversible},
                {"changes", Json::array()}};
    for (const Change& change : step.changes)
        out["changes"].push_back(to_json(change));
    return out;
}

Json to_json(const Plan& plan) {
    std::vector<std::string> ports = plan.ports;
    std::erase(ports, kHost);
    return {
        {"ports", ports}, {"steps", list_json(plan.steps)}, {"findings", list_json(plan.findings)}};
}

Json to_json(const Report& report) {
    Json out = to_json(report.plan);
    out["outcomes"] = list_json(report.outcomes);
    out["interrupted"] = report.interrupted;
    out["remaining"] = to_json(report.remaining);
    out["undone"] = list_json(report.undone);
    out["left_changed"] = list_json(report.left_changed);
    out["surprises"] = list_json(report.surprises);
    out["entry"] = report.entry == 0 ? Json() : Json(report.entry);
    out["changed"] = changed(report);
    if (report.status == Status::done || report.status == Status::differs) {
        out["wished"] = report.tally.desired;
        out["held"] = report.tally.held;
        out["optional_not_held"] = report.tally.optional;
    }
    return out;
}

}  // namespace core
