// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/ethtool.h>

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "core/model/state.hpp"
#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// The numbers of channels in the answer to ETHTOOL_MSG_CHANNELS_GET (net/ethtool/channels.c).
core::Channels decode_channels(Bytes payload);

void read_channels(Machine& machine, const core::Scope& scope, core::State& state);

void write_channels(Machine& machine, const core::Port& now, const core::Port& then);

/// The kernel leaves out what is 0 and cannot be set (net/ethtool/coalesce.c).
core::Coalesce decode_coalesce(Bytes payload);

void read_coalesce(Machine& machine, core::Port& port);
/// Writes the driver's mode first, then the numbers that still differ: a driver that gets both at
/// once may ignore the numbers (bnxt) or replace them (mlx5).
void write_coalesce(Machine& machine, const core::Port& now, const core::Port& then);

/// Driver, firmware and, where netlink did not say, the PCI address. Netlink has no form of it.
void read_device(Machine& machine, core::Port& port);

std::optional<core::Features> decode_features(Bytes payload);

/// The features that a request asked for and that did not become so (net/ethtool/features.c,
/// features_send_reply).
core::Flags decode_unmet_features(Bytes payload);

void read_features(Machine& machine, const core::Scope& scope, core::State& state);

/// Takes back what the device does not do, and says so: the kernel would keep it as a request.
void write_features(Machine& machine, const core::Port& now, const core::Port& then);

/// off, rs, baser, llrs of the kernel's name of a FEC mode (net/ethtool/common.c link_mode_names);
/// empty for any other name.
std::string fec_word(std::string_view kernel_name);

/// The FEC modes that are asked for and the one that is in use. Nothing where the message has no
/// modes.
std::optional<core::Fec> decode_fec(Bytes payload);

/// For hns3, what is reported as requested is what it supports (hns3_get_fecparam); so the mode in
/// use is taken there.
void read_fec(Machine& machine, core::Port& port);
void write_fec(Machine& machine, const core::Port& now, const core::Port& then);

/// The modes that the port forces or advertises. With autonegotiation, speed is the common property
/// of the advertised modes, never the negotiated speed. Nothing where the message has no modes.
std::optional<core::LinkModes> decode_link_modes(Bytes payload);
/// Mb/s; nothing where the link has no speed now.
std::optional<std::uint32_t> decode_speed(Bytes payload);

/// The speed of the link and what it came from, in one exchange.
void read_link_modes(Machine& machine, const core::Scope& scope, core::State& state);
void write_link_modes(Machine& machine, const core::Port& now, const core::Port& then);

/// An answer to ETHTOOL_MSG_LINKSTATE_GET.
core::LinkState decode_link_state(Bytes payload);

void read_link_state(Machine& machine, const core::Scope& scope, core::State& state);

std::optional<core::Pause> decode_pause(Bytes payload);

Refused read_pause(Machine& machine, core::Port& port);
void write_pause(Machine& machine, const core::Port& now, const core::Port& then);

std::optional<core::Flags> decode_private_flags(Bytes payload);

void read_private_flags(Machine& machine, core::Port& port);

void write_private_flags(Machine& machine, const core::Port& now, const core::Port& then);

/// The kernel leaves out a ring of which the driver has none (net/ethtool/rings.c).
core::Ring decode_ring(Bytes payload);

void read_ring(Machine& machine, core::Port& port);

void write_ring(Machine& machine, const core::Port& now, const core::Port& then);

/// Whether the name is that of a counter of one queue, of which a port can have thousands:
/// `rx12_packets`, `tx3_0_bytes`, `ch5_events`, `[4]: rx_ucast_packets`, `tx_queue_7_bytes`.
bool is_of_queue(std::string_view name);

/// What ETHTOOL_GSTRINGS and ETHTOOL_GSTATS answer: names of ETH_GSTRING_LEN bytes each, and as
/// many numbers.
core::Statistics decode_statistics(Bytes names, std::span<const std::uint64_t> values);

/// By the old interface: the names of a driver's own are in no other.
void read_statistics(Machine& machine, const core::Scope& scope, core::State& state);

/// What ETHTOOL_MSG_STATS_GET answers, with the names of ethtool --groups: of a group and of what
/// the standard calls it, `eth-phy-SymbolErrorDuringCarrier`. Histograms are left out.
core::Statistics decode_standard_statistics(Bytes payload);

/// Link-level pause frames in an answer to ETHTOOL_MSG_PAUSE_GET, with the names of ethtool
/// --include-statistics --show-pause.
core::Statistics decode_pause_statistics(Bytes payload);
/// Blocks that error correction fixed and could not fix, of all lanes (ETHTOOL_A_FEC_STATS, each
/// a list of which the first is the total: net/ethtool/fec.c fec_put_stats).
core::Statistics decode_fec_statistics(Bytes payload);

/// struct ethtool_tunable with a 16-bit number behind it.
using Tunable = std::array<std::byte, sizeof(ethtool_tunable) + sizeof(std::uint16_t)>;

/// ETHTOOL_GTUNABLE or ETHTOOL_STUNABLE of ETHTOOL_PFC_PREVENTION_TOUT. Netlink has no form of it.
Tunable storm_tunable(std::uint32_t command, std::uint16_t timeout);
/// The number in what the kernel made of it.
std::uint16_t number_in(const Tunable& tunable);

void read_storm_prevention(Machine& machine, core::Port& port);
void write_storm_prevention(Machine& machine, const core::Port& now, const core::Port& then);

/// The bytes in an answer to ETHTOOL_MSG_MODULE_EEPROM_GET.
Bytes decode_module_bytes(Bytes payload);

/// Reads about 200 bytes of the plugged module, of those that `ethtool -m` reads. Flags among them
/// are latched and cleared by any reading (SFF-8636 6.2.3, CMIS 8.2.5): only the first reader sees
/// a condition that has passed.
void read_transceiver(Machine& machine, core::Port& port);

}  // namespace netlink
