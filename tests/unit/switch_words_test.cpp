// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "core/profile/switch_words.hpp"

namespace switch_words_test {

using namespace core;

namespace {

SwitchNeeds by_dscp() {
    return {.priority = 3,
            .dscp = 26,
            .cnp_priority = 6,
            .cnp_dscp = 48,
            .share = 50,
            .marks = true,
            .mtu = 9000};
}

bool says(const SwitchWords& words, std::string_view part) {
    return std::ranges::any_of(
        words.lines, [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

std::string value(const SwitchNeeds& needs, std::string_view what) {
    for (const SwitchNeed& need : needs_of(needs))
        if (need.what == what) return need.value;
    return "";
}

}  // namespace

TEST_CASE("switch words: an intent is said of every switch, with all of its numbers") {
    Intent intent;
    intent.priority.value = 4;
    intent.dscp.value = 34;
    intent.cnp = Intent::Cnp{};
    intent.cnp->priority.value = 7;
    intent.cnp->dscp.value = 56;
    intent.bandwidth.value = 70;
    intent.ecn.value = 1;
    const SwitchNeeds needs = switch_needs(intent, 4200);
    CHECK(value(needs, "trust") == "DSCP");
    CHECK(value(needs, "DSCP 34") == "priority 4");
    CHECK(value(needs, "DSCP 56") == "priority 7");
    CHECK(value(needs, "PFC").starts_with("priority 4 alone"));
    CHECK(value(needs, "bandwidth") == "at least 70 % for priority 4");
    CHECK(value(needs, "MTU").starts_with("frames of 4222 bytes"));
    const std::vector<SwitchWords> all = switch_words(needs);
    REQUIRE(all.size() == 4);
    for (const SwitchWords& words : all) {
        INFO(words.system);
        CHECK_FALSE(words.source.empty());
        for (const std::string_view number : {"34", "56", "70", "4", "7"})
            CHECK(says(words, number));
        CHECK_FALSE(says(words, "26"));
        CHECK_FALSE(says(words, "48"));
    }
    CHECK(says(all[0], "\"pfc_enable\": \"4\""));
    CHECK(says(all[1], "nv set qos pfc default-global switch-priority 4"));
    CHECK(says(all[2], "priority-flow-control priority 4 no-drop"));
    CHECK(says(all[3], "pause pfc-cos 4"));
}

TEST_CASE("switch words: what is not desired is not asked of a switch") {
    const SwitchNeeds needs = by_dscp();
    // No notifications of their own, no ECN, no MTU.
    const SwitchNeeds bare = {.priority = 3,
                              .dscp = 26,
                              .cnp_priority = std::nullopt,
                              .cnp_dscp = std::nullopt,
                              .share = 50,
                              .marks = false,
                              .mtu = std::nullopt};
    for (std::size_t i = 0; i < 4; ++i) {
        const SwitchWords full = switch_words(needs)[i];
        const SwitchWords less = switch_words(bare)[i];
        INFO(full.system);
        CHECK((says(full, "48") && !says(less, "48")));
        CHECK(less.lines.size() < full.lines.size());
        for (const std::string_view word : {"ecn", "mtu", "strict", "STRICT", "priority level"})
            CHECK_FALSE(says(less, word));
    }
    CHECK(value(bare, "ECN").empty());
    CHECK(value(bare, "MTU").empty());
    // With the VLAN tag trusted, no code point is named.
    SwitchNeeds tag = needs;
    tag.dscp = tag.cnp_dscp = std::nullopt;
    CHECK(value(tag, "trust").starts_with("PCP"));
    for (const SwitchWords& words : switch_words(tag)) {
        INFO(words.system);
        CHECK_FALSE((says(words, "dscp ") || says(words, "DSCP_TO") || says(words, "26")));
    }
    // Larger than any of the four takes: it is said, and no command pretends to set it.
    SwitchNeeds giant = needs;
    giant.mtu = 9500;
    CHECK(value(giant, "MTU").starts_with("frames of 9522 bytes"));
    for (const SwitchWords& words : switch_words(giant))
        CHECK_FALSE(says(words, "mtu"));
}

}  // namespace switch_words_test
