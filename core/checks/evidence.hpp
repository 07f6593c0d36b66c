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
#include "core/model/finding.hpp"
#include "core/model/intent.hpp"
#include "core/model/switch_settings.hpp"

namespace core {

/// What a check may look at. A null or empty member is not known; a check that needs it is skipped,
/// which is not a pass.
struct Evidence {
    const Driver* driver = nullptr;
    /// The port as read. Null: the check is run on the desired values alone.
    const Port* now = nullptr;
    const Port* before = nullptr;  ///< the same port at an earlier time
    double seconds = 0;            ///< between `before` and `now`; 0 where not known
    /// How often it lost carrier since `before` because it was set down.
    std::uint64_t set_down = 0;
    const State* state = nullptr;           ///< the host with all its ports
    const EffectiveIntent* roce = nullptr;  ///< what RoCE is meant to use on the port
    /// Where the port is a bond's member and the bond has the RDMA device: the bond; else null.
    const Port* bond = nullptr;
    /// The host's ports that RoCE goes by, of all of its fabrics; this one among them.
    std::span<const Port* const> fabric_ports{};
    const HostFabric* host_fabric = nullptr;  ///< that this port is of; null for the host
    const HostIndex* index = nullptr;  ///< what checks of one port need to know of the whole host
    std::span<const Desired> desired_values{};
    const Intent* intent = nullptr;  ///< the `roce` entry from which desired values are derived
    const SwitchSettings* switches =
        nullptr;  ///< the switch's settings, as the profile states them
    /// Fields that are desired, but whose value is not known yet.
    const std::set<const Field*>* open = nullptr;
    bool has_profile = false;                 ///< doctor was given a profile
    std::span<const MissingPorts> missing{};  ///< what the profile expects and is not there
};

/// A second way to fix a fault, for when it is not known which of two settings was meant.
struct OtherFix {
    std::string when{};  ///< RoCE is meant to have priority 4
    std::vector<Desired> fix{};
};

/// What a check found: settings that contradict each other, or one that cannot be meant.
struct Fault {
    std::string text{};
    std::string remedy{};  ///< more specific than the row's; empty: examine fills in the row's
    /// The desired value to blame, to cite its file and line; null without one.
    const Desired* at = nullptr;
    const FindingRow* row = nullptr;  ///< filled in by examine
    std::vector<Desired> fix{};       ///< values of settings that would fix it
    std::string command{};            ///< the command that fixes it, where no setting does
    bool slight = false;              ///< a warning only, whatever the row's level
    std::string when{};  ///< the condition under which `fix` is right, where there is `other`
    std::optional<OtherFix> other{};
    std::string in_chain{};  ///< how the path shows the link of the chain that is broken
    /// Values for the placeholders in the row's test, such as ADDRESS or PID. PORT is the port
    /// itself unless given here.
    std::map<std::string, std::string> names{};
};
using Faults = std::vector<Fault>;

/// Settings that checks read besides the keys of their row: the type of the RDMA link decides the
/// RDMA MTU, the PFC priorities tell which priority is RoCE's.
inline constexpr std::array<std::string_view, 2> kLookedForBeside = {"rdma.link", "pfc.priorities"};

/// Runs a check. Nothing where something that it needs is not known: that is no pass. Empty: no
/// fault.
std::optional<Faults> examine(const FindingRow& row, const Evidence& evidence);

/// The desired value of the element; null without one.
const Desired* find_desired(const Evidence& evidence, std::string_view key,
                            std::string_view element = "");

}  // namespace core
