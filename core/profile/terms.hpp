// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace core {

/// A word of RoCE that messages use, for who has not met it.
struct Term {
    std::string_view name{};
    std::string_view doc{};
    std::span<const std::string_view> keys{};  ///< of a profile, that set or show it
};

std::span<const Term> terms();

/// In capitals or not; null where there is no such word.
const Term* find_term(std::string_view word);

}  // namespace core
