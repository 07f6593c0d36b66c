// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/doctor/diagnosis.hpp"
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

/// What is left of a line once what stands in these quotes is taken away.
std::string outside(const std::string& line, char quotes) {
    std::string out;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == quotes)
            quoted = !quoted;
        else if (!quoted && line[i] == '\\')
            ++i;
        else if (!quoted)
            out += line[i];
    }
    return out;
}

/// What nft reads of a line: without the shell's quotes.
std::string of_nft(std::string line) {
    std::erase(line, '\'');
    return outside(line, '"');
}

/// Every line of the diagnosis that somebody may type.
std::vector<std::string> lines_of(const Diagnosis& diagnosis, const State& now) {
    std::vector<std::string> out;
    for (const Suspect& cause : diagnosis.causes)
        for (const Check* check : cause.checks) {
            out.push_back(test_of(*check));
            for (const Fault& fault : check->faults) {
                out.push_back(fault.remedy);
                for (const std::string& line : fixing_commands(now, fault))
                    out.push_back(without_reason(line));
            }
        }
    return out;
}

}  // namespace

namespace {

/// Such a chain, and no rule in it.
Json dropping(const std::string& table, const std::string& hook) {
    Json chain = {{"family", "inet"}, {"table", table}, {"chain", hook}};
    chain["hook"] = hook;
    chain["accepts"] = "no";
    return {{"rules", Json::array()}, {"dropping", Json::array({chain})}};
}

/// What is to be done about the chain on the host, each line once.
std::set<std::string> fixed(Json state, const std::string& table, const std::string& hook) {
    state["host"]["firewall"] = dropping(table, hook);
    const State now = whole(state);
    std::set<std::string> out;
    for (const Suspect& cause : diagnose({.now = &now}).causes)
        if (cause.row->id.starts_with("firewall-roce"))
            for (const Check* check : cause.checks)
                for (const Fault& fault : check->faults)
                    out.insert(fault.remedy);
    return out;
}

/// The host of soft-roce with another port beside its own.
Json two_soft_ports(const std::string& other) {
    Json state = applied("soft-roce");
    Json port;
    for (const Json& one : state["ports"])
        if (one["name"] == "eth1") port = one;
    port["name"] = other;
    Json& rdma = port["rdma"];
    rdma["device"] = rdma["name"] = rdma["link"]["name"] = "rxe9";
    state["ports"].push_back(port);
    return state;
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
                CHECK(outside(line, '\'').find("$(id)") == std::string::npos);
                CHECK(outside(line, '\'').find('`') == std::string::npos);
                if (line.starts_with("nft ")) CHECK(of_nft(line).find(';') == std::string::npos);
                CHECK_FALSE(line.starts_with("nft insert"));
                CHECK_FALSE(line.starts_with("nft delete"));
                if (line.find("$(id)") != std::string::npos) ++named;
            }
        }
    }
    CHECK(named > 50);
}

TEST_CASE(
    "doctor: nft is reported the ports of soft devices, and nothing that it would read otherwise") {
    using Lines = std::set<std::string>;
    const Json& one = applied("soft-roce");
    CHECK(fixed(one, "filter", "input") ==
          Lines{"nft insert rule inet filter input iifname eth1 udp dport 4791 accept"});
    CHECK(fixed(one, "filter", "output") ==
          Lines{"nft insert rule inet filter output oifname eth1 udp dport 4791 accept"});
    CHECK(
        fixed(two_soft_ports("eth2"), "filter", "input") ==
        Lines{"nft insert rule inet filter input iifname '{ eth1, eth2 }' udp dport 4791 accept"});
    CHECK(
        fixed(two_soft_ports("1;b"), "filter", "input") ==
        Lines{
            "nft insert rule inet filter input iifname '{ eth1, \"1;b\" }' udp dport 4791 accept"});
    // A NIC's own RDMA passes by.
    CHECK(fixed(applied("gpu-rail"), "filter", "input") ==
          Lines{"nft insert rule inet filter input udp dport 4791 accept"});
    for (const Lines& lines :
         {fixed(two_soft_ports("a\"b"), "filter", "input"), fixed(one, kOfNft, "input")}) {
        CHECK(lines.size() == 1);
        for (const std::string& line : lines)
            CHECK_FALSE(line.starts_with("nft "));
    }
}

}  // namespace doctor_shell_test
