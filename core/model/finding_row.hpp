// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace core {

struct Evidence;
struct Fault;
enum class Meter : std::uint8_t;
enum class Lives : std::uint8_t;

/// How bad a finding is. A plan with a failure or an unknown is not green. No row is `accepted`:
/// that is what becomes of a finding that somebody says is meant so.
enum class FindingLevel : std::uint8_t { note, accepted, unknown, failure };
std::string_view word(FindingLevel level);

/// What a check needs to know before it runs. If something is missing it is skipped, which is not a
/// pass.
struct Needs {
    /// Keys that must all be known, the one to blame first.
    std::span<const std::string_view> keys{};
    /// For a first key whose elements cannot all be listed: the elements to look at, of which at
    /// least one must be there.
    std::span<const std::string_view> named{};
    /// Settings of which at least one must be desired.
    std::span<const std::string_view> desired{};
    bool stated = false;  ///< skip where the first key is derived: checks of the intent cover that
    bool before = false;  ///< needs an earlier state
    /// Counters of which the port must have at least one, now and in the earlier reading
    /// (core/drivers/counters.hpp).
    std::span<const Meter> meters{};
    bool intent = false;
    bool switches = false;
    bool of_others = false;   ///< reads its keys on every port of the host
    bool of_senders = false;  ///< also reads its keys on all netdevs that send by the RDMA device
    /// Also reads its keys, which include addresses, on every port in the same IPv4 network as a
    /// port of the fabric.
    bool of_networks = false;
    std::span<const std::string_view> beside{};  ///< keys that are used where they are known
    /// Findings that make this check pointless: it is skipped where one of them was found on the
    /// port or on the host. They come before it in the catalogue.
    std::span<const std::string_view> sound{};
};

/// What a check looks at.
enum class CheckTarget : std::uint8_t {
    settings,  ///< a port's settings, as desired or as read
    port,      ///< a port of the fabric: for doctor only
    host,      ///< the host: for doctor only
};

/// What a finding does to traffic. Doctor lists what stops all traffic first.
enum class Weight : std::uint8_t {
    risk,  ///< nothing yet; listed behind every failure, unless it explains one
    harm,
    stop,
    gone,  ///< a port is not there at all: what else is found is read in that light
};

/// What is known of a finding as the cause of others.
struct Cause {
    /// Findings that follow from it on the same port, its bond or its members; from a finding
    /// about the host, on every port.
    std::span<const std::string_view> explains{};
    std::string_view ruled_out_by{};  ///< what would show that it is not the cause
    std::string_view test{};          ///< the cheapest conclusive test, as a command
    /// Objects with this ObjectRow::lives are missing on the port while this is found. Unmet
    /// desired values for them are then reported with this finding.
    std::optional<Lives> without{};
    Weight weight = Weight::harm;
};

/// One finding of the catalogue: what `explain` prints about it, and the check that finds it.
struct FindingRow {
    std::string_view id{};  ///< stable, for scripts: `pfc-with-rx-pause`
    /// The usual level; a finding about an optional desired value is a note.
    FindingLevel level = FindingLevel::failure;
    std::string_view why{};     ///< what it means and why it matters
    std::string_view remedy{};  ///< the usual fix; a finding may have a better one
    std::string_view manual{};  ///< where to read on: `rocectl(8), SAFETY`
    Needs needs{};
    CheckTarget examines = CheckTarget::settings;
    Cause cause{};
    /// The check; null where a command reports the finding itself.
    std::vector<Fault> (*run)(const Evidence&) = nullptr;
};

}  // namespace core
