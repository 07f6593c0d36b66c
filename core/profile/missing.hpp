// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/desired.hpp"
#include "core/profile/match.hpp"
#include "core/profile/variables.hpp"

namespace core {

/// Ports that the match names one beside others, or that have variables and would match by name,
/// and are not there.
std::vector<std::string> missing_names(const Match& match, const State& inventory,
                                       const Variables& variables);

/// The PCI address that a name tells, as systemd.net-naming-scheme(7) makes it of the place:
/// 0000:5e:00.0 for enp94s0np0, 0002:01:00.1 for enP2p1s0f1np1. Nothing for other names.
std::optional<std::string> pci_in_name(std::string_view name);

/// The places on the bus of ports that are not there: of those that match in `earlier`, an
/// inventory that had all; else those that `match.pci` names; else those in the missing names.
std::vector<std::string> missing_places(const Match& match, const State& inventory,
                                        const Variables& variables,
                                        const std::optional<State>& earlier);

/// For each of the ports, in PCI order, its position among as many as expected: by `earlier`, by
/// the addresses in `match.pci`, or by the order in which the variables name ports. Nothing where
/// none of these names as many, or names all that are there in another order.
std::optional<std::vector<std::size_t>> indices_of(const std::vector<const Port*>& ports,
                                                   std::size_t expected, const Match& match,
                                                   const State& inventory,
                                                   const Variables& variables,
                                                   const std::optional<State>& earlier);

}  // namespace core
