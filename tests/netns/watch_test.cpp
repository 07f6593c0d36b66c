// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>

#include "tests/netns/sandbox.hpp"

namespace watch_test {

using namespace std::chrono_literals;

TEST_CASE("wait: what changes in scope ends it, what changes elsewhere does not") {
    const sandbox::Pair pair("t0");
    netlink::Live host = sandbox::live();
    const core::Scope scope = sandbox::scope("t0", {core::Object::link});
    CHECK(host.wait(scope, 0ms));  // nothing was watched so far
    while (host.wait(scope, 200ms)) {
    }

    sandbox::run("ip address add 10.1.0.1/24 dev peer0");
    CHECK_FALSE(host.wait(scope, 100ms));

    for (const std::string& change : std::vector<std::string>{
             "ip link set dev t0 mtu 4000", "ip address add 10.44.0.1/24 dev t0",
             "ip route add 10.45.0.0/16 via 10.44.0.9", "ip link set dev t0 down"}) {
        sandbox::run(change);
        CHECK_MESSAGE(host.wait(scope, 1000ms), change);
        while (host.wait(scope, 100ms)) {
        }
    }
}

TEST_CASE("wait: ends when its time is over") {
    netlink::Live host = sandbox::live();
    const core::Scope scope = sandbox::scope("t0", {core::Object::link});
    CHECK(host.wait(scope, 0ms));
    const auto start = std::chrono::steady_clock::now();
    CHECK_FALSE(host.wait(scope, 120ms));
    const auto spent = std::chrono::steady_clock::now() - start;
    CHECK(spent >= 120ms);
    CHECK(spent < 2s);
}

}  // namespace watch_test
