// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/driver.hpp"
#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
namespace {

struct Name {
    std::string_view word;
    std::string_view kernel;
    unsigned bit;  ///< of the link mode
};
constexpr std::array kNames = {
    Name{"off", "None", ETHTOOL_LINK_MODE_FEC_NONE_BIT},
    Name{"rs", "RS", ETHTOOL_LINK_MODE_FEC_RS_BIT},
    Name{"baser", "BASER", ETHTOOL_LINK_MODE_FEC_BASER_BIT},
    Name{"llrs", "LLRS", ETHTOOL_LINK_MODE_FEC_LLRS_BIT},
};

/// Every bit that is to be on, the mask all of them.
core::Flags bits_of(const std::string& mode) {
    core::Flags bits;
    for (const Name& name : kNames)
        bits.emplace(name.kernel, name.word == mode);
    return bits;
}

}  // namespace

std::string fec_word(std::string_view kernel_name) {
    const auto found = std::ranges::find(kNames, kernel_name, &Name::kernel);
    return found == kNames.end() ? std::string() : std::string(found->word);
}

std::optional<core::Fec> decode_fec(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    const auto automatic = attributes.value<std::uint8_t>(ETHTOOL_A_FEC_AUTO);
    if (!automatic) return std::nullopt;
    const core::Flags asked = decode_bitset(attributes.nested(ETHTOOL_A_FEC_MODES));
    core::Fec fec;
    if (*automatic != 0)
        fec.mode = core::Fec::automatic;
    else if (asked.size() == 1)
        fec.mode = fec_word(asked.begin()->first);
    const auto active = attributes.value<std::uint32_t>(ETHTOOL_A_FEC_ACTIVE);
    const auto found = std::ranges::find(kNames, active.value_or(0), &Name::bit);
    if (found != kNames.end()) fec.active = found->word;
    return fec;
}

void read_fec(Machine& machine, core::Port& port) {
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_FEC_GET, ETHTOOL_A_FEC_HEADER, port.name);
    machine.generic().get(request,
                          [&](const Reply& reply) { port.fec = decode_fec(reply.payload); });
    if (!port.fec) throw KernelError(EBADMSG, "FEC is not in the answer");
    if (core::driver_of(port).fec.auto_unread) port.fec->mode = port.fec->active;
}

void write_fec(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.fec || !then.fec) throw KernelError(EOPNOTSUPP);
    Message request = ethtool_message(machine, ETHTOOL_MSG_FEC_SET, ETHTOOL_A_FEC_HEADER, now.name);
    put_bitset(request, ETHTOOL_A_FEC_MODES, {}, bits_of(then.fec->mode));
    request.put(ETHTOOL_A_FEC_AUTO, std::uint8_t{then.fec->mode == core::Fec::automatic});
    machine.generic().change(request);
}

}  // namespace netlink
