// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
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

}  // namespace core
