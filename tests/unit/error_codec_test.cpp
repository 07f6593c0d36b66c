// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/netlink.h>

#include <cerrno>
#include <limits>
#include <span>

#include "netlink/transport/socket.hpp"
#include "tests/unit/wire.hpp"

namespace error_codec_test {

namespace {

/// The last error of a capture: tools probe for features first, and those fail too.
netlink::KernelError error_of(const std::string& capture) {
    const wire::Message message = wire::messages(capture, NLMSG_ERROR).back();
    const auto error = netlink::error_in(message.header, message.payload);
    REQUIRE(error.has_value());
    return netlink::KernelError(*error);
}

}  // namespace

KERNELS_TEST_CASE("error: errno and the kernel's own words both arrive") {
    const netlink::KernelError error = error_of("link-too-large");
    CHECK(error.code == EINVAL);
    CHECK(error.what() == std::string("Invalid argument: mtu greater than device maximum"));
    CHECK(error_of("route-gateway").what() ==
          std::string("Network is unreachable: Nexthop has invalid gateway"));
}

KERNELS_TEST_CASE("error: without words of its own the kernel's errno speaks") {
    const netlink::KernelError error = error_of("dcb-unsupported");
    CHECK(error.code == EOPNOTSUPP);
    CHECK(error.what() == std::string("Operation not supported"));
    CHECK(error_of("link-permission").code == EPERM);
    CHECK(error_of("link-unknown").code == ENODEV);
    CHECK(error_of("rdma-exists").code == EEXIST);
}

TEST_CASE("error: a number that is no errno is an exchange that failed") {
    nlmsghdr header{};
    header.nlmsg_type = NLMSG_DONE;
    for (const std::int32_t code : {std::numeric_limits<std::int32_t>::min(), -4096, -4095, -1}) {
        const auto error = netlink::error_in(header, std::as_bytes(std::span(&code, 1)));
        REQUIRE(error.has_value());
        CHECK(error->code == (code < -4095 ? EIO : -code));
    }
}

TEST_CASE("error: a refusal keeps code and words") {
    CHECK(netlink::refusal(netlink::KernelError(EPERM)) ==
          core::Refusal{.code = EPERM, .text = "Operation not permitted"});
    CHECK(netlink::refusal(netlink::KernelError(0, "the device refused")) ==
          core::Refusal{.code = 0, .text = "the device refused"});
}

KERNELS_TEST_CASE("error: an acknowledgement is none, and so is the end of a dump") {
    for (const wire::Message& message : wire::messages("addresses", NLMSG_DONE))
        CHECK_FALSE(netlink::error_in(message.header, message.payload));
    const wire::Message ack = wire::messages("rdma-ports", NLMSG_ERROR).back();
    CHECK_FALSE(netlink::error_in(ack.header, ack.payload));
}

}  // namespace error_codec_test
