// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/model/accepted_finding.hpp"
#include "core/model/desired.hpp"
#include "core/model/finding_row.hpp"
#include "core/model/object.hpp"
#include "core/plan/kernel.hpp"

namespace core {

struct Port;

/// The carrier-loss counts at which ports were set down, that loss included: such a loss is an act
/// of the administrator and no fault.
using SetDowns = std::map<std::string, std::set<std::uint64_t>, std::less<>>;
/// Adds those that notifications name.
void add(SetDowns& set_downs, const std::vector<Notification>& notifications);

/// What is asked of doctor.
struct Inquiry {
    const State* now = nullptr;
    const State* earlier = nullptr;                ///< the same host before; null: it was read once
    double seconds = 0;                            ///< between the two
    SetDowns set_down{};                           ///< as far as they were heard
    bool twice = false;                            ///< there will be an earlier reading, or is
    const DesiredState* desired_values = nullptr;  ///< null: without a profile
    std::set<std::string> only{};                  ///< ids and groups; empty: all
    std::set<std::string> leave{};                 ///< ids and groups that are left out
    std::span<const AcceptedFinding> accepted{};   ///< findings that are meant so
    std::string today{};  ///< as 2026-11-29; empty: not known, and no day of them is past

    /// The port in the earlier reading; null where there is none.
    [[nodiscard]] const Port* before(const std::string& port) const;
    /// How many losses of its carrier between the two were for that it was set down.
    [[nodiscard]] std::uint64_t times_set_down(const Port& port) const;
};

/// The rows that doctor can look for.
std::vector<const FindingRow*> doctor_rows();
/// Whether the row is among those that were asked for.
bool is_asked(const FindingRow& row, const Inquiry& inquiry);

/// The objects that have to be read of the ports of the fabric, of the ports on top of them, and of
/// the host.
Objects doctor_objects(const Inquiry& inquiry);

/// The elements that have to be read by name, of objects whose elements nobody can list
/// (ObjectRow::read.by_name).
AskedNames doctor_elements(const Inquiry& inquiry);

}  // namespace core
