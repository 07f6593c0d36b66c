// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/dcbnl.h>

#include <array>
#include <optional>
#include <set>
#include <string>

#include "core/model/edit.hpp"
#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace dcb {

/// What one DCB_CMD_IEEE_GET answers.
inline constexpr std::array kOfIeee = {core::Object::ets, core::Object::maxrate,
                                       core::Object::pfc, core::Object::buffer,
                                       core::Object::app, core::Object::rewrite};

/// Fills the wanted parts, in one exchange for each port.
void read_ieee(netlink::Machine& machine, const core::Scope& scope, core::State& state);

core::Ets from_wire(const ieee_ets& wire);
/// `wire` with what the state knows; what it does not know (receive shares, recommendations) is
/// kept.
ieee_ets to_wire(ieee_ets wire, const core::Ets& ets);

void write_ets(netlink::Machine& machine, const core::Port& now, const core::Port& then);

core::MaxRate from_wire(const ieee_maxrate& wire);
ieee_maxrate to_wire(const core::MaxRate& maxrate);

void write_maxrate(netlink::Machine& machine, const core::Port& now, const core::Port& then);

core::Pfc from_wire(const ieee_pfc& wire);
/// `wire` with what a profile can state; the MACsec bypass capability and the rest are kept.
ieee_pfc to_wire(ieee_pfc wire, const core::Pfc& pfc);

void write_pfc(netlink::Machine& machine, const core::Port& now, const core::Port& then);

core::Buffer from_wire(const dcbnl_buffer& wire);
dcbnl_buffer to_wire(const core::Buffer& buffer);

/// One message for each of core::buffer_edits.
void write_buffer(netlink::Machine& machine, const core::Port& now, const core::Port& then);

/// The entries of an APP or rewrite table, both kinds of them.
std::set<core::AppEntry> decode_entries(const netlink::Attributes& table);
/// Sends one entry of the table that comes or goes.
void send_edit(netlink::Machine& machine, const std::string& port, int table,
               const core::Edit<core::AppEntry>& edit);

/// The APP table and the trust table among the attributes of the IEEE answer.
std::optional<core::App> decode_app(const netlink::Attributes& ieee);

/// One message for each entry that comes or goes, in the order of core::app_edits, then the trust
/// table where the device has one.
void write_app(netlink::Machine& machine, const core::Port& now, const core::Port& then);

/// The rewrite table among the attributes of the IEEE answer; nothing before Linux 6.3.
std::optional<core::Rewrite> decode_rewrite(const netlink::Attributes& ieee);

/// One message for each entry that goes or comes, in the order of core::rewrite_edits.
void write_rewrite(netlink::Machine& machine, const core::Port& now, const core::Port& then);

/// What the other end advertises, in an answer to DCB_CMD_IEEE_GET or DCB_CMD_CEE_GET; nothing
/// where the driver tells nothing of it in this version, or heard nothing.
std::optional<core::Peer> decode_peer(netlink::Bytes payload);

void read_peer(netlink::Machine& machine, core::Port& port);

core::Dcbx dcbx_now(netlink::Machine& machine, const std::string& name);
netlink::Refused read_dcbx(netlink::Machine& machine, core::Port& port);
void write_dcbx(netlink::Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace dcb
