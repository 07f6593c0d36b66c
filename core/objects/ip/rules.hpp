// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/edit.hpp"
#include "core/model/ip.hpp"

namespace core {

struct Port;
struct Refusal;

/// A rule that looks a packet up in a routing table. Identity is the selectors and the priority.
struct Rule {
    bool v6 = false;
    std::optional<Prefix> from{};
    std::optional<Prefix> to{};
    std::string iif{};  ///< empty for any
    std::string oif{};
    std::uint32_t fwmark = 0;
    std::uint32_t fwmask = 0;  ///< 0: the mark is not looked at
    std::uint8_t tos = 0;      ///< 0 for any
    std::uint32_t priority = 32765;
    std::uint32_t table = 254;
    std::uint8_t protocol = 0;  ///< RTPROT_UNSPEC
    auto operator<=>(const Rule&) const = default;
};

/// A rule that `Rule` does not describe (another action, other selectors), with as much of it as a
/// rule has.
struct RuleBeyond {
    Rule rule;
    std::string what;
    bool operator==(const RuleBeyond&) const = default;
};

}  // namespace core

namespace core::rules {

std::vector<Edit<Rule>> edits(const std::vector<Rule>& now, const std::vector<Rule>& then);
/// Why a removal of the rule would not be sure to find it, and not another one.
std::optional<Refusal> removal_refused(const Port& host, const Rule& rule);

}  // namespace core::rules
