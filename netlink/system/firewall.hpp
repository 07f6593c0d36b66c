// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// What nftables has about port 4791, and what drops all that no rule accepts. Takes
/// CAP_NET_ADMIN (net/netfilter/nfnetlink.c nfnetlink_rcv). Loads nothing: where nf_tables is not
/// loaded there are no rules.
void read_firewall(Machine& machine, const Names& names, core::Port& itself);

}  // namespace netlink
