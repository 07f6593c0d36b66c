// SPDX-License-Identifier: Apache-2.0
#include "core/object/ip_conf.hpp"

#include <cerrno>

#include "core/object/rows.hpp"

namespace core {
namespace {

/// `/` parts the name where a port's own name has a dot (sysctl(8)).
std::string spell_write(const Port& port, std::string_view family, std::string_view name,
                        unsigned value) {
    const char part = port.name.find('.') == std::string::npos ? '.' : '/';
    std::string line = "sysctl -w net";
    for (const std::string_view word :
         {family, std::string_view("conf"), std::string_view(port.name), name})
        line += part + std::string(word);
    return line + '=' + std::to_string(value);
}

}  // namespace

namespace ipv4_object {

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

}  // namespace ipv4_object

namespace ipv6_object {

/// Link-local addresses that are there stay; those to come are made in the new way
/// (net/ipv6/addrconf.c addrconf_sysctl_addr_gen_mode).
Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    now.ipv6 = then.ipv6;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return {spell_write(now, "ipv6", "addr_gen_mode", then.ipv6->addr_gen_mode)};
}

}  // namespace ipv6_object
}  // namespace core
