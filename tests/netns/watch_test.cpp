// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

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

TEST_CASE("wait: neighbours are heard of where they are in scope, and not when they only age") {
    const sandbox::Pair pair("t0");
    sandbox::run("ip address add 10.46.0.1/24 dev t0");
    netlink::Live without = sandbox::live();
    netlink::Live with = sandbox::live();
    const core::Scope links = sandbox::scope("t0", {core::Object::link});
    const core::Scope neighbours =
        sandbox::scope("t0", {core::Object::link, core::Object::neighbours});
    CHECK(without.wait(links, 0ms));
    CHECK(with.wait(neighbours, 0ms));
    // Until the addresses of IPv6 are found to be nobody else's.
    while (without.wait(links, 2500ms) || with.wait(neighbours, 2500ms)) {
    }
    sandbox::run("ip neighbour add 10.46.0.7 lladdr 02:00:00:00:00:07 nud reachable dev t0");
    CHECK(with.wait(neighbours, 1000ms));
    sandbox::run("ip neighbour replace 10.46.0.7 lladdr 02:00:00:00:00:07 nud stale dev t0");
    CHECK_FALSE(with.wait(neighbours, 200ms));
    sandbox::run("ip neighbour del 10.46.0.7 dev t0");
    CHECK(with.wait(neighbours, 1000ms));
    CHECK_FALSE(without.wait(links, 200ms));
    CHECK_FALSE(with.lost());
}

TEST_CASE("wait: that a port was set down is heard, and nothing else is taken for it") {
    const sandbox::Pair pair("t0");
    sandbox::run("ip link set dev t0 up");
    netlink::Live host = sandbox::live();
    const core::Scope scope = sandbox::scope("t0", {core::Object::link});
    CHECK(host.wait(scope, 0ms));
    const auto set_down = [&] {
        while (host.wait(scope, 200ms)) {
        }
        const auto notifications = host.notifications();
        return std::ranges::count_if(notifications, [](const core::Notification& one) {
            return one.what == core::Notification::What::set_down && one.port == "t0";
        });
    };
    CHECK(set_down() == 0);
    sandbox::run("ip link set dev t0 down");
    CHECK(set_down() == 1);
    sandbox::run("ip link set dev t0 mtu 4000");
    sandbox::run("ip link set dev t0 up");
    CHECK(set_down() == 0);
    // The other end takes the carrier away, as a cable does.
    sandbox::run("ip link set dev peer0 down");
    CHECK(set_down() == 0);
    // Then there is none to lose, and nothing is taken off for it.
    sandbox::run("ip link set dev t0 down");
    CHECK(set_down() == 0);
}

TEST_CASE("wait: notifications that were lost are reported once, and then one hears again") {
    const sandbox::Pair pair("t0");
    netlink::Live host = sandbox::live();
    const core::Scope scope = sandbox::scope("t0", {core::Object::link});
    CHECK(host.wait(scope, 0ms));
    // More than the largest buffer that it asks for.
    const auto batch = std::filesystem::temp_directory_path() / "rocectl-watch-batch";
    std::ofstream lines(batch);
    for (int i = 0; i < 8000; ++i)
        lines << "link set dev t0 mtu " << 3000 + i % 2 << '\n';
    lines.close();
    sandbox::run("ip -batch " + batch.string());
    std::filesystem::remove(batch);
    CHECK(host.wait(scope, 1000ms));
    CHECK(host.lost());
    CHECK_FALSE(host.lost());
    while (host.wait(scope, 100ms)) {
    }
    sandbox::run("ip link set dev t0 mtu 4000");
    CHECK(host.wait(scope, 1000ms));
    CHECK_FALSE(host.lost());
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

TEST_CASE("wait: which links may have changed is told, also of one that is gone or renamed") {
    const sandbox::Pair pair("t0");
    netlink::Live host = sandbox::live();
    const core::Scope scope = sandbox::scope("t0", {core::Object::link});
    const std::uint32_t index = host.read(scope).ports.front().link->index;
    CHECK_FALSE(host.changed_links().has_value());  // nothing was listened to so far
    const auto tells = [&](const std::string& change) {
        std::this_thread::sleep_for(1200ms);  // link_watch tells of a carrier once a second
        static_cast<void>(host.changed_links());
        sandbox::run(change);
        for (int tries = 0; tries < 20; ++tries) {
            const auto changed = host.changed_links();
            REQUIRE(changed.has_value());
            if (changed->contains(index)) return true;
            std::this_thread::sleep_for(100ms);
        }
        return false;
    };
    CHECK_FALSE(tells("ip address add 10.49.0.1/24 dev t0"));
    CHECK(tells("ip link set dev peer0 down"));  // its carrier goes
    CHECK(tells("ip link set dev peer0 up"));
    CHECK(tells("ip link set dev t0 name t7"));
    CHECK(tells("ip link set dev t7 name t0"));
    CHECK(tells("ip link del dev t0"));
    sandbox::run("ip link add t0 type veth peer name peer0");
}

}  // namespace watch_test
