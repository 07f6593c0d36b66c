// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/boot/boot_configuration.hpp"

namespace core::boot {
namespace {

/// By name what packages of distributions put there: they start services, or set what the files of
/// the program say (ethtool, bridge, vlan, ifenslave).
constexpr std::array<std::string_view, 15> kKnownHooks = {
    "avahi-autoipd", "avahi-daemon",   "bridge",         "ethtool",  "ifenslave",
    "mountnfs",      "ntpdate",        "ntpsec-ntpdate", "openvpn",  "openssh-server",
    "postfix",       "wireless-tools", "wpasupplicant",  "resolved", "vlan"};
constexpr std::array<std::string_view, 9> kKnownDispatched = {
    "01-ifupdown",         "04-iscsi",           "10-ifcfg-rh-routes.sh",
    "11-dhclient",         "20-chrony",          "20-chrony-dhcp",
    "20-chrony-onoffline", "30-winbind-systemd", "99tlp-rdw-nm"};

/// By which the dispatcher of Debian runs ifupdown's.
constexpr std::string_view kBridge = "01-ifupdown";

/// run-parts(8), which ifup calls (interfaces(5), IFACE OPTIONS): all other names are left out.
bool is_run_by_parts(std::string_view name) {
    constexpr std::string_view taken =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    return name.find_first_not_of(taken) == std::string_view::npos;
}

bool has_port(BootProgram program, const BootConfiguration& configuration) {
    return std::ranges::any_of(configuration.settings, [&](const BootSetting& setting) {
        return setting.program == program && setting.key.empty();
    });
}

void add_uncertainty(BootProgram program, const File& file, BootConfiguration& out) {
    out.uncertainties.push_back(
        {.program = program,
         .text = file.path + " is run when the port comes up, and what it does is not known",
         .of_all = true});
}

void add_hooks(BootProgram program, const BootFiles& files, BootConfiguration& out) {
    for (const File& file : in_force(source("hooks"), files)) {
        const std::string_view name = base_name(file.path);
        if (is_run_by_parts(name) && std::ranges::find(kKnownHooks, name) == kKnownHooks.end())
            add_uncertainty(program, file, out);
    }
}

}  // namespace

/// Scripts that a program runs for a port that it has: nobody can read what they do
/// (interfaces(5); NetworkManager-dispatcher(8)).
void add_scripts(const BootFiles& files, BootConfiguration& out) {
    if (has_port(BootProgram::ifupdown, out)) add_hooks(BootProgram::ifupdown, files, out);
    if (!has_port(BootProgram::network_manager, out)) return;
    for (const File& file : in_force(source("dispatched"), files)) {
        const std::string_view name = base_name(file.path);
        if (name == kBridge) add_hooks(BootProgram::network_manager, files, out);
        if (std::ranges::find(kKnownDispatched, name) == kKnownDispatched.end())
            add_uncertainty(BootProgram::network_manager, file, out);
    }
}

}  // namespace core::boot
