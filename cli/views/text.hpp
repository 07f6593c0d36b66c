// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/views/json.hpp"
#include "cli/views/port_groups.hpp"
#include "cli/views/style.hpp"
#include "core/plan/apply.hpp"

namespace cli {

/// Where it is from, in as few words as a table has room for: `roce.dscp (file.json:12)`.
std::string origin_in_short(const core::Origin& origin);
/// What a plan changes, a block for the ports that differ in nothing else: before, after, what it
/// costs and where it is from.
std::string changes_text(const core::Plan& plan, const Style& style);
/// What a plan changes, told as differences: of each setting what is expected, what was found, and
/// where the desired value is from.
std::string differences_text(const core::Plan& plan, const Style& style);

/// Per port what changes, before, after, why and what it disturbs; then findings; then a line
/// that sums up.
std::string plan_text(const core::Plan& plan, const Style& style);
/// What the plan cuts off of the way by which the host is managed; empty where nothing.
std::string management_text(const core::Plan& plan, const Style& style);
/// The line that sums up a plan: how much changes, and what that costs; or that it cannot be
/// applied.
std::string plan_summary(const core::Plan& plan, const Style& style);
/// The settings of the matched ports that no desired value names, among those that were read.
std::string unmanaged_text(const core::Plan& plan, const core::DesiredState& desired_values,
                           const Style& style);
/// Each difference as expected and found; then findings; then a line that sums up.
std::string verify_text(const core::Plan& plan, const core::DesiredState& desired_values,
                        const Style& style);
/// What an apply did, after its plan was shown.
std::string report_text(const core::Report& report, const Style& style);
/// What an apply says that had nothing to write.
std::string unchanged_text(const core::Report& report, const Style& style);
/// What a rollback did; `before` says where it went back to: `as before 7`.
std::string rollback_text(const core::Report& report, const std::string& before,
                          const Style& style);
/// One line, without its level and its remedy: `ens1f0: dscp.map 26: …`.
std::string line_of(const core::Finding& finding);
/// A line for each cause and each remedy.
std::string findings_text(const std::vector<core::Finding>& findings, const Style& style);
std::string findings_text(const std::vector<core::Finding>& findings, const Grouping& of,
                          const Style& style);
/// The findings of a plan, one line for each cause, without levels and remedies.
std::vector<std::string> finding_lines(const core::Plan& plan, const Style& style);
/// The findings of a plan, a line for each cause and each remedy. The plan knows which ports there
/// are, so that all of them can be told in short: `ens1f0 … (8 ports)`.
std::string plan_findings_text(const core::Plan& plan, const Style& style);
/// The objects of which show_text says something.
core::Objects shown();
/// One row for each port. Where the columns do not fit, the rest of them stands below.
std::string show_text(const core::State& state, const Style& style);
/// The objects of which gids_text says something.
core::Objects shown_of_gids();
/// A row for each GID, as show_gids and ibdev2netdev have them: of which port, index, RDMA device
/// and its port, version of RoCE, address, state, netdev. A device without any has a row too.
std::string gids_text(const core::State& state, const Style& style);
std::string gids_json(const Heading& heading, const core::State& state);
/// All that is known of one port; on a terminal what is short stands side by side.
std::string port_text(const core::Port& port, const Style& style);

}  // namespace cli
