// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/doctor/causes.hpp"
#include "core/json/json.hpp"
#include "core/model/shell.hpp"
#include "tests/unit/broken_hosts.hpp"

namespace doctor_shell_test {

using namespace core;
using namespace broken_hosts;

// What doctor gives an operator to type; names of ports, of tables and chains are anybody's.

namespace {

const std::string kHostile = "a$(id)`x;b";
// A shell reads it as it is, and nft reads two commands.
const std::string kOfNft = "a;flush ruleset";

/// The state with another name in the place of each of these.
Json renamed(const Json& node, const std::map<std::string, std::string>& names) {
    if (node.is_string()) {
        const auto other = names.find(node.get<std::string>());
        return other == names.end() ? node : Json(other->second);
    }
    if (!node.is_structured()) return node;
    Json out = node.is_array() ? Json::array() : Json::object();
    for (const auto& [key, value] : node.items()) {
        if (node.is_array()) {
            out.push_back(renamed(value, names));
            continue;
        }
        const auto other = names.find(key);
        out[other == names.end() ? key : other->second] = renamed(value, names);
    }
    return out;
}

void name_tables(Json& state, const std::string& name) {
    if (!state["host"].contains("firewall")) return;
    for (auto& [key, list] : state["host"]["firewall"].items())
        for (Json& one : list)
            if (one.is_object()) one["table"] = one["chain"] = name;
}

/// What is left of a line once what stands in quotes is taken away.
std::string unquoted(const std::string& line) {
    std::string out;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\'')
            quoted = !quoted;
        else if (!quoted && line[i] == '\\')
            ++i;
        else if (!quoted)
            out += line[i];
    }
    return out;
}

/// Every line of the diagnosis that somebody may type.
std::vector<std::string> lines_of(const Diagnosis& diagnosis, const State& now) {
    std::vector<std::string> out;
    for (const Suspect& cause : diagnosis.causes)
        for (const Check* check : cause.checks) {
            out.push_back(test_of(*check));
            for (const Fault& fault : check->faults) {
                out.push_back(fault.remedy);
                for (const std::string& line : mending_commands(now, fault))
                    out.push_back(without_reason(line));
            }
        }
    return out;
}

}  // namespace

TEST_CASE("law: a line that doctor gives says no more to a shell, or to nft, than to people") {
    std::size_t named = 0;
    for (const Json& fault : faults()) {
        // The profile's ports have their own names.
        if (fault.value("profile", false)) continue;
        const auto id = fault["id"].get<std::string>();
        INFO(id);
        Mutant host = mutant(fault["of"].get<std::string>(), {fault});
        std::map<std::string, std::string> names;
        for (const std::string& name : fabric_of(host.sound))
            names[name] = kHostile + std::to_string(names.size());
        for (const std::string& table : {kHostile, kOfNft}) {
            Json now = renamed(host.broken, names);
            name_tables(now, table);
            Asked ill = asked(fault, now, renamed(host.sound, names));
            const Diagnosis diagnosis = ill.diagnose();
            CHECK(diagnosis.causes.size() >= 1);
            for (const std::string& line : lines_of(diagnosis, ill.now)) {
                INFO(line);
                CHECK(unquoted(line).find("$(id)") == std::string::npos);
                CHECK(unquoted(line).find('`') == std::string::npos);
                if (line.starts_with("nft ")) CHECK(line.find(';') == std::string::npos);
                if (line.find("$(id)") != std::string::npos) ++named;
            }
        }
    }
    CHECK(named > 50);
}

TEST_CASE(
    "doctor: nft is told the ports where there are more of them, and none where there are none") {
    Json fault;
    for (const Json& one : faults())
        if (one["id"] == "firewall-roce") fault = one;
    REQUIRE(fault.is_object());
    const Mutant host = mutant(fault["of"].get<std::string>(), {fault});
    Asked ill = asked(fault, host.broken, host.sound);
    const std::vector<std::string> lines = lines_of(ill.diagnose(), ill.now);
    CHECK(std::ranges::any_of(lines,
                              [](const std::string& line) { return line.starts_with("nft "); }));
    for (const std::string& line : lines)
        CHECK(line.find("{  }") == std::string::npos);
}

}  // namespace doctor_shell_test
