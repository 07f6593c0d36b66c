// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/ip_conf.hpp"

#include <cerrno>
#include <charconv>

#include "core/object/ip_conf.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// A name with a slash would lead elsewhere; the kernel has none (net/core/dev.c dev_valid_name).
std::filesystem::path conf(const Host& host, std::string_view family, const std::string& port,
                           std::string_view name) {
    if (port.empty() || port == "." || port == ".." || port.find('/') != std::string::npos)
        throw KernelError(EINVAL, "'" + port + "' is no name of a port");
    return host.file("/proc/sys/net") / family / "conf" / port / name;
}

std::uint8_t read_number(const std::filesystem::path& path) {
    const std::string text = read_text_file(path);
    std::uint8_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
        throw KernelError(EBADMSG, path.string() + " reads '" + text + "'");
    return number;
}

}  // namespace

void read_ipv4(Host& host, core::Port& port) {
    core::Ipv4 ipv4;
    for (const core::JointFile& file : core::kJointFiles)
        ipv4.*file.value = {.own = read_number(conf(host, "ipv4", port.name, file.name)),
                            .all = read_number(conf(host, "ipv4", "all", file.name))};
    port.ipv4 = ipv4;
}

void read_ipv6(Host& host, core::Port& port) {
    try {
        port.ipv6 = core::Ipv6{.addr_gen_mode =
                                   read_number(conf(host, "ipv6", port.name, "addr_gen_mode"))};
    } catch (const KernelError& error) {
        if (error.code == ENOENT) throw KernelError(EOPNOTSUPP, "no IPv6 on this port");
        throw;
    }
}

void write_ipv4(Host& host, const core::Port& now, const core::Port& then) {
    if (!now.ipv4 || !then.ipv4) throw KernelError(ENODEV);
    for (const core::JointFile& file : core::kJointFiles) {
        const std::uint8_t own = ((*then.ipv4).*file.value).own;
        if (own != ((*now.ipv4).*file.value).own)
            write_text_file(conf(host, "ipv4", now.name, file.name), std::to_string(own));
    }
}

void write_ipv6(Host& host, const core::Port& now, const core::Port& then) {
    if (!then.ipv6) throw KernelError(ENODEV);
    write_text_file(conf(host, "ipv6", now.name, "addr_gen_mode"),
                    std::to_string(then.ipv6->addr_gen_mode));
}

}  // namespace netlink
