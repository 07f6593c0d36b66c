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

/// How bad a finding is: with a failure or an unknown among its findings no plan is green.
enum class FindingLevel : std::uint8_t { note, unknown, failure };
std::string_view word(FindingLevel level);

/// What must be known before a finding is looked for: what is unknown is never a pass.
struct Needs {
    /// Keys of the state that all have to be known, the one to blame first.
    std::span<const std::string_view> keys{};
    /// The elements of the first key that are looked at, where nobody can list all elements; one of
    /// these has to be there.
    std::span<const std::string_view> named{};
    std::span<const std::string_view> desired{};  ///< settings of which one has to be desired
    bool stated = false;  ///< a first key that is derived is left to the rows about the intent
    bool before = false;  ///< an earlier state
    /// Counters of which the port has to have at least one, in this and in the earlier reading
    /// (core/drivers/counters.hpp).
    std::span<const Meter> meters{};
    bool intent = false;
    bool fabric = false;
    bool of_others = false;    ///< its keys are looked at on every port of the host
    bool of_senders = false;   ///< its keys are looked at on all that sends by the RDMA device too
    bool of_networks = false;  ///< its keys, addresses among them, are looked at on each port that
                               ///< is in one IPv4 network with one of the fabric
    std::span<const std::string_view> beside{};  ///< keys that are looked at where they are known
    /// Findings that leave nothing to look for here: where one of them was found on the same port
    /// or on the host, the row is skipped. They stand before it in the catalogue.
    std::span<const std::string_view> sound{};
};

/// What a row of the catalogue looks at.
enum class Examines : std::uint8_t {
    settings,  ///< the settings of a port, as they are desired or as they read
    port,      ///< a port of the fabric as it is: for doctor alone
    host,      ///< the host as it is: for doctor alone
};

/// What a finding does to traffic: what stops all of it is looked at first.
enum class Weight : std::uint8_t {
    risk,  ///< nothing yet; behind every failure, unless it explains one
    harm,
    stop,
};

/// What is known of a finding as the cause of other findings.
struct Cause {
    std::span<const std::string_view> explains{};  ///< findings that follow from it, on the same
                                                   ///< port, its bond or its members, or of the
                                                   ///< host's on every port
    std::string_view ruled_out_by{};               ///< what would show that it is not the cause
    std::string_view test{};                       ///< the cheapest test that tells, as a command
    /// Objects that live there (ObjectRow::lives) are missing on the port as long as this is found,
    /// so that desired values for them that are not met are reported together with this finding.
    std::optional<Lives> without{};
    Weight weight = Weight::harm;
};

/// One thing that a command can find, as the catalogue has it: what `explain` prints.
struct FindingRow {
    std::string_view id{};                       ///< stable, for scripts: `pfc-with-rx-pause`
    FindingLevel level = FindingLevel::failure;  ///< where the one who finds it has no reason for
                                                 ///< another: an optional desired value makes notes
    std::string_view why{};                      ///< what it means, and why that matters
    std::string_view remedy{};                   ///< what fixes it; a finding can know better
    std::string_view manual{};                   ///< where to read on: `rocectl(8), SAFETY`
    Needs needs{};
    Examines examines = Examines::settings;
    Cause cause{};
    /// What is wrong; null where only the command that meets it can tell.
    std::vector<Fault> (*run)(const Evidence&) = nullptr;
};

}  // namespace core
