// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/model/reading.hpp"
#include "core/plan/apply.hpp"

namespace core {

/// A desired value that a port holds, and a fact that should have followed from it and has not.
struct Unready {
    Desired desired{};
    const Field* fact = nullptr;
    Finding finding;
};

[[nodiscard]] bool follows_from(const Field& fact, const Field& setting);
/// Whether some fact follows from the setting.
[[nodiscard]] bool proves_anything(const Field& setting);
/// What proves that these desired values work: to be read beside what a plan reads.
Objects proofs_of(const DesiredState& desired_values);

/// What does not work of that which is desired and held: where a port has no carrier that alone,
/// and not what hangs on it. What is not known gives nothing.
std::vector<Unready> unready(const DesiredState& desired_values, const State& now);
/// The findings of `unready`, each once; where `level` is note, all of them are notes.
std::vector<Finding> not_ready(const DesiredState& desired_values, const State& now,
                               Finding::Level level = Finding::Level::failure);

/// Whether it is known that the fact followed from the desired value; `readings` are of the state.
[[nodiscard]] bool proven(const State& state, Readings& readings, const Desired& desired,
                          const Field& fact);

/// Findings in the order in which they were added, each once.
class OnceEach {
public:
    void add(const Finding& finding);
    std::vector<Finding> findings{};

private:
    std::map<std::string, std::vector<std::size_t>> places_{};  ///< of those with the same text
};

/// Whether none of the findings is that a port is not ready.
[[nodiscard]] bool tells_ready(const std::vector<Finding>& findings);
[[nodiscard]] bool is_of_readiness(const Finding& finding);

}  // namespace core
