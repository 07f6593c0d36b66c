// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include <cerrno>

#include "core/model/edit.hpp"
#include "core/objects/link/parts.hpp"
#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
namespace {

std::string duplex_of(std::optional<std::uint8_t> duplex) {
    if (duplex == DUPLEX_FULL) return "full";
    return duplex == DUPLEX_HALF ? "half" : "";
}

/// Of a port that does not negotiate. mlx5 tells no speed while there is no link, but offers only
/// the modes of the one that is forced (mlx5e_get_link_ksettings).
void fill_forced(const Attributes& attributes, std::optional<std::uint32_t> speed,
                 core::LinkModes& modes) {
    const core::CommonMode common = core::common_mode(modes.offered);
    modes.speed = speed ? speed : common.speed;
    modes.lanes = attributes.value<std::uint32_t>(ETHTOOL_A_LINKMODES_LANES);
    modes.duplex = duplex_of(attributes.value<std::uint8_t>(ETHTOOL_A_LINKMODES_DUPLEX));
    if (modes.duplex.empty()) modes.duplex = common.duplex;
}

void fill_negotiated(core::LinkModes& modes) {
    core::CommonMode common = core::common_mode(modes.offered);
    modes.speed = common.speed;
    modes.lanes = common.lanes;
    modes.duplex = std::move(common.duplex);
}

}  // namespace

std::optional<std::uint32_t> decode_speed(Bytes payload) {
    const auto speed =
        Attributes::after<genlmsghdr>(payload).value<std::uint32_t>(ETHTOOL_A_LINKMODES_SPEED);
    // SPEED_UNKNOWN is -1; some drivers answer 0 where there is no link.
    const bool known = speed && *speed != 0 && *speed != std::uint32_t(SPEED_UNKNOWN);
    return known ? speed : std::nullopt;
}

std::optional<core::LinkModes> decode_link_modes(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    const auto autoneg = attributes.value<std::uint8_t>(ETHTOOL_A_LINKMODES_AUTONEG);
    if (!autoneg) return std::nullopt;
    core::LinkModes modes{.autoneg = *autoneg == AUTONEG_ENABLE};
    for (const auto& [name, on] : decode_bitset(attributes.nested(ETHTOOL_A_LINKMODES_OURS))) {
        if (core::link_mode(name)) modes.offered.emplace(name, on);
        if (name == "Autoneg") modes.can_negotiate = true;
        if (const std::string fec = fec_word(name); !fec.empty()) modes.fec.insert(fec);
    }
    if (modes.autoneg)
        fill_negotiated(modes);
    else
        fill_forced(attributes, decode_speed(payload), modes);
    return modes;
}

void read_link_modes(Machine& machine, const core::Scope& scope, core::State& state) {
    using core::Object;
    const auto fill = [](core::Port& port, Bytes payload) {
        port.speed = decode_speed(payload);
        port.link_modes = decode_link_modes(payload);
        return true;
    };
    const auto alone = [&](core::Port& port) {
        attempt(port, {Object::speed, Object::link_modes}, [&] {
            Message request = ethtool_message(machine, ETHTOOL_MSG_LINKMODES_GET,
                                              ETHTOOL_A_LINKMODES_HEADER, port.name);
            machine.generic().get(request, [&](const Reply& reply) { fill(port, reply.payload); });
        });
    };
    ask_together(machine, scope, state, {ETHTOOL_MSG_LINKMODES_GET, ETHTOOL_A_LINKMODES_HEADER},
                 fill, alone);
}

namespace {

void write_one(Machine& machine, const std::string& port, const core::LinkModes& now,
               const core::LinkModes& then) {
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_LINKMODES_SET, ETHTOOL_A_LINKMODES_HEADER, port);
    request.put(ETHTOOL_A_LINKMODES_AUTONEG, std::uint8_t{then.autoneg});
    if (then.autoneg) {
        // Without a bitset the kernel would keep what is offered.
        put_bitset(request, ETHTOOL_A_LINKMODES_OURS, now.offered, core::modes_to_offer(now, then));
    } else {
        request.put(ETHTOOL_A_LINKMODES_SPEED, then.speed.value_or(0));
        request.put(ETHTOOL_A_LINKMODES_DUPLEX,
                    std::uint8_t(then.duplex == "half" ? DUPLEX_HALF : DUPLEX_FULL));
        if (then.lanes && then.lanes != now.lanes)
            request.put(ETHTOOL_A_LINKMODES_LANES, *then.lanes);
    }
    machine.generic().change(request);
}

}  // namespace

void write_link_modes(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.link_modes || !then.link_modes) throw KernelError(EOPNOTSUPP);
    core::LinkModes before = *now.link_modes;
    for (const core::LinkModes& edit :
         core::link_modes::edits(core::driver_of(now), before, *then.link_modes)) {
        write_one(machine, now.name, before, edit);
        before = edit;
    }
}

}  // namespace netlink
