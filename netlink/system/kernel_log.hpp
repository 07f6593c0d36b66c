// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// What one read of /dev/kmsg gives (Documentation/ABI/testing/dev-kmsg), where it tells of a fault
/// that is looked for. What a program wrote into the log is left out: it is not the kernel's word.
std::optional<core::LogLine> decode_log_record(Bytes record);

/// Reads what the kernel still has, and waits for nothing. Takes CAP_SYSLOG where
/// kernel.dmesg_restrict is 1.
void read_kernel_log(Machine& machine, const Names& names, core::Port& itself);

}  // namespace netlink
