// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/checks/effective_intent.hpp"
#include "core/checks/host_index.hpp"
#include "core/model/desired.hpp"
#include "core/model/fabric.hpp"
#include "core/model/finding.hpp"
#include "core/model/intent.hpp"

namespace core {

/// What findings are looked for in. What is not there is not known, and agrees with everything.
struct Evidence {
    const Driver* driver = nullptr;
    const Port* now = nullptr;     ///< as it reads; null: as the desired values describe it
    const Port* before = nullptr;  ///< the same port at an earlier time
    double seconds = 0;            ///< between the two; 0 where that is not known
    std::uint64_t set_down = 0;    ///< losses of its carrier since, for that it was set down
    const State* state = nullptr;  ///< the host that the port is of
    const EffectiveIntent* roce = nullptr;  ///< what RoCE is meant to be on the port
    const Port* bond = nullptr;  ///< of the port, a member, that has RoCE for it; or null
    std::span<const Port* const> fabric_ports{};  ///< of the host, this one among them
    const HostIndex* index = nullptr;             ///< what is found in all of the host, by a port
    std::span<const Desired> desired_values{};
    const Intent* intent = nullptr;  ///< what some of the desired values are derived from
    const Fabric* fabric = nullptr;  ///< what the switches do
    const std::set<const Field*>* open = nullptr;  ///< desired, of a value not known yet
};

/// Another way to fix a fault, where it is not known which of two things was meant.
struct OtherFix {
    std::string when{};  ///< RoCE is meant to have priority 4
    std::vector<Desired> fix{};
};

/// What a row found: two things that cannot both be meant, or one that cannot be.
struct Fault {
    std::string text{};
    std::string remedy{};             ///< where it knows a better one than the row
    const Desired* at = nullptr;      ///< the one to blame; null where no desired value is
    const FindingRow* row = nullptr;  ///< set by examine
    std::vector<Desired> fix{};       ///< values of settings with which it would not be found
    std::string command{};            ///< what to type, where no setting fixes it
    bool slight = false;              ///< a warning, whatever the row is
    std::string when{};               ///< what the fix presumes, beside another one
    std::optional<OtherFix> other{};
    std::string in_chain{};  ///< what the chain shows for the link that it breaks
    /// What stands for words in capitals of the row's test: ADDRESS, PID. PORT is the port itself,
    /// where it is not here.
    std::map<std::string, std::string> names{};
};
using Faults = std::vector<Fault>;

/// Settings that checks read beside their own keys: the type of the RDMA link decides the RDMA MTU,
/// the PFC priorities which priority is RoCE's.
inline constexpr std::array<std::string_view, 2> kLookedForBeside = {"rdma.link", "pfc.priorities"};

/// What the row finds. Nothing where something that it needs is not known: that is no pass.
std::optional<Faults> examine(const FindingRow& row, const Evidence& evidence);

/// The desired value for the element; null where there is none.
const Desired* find_desired(const Evidence& evidence, std::string_view key,
                            std::string_view element = "");

}  // namespace core
