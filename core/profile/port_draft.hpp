// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/desired.hpp"
#include "core/profile/intent.hpp"

namespace core {

/// What one port will be stated to hold.
struct PortDraft {
    const Port* port = nullptr;
    std::optional<Intent> intent{};
    std::vector<Desired> stated{};      ///< what does not follow from the intent
    std::vector<PortDraft> children{};  ///< VLANs on it
};

/// What a profile can state of the ports without contradicting itself; the rest is said in
/// `left_out`. The drafts point to the state.
std::vector<PortDraft> port_drafts(const State& state, const std::vector<const Port*>& ports,
                                   const Port& host, std::vector<std::string>& left_out);

}  // namespace core
