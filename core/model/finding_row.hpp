// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace core {

struct Evidence;
struct Fault;

/// Failure and unknown keep a plan from being green.
enum class FindingLevel : std::uint8_t { note, unknown, failure };
std::string_view word(FindingLevel level);

/// What must be known before a finding is looked for: what is unknown is never a pass.
struct Needs {
    /// Keys of the state that all have to be known, the one to blame first.
    std::span<const std::string_view> keys{};
    std::span<const std::string_view> wished{};  ///< settings of which one has to be wished
    bool stated = false;  ///< a first key that is derived is left to the rows about the intent
    bool before = false;  ///< an earlier state
    bool intent = false;
    bool fabric = false;
};

/// One thing that a command can find, as the catalogue has it: what `explain` prints.
struct FindingRow {
    std::string_view id{};                       ///< stable, for scripts: `pfc-with-rx-pause`
    FindingLevel level = FindingLevel::failure;  ///< where the one who finds it has no reason for
                                                 ///< another: an optional wish makes notes
    std::string_view why{};                      ///< what it means, and why that matters
    std::string_view remedy{};                   ///< what mends it; a finding can know better
    std::string_view manual{};                   ///< where to read on: `rocectl(8), SAFETY`
    Needs needs{};
    /// What is wrong; null where only the command that meets it can tell.
    std::vector<Fault> (*look)(const Evidence&) = nullptr;
};

}  // namespace core
