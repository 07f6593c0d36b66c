// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/checks/lookup.hpp"
#include "core/model/desired.hpp"

namespace core {

/// The rule that is missing for source routing: from the address to the table, other than main, in
/// which the port has a route to the destination. Nothing where such a rule is there, or no such
/// table.
std::optional<Desired> missing_rule(const State& state, const Port& port, const Ip& from,
                                    const Ip& to);
/// `no rule sends packets from 10.0.0.1 to table 101`, for a rule of missing_rule.
std::string lacking(const Ip& from, const Value& rule);

/// Why the lookup did not use the port's own table: no rule leads to it, or another rule comes
/// first. Empty where neither is the reason.
std::string why_not_asked(const State& state, const Port& port, const Ip& from, const Ip& to,
                          const std::optional<Lookup>& found);

}  // namespace core
