// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/checks/lookup.hpp"
#include "core/model/desired.hpp"

namespace core {

/// A rule from the address to the table besides main in which the port has a route to the
/// destination; nothing where there is such a rule, or no such table.
std::optional<Desired> missing_rule(const State& state, const Port& port, const Ip& from,
                                    const Ip& to);
/// `no rule sends packets from 10.0.0.1 to table 101`, of such a rule.
std::string lacking(const Ip& from, const Value& rule);

/// Why the port's own table is not asked: no rule leads there, or another one comes first. Empty
/// where that is not why.
std::string why_not_asked(const State& state, const Port& port, const Ip& from, const Ip& to,
                          const std::optional<Lookup>& found);

}  // namespace core
