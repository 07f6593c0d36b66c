// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/ip_conf.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include "core/objects/ip/ip_conf.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// A name with a slash would lead elsewhere; the kernel has none (net/core/dev.c dev_valid_name).
std::filesystem::path conf(const Machine& machine, std::string_view family, const std::string& port,
                           std::string_view name) {
    if (port.empty() || port == "." || port == ".." || port.find('/') != std::string::npos)
        throw KernelError(EINVAL, "'" + port + "' is no name of a port");
    return machine.file("/proc/sys/net") / family / "conf" / port / name;
}

std::uint8_t read_number(const std::filesystem::path& path) {
    const std::string text = read_text_file(path);
    std::uint8_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
        throw KernelError(EBADMSG, path.string() + " reads '" + text + "'");
    return number;
}

using Numbers = std::array<std::uint8_t, core::kJointFiles.size()>;

/// In the order of the table, of a port or of `all`.
Numbers numbers_of(const Machine& machine, const std::string& port) {
    Numbers out{};
    std::ranges::transform(core::kJointFiles, out.begin(), [&](const core::JointFile& file) {
        return read_number(conf(machine, "ipv4", port, file.name));
    });
    return out;
}

core::Ipv4 joined(const Numbers& own, const Numbers& all) {
    core::Ipv4 out;
    for (std::size_t i = 0; i < own.size(); ++i)
        out.*core::kJointFiles.at(i).value = {.own = own.at(i), .all = all.at(i)};
    return out;
}

}  // namespace

void read_ipv4(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    const Numbers all = numbers_of(machine, "all");
    for (core::Port& port : state.ports)
        attempt(port, {core::Object::ipv4},
                [&] { port.ipv4 = joined(numbers_of(machine, port.name), all); });
}

void read_ipv6(Machine& machine, core::Port& port) {
    try {
        port.ipv6 = core::Ipv6{.addr_gen_mode =
                                   read_number(conf(machine, "ipv6", port.name, "addr_gen_mode"))};
    } catch (const KernelError& error) {
        if (error.code == ENOENT) throw KernelError(EOPNOTSUPP, "no IPv6 on this port");
        throw;
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
        const std::uint8_t own = ((*then.ipv4).*file.value).own;
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
