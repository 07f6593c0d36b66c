// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/model/driver.hpp"
#include "core/model/state.hpp"

namespace core {

/// One message of a change to a keyed table. The live host sends it, a state file plays it,
/// and `-o commands` spells it: one function decides how a change is made.
template <typename Entry>
struct Edit {
    enum class Kind : std::uint8_t { remove, add, replace };
    Kind kind = Kind::add;
    Entry entry;
    bool operator==(const Edit&) const = default;
};

/// How the driver gets from one APP table to the other (knobs: mlx5 replaces in place, bnxt and
/// ice need the old entry gone first, and ice must never lose its last DSCP entry on the way).
std::vector<Edit<AppEntry>> app_edits(const Driver& driver, const App& now, const App& then);
std::vector<Edit<AppEntry>> rewrite_edits(const Rewrite& now, const Rewrite& then);
/// What to write one after the other so that no lossless priority is ever in a buffer that is too
/// small: mlx5 checks a new mapping against the old sizes (mlx5e_port_manual_buffer_config). First
/// both sizes side by side, then the mapping, then the new sizes; at once where that is the same,
/// or there is no room for it. Nothing where nothing differs.
std::vector<Buffer> buffer_edits(const Buffer& now, const Buffer& then);
/// What to tell the port one after the other: while it forces a speed, what it offers cannot be
/// set, so another offer goes first.
std::vector<LinkModes> link_mode_edits(const Driver& driver, const LinkModes& now,
                                       const LinkModes& then);
std::vector<Edit<Address>> address_edits(const std::vector<Address>& now,
                                         const std::vector<Address>& then);
/// Of permanent neighbours alone.
std::vector<Edit<Neighbour>> neighbour_edits(const std::vector<Neighbour>& now,
                                             const std::vector<Neighbour>& then);
std::vector<Edit<Rule>> rule_edits(const std::vector<Rule>& now, const std::vector<Rule>& then);
/// Why a removal of the rule would not be sure to find it, and not another one.
std::optional<Refusal> removal_refused(const Port& host, const Rule& rule);
std::vector<Edit<Route>> route_edits(const std::vector<Route>& now, const std::vector<Route>& then);

}  // namespace core
