// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "core/objects/ip/ip_conf.hpp"
#include "core/objects/rows.hpp"

namespace core {
namespace {

bool differs(const Port& now, const std::string& name, const std::string& value) {
    const auto old = now.sysctl->find(name);
    return old == now.sysctl->end() || old->second != value;
}

Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    for (const auto& [name, value] : *then.sysctl)
        if (!now.sysctl->contains(name)) return "the host has no kernel parameter " + name;
    return std::nullopt;
}

Played play(const Driver& driver, Port& now, const Port& then) {
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = ENOENT, .text = *reason};
    now.sysctl = then.sysctl;
    return std::nullopt;
}

/// Of what the kernel takes together from the port and from all, the host's part.
void spread(const Port& host, Port& port) {
    if (!port.ipv4 || !host.sysctl) return;
    for (const JointFile& file : kJointFiles) {
        const auto all = host.sysctl->find("net.ipv4.conf.all." + std::string(file.name));
        if (all == host.sysctl->end() || all->second.size() != 1) continue;
        ((*port.ipv4).*file.value).all = static_cast<std::uint8_t>(all->second.front() - '0');
    }
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const auto& [name, value] : *then.sysctl) {
        if (!differs(now, name, value)) continue;
        const bool words = value.find(' ') != std::string::npos;
        const std::string quote = words ? "'" : "";
        std::string line = "sysctl -w " + quote;
        line += name;
        line += '=' + value;
        lines.push_back(line + quote);
    }
    return lines;
}

}  // namespace

constinit const ObjectRow sysctl_row = {.object = Object::sysctl,
                                        .name = "sysctl",
                                        .doc = "Kernel parameters.",
                                        .of_host = true,
                                        .copy = copy<&Port::sysctl>,
                                        .refuses = refuses,
                                        .play = play,
                                        .spread = spread,
                                        .spell = spell};

}  // namespace core
