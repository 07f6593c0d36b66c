// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/glob.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// Where what matters to a fabric is; keys that nobody should see are in one of them.
constexpr std::array<std::string_view, 3> kListed = {"net/core", "net/ipv4", "vm"};

HostPath parameter_path(const Machine& machine, const std::string& name) {
    const std::optional<std::string> path = core::sysctl_path(name);
    if (!path) throw KernelError(EINVAL, "'" + name + "' is no name of a kernel parameter");
    return machine.file("/proc/sys") / *path;
}

bool is_secret(const std::string& name) {
    return name.ends_with("_key");
}

/// Those that everybody may read; some only do something when they are written.
bool is_readable(const HostPath& file) {
    const auto status = status_of(file);
    return status && S_ISREG(status->st_mode) && (status->st_mode & S_IROTH) != 0;
}

void read_listed(Machine& machine, core::Sysctl& sysctl) {
    for (const std::string_view directory : kListed) {
        const HostPath folder = machine.file("/proc/sys") / directory;
        for (const std::string& file : names_in(folder)) {
            if (is_secret(file) || !is_readable(folder / file)) continue;
            const std::string name = core::sysctl_name(std::string(directory) + '/' + file);
            try {
                sysctl[name] = core::one_blank(read_text_file(folder / file));
            } catch (const KernelError&) {
                continue;  // what has no value just now is not listed
            }
        }
    }
}

/// A write of no bytes is none. One newline empties a list (kernel/sysctl.c proc_do_large_bitmap
/// skips it) and a text (_proc_do_string ends at it); what takes a number refuses it (EINVAL).
std::string written(const std::string& value) {
    return value.empty() ? "\n" : value;
}

/// Those of a pattern in which `*` stands for a port, such as net.ipv4.conf.*.forwarding. A port
/// that has just gone has none.
void read_matching(Machine& machine, const std::string& pattern, core::Sysctl& sysctl) {
    const std::string path = core::sysctl_path(pattern).value_or("");
    const std::size_t star = path.find("/*/");
    if (star == std::string::npos) return;
    const std::string folder = path.substr(0, star);
    const std::string rest = path.substr(star + 2);
    for (const std::string& port : names_in(machine.file("/proc/sys") / folder)) {
        if (port == "all" || port == "default") continue;
        std::string name = folder;
        name.append("/").append(port).append(rest);
        if (const auto value = read_if_there(machine.file("/proc/sys") / name))
            sysctl[core::sysctl_name(name)] = core::one_blank(*value);
    }
}

}  // namespace

void read_sysctl(Machine& machine, const Names& names, core::Port& itself) {
    // Otherwise none of them would be there.
    if (!machine.rooted() && !exists("/proc/sys"))
        throw KernelError(ENOENT, "/proc is not mounted: expected proc(5) there");
    core::Sysctl sysctl;
    if (names.empty()) read_listed(machine, sysctl);
    for (const std::string& name : names) {
        if (core::is_glob(name)) {
            read_matching(machine, name, sysctl);
            continue;
        }
        try {
            sysctl[name] = core::one_blank(read_text_file(parameter_path(machine, name)));
        } catch (const KernelError& error) {
            if (error.code != ENOENT) throw;
        }
    }
    itself.sysctl = std::move(sysctl);
}

void write_sysctl(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.sysctl || !then.sysctl) throw KernelError(ENODEV);
    std::optional<KernelError> first;
    bool may_be_set = false;
    for (const auto& [name, value] : core::sysctl::writes(*now.sysctl, *then.sysctl)) {
        try {
            const HostPath path = parameter_path(machine, name);
            // A port's own value that is written no longer follows the default, equal or not
            // (net/ipv4/devinet.c devinet_conf_proc).
            if (may_be_set && core::one_blank(read_text_file(path)) == value) continue;
            write_text_file(path, written(value));
        } catch (const KernelError& error) {
            if (!first) first = error;
        }
        may_be_set = may_be_set || core::sysctl::sets_others(name);
    }
    if (first) throw KernelError(*first);
}

}  // namespace netlink
