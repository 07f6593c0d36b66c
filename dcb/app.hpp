// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>

#include "core/model/edit.hpp"
#include "netlink/transport/machine.hpp"

namespace dcb {

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

}  // namespace dcb
