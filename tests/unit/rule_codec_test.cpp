// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>

#include <cstring>

#include "core/objects/ip/records.hpp"
#include "netlink/ip/codecs.hpp"
#include "tests/unit/wire.hpp"

namespace rule_codec_test {

using core::Rule;
using netlink::decode_rule;
using netlink::RuleAnswer;

namespace {

std::vector<RuleAnswer> rules_at(const std::string& capture, std::uint32_t priority) {
    auto all = wire::decoded(capture, RTM_NEWRULE, decode_rule);
    std::erase_if(all, [&](const RuleAnswer& answer) { return answer.rule.priority != priority; });
    return all;
}

Rule only(const std::string& capture, std::uint32_t priority) {
    const auto found = rules_at(capture, priority);
    REQUIRE(found.size() == 1);
    CHECK(found[0].beyond.empty());
    return found[0].rule;
}

std::string beyond(std::uint32_t priority) {
    const auto found = rules_at("rules-4", priority);
    REQUIRE(found.size() == 1);
    return found[0].beyond;
}

}  // namespace

KERNELS_TEST_CASE("rules: a source network and a table") {
    const auto found = rules_at("rules-4", 1000);
    REQUIRE(found.size() == 2);
    const Rule first{.from = core::parse_prefix("10.1.0.0/31"), .priority = 1000, .table = 101};
    CHECK(found[0] == RuleAnswer{.rule = first});
    CHECK(found[1].rule.table == 102);
}

KERNELS_TEST_CASE("rules: every selector, a table above 255, and who made it") {
    CHECK(only("rules-4", 900) == Rule{.to = core::parse_prefix("10.0.0.0/8"),
                                       .iif = "sim0",
                                       .oif = "sim1",
                                       .fwmark = 3,
                                       .fwmask = 0xf,
                                       .tos = 0x10,
                                       .priority = 900,
                                       .table = 1003,
                                       .protocol = RTPROT_STATIC});
    CHECK(only("rules-4", 901) == Rule{.fwmark = 7, .fwmask = 0xffffffff, .priority = 901});
}

KERNELS_TEST_CASE("rules: an IPv6 address is the network of itself") {
    CHECK(only("rules-6", 1000) ==
          Rule{.v6 = true, .from = core::parse_network("fd00::1"), .priority = 1000, .table = 101});
}

KERNELS_TEST_CASE("rules: the kernel's own") {
    for (const auto& [priority, table] : {std::pair{0U, 255U}, {32766U, 254U}, {32767U, 253U}}) {
        const Rule rule = only("rules-4", priority);
        CHECK(rule.table == table);
        CHECK(core::made_by_kernel(rule));
    }
}

TEST_CASE("rules: what else one selects or does is named") {
    CHECK(beyond(1001) == "host bits");
    CHECK(beyond(1002) == "not");
    CHECK(beyond(1003) == "unreachable");
    CHECK(beyond(1004) == "dport, ipproto");
    CHECK(beyond(1005) == "suppress_prefixlength");
}

KERNELS_TEST_CASE("rules: a network of no bits selects nothing, whatever its address says") {
    for (const wire::Message& message : wire::messages("rules-4", RTM_NEWRULE)) {
        std::vector<std::byte> bytes(message.payload.begin(), message.payload.end());
        fib_rule_hdr header{};
        std::memcpy(&header, bytes.data(), sizeof(header));
        header.src_len = header.dst_len = 0;
        std::memcpy(bytes.data(), &header, sizeof(header));
        const auto answer = decode_rule(bytes);
        REQUIRE(answer.has_value());
        CHECK_FALSE(answer->rule.from.has_value());
        CHECK_FALSE(answer->rule.to.has_value());
    }
}

}  // namespace rule_codec_test
