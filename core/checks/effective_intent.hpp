// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/desired.hpp"
#include "core/model/object.hpp"
#include "core/model/state.hpp"

namespace core {

/// Where the priority of RoCE is known from, the weakest source first.
enum class IntentSource : std::uint8_t {
    guess,     ///< the settings do not tell: none names a priority, or as many name another
    settings,  ///< most of the settings name it
    ports,     ///< on some ports of the host PFC and the DSCP map agree on it
    profile,
};

/// What RoCE is meant to use on a port: as its desired values state it, else as the settings of
/// most ports of the host suggest, else the preset of `roce`. Checks compare settings with it.
struct EffectiveIntent {
    IntentSource by = IntentSource::guess;
    bool lossless = true;
    std::uint8_t priority = 3;
    std::uint8_t dscp = 26;
    bool ecn = true;  ///< whether RoCE packets are sent ECN-capable
    /// Of congestion notification packets, where the profile states it.
    std::optional<std::uint8_t> cnp_priority{};
};

/// The objects from which inferred_intent concludes. A caller reads all of them or none, since a
/// part of them misleads.
Objects intent_objects();

/// What RoCE is meant to use, inferred from the settings of the ports. Where PFC and the DSCP map
/// of a port disagree, the priority that more of the other settings support counts.
EffectiveIntent inferred_intent(std::span<const Port* const> ports);
/// `usual` with what the port's desired values state in place of it.
EffectiveIntent effective_intent(const EffectiveIntent& usual,
                                 std::span<const Desired> desired_values);

/// The priority of packets with this DSCP while the port trusts DSCP: by its entry, else by what
/// the driver does with an unlisted DSCP. Nothing where that is not known (IEEE 802.1Q D.2.9.3 and,
/// without an entry, what the driver's row says).
std::optional<unsigned> priority_of_dscp(const Port& port, unsigned dscp);
/// One bit a priority that the code point may have; none where it can be any.
unsigned possible_priorities(const Driver& driver, const Port& port, unsigned dscp);

/// Whether packets get their priority by DSCP; nothing where the port does not report its trust.
std::optional<bool> trusts_dscp(const Port& port);

/// A setting of a port that suggests which priority RoCE uses.
struct PriorityHint {
    std::string_view name{};  ///< PFC, the DSCP map, ETS, the other end's PFC
    std::uint8_t priority = 0;
};

/// The hints of a port, PFC first; `dscp` is RoCE's, looked up in the DSCP map. A setting that
/// names no priority or several gives no hint.
std::vector<PriorityHint> priority_hints(const Port& port, std::optional<unsigned> dscp);

}  // namespace core
