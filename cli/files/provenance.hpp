// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "netlink/transport/host_path.hpp"

namespace cli {

/// The current time in UTC, to the second (RFC 3339).
std::string utc_now();

/// The user who runs this: the login behind sudo (/proc/self/loginuid), else the process's user.
std::string user_name();

/// The address of this host to which the caller's connection came: the third word of SSH_CONNECTION
/// (ssh(1)) of this process, or of the nearest process that started it and has the variable, since
/// sudo(8) takes it away. Empty where none has it, or may be asked.
std::string session_address();
/// The third word of the value of SSH_CONNECTION, without the zone of a link-local address; empty:
/// it has none.
std::string address_in_connection(std::string_view connection);

/// The cookie of this process's network namespace (SO_NETNS_COOKIE,
/// include/uapi/asm-generic/socket.h, since Linux 5.14), which no other has while a boot lasts; 0
/// where unknown.
std::uint64_t network_namespace();
/// The id of this boot (proc_sys_kernel(5), random/boot_id); empty where unknown.
std::string boot_id(const netlink::Root& root);

/// The systemd service of this process, by its cgroup (cgroups(7), /proc/pid/cgroup):
/// `nightly.service`. Empty for a session, a scope or no unit.
std::string own_service(const netlink::Root& root);

/// SHA-256 (FIPS 180-4) in hexadecimal.
std::string sha256(std::string_view text);

}  // namespace cli
