// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/checks/host_index.hpp"
#include "tests/unit/broken_hosts.hpp"

namespace destinations_test {

using namespace core;
using namespace broken_hosts;

namespace {

/// Rails as gpu-rail has them, each with its own table and its rule; where `to` is given, with
/// their routes to there instead.
struct Rails {
    State now = whole(applied("gpu-rail"));
    std::vector<std::string> names = fabric_of(applied("gpu-rail"));

    Port& rail(std::size_t i) { return *find_port(now, names.at(i)); }
    std::vector<Rule>& rules() { return *find_port(now, kHost)->rules; }
    void send_to(std::size_t i, const char* to) {
        for (Route& route : *rail(i).routes)
            if (route.via) route.to = *parse_prefix(to);
    }
    void forget_rules_of(std::size_t i) {
        const Ip own = rail(i).addresses->front().ip;
        std::erase_if(rules(), [&](const Rule& rule) {
            return rule.from && rule.from->length != 0 && contains(*rule.from, own);
        });
    }
    /// Moves the rail to another network, with its gateway and its rule.
    void move(std::size_t i, const char* address, const char* gateway) {
        const Ip before = rail(i).addresses->front().ip;
        const Ip after = parse_prefix(address)->ip;
        rail(i).addresses->front().ip = after;
        for (Route& route : *rail(i).routes)
            if (route.via) route.via = parse_ip(gateway);
        for (Rule& rule : rules())
            if (rule.from && rule.from->ip == before) rule.from->ip = after;
    }
    /// What is found of where packets leave, of the rail alone.
    std::vector<std::string> reported(std::size_t i) {
        Asked host{.now = now};
        std::vector<std::string> out;
        const Diagnosis diagnosis = host.diagnose();
        for (const Check& check : diagnosis.examination.checks) {
            const std::string id(check.row->id);
            if (check.port != names.at(i) ||
                (id != "no-route-by-port" && id != "route-by-other-port"))
                continue;
            for (const Fault& fault : check.faults)
                out.push_back((check.verdict == Verdict::fail ? "fail " : "warn ") + id + ": " +
                              fault.text);
        }
        return out;
    }
};

}  // namespace

TEST_CASE("ip: what follows a network is its last address and one") {
    const auto behind = [](const char* prefix) {
        const auto found = first_behind(*parse_prefix(prefix));
        return found ? text(*found) : "none";
    };
    CHECK(behind("10.0.0.0/31") == "10.0.0.2");
    CHECK(behind("10.0.255.7/24") == "10.1.0.0");
    CHECK(behind("10.0.0.5/32") == "10.0.0.6");
    CHECK(behind("255.255.255.0/24") == "none");
    CHECK(behind("0.0.0.0/0") == "none");
    CHECK(behind("2001:db8:0:ff::/64") == "2001:db8:0:100::");
    CHECK(behind("ffff::/16") == "none");
}

TEST_CASE("doctor: the default route of a rail's own table is where RoCE goes") {
    Rails rails;
    for (std::size_t i = 0; i < rails.names.size(); ++i)
        rails.send_to(i, "0.0.0.0/0");
    for (std::size_t i = 0; i < rails.names.size(); ++i)
        CHECK(rails.reported(i).empty());
    rails.forget_rules_of(3);
    const std::string own = text(rails.rail(3).addresses->front().ip);
    const std::vector<std::string> reported = rails.reported(3);
    INFO(doctest::toString(reported));
    REQUIRE(!reported.empty());
    CHECK(reported.front().starts_with(
        "fail no-route-by-port: no route from " + own +
        " to default leaves by this port: no rule sends packets from " + own +
        " to table 104, which has one"));
    CHECK(rails.reported(4).empty());
}

TEST_CASE("doctor: a destination that begins in a rail's own network is looked for behind that") {
    Rails rails;
    rails.move(0, "10.0.0.1/31", "10.0.0.0");
    for (std::size_t i = 0; i < rails.names.size(); ++i)
        CHECK(rails.reported(i).empty());
    rails.forget_rules_of(0);
    const std::vector<std::string> reported = rails.reported(0);
    INFO(doctest::toString(reported));
    REQUIRE(!reported.empty());
    CHECK(reported.front().starts_with(
        "fail no-route-by-port: no route from 10.0.0.1 to 10.0.0.0/8"));
}

TEST_CASE("doctor: a default route is for what the rules that lead to its table are for") {
    Rails rails;
    for (std::size_t i = 0; i < rails.names.size(); ++i)
        rails.send_to(i, "0.0.0.0/0");
    for (Rule& rule : rails.rules())
        if (rule.from) rule.to = parse_prefix("10.0.0.0/8");
    for (std::size_t i = 0; i < rails.names.size(); ++i)
        CHECK(rails.reported(i).empty());
    rails.forget_rules_of(3);
    REQUIRE(!rails.reported(3).empty());
    CHECK(rails.reported(3).front().starts_with(
        "fail no-route-by-port: no route from 10.3.0.35 to "));
}

TEST_CASE("doctor: a rail that sends elsewhere is held to what its siblings reach") {
    Rails rails;
    rails.send_to(7, "10.4.0.0/14");
    REQUIRE(!rails.reported(7).empty());
    CHECK(rails.reported(7).front().starts_with(
        "fail no-route-by-port: no route from 10.7.0.35 to 10.0.0.0/8"));
}

TEST_CASE("doctor: ports of two fabrics are not held to each other's destinations") {
    Rails rails;
    const std::vector<std::size_t> storage = {6, 7};
    rails.move(6, "172.20.6.1/31", "172.20.6.0");
    rails.move(7, "172.20.7.1/31", "172.20.7.0");
    for (const std::size_t i : storage)
        rails.send_to(i, "172.20.0.0/16");
    for (std::size_t i = 0; i < rails.names.size(); ++i)
        CHECK(rails.reported(i).empty());

    // What one of a fabric reaches, each of it is meant to reach.
    rails.rail(6).routes->push_back(
        {.to = *parse_prefix("172.21.0.0/16"), .table = 107, .via = parse_ip("172.20.6.0")});
    REQUIRE(!rails.reported(7).empty());
    CHECK(rails.reported(7).front().starts_with(
        "fail no-route-by-port: no route from 172.20.7.1 to 172.21.0.0/16"));
    CHECK(rails.reported(0).empty());
    rails.rail(6).routes->pop_back();

    // Who has no route is held to all of them, but not to default routes of others.
    std::erase_if(*rails.rail(7).routes, [](const Route& route) { return route.via.has_value(); });
    REQUIRE(!rails.reported(7).empty());
    CHECK(rails.reported(7).front().starts_with(
        "fail no-route-by-port: no route from 172.20.7.1 to "));
    for (std::size_t i = 0; i < rails.names.size(); ++i)
        rails.send_to(i, "0.0.0.0/0");
    CHECK(rails.reported(7).empty());
}

}  // namespace destinations_test
