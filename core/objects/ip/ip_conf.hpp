// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/state.hpp"

namespace core {

/// One file of net.ipv4.conf, and the value that is in it.
struct JointFile {
    std::string_view name;
    Joint Ipv4::*value;
};

/// Documentation/networking/ip-sysctl.rst.
inline constexpr std::array kJointFiles = {
    JointFile{"arp_ignore", &Ipv4::arp_ignore}, JointFile{"arp_announce", &Ipv4::arp_announce},
    JointFile{"rp_filter", &Ipv4::rp_filter}, JointFile{"accept_local", &Ipv4::accept_local}};

/// Nothing can be written of a VLAN or a bond before it is made.
std::optional<Refusal> not_made_yet(const Port& now);

/// The sysctl(8) line that writes one file of the port's; `/` parts the name where the port's own
/// name has a dot.
std::string spell_write(const Port& port, std::string_view family, std::string_view name,
                        std::int64_t value);

}  // namespace core
