// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace core {

/// A word of RoCE that messages use, for who has not met it.
struct GlossaryEntry {
    std::string_view name{};
    std::string_view doc{};
    std::span<const std::string_view> keys{};  ///< of a profile, that set or show it
};

std::span<const GlossaryEntry> glossary();

/// In capitals or not; null where there is no such word.
const GlossaryEntry* find_glossary_entry(std::string_view word);

}  // namespace core
