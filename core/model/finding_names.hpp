// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/finding.hpp"

/// Names for the catalogue rows that are found by commands (plan, apply, boot, undo) and not by a
/// check of their own. Code reports one as Finding{.id = findings::gone}. The comments name the
/// file in core/checks with the row.
namespace core::findings {

// boot.cpp
extern const FindingRow lost_at_boot;
extern const FindingRow overwritten_at_boot;
extern const FindingRow restored_at_boot;
extern const FindingRow unknown_at_boot;
// fabric.cpp
extern const FindingRow settings_of_siblings;
// plan.cpp
extern const FindingRow costs_more;
extern const FindingRow goes_with_address;
extern const FindingRow gone;
extern const FindingRow held;
extern const FindingRow irreplaceable;
extern const FindingRow management_link;
extern const FindingRow moot;
extern const FindingRow moved;
extern const FindingRow owned;
extern const FindingRow remark;
extern const FindingRow rule;
extern const FindingRow stage;
// profile.cpp
extern const FindingRow accepted_stale;
extern const FindingRow address_twice;
extern const FindingRow conflict;
extern const FindingRow expect;
extern const FindingRow member_twice;
extern const FindingRow no_match;
extern const FindingRow no_roce;
extern const FindingRow no_wish;
extern const FindingRow rdma_device;
extern const FindingRow untagged;
// readback.cpp
extern const FindingRow changed;
extern const FindingRow not_put_back;
// readiness.cpp
extern const FindingRow address_in_use;
extern const FindingRow no_carrier;
extern const FindingRow no_gid;
extern const FindingRow other_speed;
extern const FindingRow port_down;
extern const FindingRow rdma_mtu;
extern const FindingRow rdma_not_active;
// transceiver.cpp, for the group of links
extern const FindingRow module_alarm;
extern const FindingRow module_warning;
// undo.cpp
extern const FindingRow broken;
extern const FindingRow not_restored;
extern const FindingRow other_port;
extern const FindingRow unnoted;
// desired.cpp
extern const FindingRow closed;
extern const FindingRow contradiction;
extern const FindingRow drift;
extern const FindingRow external;
extern const FindingRow firmware;
extern const FindingRow forgone;
extern const FindingRow infeasible;
extern const FindingRow no_rdma_device;
extern const FindingRow not_stored;
extern const FindingRow other_fact;
extern const FindingRow required;
extern const FindingRow unknown;
extern const FindingRow unknown_fact;
extern const FindingRow unreadable;
extern const FindingRow unrecorded;
extern const FindingRow unsupported;
extern const FindingRow verified_only;

}  // namespace core::findings
