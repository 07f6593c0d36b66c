// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model/reading.hpp"
#include "core/plan/apply.hpp"

namespace core {

/// A desired value that is met but does not work, as the fact that proves it is missing: an address
/// without its GID.
struct Unready {
    Desired desired{};
    const Field* fact = nullptr;
    Finding finding;
};

[[nodiscard]] bool follows_from(const Field& fact, const Field& setting);
/// Whether any fact proves that the setting works.
[[nodiscard]] bool proves_anything(const Field& setting);
/// The objects with the facts that prove the desired values, to be read with the plan's.
Objects proofs_of(const DesiredState& desired_values);

/// What is desired and met but does not work. For a port without carrier only that is reported, not
/// every fact that depends on carrier. Facts that were not read give nothing; facts whose reading
/// the kernel refused give an unknown.
std::vector<Unready> unready(const DesiredState& desired_values, const State& now);
/// The findings of `unready` without duplicates. With `level` note all of them become notes.
std::vector<Finding> not_ready(const DesiredState& desired_values, const State& now,
                               Finding::Level level = Finding::Level::failure);

/// Whether the fact is known to follow from the desired value. `readings` must be of `state`.
[[nodiscard]] bool proven(const State& state, Readings& readings, const Desired& desired,
                          const Field& fact);

/// Collects findings in order, without duplicates.
class OnceEach {
public:
    void add(const Finding& finding);
    std::vector<Finding> findings{};

private:
    /// Positions of findings with the same port and text.
    std::map<std::string, std::vector<std::size_t>> places_{};
};

/// Whether none of the findings says that a port is not ready.
[[nodiscard]] bool tells_ready(const std::vector<Finding>& findings);
[[nodiscard]] bool is_of_readiness(const Finding& finding);

/// The ports whose links the steps of a run took down, as far as they were looked at.
struct DisturbedLinks {
    std::size_t steps = 0;         ///< how many of the plan's steps are in
    std::set<std::string> away{};  ///< not seen with carrier since
    std::map<std::string, std::uint32_t>
        back{};  ///< seen with carrier since, with the link's index
};

/// Before a step that takes a link down: waits up to `time` until the ports whose links earlier
/// steps took down have carrier again, so that not all rails of a host are down at once. Returns
/// the failure for a link that did not come back. A port without carrier in `foreseen`, the state
/// predicted before step `next`, is not waited for. `links` goes from one call of a run to the
/// next: a port that was seen with carrier is read again only where its link may have changed since
/// (Kernel::changed_links), so that a run reads each about once.
std::optional<Finding> await_link(Kernel& kernel, const Plan& plan, std::size_t next,
                                  const State& foreseen, std::chrono::milliseconds time,
                                  Recorder& recorder, DisturbedLinks& links);

/// Reads, before the first write, what readiness after the last one is compared with.
State read_readiness(Kernel& kernel, const DesiredState& desired_values, const Plan& plan);

/// What is not ready after the last write.
struct Readiness {
    std::vector<Finding> ours{};    ///< the run broke it, or should have brought it
    std::vector<Finding> others{};  ///< not ready before, and not for the run to bring
};

/// After the last step: waits until all ports are ready, at most as long as the waits allow.
/// `before` comes from read_readiness.
Readiness await_ready(Kernel& kernel, const DesiredState& desired_values, const Plan& plan,
                      const State& before, const Waits& waits, Recorder& recorder);

}  // namespace core
