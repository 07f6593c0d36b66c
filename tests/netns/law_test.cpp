// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>
#include <random>

#include "core/json/json.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/state_file.hpp"
#include "tests/netns/sandbox.hpp"

// The state host is no greener than the kernel: random writes and plans go to the kernel and to a
// state file that holds what the kernel did before, and both have to answer and to end alike.

namespace law_test {

using namespace core;

namespace {

/// More where somebody has the time.
unsigned seeds() {
    return std::getenv("ROCECTL_LONG") != nullptr ? 200 : 60;
}
constexpr unsigned kWritesPerSeed = 12;

/// Without ipv6: what a port has of it goes below an MTU of 1280 and comes back as the host's
/// defaults say, which no port shows.
const Objects kObjects = {Object::device,    Object::link,       Object::vlan,  Object::ipv4,
                          Object::addresses, Object::neighbours, Object::routes};

template <typename Values>
auto one_of(std::mt19937& random, const Values& values) {
    return values.at(random() % std::size(values));
}

/// Two pairs of ports with some addresses, of which none is tried out before it counts: without
/// detection too an address that the kernel was just given is tentative until a worker ran
/// (net/ipv6/addrconf.c), but with nodad.
class Rig {
public:
    Rig() {
        sandbox::run(
            "echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad; "
            "echo 0 >/proc/sys/net/ipv6/conf/all/accept_dad");
        sandbox::run(
            "ip link add t0 type veth peer name p0; ip link add t1 type veth peer name p1; "
            "for p in p0 p1 t0 t1; do ip link set dev $p up; done; "
            "ip address add 10.0.0.1/24 dev t0; ip address add fd00::1/64 dev t0 nodad; "
            "ip address add 10.0.9.9/32 dev p1");
        vlans = std::system("ip link add link t0 name t0.5 type vlan id 5 2>/dev/null") == 0;
        ports = {"t0", "t1"};
        if (vlans) ports.emplace_back("t0.5");
    }
    ~Rig() { static_cast<void>(!std::system("ip link delete dev t0; ip link delete dev t1")); }
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;

    bool vlans = false;
    std::vector<std::string> ports;
};

Value some_address(std::mt19937& random) {
    constexpr std::array all = {"10.0.0.1/24", "10.0.0.2/24", "10.0.0.1/16",   "10.0.1.1/24",
                                "10.0.2.1/31", "10.0.3.1/32", "fd00::1/64",    "fd00::2/64",
                                "fd01::1/64",  "fd02::1/128", "198.51.100.9/8"};
    return std::string(one_of(random, all));
}

Value some_route(std::mt19937& random) {
    const bool six = random() % 3 == 0;
    Record route;
    const auto put = [&](const char* part, const auto& values) {
        const std::string value = one_of(random, values);
        if (!value.empty()) route[part] = value;
    };
    if (six) {
        put("to", std::array{"fd08::/48", "::/0", "fd00::/64", "fd09::9/128"});
        put("via", std::array{"", "fd00::fe", "fd01::fe", "fd77::1", "fe80::1", "fd00::1"});
        put("source", std::array{"", "", "fd00::1", "fd00::2", "fd00::77"});
    } else {
        put("to", std::array{"10.8.0.0/16", "0.0.0.0/0", "10.0.0.0/24", "10.9.9.9/32"});
        put("via", std::array{"", "10.0.0.254", "10.0.1.254", "99.0.0.1", "10.0.0.1", "fd00::fe",
                              "fd00::1"});
        put("source", std::array{"", "", "10.0.0.1", "10.0.1.1", "10.0.0.77", "10.0.9.9"});
    }
    put("table", std::array{"", "", "100"});
    if (random() % 4 == 0) route["metric"] = std::uint64_t{7};
    if (random() % 6 == 0) route["mtu"] = std::uint64_t{1300};
    return route;
}

Desired item(const char* key, Value value) {
    Desired desired{.port = {}, .field = find_field(key), .value = std::move(value)};
    desired.element =
        identity(desired.field->shape, canonical(desired.field->shape, *desired.value));
    return desired;
}

Desired some_desired(std::mt19937& random, const Rig& rig) {
    Desired desired;
    switch (random() % 8) {
        case 0:
            desired = {.port = {}, .field = find_field("up"), .value = random() % 3 != 0};
            break;
        case 1:
        case 2: {
            constexpr std::array<std::uint64_t, 6> sizes = {1500, 9000, 1400, 1280, 1000, 65535};
            desired = {.port = {}, .field = find_field("mtu"), .value = one_of(random, sizes)};
            break;
        }
        case 3:
        case 4: desired = item("addresses", some_address(random)); break;
        default: desired = item("routes", some_route(random));
    }
    desired.port = one_of(random, rig.ports);
    desired.origin = {.file = "random.json", .line = 1};
    const bool plain = !is_collection(desired.field->shape);
    if (!plain && random() % 4 == 0) desired.value.reset();
    return desired;
}

Scope everything() {
    return {.ports = std::nullopt, .objects = kObjects};
}

std::string difference(const State& left, const State& right) {
    std::string out;
    for (const Finding& finding : compare(left, right))
        out += finding.port + ": " + finding.key + ": " + finding.text + "; ";
    return out;
}

std::string text_of(const Desired& desired) {
    return desired.port + ' ' + std::string(desired.field->key) + ' ' +
           (desired.value ? text(*desired.value) : "absent " + desired.element);
}

DesiredState some_desired_state(std::mt19937& random, const Rig& rig) {
    DesiredState out;
    out.ports = rig.ports;
    for (std::size_t left = 1 + random() % 5; left > 0; --left) {
        Desired desired = some_desired(random, rig);
        const auto same = [&](const Desired& other) {
            return other.port == desired.port && same_element(other, desired);
        };
        if (std::ranges::none_of(out.desired_values, same))
            out.desired_values.push_back(std::move(desired));
    }
    return out;
}

/// One rig for each seed, and the test as often as it asks.
template <typename Test>
void for_seeds(const Test& test) {
    for (unsigned seed = 1; seed <= seeds(); ++seed) {
        CAPTURE(seed);
        const Rig rig;
        if (seed == 1 && !rig.vlans) std::cout << "skip: this kernel has no VLANs\n";
        std::mt19937 random(seed);
        netlink::Live live = sandbox::live();
        test(random, rig, live);
    }
}

}  // namespace

TEST_CASE("law: a state file takes and refuses each write as the kernel does, and ends alike") {
    unsigned refused = 0;
    unsigned taken = 0;
    for_seeds([&](std::mt19937& random, const Rig& rig, netlink::Live& live) {
        for (unsigned i = 0; i < kWritesPerSeed; ++i) {
            const Desired desired = some_desired(random, rig);
            const State before = live.read(everything());
            const Field& field = *desired.field;
            const auto now = element_of(*find_port(before, desired.port), field, desired.element);
            if (now == (desired.value ? std::optional(canonical(field.shape, *desired.value))
                                      : std::nullopt))
                continue;
            const Step step{
                .port = desired.port,
                .object = field.object,
                .changes = {{.field = &field, .element = desired.element, .after = desired.value}}};
            StateFile file(before);
            const auto by_kernel = live.write(step);
            const auto by_file = file.write(step);
            INFO(text_of(desired), "; kernel: ", by_kernel ? text(*by_kernel) : "taken",
                 "; file: ", by_file ? text(*by_file) : "taken", "\n", to_json(before).dump());
            CHECK(by_kernel.has_value() == by_file.has_value());
            ++(by_kernel ? refused : taken);
            if (!by_kernel && !by_file)
                CHECK(difference(live.read(everything()), file.read(everything())) == "");
        }
    });
    CHECK(refused > 20);
    CHECK(taken > 100);
}

TEST_CASE("law: a plan that can be applied is applied by the kernel and by a state file alike") {
    unsigned applied = 0;
    for_seeds([&](std::mt19937& random, const Rig& rig, netlink::Live& live) {
        const DesiredState desired_values = some_desired_state(random, rig);
        std::string all_desired;
        for (const Desired& desired : desired_values.desired_values)
            all_desired += text_of(desired) + "; ";
        const State before = live.read(everything());
        const Scope scope = scope_of(desired_values, before);
        const Plan plan = make_plan(desired_values, live.read(scope));
        INFO(all_desired, "\n", to_json(plan).dump(), "\n", to_json(before).dump());
        StateFile file(parse_state(to_json(before).dump(), "s"));
        CHECK(to_json(make_plan(desired_values, file.read(scope))) == to_json(plan));
        if (!feasible(plan)) return;
        ++applied;
        const Report there = core::apply(live, desired_values, plan);
        const Report here = core::apply(file, desired_values, plan);
        INFO(to_json(there).dump());
        CHECK(there.status == Status::done);
        CHECK(here.status == Status::done);
        CHECK(difference(live.read(everything()), file.read(everything())) == "");
        const DesiredState back = undo_profile(plan);
        const Plan undo = make_plan(back, live.read(scope_of(back, before)));
        CHECK(core::apply(live, back, undo).status == Status::done);
        CHECK(difference(before, live.read(everything())) == "");
    });
    CHECK(applied > seeds() / 4);
}

}  // namespace law_test
