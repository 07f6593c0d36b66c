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

/// One group for each file of core/checks that has rows.
namespace core::finding_group {

extern const FindingGroup lossless;
extern const FindingGroup marking;
extern const FindingGroup congestion;
extern const FindingGroup mtu;
extern const FindingGroup address;
extern const FindingGroup consistency;
extern const FindingGroup agreement;
extern const FindingGroup profile;
extern const FindingGroup desired;
extern const FindingGroup plan;
extern const FindingGroup readback;
extern const FindingGroup readiness;
extern const FindingGroup undo;
extern const FindingGroup rdma;
extern const FindingGroup fabric;
extern const FindingGroup link;
extern const FindingGroup bus;
extern const FindingGroup gpus;
extern const FindingGroup device;
extern const FindingGroup bonds;
extern const FindingGroup vlans;
extern const FindingGroup bandwidth;
extern const FindingGroup peer;
extern const FindingGroup tuning;
extern const FindingGroup qos;
extern const FindingGroup connections;
extern const FindingGroup reach;
extern const FindingGroup neighbours;
extern const FindingGroup transport;
extern const FindingGroup flow;
extern const FindingGroup traffic;
extern const FindingGroup software;
extern const FindingGroup processes;
extern const FindingGroup firewall;
extern const FindingGroup log;
extern const FindingGroup boot;

}  // namespace core::finding_group
