// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/doctor/examination.hpp"
#include "core/model/accepted_finding.hpp"

namespace core {

/// Makes Verdict::accepted of what was found and is meant so by Inquiry::accepted, and of what
/// follows from it and from nothing else that was found. Where something is accepted at all, a
/// check more tells entries that are stale: the last day is past, or what they are about was looked
/// for and is not found any more.
void accept(Examination& examination, const Inquiry& inquiry);

/// The same for what a plan found on a host with these fabrics: FindingLevel::accepted. A note
/// tells entries whose last day is past; of what is not found nobody knows here whether it was
/// looked for.
void accept(std::vector<Finding>& findings, std::span<const AcceptedFinding> accepted,
            std::span<const NamedFabric> fabrics, std::string_view today);

}  // namespace core
