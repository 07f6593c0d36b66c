// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/plan/apply.hpp"
#include "core/plan/plan.hpp"
#include "core/plan/state_file.hpp"

/// Hosts and desired values that the tests of the core share.
namespace hosts {

/// A port of the driver as it comes up after a reboot: MTU 1500, pause on, no PFC, all readable.
core::Port port(const std::string& driver, const std::string& name = "ens1f0");
core::State host(const std::string& driver);
/// A virtual function as drivers make it.
core::VirtualFunction made_function(const std::string& mac = "00:00:00:00:00:00");
/// What is the host's own: the kernel's rules, and one of somebody's.
core::Port whole_host();

core::Desired desired(const std::string& key, const core::Value& value,
                      const std::string& element = {}, const std::string& port = "ens1f0");
core::Desired no_desired(const std::string& key, const std::string& element,
                         const std::string& port = "ens1f0");
core::DesiredState desired_values(std::vector<core::Desired> desired_values);

/// Everything there is to read, of every port.
core::Scope everything();
core::State read_all(core::Kernel& kernel);
core::Plan plan(core::Kernel& kernel, const core::DesiredState& desired_values);
core::Report apply(core::Kernel& kernel, const core::DesiredState& desired_values);

/// What the settings differ in, one text for the message of a failed check.
std::string difference(const core::State& left, const core::State& right);

/// Values that every device holds, where the shape also admits such as some devices do not.
std::vector<core::Value> held(std::string_view key);

/// The desired values a lossless profile comes to on the driver: the whole chain from DCBX to
/// routes.
core::DesiredState lossless(const std::string& driver);

}  // namespace hosts
