// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cerrno>

#include "tests/netns/sandbox.hpp"

namespace features_test {

using core::Object;

namespace {

/// "on", "off [fixed]", ... as `ethtool -k` shows it.
std::string shown(const std::string& name) {
    return sandbox::run("ethtool -k t0 | sed -n 's/^[[:space:]]*" + name + ": //p' | tr -d '\\n'");
}

core::Features read() {
    core::Port port = sandbox::read("t0", {Object::features});
    REQUIRE(port.features.has_value());
    return *port.features;
}

}  // namespace

TEST_CASE("features: each is what ethtool shows, and what ethtool calls fixed is") {
    const sandbox::Pair pair("t0");
    const core::Features features = read();
    CHECK(features.active.size() > 40);
    for (const char* name : {"rx-gro", "rx-lro", "tx-checksum-ipv4", "tx-tcp-segmentation",
                             "tx-checksum-ip-generic", "highdma", "tx-scatter-gather"}) {
        INFO(name);
        const std::string word = features.active.at(name) ? "on" : "off";
        // ethtool has names of its own for some.
        const std::string known = shown(name);
        if (!known.empty())
            CHECK(known == word + (features.fixed.contains(name) ? " [fixed]" : ""));
    }
    CHECK(features.requested.empty());
}

TEST_CASE("features: what is written is what ethtool shows, and what depends on it follows") {
    const sandbox::Pair pair("t0");
    const core::Features before = read();
    CHECK_FALSE(sandbox::write("t0", "features", false, "tx-scatter-gather"));
    CHECK(shown("tx-scatter-gather") == "off");
    CHECK(shown("tx-tcp-segmentation") == "off [requested on]");
    CHECK(read().requested.at("tx-tcp-segmentation"));
    CHECK_FALSE(sandbox::write("t0", "features", true, "tx-scatter-gather"));
    CHECK(read() == before);
}

TEST_CASE("features: what the device does not do is refused, and no request of it stays") {
    const sandbox::Pair pair("t0");
    CHECK_FALSE(sandbox::write("t0", "features", false, "tx-tcp-segmentation"));
    CHECK_FALSE(sandbox::write("t0", "features", false, "tx-scatter-gather"));
    const core::Features before = read();
    const auto no = sandbox::write("t0", "features", true, "tx-tcp-segmentation");
    REQUIRE(no.has_value());
    CHECK(no->code == EOPNOTSUPP);
    CHECK(no->text == "Operation not supported: tx-tcp-segmentation stays off");
    CHECK(shown("tx-tcp-segmentation") == "off");
    CHECK(read() == before);
    const auto fixed = sandbox::write("t0", "features", true, "tx-checksum-ipv4");
    REQUIRE(fixed.has_value());
    CHECK(fixed->text == "Operation not supported: tx-checksum-ipv4 stays off");
    const auto unknown = sandbox::write("t0", "features", false, "tso");
    REQUIRE(unknown.has_value());
    CHECK(read() == before);
}

}  // namespace features_test
