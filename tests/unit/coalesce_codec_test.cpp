// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/genetlink.h>

#include "netlink/ethtool/codecs.hpp"
#include "netlink/transport/socket.hpp"
#include "tests/unit/wire.hpp"

namespace coalesce_codec_test {

namespace {

core::Coalesce coalesce_in(const std::string& capture) {
    return netlink::decode_coalesce(wire::messages("6.1/" + capture).front().payload);
}

}  // namespace

KERNELS_TEST_CASE("coalesce: numbers that the driver chooses are not in force") {
    CHECK(
        coalesce_in("ethtool-coalesce") ==
        core::Coalesce{.rx = {.adaptive = true, .cqe = false, .idle_usecs = 8, .idle_frames = 128},
                       .tx = {.adaptive = false, .cqe = false, .usecs = 16, .frames = 32}});
}

KERNELS_TEST_CASE("coalesce: the numbers that mlx5 starts with when it no longer chooses") {
    CHECK(coalesce_in("ethtool-coalesce-static").rx ==
          core::Coalescing{.adaptive = false, .cqe = false, .usecs = 16, .frames = 32});
}

KERNELS_TEST_CASE("coalesce: what a driver does not have is not there") {
    const core::Coalesce coalesce = coalesce_in("ethtool-coalesce-ice");
    CHECK(coalesce.tx == core::Coalescing{.adaptive = false, .usecs = 16});
    CHECK_FALSE(coalesce.rx.cqe.has_value());
}

KERNELS_TEST_CASE("coalesce: a number out of range has the kernel's errno") {
    const wire::Message message =
        wire::messages("6.1/ethtool-coalesce-refused", NLMSG_ERROR).front();
    const auto error = netlink::error_in(message.header, message.payload);
    REQUIRE(error.has_value());
    CHECK(error->code == ERANGE);
}

}  // namespace coalesce_codec_test
