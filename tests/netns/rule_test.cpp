// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>

#include "core/objects/ip/records.hpp"
#include "core/plan/apply.hpp"
#include "tests/netns/sandbox.hpp"

namespace rule_test {

using core::Object;
using core::Record;

namespace {

const std::string kHost(core::kHost);

/// Takes away what a test added.
struct Rules {
    Rules() = default;
    Rules(const Rules&) = delete;
    Rules& operator=(const Rules&) = delete;
    ~Rules() {
        for (const char* family : {"-4", "-6"})
            static_cast<void>(
                !std::system((std::string("ip ") + family +
                              " rule show | awk '{sub(\":\", \"\", $1)} $1 + 0 > 0 && "
                              "$1 + 0 < 32766 {print $1}' | xargs -r -n1 ip " +
                              family + " rule delete priority")
                                 .c_str()));
    }
};

nlohmann::json witness(const std::string& priority, const std::string& family = "-4") {
    return sandbox::ip("-d " + family + " rule show priority " + priority);
}

std::string element_of(const Record& rule) {
    return core::identity(core::rule_of(rule));
}

std::optional<core::Refusal> add(const Record& rule) {
    return sandbox::write_item(kHost, "rules", rule);
}

std::optional<core::Refusal> drop(const Record& rule) {
    return sandbox::write(kHost, "rules", std::nullopt, element_of(rule));
}

core::Port read() {
    return sandbox::read(kHost, {Object::rules});
}

core::DesiredState desired_values(const std::vector<Record>& rules, bool exact) {
    core::DesiredState out{.ports = {kHost}};
    for (const Record& rule : rules)
        out.desired_values.push_back({.port = kHost,
                                      .field = core::find_field("rules"),
                                      .element = element_of(rule),
                                      .value = rule});
    if (exact) out.exact.push_back({.port = kHost, .field = core::find_field("rules")});
    return out;
}

}  // namespace

TEST_CASE("rules: every part arrives in the kernel") {
    const Rules rules;
    const sandbox::Pair pair("t0");
    const Record rule = {{"from", "10.1.0.0/31"},
                         {"to", "10.0.0.0/8"},
                         {"iif", "t0"},
                         {"oif", "peer0"},
                         {"fwmark", std::uint64_t{3}},
                         {"fwmask", std::uint64_t{15}},
                         {"tos", std::uint64_t{16}},
                         {"priority", std::uint64_t{900}},
                         {"table", "1003"},
                         {"protocol", "static"}};
    CHECK_FALSE(add(rule));
    REQUIRE(witness("900").size() == 1);
    const nlohmann::json seen = witness("900").at(0);
    CHECK(seen.at("src") == "10.1.0.0");
    CHECK(seen.at("srclen") == 31);
    CHECK(seen.at("dst") == "10.0.0.0");
    CHECK(seen.at("iif") == "t0");
    CHECK(seen.at("oif") == "peer0");
    CHECK(seen.at("fwmark") == "0x3");
    CHECK(seen.at("fwmask") == "0xf");
    CHECK(seen.at("tos") == "0x10");
    CHECK(seen.at("table") == "1003");
    CHECK(seen.at("protocol") == "static");
    CHECK_FALSE(drop(rule));
    CHECK(witness("900").empty());
}

TEST_CASE("rules: an address alone, IPv6, and the priority where none is stated") {
    const Rules rules;
    CHECK_FALSE(add({{"from", "10.1.0.1"}, {"table", "101"}}));
    CHECK(witness("32765").at(0).at("src") == "10.1.0.1");
    CHECK_FALSE(add({{"from", "fd00::1"}, {"table", "101"}}));
    CHECK(witness("32765", "-6").at(0).at("src") == "fd00::1");
    CHECK_FALSE(drop({{"from", "fd00::1"}, {"table", "101"}}));
    CHECK(witness("32765", "-6").empty());
    CHECK(witness("32765").size() == 1);
    CHECK_FALSE(add({{"family", "ipv6"}, {"fwmark", std::uint64_t{5}}, {"table", "102"}}));
    CHECK(witness("32765", "-6").at(0).at("fwmark") == "0x5");
}

TEST_CASE("rules: the priority that ip chooses on a clean host is the one that is not stated") {
    const Rules rules;
    sandbox::run("ip rule add from 10.1.0.1 table 101");
    const core::DesiredState same =
        desired_values({{{"from", "10.1.0.1"}, {"table", "101"}}}, false);
    netlink::Live host = sandbox::live();
    CHECK(
        core::satisfied(core::make_plan(same, host.read(sandbox::scope(kHost, {Object::rules})))));
}

TEST_CASE("rules: a rule that leads elsewhere is replaced") {
    const Rules rules;
    CHECK_FALSE(add({{"from", "10.1.0.1"}, {"priority", std::uint64_t{1000}}, {"table", "101"}}));
    CHECK_FALSE(add({{"from", "10.1.0.1"}, {"priority", std::uint64_t{1000}}, {"table", "102"}}));
    REQUIRE(witness("1000").size() == 1);
    CHECK(witness("1000").at(0).at("table") == "102");
}

TEST_CASE("rules: exact leaves the kernel's own and what it cannot describe, and undo restores") {
    const Rules rules;
    sandbox::run("ip rule add from 10.9.0.0/16 table 9 priority 99 protocol dhcp");
    sandbox::run("ip rule add not from 10.9.0.0/16 table 9 priority 98");
    netlink::Live host = sandbox::live();
    const core::Scope scope = sandbox::scope(kHost, {Object::rules});
    const core::State before = host.read(scope);
    const core::DesiredState all = desired_values(
        {{{"from", "10.1.0.0/31"}, {"priority", std::uint64_t{1000}}, {"table", "101"}}}, true);
    const core::Plan plan = core::make_plan(all, before);
    CHECK(core::apply(host, all, plan).status == core::Status::done);
    CHECK(witness("99").empty());
    CHECK(witness("98").size() == 1);
    CHECK(witness("1000").size() == 1);
    CHECK(sandbox::ip("rule show").size() == 5);
    CHECK(core::apply(host, core::undo_profile(plan),
                      core::make_plan(core::undo_profile(plan), host.read(scope)))
              .status == core::Status::done);
    CHECK(core::compare(before, host.read(scope)).empty());
    CHECK(witness("99").at(0).at("protocol") == "dhcp");
}

TEST_CASE("rules: one that the kernel would take for another is not removed") {
    const Rules rules;
    sandbox::run("ip rule add from 10.1.0.1 fwmark 7 table 101 priority 1000");
    sandbox::run("ip rule add from 10.1.0.1 table 101 priority 1000");
    const auto no =
        drop({{"from", "10.1.0.1"}, {"priority", std::uint64_t{1000}}, {"table", "101"}});
    REQUIRE(no.has_value());
    CHECK(no->text.find("fwmark 0x7/0xffffffff") != std::string::npos);
    CHECK(witness("1000").size() == 2);
    CHECK_FALSE(drop({{"from", "10.1.0.1"},
                      {"fwmark", std::uint64_t{7}},
                      {"priority", std::uint64_t{1000}},
                      {"table", "101"}}));
    REQUIRE(witness("1000").size() == 1);
    CHECK_FALSE(witness("1000").at(0).contains("fwmark"));
}

TEST_CASE("rules: a second one of the same selectors and priority is kept, and named") {
    const Rules rules;
    sandbox::run("ip rule add from 10.1.0.1 table 101 priority 1000");
    sandbox::run("ip rule add from 10.1.0.1 table 102 priority 1000");
    REQUIRE(read().rules_beyond.size() == 1);
    CHECK(read().rules_beyond[0].what == core::kSecondRule);
    CHECK_FALSE(add({{"from", "10.1.0.9"}, {"priority", std::uint64_t{1000}}, {"table", "109"}}));
    CHECK(witness("1000").size() == 3);
}

TEST_CASE("rules: the kernel's no about ECN bits") {
    const Rules rules;
    const auto no = add({{"from", "10.1.0.1"}, {"tos", std::uint64_t{106}}, {"table", "101"}});
    REQUIRE(no.has_value());
    CHECK(no->code == EINVAL);
}

}  // namespace rule_test
