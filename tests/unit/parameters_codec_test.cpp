// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>

#include "netlink/rdma/codecs.hpp"
#include "tests/unit/wire.hpp"

namespace parameters_codec_test {

namespace {

core::Parameters parameters_in(netlink::Bytes payload) {
    core::Parameters out;
    netlink::decode_parameter(payload, out);
    return out;
}

/// What a driver of the size of a NIC's answers of a parameter that is stored and in force; the
/// lab's NIC has no such one.
template <typename Put>
core::Parameters both(std::uint8_t type, const Put& put) {
    netlink::Message message(0);
    message.put_header(genlmsghdr{});
    message.nest(DEVLINK_ATTR_PARAM, [&] {
        message.put_text(DEVLINK_ATTR_PARAM_NAME, "one");
        message.put(DEVLINK_ATTR_PARAM_TYPE, type);
        message.nest(DEVLINK_ATTR_PARAM_VALUES_LIST, [&] {
            for (const std::uint8_t mode :
                 {DEVLINK_PARAM_CMODE_RUNTIME, DEVLINK_PARAM_CMODE_PERMANENT})
                message.nest(DEVLINK_ATTR_PARAM_VALUE, [&] {
                    message.put(DEVLINK_ATTR_PARAM_VALUE_CMODE, mode);
                    put(message, mode);
                });
        });
    });
    const nlmsghdr* header = nlmsg_hdr(message.raw());
    return parameters_in({static_cast<const std::byte*>(nlmsg_data(header)),
                          static_cast<std::size_t>(nlmsg_datalen(header))});
}

}  // namespace

KERNELS_TEST_CASE("parameters: what devlink tells, in its words") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        const auto of = [&kernel](const std::string& capture) {
            return parameters_in(wire::messages(kernel + capture).front().payload);
        };
        CHECK(of("devlink-param") == core::Parameters{.driver = {{"enable_roce", "true"}}});
        CHECK(of("devlink-param-off") == core::Parameters{.driver = {{"enable_roce", "false"}}});
    }
}

TEST_CASE("parameters: what the NIC stores stands apart from what is in force") {
    constexpr std::uint8_t number = 3;  // NLA_U32
    constexpr std::uint8_t text = 5;    // NLA_STRING
    CHECK(both(number, [](netlink::Message& message, std::uint8_t mode) {
              message.put(DEVLINK_ATTR_PARAM_VALUE_DATA, std::uint32_t{mode} * 8);
          }) == core::Parameters{.stored = {{"one", "16"}}, .driver = {{"one", "0"}}});
    CHECK(both(text, [](netlink::Message& message, std::uint8_t mode) {
              message.put_text(DEVLINK_ATTR_PARAM_VALUE_DATA, mode == 0 ? "smfs" : "dmfs");
          }) == core::Parameters{.stored = {{"one", "dmfs"}}, .driver = {{"one", "smfs"}}});
}

}  // namespace parameters_codec_test
