// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "netlink/transport/machine.hpp"

namespace netlink {

/// off, rs, baser, llrs of the kernel's name of a FEC mode (net/ethtool/common.c link_mode_names);
/// empty for any other name.
std::string fec_word(std::string_view kernel_name);

/// The FEC modes that are asked for and the one that is in use. Nothing where the message has no
/// modes.
std::optional<core::Fec> decode_fec(Bytes payload);

/// hns3 tells what it can do for what is asked for (hns3_get_fecparam), so there it is what is in
/// use.
void read_fec(Machine& machine, core::Port& port);
void write_fec(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink
