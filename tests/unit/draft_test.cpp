// SPDX-License-Identifier: Apache-2.0
#include "core/profile/draft.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "core/profile/derivation.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace draft_test {

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

/// Everything is as the drafted profile of these ports desired values, and none of them is missing.
void check_law(const State& state, const std::vector<const Port*>& ports) {
    const Draft draft = draft_profile(state, ports, "drafted");
    INFO(draft.document);
    const Profile profile = profiles::load(draft.document);
    const DesiredState desired_values = resolve(profile, {}, state);
    for (const Finding& finding : desired_values.findings)
        CHECK(finding.level == Finding::Level::note);
    const auto of_host = std::ranges::count(desired_values.ports, std::string(kHost));
    const auto children = std::ranges::count_if(state.ports, [&](const Port& port) {
        return port.vlan && std::ranges::find(ports, &port) == ports.end() &&
               std::ranges::find(ports, port.vlan->parent, &Port::name) != ports.end();
    });
    CHECK(desired_values.ports.size() ==
          ports.size() + static_cast<std::size_t>(of_host + children));
    StateFile kernel(state);
    const Plan plan = make_plan(desired_values, kernel.read(scope_of(desired_values, state)));
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
    state.ports[0].rdma_link = RdmaLink{.device = "mlx5_0"};
    state.ports[0].cm_directory = true;
    if (driver == "bnxt_en") state.ports[0].ecn_directory = true;
    state.ports[0].cm_defaults = CmDefaults{.mode = "RoCE v2", .tos = 0};
    StateFile kernel(std::move(state));
    const bool tagged = roce.find("pcp") != std::string::npos;
    const Profile profile = profiles::load(
        profiles::entry("\"mtu\": 9000, \"roce\": " + roce +
                        (tagged ? R"(, "vlans": {"7": {"egress_priority": {"2": 3}}})" : "")));
    const DesiredState desired_values = resolve(profile, {}, kernel.state());
    const Plan plan =
        make_plan(desired_values, kernel.read(scope_of(desired_values, kernel.state())));
    const Report report = core::apply(kernel, desired_values, plan);
    REQUIRE(report.status == Status::done);
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
    for (const Driver* const row : drivers()) {
        const Driver& driver = *row;
        INFO(driver.name);
        const State state = hosts::host(std::string(driver.name));
        check_law(state, all_of(state));
    }
}

TEST_CASE("law: a port whose name looks like a pattern is drafted, matched and read by it alone") {
    for (const char* name : {"*", "?", "[ab]", "a\\b", "eno*"}) {
        INFO(name);
        State state = shipped_states().front();
        std::erase_if(state.ports, [](const Port& port) { return port.name == kHost; });
        REQUIRE(state.ports.size() > 1);
        state.ports.front().name = name;
        check_law(state, {&state.ports.front()});
    }
}

TEST_CASE("law: what a draft does not look at changes nothing of it") {
    const Objects examined = drafted_objects();
    std::size_t set = 0;
    for (const State& bare : shipped_states()) {
        State state = bare;
        for (Port& port : state.ports)
            for (const Field& field : fields()) {
                const bool of_host = row_of(field.object).lives == Lives::host;
                if (examined.contains(field.object) || of_host != (port.name == kHost)) continue;
                const Value value = samples(field.shape).back();
                const bool named = is_keyed(field.shape);
                const bool item = field.shape.kind == Shape::Kind::items;
                field.set(port, {{named  ? sample_keys(field.shape).front()
                                  : item ? identity(field.shape, value)
                                         : "",
                                  value}});
                ++set;
            }
        const Draft without = draft_profile(bare, all_of(bare), "x");
        const Draft with = draft_profile(state, all_of(state), "x");
        CHECK(with.document == without.document);
        CHECK(with.left_out == without.left_out);
    }
    CHECK(set > 10);
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
            check_law(state, {&state.ports[0]});
            const Draft draft = draft_profile(state, {&state.ports[0]}, "x");
            for (const std::string& line : draft.left_out)
                FAIL_CHECK(line);
            // Who trusts the tag needs a VLAN, and none is drafted.
            if (trusts_tag(*found)) continue;
            const std::string& text = draft.document;
            CHECK(text.find("\"roce\"") != std::string::npos);
            CHECK(text.find("\"pfc.priorities\"") == std::string::npos);
            CHECK(text.find("\"default_tos\"") == std::string::npos);
        }
}

TEST_CASE("draft: what the kernel holds out of range is left out, with what would be in it") {
    State state = set_up("mlx5_core", "{}");
    state.ports[0].app->entries.insert({AppEntry::dscp, 64, 3});
    state.ports[0].app->entries.erase({AppEntry::dscp, 30, 0});
    state.ports[0].app->entries.insert({AppEntry::dscp, 30, 8});
    const Draft draft = draft_profile(state, all_of(state), "x");
    const auto is_left_out = [&](const std::string& said) {
        return std::ranges::any_of(draft.left_out, [&](const std::string& line) {
            return line.find(said) != std::string::npos;
        });
    };
    CHECK(is_left_out("dscp.map 64: found '64', expected 0..63"));
    CHECK(is_left_out("dscp.map 30: found 8"));
    CHECK(draft.document.find("\"64\"") == std::string::npos);
}

TEST_CASE("draft: which values are as another manager sets them is said") {
    State state = set_up("mlx5_core", "{}");
    state.ports[0].owners =
        Owners{{"doRoCE", "/etc/rc.d/rc.local: /usr/bin/doRoCE.sh --yes"}, {"lldpad", "it runs"}};
    const Draft draft = draft_profile(state, all_of(state), "x");
    CHECK(draft.set_by ==
          std::vector<std::string>{
              "ens1f0: dscp.trust dscp, pfc.priorities [3], rdma.default_tos 106: as doRoCE sets "
              "it (/etc/rc.d/rc.local: /usr/bin/doRoCE.sh --yes)"});
    state.ports[0].owners = Owners{{"nic-configuration-operator", "/etc/udev/rules.d/x"}};
    const Draft other = draft_profile(state, all_of(state), "x");
    REQUIRE(other.set_by.size() == 1);
    CHECK(other.set_by[0].starts_with("ens1f0: pfc.priorities [3], dscp.trust dscp"));
    CHECK(other.set_by[0].ends_with(
        ": as nic-configuration-operator may set it (/etc/udev/rules.d/x)"));
}

TEST_CASE("draft: an intent of which one setting differs is not folded") {
    State state = set_up("mlx5_core", "{}");
    state.ports[0].app->entries.erase({AppEntry::dscp, 30, 0});
    state.ports[0].app->entries.insert({AppEntry::dscp, 30, 3});  // beside the lossless code point
    CHECK_FALSE(intent_of(state.ports[0]));
    check_law(state, all_of(state));
    state = set_up("mlx5_core", "{}");
    state.ports[0].cm_defaults.reset();  // not known
    state.ports[0].unknown.insert(Object::cm_defaults);
    CHECK_FALSE(intent_of(state.ports[0]));
    check_law(state, all_of(state));
}

TEST_CASE("draft: ports that agree share an entry by driver, and what differs stands beside it") {
    State state = set_up("mlx5_core", "{}");
    state.ports.push_back(state.ports[0]);
    Port& second = state.ports[1];
    second.name = "ens1f1";
    second.rdma_link->device = "mlx5_1";
    second.link->pci = "0000:3b:00.1";
    second.addresses = {Address{.ip = *parse_ip("198.18.1.1"), .prefix_length = 24}};
    second.routes.emplace();
    link::reopen(second);
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
    REQUIRE(draft.left_out.size() == 2);
    CHECK(draft.left_out[0].find("ens1f0: pfc.priorities: PFC is on for all eight") == 0);
    CHECK(draft.left_out[1].find("ens1f0: ecn.cnp_priority: CNPs are sent in priority") == 0);
    CHECK(profiles::problems(draft.document).empty());
}

TEST_CASE("draft: VLANs stand in the entry of the port below, with all that is theirs") {
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values = resolve(
        profiles::load(profiles::entry(
            R"("expect": 1, "mtu": 9000, "vlans": {"100": {"mtu": 4000, "addresses": ["10.100.0.1/24"],
                "egress_priority": {"3": 3},
                "routes": [{"to": "10.0.0.0/8", "via": "10.100.0.254", "table": 101}]},
                "200": {"name": "storage"}})")),
        {}, kernel.state());
    const Plan plan =
        make_plan(desired_values, kernel.read(scope_of(desired_values, kernel.state())));
    REQUIRE(core::apply(kernel, desired_values, plan).status == Status::done);
    const State& state = kernel.state();
    const auto entry_of = [&](const std::vector<const Port*>& ports) {
        check_law(state, ports);
        const Draft draft = draft_profile(state, ports, "x");
        INFO(draft.document);
        CHECK(draft.left_out.empty());
        return Json::parse(draft.document)["ports"];
    };
    const Json vlans = entry_of({find_port(state, "ens1f0")})[0]["vlans"];
    CHECK(vlans["100"]["mtu"] == 4000);
    CHECK(vlans["100"]["addresses"] == Json{"10.100.0.1/24"});
    CHECK(vlans["100"]["egress_priority"] == Json{{"3", 3}});
    CHECK(vlans["100"]["routes"].size() == 1);
    CHECK(vlans["200"]["name"] == "storage");
    // One that is asked for by itself has an entry of its own.
    const Json both = entry_of({find_port(state, "ens1f0"), find_port(state, "storage")});
    CHECK(both[0]["vlans"].size() == 1);
    CHECK(both[1]["match"]["name"] == "storage");
}

TEST_CASE("draft: what vlans cannot state is said, by the name of the VLAN") {
    State state = hosts::host("generic");
    Port child = state.ports[0];
    child.name = "ens1f0.5";
    child.link->kind = "vlan";
    child.link->lower = "ens1f0";
    child.vlan = Vlan{.parent = "ens1f0", .id = 5};
    child.addresses->clear();
    child.routes->clear();
    child.neighbours->clear();
    child.rdma_link = RdmaLink{.device = "rxe0", .type = "rxe"};
    state.ports.push_back(child);
    child.name = "ens1f0.5.6";
    child.vlan = Vlan{.parent = "ens1f0.5", .id = 6};
    state.ports.push_back(child);
    const Draft draft = draft_profile(state, {&state.ports[0]}, "x");
    const auto said = [&](const std::string& text) {
        return std::ranges::any_of(draft.left_out, [&](const std::string& line) {
            return line.find(text) != std::string::npos;
        });
    };
    CHECK(said("ens1f0.5: rdma.link: which vlans cannot state"));
    CHECK(said("ens1f0.5.6: a VLAN on the VLAN ens1f0.5"));
    CHECK(Json::parse(draft.document)["ports"][0]["vlans"].contains("5"));
}

TEST_CASE("draft: where a driver put its interrupts is not stated, what somebody chose is") {
    State state = hosts::host("mlx5_core");
    Interrupts& interrupts = *state.ports[0].interrupts;
    interrupts = {.local = {0, 1}, .affinity = {{40, {0, 1}}, {41, {0, 1}}}};
    const auto stated = [&] {
        return draft_profile(state, all_of(state), "x").document.find("affinity") !=
               std::string::npos;
    };
    interrupts.hints = interrupts.affinity;
    CHECK_FALSE(stated());
    interrupts.hints = {{40, {0}}, {41, {1}}};
    CHECK(stated());
    interrupts.affinity = interrupts.hints;
    CHECK_FALSE(stated());
    interrupts.hints.clear();
    CHECK(stated());  // one CPU each is spread
}

TEST_CASE("draft: an address that two ports have is stated once") {
    State state = hosts::host("generic");
    state.ports.push_back(hosts::port("generic", "ens1f1"));
    state.ports[1].link->pci = "0000:3b:00.1";
    const Draft draft = draft_profile(state, {&state.ports[0], &state.ports[1]}, "x");
    CHECK(draft.left_out.size() == 2);
    CHECK(draft.left_out[0] == "ens1f1: addresses 198.18.0.1: another port has it");
    CHECK(profiles::problems(draft.document).empty());
}

TEST_CASE("draft: buffers that firmware places are nobody's to state") {
    const State state = set_up("mlx5_core", "{}");
    const auto drafted = [](const State& of) {
        const Draft draft = draft_profile(of, {&of.ports[0]}, "x");
        CHECK(draft.left_out == std::vector<std::string>{});
        return draft.document.find("\"buffer\"") != std::string::npos;
    };
    CHECK_FALSE(drafted(state));
    State placed = state;
    placed.ports[0].buffer->of_priority = {0, 0, 0, 1, 0, 0, 0, 0};
    CHECK(drafted(placed));
}

TEST_CASE("draft: the rules about a port are stated with it, and no others") {
    State state = hosts::host("generic");
    state.ports[0].addresses = {Address{.ip = *parse_ip("198.18.0.1"), .prefix_length = 24}};
    state.ports[0].routes = {
        Route{.to = *parse_network("10.0.0.0/8"), .table = 101, .via = parse_ip("198.18.0.2")}};
    Port host(kHost);
    const auto rule = [](std::uint32_t priority, std::uint32_t table) {
        return Rule{.priority = priority, .table = table, .protocol = 4};
    };
    host.rules = {Rule{.priority = 0, .table = 255, .protocol = 2}, rule(10, 101), rule(11, 102),
                  rule(12, 254), rule(13, 200)};
    (*host.rules)[4].from = parse_network("198.18.0.0/16");
    std::erase_if(state.ports, [](const Port& port) { return port.name == kHost; });
    state.ports.push_back(host);
    check_law(state, all_of(state));
    const std::string text = draft_profile(state, all_of(state), "x").document;
    INFO(text);
    const auto stated = [&](const char* priority) { return text.find(priority) != text.npos; };
    CHECK(stated("\"priority\": 10"));
    CHECK(stated("\"priority\": 13"));
    CHECK_FALSE(stated("\"priority\": 11"));
    CHECK_FALSE(stated("\"priority\": 12"));
    CHECK_FALSE(stated("\"priority\": 0"));
    Port other = state.ports[0];
    other.name = "ens2";
    other.addresses->clear();
    other.routes->clear();
    state.ports.push_back(other);
    CHECK(draft_profile(state, {&state.ports.back()}, "x").document.find("rules") ==
          std::string::npos);
}

TEST_CASE("draft: of the host it states huge pages and a namespace of RDMA devices, where set") {
    State state = hosts::host("generic");
    std::erase_if(state.ports, [](const Port& port) { return port.name == kHost; });
    Port host(kHost);
    host.rdma_system = "shared";
    host.hugepages = HugePages{{"default", 0}, {"2M", 0}, {"1G", 0}, {"2M/node0", 0}};
    host.sysctl = Sysctl{{"vm.swappiness", "10"}};
    host.modules = Modules{"ib_core"};
    state.ports.push_back(host);
    const auto drafted = [&] {
        check_law(state, all_of(state));
        return Json::parse(draft_profile(state, all_of(state), "x").document)["host"].dump();
    };
    CHECK(drafted() == "null");
    state.ports.back().rdma_system = "exclusive";
    state.ports.back().hugepages = HugePages{
        {"default", 2048}, {"2M", 2048}, {"1G", 4}, {"2M/node0", 1024}, {"2M/node1", 1024}};
    CHECK(drafted() == R"({"rdma":{"netns_mode":"exclusive"},"hugepages":{"1G":4,"2M":2048}})");
    state.ports.back().hugepages = HugePages{{"default", 8}};
    state.ports.back().rdma_system = "shared";
    CHECK(drafted() == R"({"hugepages":{"default":8}})");
}

}  // namespace draft_test
