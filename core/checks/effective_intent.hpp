// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/model/desired.hpp"
#include "core/model/object.hpp"
#include "core/model/state.hpp"

namespace core {

/// Who says which priority RoCE is meant to have.
enum class IntentSource : std::uint8_t {
    guess,     ///< the settings contradict each other, as many say this as another, or none does
    settings,  ///< more of the settings say this one than another
    ports,     ///< ports of the host on which PFC and the DSCP map agree
    profile,
};

/// What RoCE is meant to be on a port: as its desired values say, else as most ports of the host
/// have it, else as the preset of `roce` is.
struct EffectiveIntent {
    IntentSource by = IntentSource::guess;
    bool lossless = true;
    std::uint8_t priority = 3;
    std::uint8_t dscp = 26;
    bool ecn = true;                             ///< packets say that they can be marked
    std::optional<std::uint8_t> cnp_priority{};  ///< of notifications of congestion, where stated
};

/// All that says which priority RoCE is meant to have: read in part, it misleads.
Objects intent_objects();

/// What RoCE is meant to be by the settings of most of the ports. Where PFC and the DSCP map of a
/// port contradict each other, the one counts that more of the other settings agree with.
EffectiveIntent inferred_intent(std::span<const Port* const> ports);
/// What RoCE is meant to be on a port with these desired values; `usual` counts where they do not
/// say.
EffectiveIntent effective_intent(const EffectiveIntent& usual,
                                 std::span<const Desired> desired_values);

/// The priority of packets with the DSCP, while the port trusts it; nothing where that is not known
/// (IEEE 802.1Q D.2.9.3 and, without an entry, what the driver's row says).
std::optional<unsigned> priority_of_dscp(const Port& port, unsigned dscp);

/// Whether packets get their priority by DSCP; nothing where the port does not tell.
std::optional<bool> trusts_dscp(const Port& port);

}  // namespace core
