// SPDX-License-Identifier: Apache-2.0
#include "core/profile/draft.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/json/json.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

using namespace core;

namespace {

std::vector<State> shipped_states() {
    std::vector<State> out;
    for (const auto& file :
         std::filesystem::directory_iterator(ROCECTL_SOURCE_DIR "/tests/states")) {
        std::ostringstream text;
        text << std::ifstream(file.path()).rdbuf();
        out.push_back(parse_state(text.str(), file.path().filename().string()));
    }
    return out;
}

/// Everything is as the drafted profile of these ports wishes, and none of them is missing.
void check_law(const State& state, const std::vector<const Port*>& ports) {
    const Draft draft = draft_profile(state, ports, "drafted");
    INFO(draft.document);
    const Profile profile = profiles::load(draft.document);
    const Wishes wishes = resolve(profile, {}, state);
    CHECK(wishes.findings.empty());
    CHECK(wishes.ports.size() == ports.size());
    StateFile kernel(state);
    const Plan plan = make_plan(wishes, kernel.read(scope_of(wishes, state)));
    CHECK(plan.steps.empty());
    CHECK(satisfied(plan));
}

std::vector<const Port*> all_of(const State& state) {
    std::vector<const Port*> out;
    for (const Port& port : state.ports)
        if (port.name != kHost) out.push_back(&port);
    return out;
}

/// Holds what the profile's `roce` and an MTU come to.
State set_up(const std::string& driver, const std::string& roce) {
    State state = hosts::host(driver);
    state.ports[0].rdma = Rdma{.device = "mlx5_0"};
    state.ports[0].cm_directory = true;
    if (driver == "bnxt_en") state.ports[0].congestion_directory = true;
    state.ports[0].cm = CmDefaults{.mode = "RoCE v2", .tos = 0};
    StateFile kernel(std::move(state));
    const Profile profile = profiles::load(profiles::entry("\"mtu\": 9000, \"roce\": " + roce));
    const Wishes wishes = resolve(profile, {}, kernel.state());
    REQUIRE(hosts::apply(kernel, wishes).status == Status::done);
    return kernel.state();
}

}  // namespace

TEST_CASE(
    "law: a drafted profile is held by the host it was drafted from, port by port and whole") {
    unsigned ports = 0;
    for (const State& state : shipped_states()) {
        check_law(state, all_of(state));
        for (const Port* port : all_of(state)) {
            INFO(port->name);
            check_law(state, {port});
            ++ports;
        }
    }
    CHECK(ports > 10);
    for (const Driver& driver : drivers()) {
        INFO(driver.name);
        const State state = hosts::host(std::string(driver.name));
        check_law(state, all_of(state));
    }
}

TEST_CASE("draft: what an intent comes to is folded back into it, on every driver") {
    for (const char* driver : {"mlx5_core", "bnxt_en", "ice", "hns3"})
        for (const char* roce :
             {R"({})", R"({"priority": 5, "dscp": 40, "bandwidth": 70, "ecn": false,
                          "cnp": {"priority": 7, "dscp": 56}})",
              R"({"cnp": null})", R"({"trust": "pcp"})",
              R"({"trust": "pcp", "priority": 4, "cnp": {"priority": 5}})"}) {
            INFO(driver, " ", roce);
            const State state = set_up(driver, roce);
            const std::optional<Intent> found = intent_of(state.ports[0]);
            REQUIRE(found);
            Problems problems;
            const auto meant = read_intent(parse_tree(roce, "", problems), "", problems);
            REQUIRE(meant);
            CHECK(found->priority.value == meant->priority.value);
            CHECK(found->dscp.value == meant->dscp.value);
            CHECK(found->bandwidth.value == meant->bandwidth.value);
            CHECK(found->ecn.value == meant->ecn.value);
            CHECK(found->trust.value == meant->trust.value);
            REQUIRE(found->cnp.has_value() == meant->cnp.has_value());
            if (meant->cnp) CHECK(found->cnp->dscp.value == meant->cnp->dscp.value);
            if (meant->cnp) CHECK(found->cnp->priority.value == meant->cnp->priority.value);
            check_law(state, all_of(state));
            const std::string text = draft_profile(state, all_of(state), "x").document;
            CHECK(text.find("\"roce\"") != std::string::npos);
            CHECK(text.find("\"pfc.priorities\"") == std::string::npos);
            CHECK(text.find("\"default_tos\"") == std::string::npos);
        }
}

TEST_CASE("draft: an intent of which one setting differs is not folded") {
    State state = set_up("mlx5_core", "{}");
    state.ports[0].app->entries.insert({AppEntry::dscp, 30, 3});  // beside the lossless code point
    CHECK_FALSE(intent_of(state.ports[0]));
    check_law(state, all_of(state));
    state = set_up("mlx5_core", "{}");
    state.ports[0].cm.reset();  // not known
    state.ports[0].unknown.insert(Object::cm_defaults);
    CHECK_FALSE(intent_of(state.ports[0]));
    check_law(state, all_of(state));
}

TEST_CASE("draft: ports that agree share an entry by driver, and what differs stands beside it") {
    State state = set_up("mlx5_core", "{}");
    state.ports.push_back(state.ports[0]);
    Port& second = state.ports[1];
    second.name = "ens1f1";
    second.rdma->device = "mlx5_1";
    second.link->pci = "0000:3b:00.1";
    second.addresses = {Address{.ip = *parse_ip("198.18.1.1"), .prefix_length = 24}};
    second.routes.emplace();
    reopen(second);
    second.addresses = {Address{.ip = *parse_ip("198.18.1.1"), .prefix_length = 24}};
    check_law(state, all_of(state));
    const std::string text = draft_profile(state, all_of(state), "x").document;
    INFO(text);
    CHECK(text.find(R"("match": { "driver": "mlx5_core" },)") != std::string::npos);
    CHECK(text.find(R"("expect": 2,)") != std::string::npos);
    CHECK(text.find(R"("roce": {)") < text.find("\"ports\""));
    CHECK(text.find("9000") == text.rfind("9000"));
    CHECK(text.find(R"("addresses": ["198.18.1.1/24"])") != std::string::npos);
    // A third port of the driver that is not asked for: the driver does not tell them apart.
    const std::string one = draft_profile(state, {&state.ports[0]}, "x").document;
    CHECK(one.find("\"expect\"") == std::string::npos);
    CHECK(one.find(R"("name": "ens1f0")") != std::string::npos);
}

TEST_CASE("draft: what contradicts the rest is left out and said") {
    State state = hosts::host("mlx5_core");
    state.ports[0].pause = Pause{};
    state.ports[0].pfc->priorities = 0xff;
    const Draft draft = draft_profile(state, all_of(state), "x");
    REQUIRE(draft.left_out.size() == 1);
    CHECK(draft.left_out[0].find("ens1f0: pfc.priorities: PFC is on for all eight") == 0);
    CHECK(profiles::problems(draft.document).empty());
}
