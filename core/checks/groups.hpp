// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checks/catalogue.hpp"

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
extern const FindingGroup link;
extern const FindingGroup bus;
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
