// SPDX-License-Identifier: Apache-2.0
#include "dcb/exchange.hpp"

#include <cerrno>

#include "dcb/codecs.hpp"

namespace dcb {

using netlink::Attributes;
using netlink::Bytes;
using netlink::KernelError;
using netlink::Message;
using netlink::Reply;

Attributes attributes_of(Bytes payload) {
    return Attributes::after<dcbmsg>(payload);
}

Ieee decode_ieee(Bytes payload) {
    Ieee ieee;
    const Attributes attributes = attributes_of(payload).nested(DCB_ATTR_IEEE);
    ieee.ets = attributes.value<ieee_ets>(DCB_ATTR_IEEE_ETS);
    ieee.maxrate = attributes.value<ieee_maxrate>(DCB_ATTR_IEEE_MAXRATE);
    ieee.pfc = attributes.value<ieee_pfc>(DCB_ATTR_IEEE_PFC);
    ieee.buffer = attributes.value<dcbnl_buffer>(DCB_ATTR_DCB_BUFFER);
    ieee.app = decode_app(attributes);
    ieee.rewrite = decode_rewrite(attributes);
    return ieee;
}

std::optional<std::uint8_t> decode_dcbx(Bytes payload) {
    return attributes_of(payload).value<std::uint8_t>(DCB_ATTR_DCBX);
}

std::optional<KernelError> error_in_status(std::uint8_t status) {
    constexpr int negative = 128;
    if (status < negative) return std::nullopt;
    // ENOTSUPP (524) of the kernel's inside, which bnxt answers, is cut to 244: the same byte as
    // ENOMEM, and by far the likelier of the two.
    constexpr std::uint8_t not_supported = 244;
    if (status == not_supported)
        return KernelError(EOPNOTSUPP, "device status 244 (not supported, or out of memory)");
    return KernelError(256 - status);
}

Message message(int type, int command, const std::string& port) {
    Message request(type);
    request.put_header(
        dcbmsg{.dcb_family = AF_UNSPEC, .cmd = static_cast<std::uint8_t>(command), .dcb_pad = 0});
    request.put_text(DCB_ATTR_IFNAME, port);
    return request;
}

Ieee get_ieee(netlink::Machine& machine, const std::string& port) {
    Ieee ieee;
    if (const netlink::Refused no = ask_ieee(machine, port, ieee)) throw KernelError(*no);
    return ieee;
}

netlink::Refused ask_ieee(netlink::Machine& machine, const std::string& port, Ieee& ieee) {
    Message request = message(RTM_GETDCB, DCB_CMD_IEEE_GET, port);
    return machine.route().ask(request,
                               [&ieee](const Reply& reply) { ieee = decode_ieee(reply.payload); });
}

std::uint8_t send(netlink::Machine& machine, Message& request, int attribute) {
    std::optional<std::uint8_t> status;
    machine.route().change(request, [&](const Reply& reply) {
        status = attributes_of(reply.payload).value<std::uint8_t>(attribute);
    });
    if (!status) throw KernelError(EBADMSG, "no status in the answer");
    return *status;
}

}  // namespace dcb
