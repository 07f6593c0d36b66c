// SPDX-License-Identifier: Apache-2.0
#include "core/checks/catalogue.hpp"

#include <algorithm>

namespace core {
namespace {

/// What others rest on comes before them (Needs::sound).
constexpr std::array kGroups = {
    &finding_group::software,  &finding_group::fabric,      &finding_group::rdma,
    &finding_group::readiness, &finding_group::link,        &finding_group::bonds,
    &finding_group::bus,       &finding_group::gpus,        &finding_group::device,
    &finding_group::qos,       &finding_group::bandwidth,   &finding_group::vlans,
    &finding_group::peer,      &finding_group::connections, &finding_group::lossless,
    &finding_group::marking,   &finding_group::congestion,  &finding_group::mtu,
    &finding_group::reach,     &finding_group::neighbours,  &finding_group::firewall,
    &finding_group::processes, &finding_group::tuning,      &finding_group::log,
    &finding_group::address,   &finding_group::consistency, &finding_group::agreement,
    &finding_group::profile,   &finding_group::desired,     &finding_group::plan,
    &finding_group::readback,  &finding_group::undo,        &finding_group::traffic,
    &finding_group::flow,      &finding_group::transport,   &finding_group::boot,
};

}  // namespace

std::span<const FindingGroup* const> finding_groups() {
    return kGroups;
}

const std::vector<const FindingRow*>& catalogue() {
    static const std::vector<const FindingRow*> all = [] {
        std::vector<const FindingRow*> rows;
        for (const FindingGroup* group : kGroups)
            rows.insert(rows.end(), group->rows.begin(), group->rows.end());
        return rows;
    }();
    return all;
}

const FindingRow* find_finding(std::string_view id) {
    for (const FindingRow* row : catalogue())
        if (row->id == id) return row;
    return nullptr;
}

const FindingGroup& group_of(const FindingRow& row) {
    return **std::ranges::find_if(kGroups, [&](const FindingGroup* group) {
        return std::ranges::find(group->rows, &row) != group->rows.end();
    });
}

}  // namespace core
