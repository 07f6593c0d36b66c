// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "netlink/files/sysctl.hpp"

namespace netlink {

/// The soft limit of locked memory in the text of /proc/PID/limits: bytes or `unlimited`.
std::optional<std::string> memlock_in_limits(std::string_view text);
/// What limits.conf(5) gives a user at login: bytes or `unlimited`; nothing where no line of the
/// text is about the user. `groups` are those the user is in.
std::optional<std::string> memlock_in_conf(std::string_view text, const std::string& user,
                                           const Names& groups);

/// How much the named services (service:NAME, as their first process has it) and users (user:NAME,
/// as limits.conf(5) gives it) may lock; where none is named, of the services that run.
void read_memlock(Machine& machine, const Names& names, core::Port& itself);

}  // namespace netlink
