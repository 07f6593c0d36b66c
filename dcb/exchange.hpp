// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>

#include <optional>
#include <string>
#include <vector>

#include "netlink/transport/machine.hpp"

namespace dcb {

/// An answer to DCB_CMD_IEEE_GET. The structures are kept whole, because what is written starts
/// from them. What is absent has no op in the driver, or its op failed: it is not "off".
struct Ieee {
    std::optional<ieee_ets> ets;
    std::optional<ieee_maxrate> maxrate;
    std::optional<ieee_pfc> pfc;
    std::optional<dcbnl_buffer> buffer;
    std::optional<core::App> app;
    std::optional<core::Rewrite> rewrite;
};

/// The attributes of a DCB answer, after its header.
netlink::Attributes attributes_of(netlink::Bytes payload);
Ieee decode_ieee(netlink::Bytes payload);
/// The answer to DCB_CMD_GDCBX.
std::optional<std::uint8_t> decode_dcbx(netlink::Bytes payload);

/// A set answers with a byte beside the acknowledgement. 128 and above is a negative errno cut to
/// a byte; ice answers 1 and 2 for what may have worked, so small codes are no error and reading
/// back decides (net/dcb/dcbnl.c, drivers/net/ethernet/intel/ice/ice_dcb_nl.c).
std::optional<netlink::KernelError> error_in_status(std::uint8_t status);

Ieee get_ieee(netlink::Machine& machine, const std::string& port);
/// Reads into `ieee` what a port answers to DCB_CMD_IEEE_GET; the refusal of one that may have none
/// is returned, not thrown.
netlink::Refused ask_ieee(netlink::Machine& machine, const std::string& port, Ieee& ieee);

/// A DCB request for one port.
netlink::Message message(int type, int command, const std::string& port);
/// Sends a change and gives back the status byte in `attribute` of the answer.
std::uint8_t send(netlink::Machine& machine, netlink::Message& request, int attribute);

/// Sends DCB_CMD_IEEE_SET or DCB_CMD_IEEE_DEL; `fill` puts what goes into the IEEE attribute.
template <typename Fill>
void change_ieee(netlink::Machine& machine, const std::string& port, int command,
                 const Fill& fill) {
    netlink::Message request = message(RTM_SETDCB, command, port);
    request.nest(DCB_ATTR_IEEE, [&] { fill(request); });
    if (const auto error = error_in_status(send(machine, request, DCB_ATTR_IEEE)))
        throw netlink::KernelError(*error);
}

}  // namespace dcb
