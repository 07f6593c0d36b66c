// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/model/finding_names.hpp"
#include "core/profile/resolve.hpp"
#include "tests/unit/profiles.hpp"

namespace one_port_test {

using namespace core;

namespace {

/// Three rails that are counted, with rules of their own, VLANs on one and a bond of the two
/// others.
constexpr auto kProfile = R"({"format": 1, "host": {"sysctl": {"vm.swappiness": "1"},
    "bonds": {"bond0": {"mode": "802.3ad", "members": ["r1", "r2"]}}},
  "ports": [{"match": {"name": "r*"}, "expect": 3, "mtu": 9000, "addresses": ["10.0.${index}.1/24"],
             "rules": [{"from": "10.0.${index}.1", "table": 101, "priority": 100}]},
            {"match": {"name": "r0"}, "vlans": {"100": {"mtu": 4000}}},
            {"match": {"name": "bond0"}, "vlans": {"200": {}}},
            {"match": {"name": "s*"}, "expect": 2, "mtu": 1500}]})";

State rails(const std::vector<std::string>& names) {
    std::vector<Port> ports;
    for (const std::string& name : names)
        ports.push_back(profiles::port(name, "mlx5_core", "0000:0" + name.substr(1) + ":00.0"));
    return profiles::host(ports);
}

std::set<std::string> ports_of(const DesiredState& desired_values) {
    std::set<std::string> out;
    for (const Desired& desired : desired_values.desired_values)
        out.insert(desired.port);
    return out;
}

/// What addresses the port is to have.
std::string addresses(const DesiredState& desired_values, const std::string& port) {
    std::string out;
    for (const Desired& desired : desired_values.desired_values)
        if (desired.port == port && desired.field->key == "addresses" && desired.value)
            out += text(*desired.value);
    return out;
}

DesiredState all_desired(const State& inventory, const std::string& only) {
    return resolve(profiles::load(kProfile), {}, inventory, only);
}

}  // namespace

TEST_CASE("one port: what is desired of it, of its bond, and of VLANs on either, and of no other") {
    const State all = rails({"r0", "r1", "r2", "s3", "s4"});
    using Names = std::set<std::string>;
    CHECK(ports_of(all_desired(all, "r0")) == Names{"r0", "r0.100", std::string(kHost)});
    CHECK(ports_of(all_desired(all, "r1")) ==
          Names{"r1", "bond0", "bond0.200", std::string(kHost)});
    CHECK(ports_of(all_desired(all, "s3")) == Names{"s3"});
    // Of the host what the port's entry states, and nothing else.
    const DesiredState one = all_desired(all, "r1");
    std::size_t rules = 0;
    for (const Desired& desired : one.desired_values)
        if (desired.port == kHost) rules += desired.field->key == "rules" ? 1U : 100U;
    CHECK(rules == 1);
    CHECK(profiles::find(all_desired(all, ""), std::string(kHost), "host.sysctl",
                         "vm.swappiness") != nullptr);
}

TEST_CASE("one port: that these are all rules of the host is not said by one port alone") {
    const std::string text = R"({"format": 1, "ports": [{"match": {"name": "r*"},
        "rules": [{"from": "10.0.1.1", "table": 101, "priority": 100}],
        "exact": ["rules", "addresses"]}]})";
    const State all = rails({"r0", "r1"});
    const auto exact_of = [&](const std::string& only) {
        std::set<std::string> out;
        for (const Exact& exact : resolve(profiles::load(text), {}, all, only).exact)
            out.insert(exact.port);
        return out;
    };
    CHECK(exact_of("") == std::set<std::string>{"r0", "r1", std::string(kHost)});
    CHECK(exact_of("r1") == std::set<std::string>{"r1"});
}

TEST_CASE(
    "one port: another that is missing takes nothing away, and a place that nobody knows is "
    "refused") {
    const State all = rails({"r0", "r1", "r2", "s3", "s4"});
    const State less = rails({"r0", "r2", "s3"});
    // Of s3 nothing depends on the count, and the entry is short; of r2 the address does.
    for (const char* name : {"r2", "s3"}) {
        const DesiredState alone = all_desired(less, name);
        CHECK_FALSE(is_complete(alone));
        CHECK(alone.findings.front().id == findings::expect);
        const State whole = with_missing(less, all).value();
        const DesiredState placed = all_desired(whole, name);
        CHECK(is_complete(placed));
        CHECK(ports_of(placed) == ports_of(all_desired(all, name)));
    }
    CHECK(addresses(all_desired(with_missing(less, all).value(), "r2"), "r2") == "10.0.2.1/24");
    // An entry that is not the port's may be as short as it likes.
    CHECK(is_complete(all_desired(rails({"r0", "r1", "r2"}), "r0")));
}

TEST_CASE("one port: a port is there by its name, or by its place on the bus under another") {
    State now = rails({"r0"});
    State earlier = rails({"r0", "r1"});
    CHECK(with_missing(now, earlier).value().ports.size() == 2);
    earlier.ports[1].link->pci = now.ports[0].link->pci;
    CHECK(with_missing(now, earlier).value().ports.size() == 1);
    now.ports[0].link->pci = earlier.ports[1].link->pci = "";
    CHECK(with_missing(now, earlier).value().ports.size() == 2);
}

TEST_CASE("one port: one that the profile does not match is fine, one that is not there is not") {
    const DesiredState none = all_desired(rails({"r0", "r1", "r2", "s3", "s4", "x5"}), "x5");
    REQUIRE(none.findings.size() == 1);
    CHECK(none.findings[0].level == Finding::Level::note);
    CHECK(none.desired_values.empty());
    const DesiredState gone = all_desired(rails({"r0", "r1", "r2"}), "r7");
    CHECK_FALSE(is_complete(gone));
    CHECK(gone.findings[0].text == "this host has no port r7");
}

TEST_CASE("one port: another device in the place of one that was there tells nobody's place") {
    State now = rails({"r0"});
    State known = rails({"r0", "r1"});
    now.ports[0].link->permanent_mac = "02:00:00:00:00:07";
    known.ports[0].link->permanent_mac.clear();  // not told
    CHECK(with_missing(now, known).has_value());
    known.ports[0].link->permanent_mac = "02:00:00:00:00:01";
    CHECK_FALSE(with_missing(now, known).has_value());
    known.ports[0].link->permanent_mac = "02:00:00:00:00:07";
    CHECK(with_missing(now, known).has_value());
}

TEST_CASE("one port: its VLAN or bond that is counted beside others is not left without its own") {
    const std::string text = R"({"format": 1, "ports": [
        {"match": {"name": "r[01]"}, "vlans": {"7": {}}},
        {"match": {"name": ["r0.7", "r1.7"]}, "expect": 2, "addresses": ["10.7.${index}.1/24"]}]})";
    const State all = rails({"r0", "r1"});
    const State less = rails({"r1"});
    const DesiredState alone = resolve_one(profiles::load(text), {}, less, std::nullopt, "r1");
    CHECK_FALSE(is_complete(alone));
    CHECK(alone.findings.front().remedy.find("without --port once") != std::string::npos);
    const DesiredState placed = resolve_one(profiles::load(text), {}, less, all, "r1");
    CHECK(is_complete(placed));
    CHECK(addresses(placed, "r1.7") == "10.7.1.1/24");
}

TEST_CASE("one port: what contradicts another port's desired values is refused") {
    const std::string text = R"({"format": 1, "ports": [{"match": {"name": "r*"}, "expect": 2,
        "rules": [{"from": "10.0.1.1", "table": "${index + 101}", "priority": 100}]}]})";
    const State all = rails({"r0", "r1"});
    for (const char* only : {"", "r0", "r1"}) {
        CAPTURE(only);
        const DesiredState desired_values = resolve(profiles::load(text), {}, all, only);
        CHECK(std::ranges::any_of(desired_values.findings, [](const Finding& finding) {
            return finding.level == Finding::Level::failure;
        }));
    }
}

TEST_CASE("one port: one that has no RDMA device yet is not taken for one that nobody means") {
    const std::string text = R"({"format": 1, "ports": [
        {"match": {"rdma": "mlx5_*"}, "expect": 2, "mtu": 9000}]})";
    State some = rails({"r0", "r1"});
    some.ports[1].rdma_link.emplace();
    CHECK_FALSE(is_complete(resolve(profiles::load(text), {}, some, "r1")));
}

TEST_CASE(
    "one port: the modules of the host are loaded for it too, and nothing else of the host is "
    "written") {
    const std::string text = R"({"format": 1, "host": {"modules": ["rdma_cm"],
        "sysctl": {"vm.swappiness": "1"}}, "ports": [{"match": {"name": "r0"}, "mtu": 9000}]})";
    const auto of_host = [&](const std::string& only) {
        std::string out;
        const DesiredState desired_values =
            resolve(profiles::load(text), {}, rails({"r0", "r1"}), only);
        for (const Desired& desired : desired_values.desired_values)
            if (desired.port == kHost) out += std::string(desired.field->key) + ' ';
        return out;
    };
    CHECK(of_host("r0") == "host.modules ");
    CHECK(of_host("r1").empty());
}

}  // namespace one_port_test
