// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "core/objects/ip/ip_conf.hpp"
#include "core/objects/rows.hpp"

namespace core {
namespace {

Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    for (const JointFile& file : kJointFiles) {
        const Joint& have = (*now.ipv4).*file.value;
        if (((*then.ipv4).*file.value).all == have.all) continue;
        return "net.ipv4.conf.all." + std::string(file.name) + " is " + std::to_string(have.all) +
               ", and the larger of the host's and the port's value counts";
    }
    return std::nullopt;
}

Played play(const Driver& driver, Port& now, const Port& then) {
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = 0, .text = *reason};
    now.ipv4 = then.ipv4;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const JointFile& file : kJointFiles)
        if (((*then.ipv4).*file.value).own != ((*now.ipv4).*file.value).own)
            lines.push_back(spell_write(now, "ipv4", file.name, ((*then.ipv4).*file.value).own));
    return lines;
}

}  // namespace

constinit const ObjectRow ipv4_row = {
    .object = Object::ipv4,
    .name = "ipv4",
    .doc = "IPv4 behaviour of the port: ARP and where packets may come from.",
    .copy = copy<&Port::ipv4>,
    .refuses = refuses,
    .clashes = not_made_yet,
    .play = play,
    .spell = spell};

}  // namespace core
