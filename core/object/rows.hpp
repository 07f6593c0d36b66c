// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/object.hpp"

/// The columns of the object table that are code, one namespace an object: what the device does
/// with a write (play), why it would not take it (refuses), and the lines an operator would type.
namespace core {

using Reason = std::optional<std::string>;
using Played = std::optional<Refusal>;

namespace ipv4_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace ipv4_object

namespace ipv6_object {
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace ipv6_object

namespace private_flags_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace private_flags_object

namespace ring_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace ring_object

namespace channels_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace channels_object

namespace features_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace features_object

namespace dcbx_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace dcbx_object

namespace link_object {
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace link_object

namespace pause_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace pause_object

namespace ets_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace ets_object

namespace maxrate_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace maxrate_object

namespace pfc_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace pfc_object

namespace storm_prevention_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace storm_prevention_object

namespace buffer_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace buffer_object

namespace app_object {
Reason refuses(const Driver& driver, const Port& now, const Port& then);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace app_object

namespace rdma_link_object {
Reason moot(const Port& port);
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace rdma_link_object

namespace cm_directory_object {
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace cm_directory_object

namespace cm_defaults_object {
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace cm_defaults_object

namespace addresses_object {
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace addresses_object

namespace routes_object {
Played play(const Driver& driver, Port& now, const Port& then);
Commands spell(const Driver& driver, const Port& now, const Port& then);
}  // namespace routes_object

/// Below this MTU the kernel takes IPv6 off a device (IPV6_MIN_MTU, net/ipv6/addrconf.c).
inline constexpr std::uint32_t kIpv6Minimum = 1280;

/// Why a write of ETS, PFC or APP is refused while DCBX is not the host's; nothing where it is
/// the host's, or the driver does not care.
Reason owned_by_agent(const Driver& driver, const Port& port);

/// Takes the routes of which the predicate is true, with what they have beside.
template <typename Gone>
void lose_routes(Port& port, const Gone& gone) {
    if (!port.routes) return;
    std::erase_if(*port.routes, gone);
    std::erase_if(port.routes_beyond,
                  [&](const RouteBeyond& beyond) { return gone(beyond.route); });
}

/// The same of addresses, by their IP.
template <typename Gone>
void lose_addresses(Port& port, const Gone& gone) {
    if (!port.addresses) return;
    std::erase_if(*port.addresses, [&](const Address& address) { return gone(address.ip); });
    std::erase_if(port.addresses_beyond,
                  [&](const AddressBeyond& beyond) { return gone(beyond.ip); });
}

/// Adds the connected routes of the port's addresses that are not there, as the kernel does when
/// an address comes or the port comes up.
void connect(Port& port);

}  // namespace core
