// SPDX-License-Identifier: Apache-2.0
#include "dcb/codecs.hpp"

#include <cerrno>

#include "dcb/exchange.hpp"

namespace dcb {

using netlink::KernelError;
using netlink::Message;
using netlink::Reply;

core::Dcbx dcbx_now(netlink::Machine& machine, const std::string& name) {
    core::Port port(name);
    if (const netlink::Refused no = read_dcbx(machine, port)) throw KernelError(*no);
    return *port.dcbx;
}

void write_dcbx(netlink::Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.dcbx || !then.dcbx) throw KernelError(EOPNOTSUPP);
    Message request = message(RTM_SETDCB, DCB_CMD_SDCBX, now.name);
    request.put(DCB_ATTR_DCBX, then.dcbx->bits);
    // The one status of a driver that is not an errno: 1, and so reading back decides whether it
    // was a no or, as on ice, "the same as before".
    const std::uint8_t status = send(machine, request, DCB_ATTR_DCBX);
    if (const auto error = error_in_status(status)) throw KernelError(*error);
    if (status != 0 && dcbx_now(machine, now.name) != *then.dcbx)
        throw KernelError(0, "the device refused (DCBX status " + std::to_string(status) + ")");
}

netlink::Refused read_dcbx(netlink::Machine& machine, core::Port& port) {
    Message request = message(RTM_GETDCB, DCB_CMD_GDCBX, port.name);
    std::optional<std::uint8_t> bits;
    netlink::Refused no = machine.route().ask(
        request, [&](const Reply& reply) { bits = decode_dcbx(reply.payload); });
    if (!no && !bits) no = KernelError(EBADMSG, "no DCBX in the answer");
    if (!no) port.dcbx = core::Dcbx{.bits = *bits};
    return no;
}

}  // namespace dcb
