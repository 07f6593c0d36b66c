// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/unit/broken_hosts.hpp"

#include "cli/files/text_file.hpp"
#include "core/doctor/reading.hpp"
#include "core/json/json.hpp"
#include "core/plan/read_and_plan.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace broken_hosts {

using namespace core;

std::string source(const std::string& path) {
    return cli::read_file(ROCECTL_SOURCE_DIR "/tests/" + path);
}

Profile shipped_profile(const std::string& name) {
    return profiles::load(R"({"format": 1, "extends": [")" + name + R"("]})");
}

Variables variables_of(const std::string& name) {
    return load_variables({name, source("vars/" + name + ".json")});
}

const Json& applied(std::string_view called) {
    static std::map<std::string, Json> made;
    const std::string name(called);
    if (const auto known = made.find(name); known != made.end()) return known->second;
    StateFile host(parse_state(source("states/" + name + ".json"), name));
    const State inventory = host.state();
    const DesiredState desired_values =
        resolve(shipped_profile(name), variables_of(name), inventory);
    const ReadPlan found = read_and_plan(host, desired_values, inventory, {});
    REQUIRE(apply(host, desired_values, found.plan).status == Status::done);
    return made[name] = to_json(host.state());
}

std::vector<std::string> fabric_of(const Json& state) {
    const State now = parse_state(state.dump(), "state");
    std::vector<std::string> out;
    for (const Port* port : fabric_ports(now, nullptr))
        out.push_back(port->name);
    return out;
}

/// Of the ports whose addresses differ, the GIDs as the kernel would have them.
static Json with_gids(const Json& before, const Json& patched) {
    State now = parse_state(patched.dump(), "state");
    Json out = patched;
    const auto& follow = row_of(Object::rdma_port).lifecycle.follow;
    for (std::size_t i = 0; i < out["ports"].size(); ++i) {
        const Json& was = before["ports"][i];
        Json& is = out["ports"][i];
        Port* port = find_port(now, is["name"].get<std::string>());
        if (was.value("addresses", Json()) == is.value("addresses", Json()) || port == nullptr ||
            !port->rdma_port || !port->rdma_port->gids)
            continue;
        follow(now, *port);
        is["rdma"]["gids"] =
            to_json(State{.host = {}, .ports = {*port}})["ports"][0]["rdma"]["gids"];
    }
    return out;
}

Json patched(Json state, const std::vector<std::string>& fabric, const Json& patch) {
    const Json before = state;
    if (patch.contains("host")) state["host"].merge_patch(patch["host"]);
    for (Json& port : state["ports"]) {
        const auto name = port["name"].get<std::string>();
        const auto at = std::ranges::find(fabric, name);
        if (patch.contains("port") && at == fabric.begin()) port.merge_patch(patch["port"]);
        if (patch.contains("none") && at == fabric.begin())
            for (const Json& place : patch["none"])
                port[Json::json_pointer(place.get<std::string>())] = nullptr;
        if (patch.contains("others") && at != fabric.begin() && at != fabric.end())
            port.merge_patch(patch["others"]);
        if (patch.contains("ports") && patch["ports"].contains(name))
            port.merge_patch(patch["ports"][name]);
    }
    if (patch.dump().find("gids") == std::string::npos) return with_gids(before, state);
    return state;
}

Diagnosis Asked::diagnose() {
    constexpr double window = 10;
    inquiry.now = &now;
    if (earlier) {
        inquiry.earlier = &*earlier;
        inquiry.seconds = window;
        inquiry.twice = true;
    }
    if (desired_values) inquiry.desired_values = &*desired_values;
    return core::diagnose(inquiry);
}

State whole(const Json& state) {
    StateFile host(parse_state(state.dump(), "state"));
    return hosts::read_all(host);
}

Asked asked(const Json& fault, const Json& state, const Json& earlier) {
    Asked out{.now = whole(state)};
    if (fault.contains("earlier")) out.earlier = whole(earlier);
    const auto name = fault["of"].get<std::string>();
    if (fault.value("profile", false))
        out.desired_values = resolve(shipped_profile(name), variables_of(name), out.now);
    return out;
}

Json asked_for(const std::string& of, const std::vector<Json>& faults) {
    Json out = {{"of", of}};
    for (const Json& fault : faults)
        for (const char* what : {"earlier", "profile"})
            if (fault.contains(what)) out[what] = fault[what];
    return out;
}

Json faults() {
    return Json::parse(source("doctor/faults.json"));
}

Mutant mutant(const std::string& of, const std::vector<Json>& faults) {
    const Json& host = applied(of);
    const std::vector<std::string> fabric = fabric_of(host);
    Mutant out{.sound = host, .broken = host};
    for (const Json& fault : faults)
        out.sound = patched(out.sound, fabric, fault.value("given", Json::object()));
    out.broken = out.sound;
    for (const Json& fault : faults)
        out.broken = patched(out.broken, fabric, fault["fault"]);
    return out;
}

std::vector<std::string> found(const Diagnosis& diagnosis) {
    std::vector<std::string> out;
    for (const Suspect& cause : diagnosis.causes)
        for (const Check* check : cause.checks)
            for (const Fault& each : check->faults)
                out.push_back(std::string(cause.row->id) + ": " + check->port + ": " + each.text);
    return out;
}

std::string reasons(const Diagnosis& diagnosis) {
    std::string out;
    for (const Check& check : diagnosis.examination.checks)
        if (check.verdict == Verdict::unknown || check.verdict == Verdict::crash)
            out += std::string(check.row->id) + ": " + check.port + ": " + check.reason + '\n';
    return out;
}

std::vector<std::string> causes_of(const Diagnosis& diagnosis) {
    std::vector<std::string> out;
    for (const Suspect& cause : diagnosis.causes)
        out.emplace_back(cause.row->id);
    return out;
}

Diagnosis diagnosis_of(const Json& state) {
    static State now;
    now = whole(state);
    return diagnose({.now = &now});
}

}  // namespace broken_hosts
