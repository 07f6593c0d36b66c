// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "netlink/transport/machine.hpp"

namespace netlink {

/// An RTM_NEWRULE message.
struct RuleAnswer {
    core::Rule rule;
    std::string beyond{};  ///< what else it selects or does, in the words of ip-rule(8)
    bool operator==(const RuleAnswer&) const = default;
};

/// The rule that the message describes; nothing for what is no rule of IPv4 or IPv6 unicast.
std::optional<RuleAnswer> decode_rule(Bytes payload);

/// Reads the IPv4 and IPv6 rules in one dump. Fills `rules` and `rules_beyond` of the host.
void read_rules(Machine& machine, core::Port& whole);

void write_rules(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink
