// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cerrno>

#include "tests/netns/sandbox.hpp"

namespace queues_test {

using core::Object;

namespace {

/// The number that `ethtool -l` shows last for the kind of channel: what is set now.
std::string channels_now(const std::string& kind) {
    return sandbox::run("ethtool -l t0 | awk '/^" + kind + ":/ { n = $2 } END { printf n }'");
}

}  // namespace

TEST_CASE("channels: what is written is what ethtool shows, and the rest stays") {
    sandbox::run("ip link add t0 numrxqueues 4 numtxqueues 4 type veth peer name peer0");
    core::Port port = sandbox::read("t0", {Object::channels});
    REQUIRE(port.channels.has_value());
    CHECK(port.channels->rx_max == 4);
    CHECK(port.channels->tx_max == 4);
    CHECK_FALSE(port.channels->combined.has_value());

    CHECK_FALSE(sandbox::write("t0", "channels.rx", std::uint64_t{3}));
    CHECK(channels_now("RX") == "3");
    const std::string tx = channels_now("TX");
    CHECK_FALSE(sandbox::write("t0", "channels.rx", std::uint64_t{2}));
    port = sandbox::read("t0", {Object::channels});
    CHECK(port.channels->rx == 2U);
    CHECK(std::to_string(port.channels->tx.value_or(0)) == tx);

    const auto no = sandbox::write("t0", "channels.rx", std::uint64_t{5});
    REQUIRE(no.has_value());
    CHECK(no->code == EINVAL);
    CHECK(no->text == "Invalid argument: requested channel count exceeds maximum");
    CHECK(channels_now("RX") == "2");
    sandbox::run("ip link delete dev t0");
}

TEST_CASE("private flags, rings: a device without them says so") {
    const sandbox::Pair pair("t0");
    const core::Port port = sandbox::read("t0", {Object::private_flags, Object::ring});
    CHECK_FALSE(port.private_flags.has_value());
    CHECK_FALSE(port.ring.has_value());
    CHECK(port.refused.at(Object::private_flags).code == EOPNOTSUPP);
    CHECK(port.refused.at(Object::ring).code == EOPNOTSUPP);
}

}  // namespace queues_test
