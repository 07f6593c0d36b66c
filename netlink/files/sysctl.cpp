// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// Where what matters to a fabric is; keys that nobody should see are in one of them.
constexpr std::array<std::string_view, 3> kListed = {"net/core", "net/ipv4", "vm"};

std::filesystem::path parameter_path(const Machine& machine, const std::string& name) {
    const std::optional<std::string> path = core::sysctl_path(name);
    if (!path) throw KernelError(EINVAL, "'" + name + "' is no name of a kernel parameter");
    return machine.file("/proc/sys") / *path;
}

bool is_secret(const std::string& name) {
    return name.ends_with("_key");
}

/// Those that everybody may read; some only do something when they are written.
bool is_readable(const std::filesystem::directory_entry& entry) {
    using std::filesystem::perms;
    std::error_code none;
    return entry.is_regular_file(none) &&
           (entry.status(none).permissions() & perms::others_read) != perms::none;
}

void read_listed(Machine& machine, core::Sysctl& sysctl) {
    for (const std::string_view directory : kListed) {
        std::error_code none;
        const auto folder = machine.file("/proc/sys") / directory;
        for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
            const std::string file = entry.path().filename().string();
            if (!is_readable(entry) || is_secret(file)) continue;
            const std::string name = core::sysctl_name(std::string(directory) + '/' + file);
            try {
                sysctl[name] = core::one_blank(read_text_file(entry.path()));
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

}  // namespace

void read_sysctl(Machine& machine, const Names& names, core::Port& itself) {
    // Otherwise none of them would be there.
    if (!machine.rooted() && ::access("/proc/sys", F_OK) != 0)
        throw KernelError(ENOENT, "/proc is not mounted: expected proc(5) there");
    core::Sysctl sysctl;
    if (names.empty()) read_listed(machine, sysctl);
    for (const std::string& name : names) {
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
    for (const auto& [name, value] : *then.sysctl) {
        const auto old = now.sysctl->find(name);
        if (old == now.sysctl->end() || old->second != value)
            write_text_file(parameter_path(machine, name), written(value));
    }
}

}  // namespace netlink
