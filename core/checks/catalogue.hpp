// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/finding.hpp"

namespace core {

/// Findings about one subject: a file of core/checks and a heading of the manual.
struct FindingGroup {
    std::string_view name{};
    std::string_view doc{};
    std::span<const FindingRow* const> rows{};
};

std::span<const FindingGroup* const> finding_groups();

/// Every row, in the order of the groups.
const std::vector<const FindingRow*>& catalogue();

/// Null where no row has the id.
const FindingRow* find_finding(std::string_view id);
const FindingGroup& group_of(const FindingRow& row);

/// Pointers to the rows of a table, for a group whose rows have no names.
template <std::size_t N>
consteval std::array<const FindingRow*, N> each_of(const std::array<FindingRow, N>& rows) {
    std::array<const FindingRow*, N> out{};
    for (std::size_t i = 0; i < N; ++i)
        out[i] = &rows[i];
    return out;
}

}  // namespace core
