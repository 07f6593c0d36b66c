// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include <cerrno>

#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
namespace {

/// ETHTOOL_A_LINKSTATE_EXT_DOWN_CNT, which headers have since Linux 6.3.
constexpr int kDownCount = 7;

}  // namespace

core::LinkState decode_link_state(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    core::LinkState out;
    if (const auto state = attributes.value<std::uint8_t>(ETHTOOL_A_LINKSTATE_EXT_STATE)) {
        const auto substate = attributes.value<std::uint8_t>(ETHTOOL_A_LINKSTATE_EXT_SUBSTATE);
        out.reason = core::link_state::reason_word(*state);
        out.detail = core::link_state::detail_word(*state, substate.value_or(0));
    }
    out.losses = attributes.value<std::uint32_t>(kDownCount);
    return out;
}

namespace {

void ask_link_state(Machine& machine, core::Port& port, std::uint32_t flags) {
    Message request = ethtool_message(machine, ETHTOOL_MSG_LINKSTATE_GET,
                                      ETHTOOL_A_LINKSTATE_HEADER, port.name, flags);
    machine.generic().get(
        request, [&](const Reply& reply) { port.link_state = decode_link_state(reply.payload); });
}

// How often the link went is told to who asks for statistics, which kernels before Linux 6.3 refuse
// (net/ethtool/linkstate.c).
void ask_link_state(Machine& machine, core::Port& port) {
    try {
        ask_link_state(machine, port, ETHTOOL_FLAG_STATS);
    } catch (const KernelError& error) {
        if (error.code != EINVAL && error.code != EOPNOTSUPP) throw;
        ask_link_state(machine, port, 0);
    }
}

}  // namespace

void read_link_state(Machine& machine, const core::Scope& scope, core::State& state) {
    const auto fill = [](core::Port& port, Bytes payload) {
        port.link_state = decode_link_state(payload);
        return true;
    };
    ask_together(machine, scope, state,
                 {ETHTOOL_MSG_LINKSTATE_GET, ETHTOOL_A_LINKSTATE_HEADER, ETHTOOL_FLAG_STATS}, fill,
                 [&](core::Port& port) {
                     attempt(port, {core::Object::link_state},
                             [&] { ask_link_state(machine, port); });
                 });
}

}  // namespace netlink
