// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "cli/views/causes.hpp"
#include "core/checks/catalogue.hpp"
#include "core/checks/growth.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

using core::Json;

Json faults(const std::vector<core::Fault>& found) {
    Json out = Json::array();
    for (const core::Fault& fault : found)
        out.push_back(fault.text);
    return out;
}

Json cause_json(const core::Suspect& cause, const core::State& state) {
    Json out = {{"id", cause.row->id}, {"verdict", core::word(cause.verdict)}};
    Json because = Json::array();
    Json commands = Json::array();
    Json profile = Json::array();
    Json other = Json::array();
    core::Disruption cost = core::Disruption::none;
    for (const core::Check* check : cause.checks)
        for (const core::Fault& fault : check->faults) {
            because.push_back({{"port", check->port}, {"text", fault.text}});
            for (const std::string& command : core::fixing_commands(state, fault))
                commands.push_back(command);
            cost = std::max(cost, core::fixing_cost(state, fault));
            if (fault.other)
                other.push_back({{"port", check->port},
                                 {"where", fault.when},
                                 {"other_where", fault.other->when},
                                 {"commands", core::fixing_commands(state, fault.other->fix)}});
            if (const std::string key = core::fixing_key(fault); !key.empty())
                profile.push_back({{"port", check->port}, {"key", key}});
        }
    out["because"] = because;
    out["explains"] = Json::array();
    for (const core::FindingRow* row : cause.follows)
        out["explains"].push_back(row->id);
    out["why"] = cause.row->why;
    out["ruled_out_by"] = core::ruled_out_by(cause);
    out["test"] = core::test_of(cause);
    const core::Fault& first = cause.checks.front()->faults.front();
    out["mend"] = {{"text", first.remedy}, {"commands", commands}, {"profile", profile}};
    out["mend"]["disruption"] = core::word(cost);
    out["mend"]["other"] = other;
    return out;
}

Json chain_json(const core::Chain& chain) {
    Json links = Json::array();
    for (const core::ChainLink& link : chain.links) {
        Json one = {{"name", link.name}};
        one["found"] = link.found.empty() ? Json() : Json(link.found);
        one["broken"] = link.broken == nullptr ? Json() : Json(link.broken->id);
        links.push_back(one);
    }
    return {{"name", chain.name}, {"ports", chain.ports}, {"links", links}};
}

Json check_json(const core::Check& check) {
    Json out = {{"id", check.row->id},
                {"group", core::group_of(*check.row).name},
                {"port", check.port == core::kHost ? Json() : Json(check.port)},
                {"verdict", core::word(check.verdict)}};
    if (!check.faults.empty()) out["found"] = faults(check.faults);
    if (!check.reason.empty()) out["reason"] = check.reason;
    if (!check.opened_by.empty()) out["opened_by"] = check.opened_by;
    if (const core::AcceptedFinding* accepted = check.accepted)
        out["accepted"] = {{"reason", accepted->reason},
                           {"until", accepted->until.empty() ? Json() : Json(accepted->until)},
                           {"origin", core::to_json(accepted->origin)}};
    return out;
}

Json body_of(const DoctorView& view) {
    const core::Diagnosis& diagnosis = view.diagnosis;
    Json out = {{"ports", diagnosis.examination.ports},
                {"left_out", diagnosis.examination.left_out}};
    out["fabrics"] = Json::array();
    for (const core::ExaminedFabric& fabric : diagnosis.examination.fabrics) {
        Json to = Json::array();
        for (const core::Prefix& network : fabric.to)
            to.push_back(core::text(network));
        out["fabrics"].push_back({{"name", fabric.name.empty() ? Json() : Json(fabric.name)},
                                  {"ports", fabric.ports},
                                  {"to", std::move(to)}});
    }
    out["unsupported"] = Json::array();
    for (const core::Finding& finding : diagnosis.examination.unsupported)
        out["unsupported"].push_back(core::to_json(finding));
    out["profile"] = view.profile.empty() ? Json() : Json(view.profile);
    out["causes"] = Json::array();
    for (const core::Suspect& cause : diagnosis.causes)
        out["causes"].push_back(cause_json(cause, view.state));
    out["chains"] = Json::array();
    for (const core::Chain& chain : diagnosis.chains)
        out["chains"].push_back(chain_json(chain));
    if (view.changes) {
        out["since_seconds"] = view.changes->seconds > 0 ? Json(view.changes->seconds) : Json();
        out["changes"] = Json::array();
        for (const core::Difference& change : view.changes->changed)
            out["changes"].push_back(
                {{"port", change.port == core::kHost ? Json() : Json(change.port)},
                 {"name", change.name},
                 {"before", change.before},
                 {"after", change.after}});
    }
    out["checks"] = Json::array();
    for (const core::Check& check : diagnosis.examination.checks)
        out["checks"].push_back(check_json(check));
    out["counts"] = Json::object();
    for (const auto& [verdict, number] : core::tally(diagnosis.examination))
        out["counts"][std::string(core::word(verdict))] = number;
    if (view.active != nullptr)
        out["active"] = {{"status", static_cast<int>(view.active->status)},
                         {"paths", Json::parse(view.active->paths)}};
    return out;
}

/// What the page shows beside: as in the text, ports that are alike as one.
Json page_of(const DoctorView& view) {
    const Grouping of{.ports = view.diagnosis.examination.ports, .state = &view.state};
    Json out = {{"host", {{"name", view.state.host.name}, {"kernel", view.state.host.kernel}}}};
    out["causes"] = Json::array();
    for (const core::Suspect& cause : view.diagnosis.causes) {
        Json rows = Json::array();
        for (const CauseRow& row : cause_rows(view, cause, of)) {
            Json commands = Json::array();
            for (const std::vector<std::string>& together : row.commands)
                for (const std::string& command : together)
                    commands.push_back(command);
            rows.push_back(
                {{"name", row.name}, {"texts", row.texts}, {"commands", std::move(commands)}});
        }
        out["causes"].push_back(
            {{"on", places_text(ports_of(cause), of)}, {"rows", std::move(rows)}});
    }
    if (const std::string apply = lasting_command(view); !apply.empty())
        out["lasting"] = {{"text", kLasting}, {"command", apply}};
    out["chains"] = Json::array();
    for (const core::Chain& chain : view.diagnosis.chains)
        out["chains"].push_back(places_text(chain.ports, of));
    out["why"] = Json::object();
    for (const core::Check& check : view.diagnosis.examination.checks)
        out["why"][std::string(check.row->id)] = check.row->why;
    out["counters"] = Json::array();
    for (const core::CounterSeries& series : view.counter_series) {
        Json points = Json::array();
        for (const core::SeriesPoint& point : series.points)
            points.push_back({point.seconds, point.grown});
        const double seconds = series.points.back().seconds;
        out["counters"].push_back({{"port", series.port},
                                   {"name", series.name},
                                   {"grown", series.grown},
                                   {"anew", series.anew},
                                   {"seconds", seconds},
                                   {"time", core::duration_text(seconds)},
                                   {"points", std::move(points)}});
    }
    return out;
}

}  // namespace

std::string doctor_json(const Heading& heading, const DoctorView& view) {
    return document(heading, body_of(view));
}

std::string doctor_page(const Heading& heading, const DoctorView& view) {
    Json body = body_of(view);
    body["page"] = page_of(view);
    return page(heading, std::move(body));
}

std::string doctor_list_json(const Heading& heading) {
    Json checks = Json::array();
    for (const core::FindingRow* row : core::doctor_rows())
        checks.push_back({{"id", row->id},
                          {"group", core::group_of(*row).name},
                          {"level", word(row->level)},
                          {"why", row->why}});
    return document(heading, {{"checks", checks}});
}

}  // namespace cli
