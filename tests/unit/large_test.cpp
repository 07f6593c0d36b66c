// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "cli/views/doctor.hpp"
#include "core/doctor/diagnosis.hpp"
#include "core/model/parts.hpp"
#include "core/model/reading.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/state_file.hpp"
#include "core/plan/undo.hpp"
#include "tests/unit/hosts.hpp"

namespace large_test {

using namespace core;

// Hosts with so many elements or ports that whoever looks at all of them for each of them is found.

namespace {

std::string number(std::size_t i, const std::string& before, const std::string& after) {
    return before + std::to_string(i / 250) + '.' + std::to_string(i % 250) + after;
}

Desired desired_of(std::string_view key, std::size_t i) {
    if (key == "addresses") return hosts::desired("addresses", number(i, "10.", ".1/24"));
    if (key == "routes")
        return hosts::desired("routes", Record{{"to", number(i, "11.", ".0/24")},
                                               {"via", std::string("192.168.255.254")}});
    if (key == "neighbours")
        return hosts::desired("neighbours", Record{{"ip", number(i, "192.168.", "")},
                                                   {"mac", std::string("02:00:00:00:00:01")}});
    return hosts::desired("rules",
                          Record{{"from", number(i, "12.", ".0/24")},
                                 {"priority", std::uint64_t{1000 + i / 2}},
                                 {"table", std::string("100")}},
                          {}, std::string(kHost));
}

/// A port with all that it can hold elements of, and the host itself.
State host() {
    State state = hosts::host("mlx5_core");
    state.ports[0].addresses->push_back({.ip = *parse_ip("192.168.0.1"), .prefix_length = 16});
    state.ports.push_back(hosts::whole_host());
    state.others.emplace();
    routes::connect(state.ports[0]);
    return state;
}

constexpr std::array kKeys = {"addresses", "routes", "neighbours", "rules"};

DesiredState many(std::string_view key, std::size_t count) {
    std::vector<Desired> out;
    for (std::size_t i = 0; i < count; ++i)
        out.push_back(desired_of(key, i));
    DesiredState desired_values = hosts::desired_values(std::move(out));
    desired_values.ports = {"ens1f0", std::string(kHost)};
    return desired_values;
}

/// Seconds of the processor, which other programs disturb less than the clock.
template <typename Work>
double seconds(const Work& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// To write the elements, to keep them, to go back and to take them away.
void plan_all(std::string_view key, std::size_t count) {
    const DesiredState desired_values = many(key, count);
    const Plan plan = make_plan(desired_values, host());
    REQUIRE(plan.findings.empty());
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps.front().changes.size() == count);
    CHECK(satisfied(make_plan(desired_values, plan.predicted)));
    DesiredState none = hosts::desired_values({});
    none.ports = desired_values.ports;
    none.exact = {{.port = desired_values.desired_values.front().port, .field = find_field(key)}};
    CHECK(nothing_left(make_plan(none, make_plan(none, plan.predicted).predicted)));
    const DesiredState back = undo_profile(plan);
    CHECK(differences(plan.before.ports[0], make_plan(back, plan.predicted).predicted.ports[0])
              .empty());
}

/// A desired value for each element of each setting of the ports, as it is there and as none.
std::vector<Desired> desired_of(const std::vector<Port>& ports) {
    std::vector<Desired> out;
    for (const Port& port : ports)
        for (const Field& field : fields()) {
            if (field.use != Field::Use::setting) continue;
            for (const auto& [element, value] : field.get(port).value_or(Elements{})) {
                out.push_back(
                    {.port = port.name, .field = &field, .element = element, .value = value});
                out.push_back({.port = port.name, .field = &field, .element = element});
            }
        }
    return out;
}

}  // namespace

TEST_CASE("law: many elements planned at once are those planned one by one") {
    for (const char* key : kKeys) {
        INFO(key);
        constexpr std::size_t count = 40;
        const Plan whole = make_plan(many(key, count), host());
        State state = host();
        for (std::size_t i = 0; i < count; ++i) {
            DesiredState one = hosts::desired_values({desired_of(key, i)});
            one.ports = whole.ports;
            state = make_plan(one, state).predicted;
        }
        CHECK(whole.predicted.ports.size() == state.ports.size());
        for (std::size_t i = 0; i < state.ports.size(); ++i)
            for (const std::string& other : differences(whole.predicted.ports[i], state.ports[i]))
                CHECK(other == "addresses_kept");  // the order in which they came
    }
}

TEST_CASE("law: elements set in one go are those set one by one, of every collection") {
    std::size_t compared = 0;
    for (const Field& field : fields()) {
        if (!is_collection(field.shape)) continue;
        INFO(field.key);
        State state = host();
        Port& before = state.ports[row_of(field.object).lives == Lives::host ? 1 : 0];
        Port one_by_one = before;
        Port in_one_go = before;
        ElementWriter writer(in_one_go);
        for (const Value& value : samples(field.shape))
            for (const std::string& key : sample_keys(field.shape)) {
                const bool item = field.shape.kind == Shape::Kind::items;
                const std::string element = item ? identity(field.shape, value) : key;
                set_element(one_by_one, field, element, value);
                writer.set(field, element, value);
            }
        writer.done();
        // What a driver does not tell is never planned, and of it the last element alone is set.
        if (!field.get(in_one_go)) continue;
        CHECK(one_by_one == in_one_go);
        ++compared;
    }
    CHECK(compared > 60);
}

TEST_CASE("law: eight times the elements take no more than about eight times the time") {
    for (const char* key : kKeys) {
        INFO(key);
        const double few = seconds([&] { plan_all(key, 125); });
        const double all = seconds([&] { plan_all(key, 1000); });
        // What looks at all elements for each takes 64 times as long.
        CHECK(all < 24 * std::max(few, 0.01));
    }
}

TEST_CASE("law: eight times the ports take no more than about eight times the time") {
    const auto plan_ports = [](std::size_t count) {
        State state;
        DesiredState desired_values;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = "r" + std::to_string(i);
            state.ports.push_back(hosts::port("mlx5_core", name));
            desired_values.ports.push_back(name);
            for (Desired desired : hosts::lossless("mlx5_core").desired_values) {
                const Object object = desired.field->object;
                desired.port = name;
                if (object == Object::rdma_link)  // its name is one of the host's
                    desired.value = Record{{"type", std::string("rxe")}, {"name", "x" + name}};
                if (object != Object::routes && object != Object::addresses)
                    desired_values.desired_values.push_back(std::move(desired));
            }
        }
        const Plan plan = make_plan(desired_values, state);
        CHECK(plan.steps.size() >= count);
    };
    const double few = seconds([&] { plan_ports(16); });
    const double all = seconds([&] { plan_ports(128); });
    CHECK(all < 24 * std::max(few, 0.01));
}

TEST_CASE("law: eight times the addresses are put in order in about eight times the time") {
    const Field& kept = *find_field("addresses_kept");
    const auto put_in_order = [&kept](unsigned count) {
        Port port("ens1f0");
        port.addresses.emplace();
        for (unsigned i = 0; i < count; ++i)
            port.addresses->push_back({.ip = {.bytes = {10, static_cast<std::uint8_t>(i / 256U),
                                                        static_cast<std::uint8_t>(i % 256U), 1}},
                                       .prefix_length = 32});
        Port other = port;
        std::ranges::reverse(*other.addresses);
        const Elements order = *kept.get(other);
        const double took = seconds([&] { kept.set(port, order); });
        CHECK((port.addresses == other.addresses));
        return took;
    };
    const double few = put_in_order(1000);
    CHECK(put_in_order(8000) < 24 * std::max(few, 0.01));
}

TEST_CASE("law: four times the ports take no more than about four times the time to look at") {
    // Many desired values and one step: what is asked of the state for each desired value weighs
    // most.
    const auto plan_ports = [](std::size_t count) {
        State state;
        DesiredState desired_values;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = "r" + std::to_string(i);
            state.ports.push_back(hosts::port("mlx5_core", name));
            desired_values.ports.push_back(name);
            for (unsigned code_point = 0; code_point < 24; ++code_point)
                desired_values.desired_values.push_back(
                    hosts::desired("dscp.map", std::uint64_t{3}, std::to_string(code_point), name));
        }
        return seconds([&] { CHECK(begun_plan(desired_values, state).steps.size() == 1); });
    };
    const double few = plan_ports(256);
    const double all = std::min(plan_ports(1024), plan_ports(1024));
    // What walks all ports for each desired value takes 16 times as long, and the rest 4 times.
    CHECK(all < 7 * std::max(few, 0.01));
}

TEST_CASE("law: four times the ports take doctor no more than about four times the time") {
    // Rails that are alike, with a table and a VLAN each, which has an address in the subnet of
    // another rail, and a profile that states more than they have: each has the same faults, many
    // of them, and what is reported of one names all.
    const auto read_and_plan = [](std::size_t count, const std::set<std::string>& only) {
        State state;
        Port host{std::string(kHost)};
        host.rules.emplace();
        DesiredState desired_values;
        for (std::size_t i = 0; i < count; ++i) {
            Port rail = hosts::port("mlx5_core", "r" + std::to_string(i));
            const auto at = [i](std::uint8_t last) {
                return Ip{.bytes = {10, static_cast<std::uint8_t>(i >> 8U),
                                    static_cast<std::uint8_t>(i), last}};
            };
            const auto table = static_cast<std::uint32_t>(1000 + i);
            rail.rdma_link = RdmaLink{.device = "mlx5_" + std::to_string(i)};
            rail.addresses = {{.ip = at(1), .prefix_length = 24}};
            rail.routes = {{.to = *parse_prefix("10.0.0.0/8"), .table = table, .via = at(254)}};
            host.rules->push_back({.from = Prefix{at(1), 32}, .priority = table, .table = table});
            desired_values.ports.push_back(rail.name);
            desired_values.desired_values.push_back(
                hosts::desired("mtu", std::uint64_t{9000}, "", rail.name));
            for (unsigned code_point = 0; code_point < 64; ++code_point)
                desired_values.desired_values.push_back(hosts::desired(
                    "dscp.map", std::uint64_t{5}, std::to_string(code_point), rail.name));
            Port vlan = hosts::port("mlx5_core", "v" + std::to_string(i));
            vlan.rdma_link.reset();
            vlan.link->kind = "vlan";
            vlan.link->lower = rail.name;
            vlan.link->up = i % 2 == 0;
            vlan.addresses = {{.ip = at(2), .prefix_length = 24}};
            vlan.addresses->front().ip.bytes[2] ^= 1U;
            desired_values.desired_values.push_back(hosts::desired("up", false, "", vlan.name));
            state.ports.push_back(std::move(rail));
            state.ports.push_back(std::move(vlan));
        }
        state.ports.push_back(std::move(host));
        return seconds([&] {
            const Diagnosis found =
                diagnose({.now = &state, .desired_values = &desired_values, .only = only});
            CHECK(found.examination.ports.size() == count);
            const std::string profile = "rails";
            CHECK(!cli::doctor_text({.state = state, .diagnosis = found, .profile = profile},
                                    cli::Style())
                       .empty());
        });
    };
    // What walks all ports for each of them takes 16 times as long, and the rest 4 times.
    const double few = read_and_plan(100, {});
    CHECK(std::min(read_and_plan(400, {}), read_and_plan(400, {})) < 7 * std::max(few, 0.01));
    // Those that ask for others, where a walk weighs more; without those that look for a route, as
    // the kernel does, in all rules.
    const std::set<std::string> ask = {"no-address", "address-on-two-ports",
                                       "vlan-down",  "port-down",
                                       "no-gid",     "vlan-tag-elsewhere"};
    const double few_asked = read_and_plan(500, ask);
    CHECK(std::min(read_and_plan(2000, ask), read_and_plan(2000, ask)) <
          10 * std::max(few_asked, 0.01));
}

TEST_CASE("law: a port of a state file is read in the same time, however many it has") {
    const auto read_one = [](std::size_t count) {
        State state;
        for (std::size_t i = 0; i < count; ++i)
            state.ports.push_back(hosts::port("mlx5_core", "r" + std::to_string(i)));
        StateFile file(std::move(state));
        const Scope one{.ports = std::vector<std::string>{"r" + std::to_string(count / 2)},
                        .objects = {Object::link}};
        CHECK(file.read(one).ports.size() == 1);
        return seconds([&] {
            for (unsigned i = 0; i < 500; ++i)
                static_cast<void>(file.read(one));
        });
    };
    // Who walks all of them takes a hundred times as long.
    CHECK(read_one(4000) < 5 * std::max(read_one(40), 0.01));
}

TEST_CASE("law: what each of many ports is refused costs each port as much as one") {
    // An MTU that is no port's, and a parent whose other ports have no part in the no.
    const auto plan_ports = [](std::size_t count) {
        State state;
        std::vector<Desired> all;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = "r" + std::to_string(i);
            state.ports.push_back(hosts::port("mlx5_core", name));
            const DesiredState usual = hosts::lossless("mlx5_core");
            for (const char* key : {"pfc.priorities", "dscp.map", "ring.rx"})
                for (Desired desired : usual.desired_values) {
                    desired.port = name;
                    if (desired.field->key == key) all.push_back(std::move(desired));
                }
            all.push_back(hosts::desired("mtu", std::uint64_t{60000}, "", name));
            all.push_back(hosts::desired(
                "routes",
                Record{{"to", std::string("11.0.0.0/8")}, {"via", std::string("203.0.113.1")}}, "",
                name));
        }
        DesiredState desired_values = hosts::desired_values(std::move(all));
        desired_values.ports.clear();
        for (const Port& port : state.ports)
            desired_values.ports.push_back(port.name);
        const Plan plan = make_plan(desired_values, state);
        CHECK(plan.steps.size() >= count);
        CHECK(std::ranges::count_if(plan.findings, [](const Finding& finding) {
                  return finding.level == Finding::Level::failure;
              }) == static_cast<std::ptrdiff_t>(2 * count));
    };
    const double few = seconds([&] { plan_ports(16); });
    const double all = seconds([&] { plan_ports(128); });
    CHECK(all < 24 * std::max(few, 0.01));
}

TEST_CASE("law: what a port holds of an object is reported by the part of that object") {
    // The planner looks again only at the desired values for parts that a step changed
    // (core/model/parts).
    for (const Driver* driver : drivers()) {
        const Plan plan = make_plan(hosts::lossless(std::string(driver->name)),
                                    hosts::host(std::string(driver->name)));
        for (const ObjectRow* row : objects()) {
            const Port& before = plan.before.ports[0];
            Port mixed = before;
            copy_part(row->object, plan.predicted.ports[0], mixed);
            const Parts changed = changed_parts(before, mixed);
            for (const Field& field : fields())
                if (!is_in(changed, field) && field.get(before) != field.get(mixed))
                    FAIL_CHECK(driver->name << ": " << field.key << " is reported by "
                                            << row->name);
        }
    }
}

TEST_CASE(
    "law: whether a desired value is met is reported by the part of its object, or the row says "
    "so") {
    // Values of both ports, and none, are desired of either.
    std::size_t reported = 0;
    std::size_t by_others = 0;
    for (const Driver* driver : drivers()) {
        const Plan plan = make_plan(hosts::lossless(std::string(driver->name)),
                                    hosts::host(std::string(driver->name)));
        const Port& before = plan.before.ports[0];
        Port bare = plan.predicted.ports[0];
        if (bare.addresses) bare.addresses->clear();
        for (const Port& other : {plan.predicted.ports[0], bare})
            for (const ObjectRow* row : objects()) {
                Port mixed = before;
                copy_part(row->object, other, mixed);
                const Parts changed = changed_parts(before, mixed);
                for (const Desired& desired : desired_of({before, other})) {
                    if (is_in(changed, *desired.field)) continue;
                    const bool same = holds(before, desired) == holds(mixed, desired);
                    INFO(driver->name, ": ", desired.field->key, " ", desired.element, " by ",
                         row->name);
                    if (depends_on_part_only(desired)) CHECK(same);
                    reported += depends_on_part_only(desired) ? 1U : 0U;
                    by_others += same ? 0U : 1U;
                }
            }
    }
    CHECK(reported > 1000);
    CHECK(by_others > 0);
}

TEST_CASE("find_port: finds what is there, also after the list has changed") {
    State state;
    for (int i = 0; i < 40; ++i)
        state.ports.emplace_back("r" + std::to_string(i));
    CHECK(find_port(state, "r39") == &state.ports[39]);
    std::erase_if(state.ports, [](const Port& port) { return port.name == "r7"; });
    CHECK(find_port(state, "r7") == nullptr);
    CHECK(find_port(state, "r39") == &state.ports[38]);
    state.ports[3].name = "s3";
    CHECK(find_port(state, "s3") == &state.ports[3]);
    CHECK(find_port(state, "r3") == nullptr);
    const State copy = state;
    CHECK(find_port(copy, "s3") == &copy.ports[3]);
}

}  // namespace large_test
