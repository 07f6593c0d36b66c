// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/dcbnl.h>

#include "dcb/codecs.hpp"
#include "netlink/transport/message.hpp"

namespace app_codec_test {

namespace {

/// Laid out as net/dcb/dcbnl.c of Linux 6.12 does: selectors in order, PCP under type 2, and what
/// no kernel sends. A kernel's own bytes are [dcb-tables] of tests/wire/6.12.captures.
netlink::Message with_trust() {
    netlink::Message message(0);
    message.nest(DCB_ATTR_IEEE_APP_TABLE, [&] {
        message.put(1, dcb_app{.selector = 5, .priority = 3, .protocol = 26});
        message.put(2, dcb_app{.selector = 255, .priority = 2, .protocol = 2});
        message.put(7, dcb_app{.selector = 5, .priority = 7, .protocol = 63});
    });
    message.nest(11, [&] {
        message.put(1, std::uint8_t{5});
        message.put(2, std::uint8_t{255});
    });
    return message;
}

netlink::Bytes payload_of(netlink::Message& message) {
    const nlmsghdr* header = nlmsg_hdr(message.raw());
    return {static_cast<const std::byte*>(nlmsg_data(header)),
            static_cast<std::size_t>(nlmsg_datalen(header))};
}

}  // namespace

TEST_CASE("app: entries of both kinds, the trust table in order, unknown attributes passed over") {
    netlink::Message message = with_trust();
    core::App app;
    app.entries = {{core::AppEntry::dscp, 26, 3}, {core::AppEntry::pcp, 2, 2}};
    app.trust = {core::AppEntry::dscp, core::AppEntry::pcp};
    CHECK(dcb::decode_app(netlink::Attributes(payload_of(message))) == app);
}

TEST_CASE("app: no table in the answer is no table, and an empty one is empty") {
    CHECK_FALSE(dcb::decode_app(netlink::Attributes()).has_value());
    netlink::Message message(0);
    message.nest(DCB_ATTR_IEEE_APP_TABLE, [] {});
    CHECK(dcb::decode_app(netlink::Attributes(payload_of(message))) == core::App{});
}

}  // namespace app_codec_test
