// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>

#include "core/checks/lookup.hpp"
#include "tests/netns/sandbox.hpp"

namespace lookup_test {

using core::Object;

namespace {

/// A rail with a table of its own, and a port with the way to everything else.
struct Rails {
    sandbox::Pair rail{"t0"};
    sandbox::Pair other{"t1", "peer1"};
    Rails() {
        sandbox::run(
            "ip address add 10.0.0.1/24 dev t0; ip address add 10.1.0.1/24 dev t1;"
            "ip route add default via 10.1.0.254; ip route add 10.0.0.0/8 via 10.1.0.254 table 500;"
            "ip route add 10.0.0.0/8 via 10.0.0.254 table 101;"
            "ip rule add priority 200 from 10.0.0.1 table 101");
    }
    Rails(const Rails&) = delete;
    Rails& operator=(const Rails&) = delete;
    ~Rails() { static_cast<void>(!std::system("ip rule delete priority 200")); }
};

/// The port and the gateway by the kernel; empty where it has no route, or takes the destination
/// for on link.
std::string witness(const std::string& oif) {
    return sandbox::run(
        "ip route get 10.3.0.9 from 10.0.0.1" + (oif.empty() ? "" : " oif " + oif) +
        " 2>/dev/null | sed -n 's/.* via \\([^ ]*\\) dev \\([^ ]*\\) .*/\\2 \\1/p'; "
        "true");
}

std::optional<core::Lookup> lookup(const std::string& oif, const std::string& sender = "") {
    netlink::Live live = sandbox::live();
    const core::State state = live.read(
        {.ports = std::nullopt, .objects = {Object::link, Object::routes, Object::rules}});
    return core::route_lookup(state, {.to = *core::parse_ip("10.3.0.9"),
                                      .from = core::parse_ip("10.0.0.1"),
                                      .port = oif,
                                      .sender = sender});
}

std::string answer(const std::string& oif, std::string& doubt) {
    const auto found = lookup(oif);
    if (found && found->before && !ends_lookup(*found->before)) doubt = found->before->what;
    if (!found || found->port.empty()) return {};
    return found->port + ' ' + (found->route.via ? text(*found->route.via) : "") + '\n';
}

}  // namespace

TEST_CASE("lookup: the tables are asked as the kernel asks them, or it is said that nobody knows") {
    const Rails rails;
    struct Case {
        std::string rule;
        std::string doubt{};
    };
    const std::array cases = {Case{.rule = ""},
                              Case{.rule = "table 500"},
                              Case{.rule = "iif lo table 500"},
                              Case{.rule = "iif t1 table 500"},
                              Case{.rule = "oif t0 table 500"},
                              Case{.rule = "to 10.3.0.0/16 table 500"},
                              Case{.rule = "blackhole"},
                              Case{.rule = "from 10.0.0.0/24 prohibit"},
                              Case{.rule = "to 10.4.0.0/16 unreachable"},
                              Case{.rule = "not from 10.0.0.0/8 table 500"},
                              Case{.rule = "nop"},
                              Case{.rule = "not from 172.16.0.0/12 nop"},
                              Case{.rule = "goto 32766", .doubt = "goto"},
                              Case{.rule = "not from 172.16.0.0/12 table 500", .doubt = "not"},
                              Case{.rule = "ipproto tcp dport 9 table 500"},
                              Case{.rule = "uidrange 0-0 table 500", .doubt = "uidrange"}};
    for (const Case& each : cases) {
        INFO(each.rule);
        if (!each.rule.empty()) sandbox::run("ip rule add priority 100 " + each.rule);
        for (const std::string oif : {"", "t0"}) {
            INFO(oif);
            std::string doubt;
            const std::string said = answer(oif, doubt);
            CHECK(doubt == each.doubt);
            if (doubt.empty()) CHECK(said == witness(oif));
        }
        if (!each.rule.empty()) sandbox::run("ip rule delete priority 100");
    }
}

TEST_CASE(
    "lookup: routes of nexthop objects and of several next hops are found, as the kernel does") {
    const Rails rails;
    sandbox::run("ip route delete 10.0.0.0/8 table 101");
    sandbox::run("ip nexthop add id 7 via 10.0.0.254 dev t0");
    sandbox::run("ip nexthop add id 8 via 10.1.0.254 dev t1");
    sandbox::run("ip nexthop add id 9 group 7/8");
    const std::string both = "nexthop via 10.0.0.254 dev t0 nexthop via 10.1.0.254 dev t1";
    struct Case {
        std::string route;
        std::string by{};     ///< the port that is found for what t0 sends
        bool shared = false;  ///< has a next hop by each port
    };
    const std::array cases = {Case{"nhid 7", "t0"}, Case{"nhid 8", "t1"},
                              Case{"nhid 9", "t0", true}, Case{both, "t0", true},
                              Case{"tos 0x10 via 10.0.0.254", "t1"}};
    for (const Case& each : cases) {
        INFO(each.route);
        sandbox::run("ip route add 10.0.0.0/8 table 101 " + each.route);
        for (const std::string oif : {"t0", "t1", ""}) {
            INFO(oif);
            const auto found = lookup(oif, "t0");
            const std::string port = found ? found->port : "";
            const std::string kernel = witness(oif);
            INFO(kernel);
            if (each.shared && oif.empty())
                CHECK((kernel.starts_with("t0 ") || kernel.starts_with("t1 ")));
            else
                CHECK(kernel.substr(0, kernel.find(' ')) == port);
            if (oif.empty()) CHECK(port == each.by);
            if (each.shared) CHECK(lookup("", "t1")->port == "t1");
        }
        sandbox::run("ip route delete 10.0.0.0/8 table 101 " + each.route);
    }
    sandbox::run("ip nexthop flush");
}

}  // namespace lookup_test
