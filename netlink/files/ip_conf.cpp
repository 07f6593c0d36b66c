// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <linux/if_link.h>
#include <linux/ip.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <unordered_map>

#include "core/objects/ip/parts.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// A name with a slash would lead elsewhere; the kernel has none (net/core/dev.c dev_valid_name).
HostPath conf(const Machine& machine, std::string_view family, const std::string& port,
              std::string_view name) {
    if (port.empty() || port == "." || port == ".." || port.find('/') != std::string::npos)
        throw KernelError(EINVAL, "'" + port + "' is no name of a port");
    return machine.file("/proc/sys/net") / family / "conf" / port / name;
}

template <typename Number>
Number read_number(const HostPath& path) {
    const std::string text = read_text_file(path);
    Number number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
        throw KernelError(EBADMSG, path.string() + " reads '" + text + "'");
    return number;
}

using Numbers = std::array<std::int32_t, core::kJointFiles.size()>;

/// In the order of the table, of a port or of `all`.
Numbers numbers_of(const Machine& machine, const std::string& port) {
    Numbers out{};
    std::ranges::transform(core::kJointFiles, out.begin(), [&](const core::JointFile& file) {
        return read_number<std::int32_t>(conf(machine, "ipv4", port, file.name));
    });
    return out;
}

core::Ipv4 joined(const Numbers& own, const Numbers& all) {
    core::Ipv4 out;
    for (std::size_t i = 0; i < own.size(); ++i)
        out.*core::kJointFiles.at(i).value = {.own = own.at(i), .all = all.at(i)};
    return out;
}

using Confs = std::unordered_map<std::uint32_t, IpConf>;

/// IFLA_INET_CONF holds net.ipv4.conf by IPV4_DEVCONF_*, from 1 on.
std::optional<Numbers> numbers_in(Bytes conf) {
    constexpr std::array kPlaces = {IPV4_DEVCONF_ARP_IGNORE, IPV4_DEVCONF_ARP_ANNOUNCE,
                                    IPV4_DEVCONF_RP_FILTER, IPV4_DEVCONF_ACCEPT_LOCAL};
    static_assert(kPlaces.size() == core::kJointFiles.size());
    Numbers out{};
    for (std::size_t i = 0; i < kPlaces.size(); ++i) {
        const std::size_t at =
            (static_cast<std::size_t>(kPlaces.at(i)) - 1) * sizeof(std::uint32_t);
        if (at >= conf.size()) return std::nullopt;
        const auto number = header_of<std::int32_t>(conf.subspan(at));
        if (!number) return std::nullopt;
        out.at(i) = *number;
    }
    return out;
}

/// Of all links of a host in one dump; of few ports the files are asked.
Confs confs_of(Machine& machine, const core::Scope& scope, const core::State& state) {
    constexpr std::size_t few = 16;
    Confs out;
    if (scope.ports || machine.rooted() || state.ports.size() <= few) return out;
    Message request(RTM_GETLINK);
    request.put_header(ifinfomsg{});
    request.put(IFLA_EXT_MASK, std::uint32_t{RTEXT_FILTER_SKIP_STATS});
    machine.route().dump(
        request, [&out] { out.clear(); },
        [&out](const Reply& reply) {
            if (const auto header = header_of<ifinfomsg>(reply.payload))
                out[static_cast<std::uint32_t>(header->ifi_index)] = decode_ip_conf(reply.payload);
        });
    return out;
}

void read_ipv4(Machine& machine, const Confs& known, core::State& state) {
    const Numbers all = numbers_of(machine, "all");
    for (core::Port& port : state.ports) {
        const auto conf = known.find(port.link ? port.link->index : 0);
        attempt(port, {core::Object::ipv4}, [&] {
            const bool reported = conf != known.end() && conf->second.ipv4;
            port.ipv4 = joined(reported ? *conf->second.ipv4 : numbers_of(machine, port.name), all);
        });
    }
}

void read_ipv6(Machine& machine, core::Port& port) {
    try {
        port.ipv6 = core::Ipv6{.addr_gen_mode = read_number<std::uint8_t>(
                                   conf(machine, "ipv6", port.name, "addr_gen_mode"))};
    } catch (const KernelError& error) {
        if (error.code == ENOENT) throw KernelError(EOPNOTSUPP, "no IPv6 on this port");
        throw;
    }
}

void read_ipv6(Machine& machine, const Confs& known, core::State& state) {
    for (core::Port& port : state.ports) {
        const auto conf = known.find(port.link ? port.link->index : 0);
        if (conf != known.end() && conf->second.addr_gen_mode)
            port.ipv6 = core::Ipv6{.addr_gen_mode = *conf->second.addr_gen_mode};
        else
            attempt(port, {core::Object::ipv6}, [&] { read_ipv6(machine, port); });
    }
}

}  // namespace

IpConf decode_ip_conf(Bytes payload) {
    const Attributes families = Attributes::after<ifinfomsg>(payload).nested(IFLA_AF_SPEC);
    IpConf out;
    if (const auto ipv4 = families.nested(AF_INET).find(IFLA_INET_CONF))
        out.ipv4 = numbers_in(*ipv4);
    out.addr_gen_mode = families.nested(AF_INET6).value<std::uint8_t>(IFLA_INET6_ADDR_GEN_MODE);
    return out;
}

void read_ip_conf(Machine& machine, const core::Scope& scope, core::State& state) {
    using core::Object;
    const Confs known = confs_of(machine, scope, state);
    if (scope.objects.contains(Object::ipv6)) read_ipv6(machine, known, state);
    if (!scope.objects.contains(Object::ipv4)) return;
    try {
        read_ipv4(machine, known, state);
    } catch (const KernelError& error) {
        for (core::Port& port : state.ports)
            port.refused[Object::ipv4] = refusal(error);
    }
}

void read_ip_of_new(Machine& machine, const core::Objects& objects, core::Port& port) {
    core::Port preset("default");
    if (objects.contains(core::Object::ipv4))
        port.ipv4 = joined(numbers_of(machine, preset.name), numbers_of(machine, "all"));
    if (objects.contains(core::Object::ipv6)) read_ipv6(machine, preset);
    port.ipv6 = preset.ipv6;
}

void write_ipv4(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.ipv4 || !then.ipv4) throw KernelError(ENODEV);
    for (const core::JointFile& file : core::kJointFiles) {
        const std::int32_t own = ((*then.ipv4).*file.value).own;
        if (own != ((*now.ipv4).*file.value).own)
            write_text_file(conf(machine, "ipv4", now.name, file.name), std::to_string(own));
    }
}

void write_ipv6(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!then.ipv6) throw KernelError(ENODEV);
    write_text_file(conf(machine, "ipv6", now.name, "addr_gen_mode"),
                    std::to_string(then.ipv6->addr_gen_mode));
}

}  // namespace netlink
