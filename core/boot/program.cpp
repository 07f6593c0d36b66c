// SPDX-License-Identifier: Apache-2.0
#include "core/boot/program.hpp"

#include <algorithm>
#include <array>

#include "core/boot/lines.hpp"
#include "core/model/glob.hpp"
#include "core/model/object.hpp"

namespace core::boot {
namespace {

using Folders = std::array<std::string_view, 4>;

// sysctl.d(5), modules-load.d(5), systemd.network(5), modprobe.d(5)
constexpr Folders kSysctl = {"/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d",
                             "/usr/lib/sysctl.d"};
constexpr Folders kModules = {"/etc/modules-load.d", "/run/modules-load.d",
                              "/usr/local/lib/modules-load.d", "/usr/lib/modules-load.d"};
constexpr Folders kModprobe = {"/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d",
                               "/usr/lib/modprobe.d"};
constexpr Folders kNetwork = {"/etc/systemd/network", "/run/systemd/network",
                              "/usr/local/lib/systemd/network", "/usr/lib/systemd/network"};
// NetworkManager.conf(5)
constexpr std::array<std::string_view, 3> kConnections = {
    "/etc/NetworkManager/system-connections", "/run/NetworkManager/system-connections",
    "/usr/lib/NetworkManager/system-connections"};
constexpr std::array<std::string_view, 4> kManagerConf = {
    "/etc/NetworkManager", "/etc/NetworkManager/conf.d", "/run/NetworkManager/conf.d",
    "/usr/lib/NetworkManager/conf.d"};
constexpr std::array<std::string_view, 1> kIfcfg = {"/etc/sysconfig/network-scripts"};
constexpr std::array<std::string_view, 2> kInterfaces = {"/etc/network",
                                                         "/etc/network/interfaces.d"};
constexpr std::array<std::string_view, 2> kHooks = {"/etc/network/if-pre-up.d",
                                                    "/etc/network/if-up.d"};
// NetworkManager-dispatcher(8)
constexpr std::array<std::string_view, 4> kDispatched = {
    "/etc/NetworkManager/dispatcher.d", "/etc/NetworkManager/dispatcher.d/pre-up.d",
    "/usr/lib/NetworkManager/dispatcher.d", "/usr/lib/NetworkManager/dispatcher.d/pre-up.d"};
// netplan-generate(8)
constexpr std::array<std::string_view, 3> kNetplan = {"/etc/netplan", "/run/netplan",
                                                      "/usr/lib/netplan"};
// systemd.unit(5), systemd.generator(7)
constexpr std::array<std::string_view, 6> kUnits = {
    "/etc/systemd/system",           "/run/systemd/system",     "/run/systemd/generator",
    "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/run/systemd/generator.late"};

constexpr std::array<std::string_view, 6> kNetworkKeys = {"Match.*",        "Link.ActivationPolicy",
                                                          "Link.Unmanaged", "Network.DHCP",
                                                          "DHCPv4.UseMTU",  "DHCP.UseMTU"};
// networkd.conf(5)
constexpr Folders kSystemd = {"/etc/systemd", "/run/systemd", "/usr/local/lib/systemd",
                              "/usr/lib/systemd"};
constexpr std::array<std::string_view, 1> kNetworkdKeys = {
    "Network.ManageForeignRoutingPolicyRules"};
constexpr std::array<std::string_view, 2> kLinkKeys = {"Match.*", "Link.Name"};
constexpr std::array<std::string_view, 10> kConnectionKeys = {"connection.type",
                                                              "connection.interface-name",
                                                              "connection.autoconnect",
                                                              "connection.autoconnect-priority",
                                                              "ethernet.mac-address",
                                                              "802-3-ethernet.mac-address",
                                                              "802-3-ethernet.mtu",
                                                              "match.*",
                                                              "ipv4.method",
                                                              "ipv6.method"};
// nm-settings-ifcfg-rh(5), of which no section is known
constexpr std::array<std::string_view, 12> kIfcfgKeys = {
    ".DEVICE",  ".HWADDR",        ".MTU",       ".TYPE",    ".VLAN",     ".ONBOOT",
    ".IPADDR*", ".NM_CONTROLLED", ".BOOTPROTO", ".PREFIX*", ".NETMASK*", ".IPV6ADDR"};
constexpr std::array<std::string_view, 2> kManagerKeys = {"keyfile.unmanaged-devices",
                                                          "device*.managed"};
// systemd.unit(5), systemd.service(5), systemd.exec(5): the command, and what may keep it from its
// work
constexpr std::array<std::string_view, 7> kUnitKeys = {
    "Service.ExecStart",     "Install.WantedBy", "Unit.Condition*", "Unit.Assert*",
    "Service.ExecCondition", "Service.User",     "Service.Root*"};
constexpr std::array<std::string_view, 1> kLimitKeys = {"Service.LimitMEMLOCK"};
// interfaces(5); what a command of `up` does is not read
constexpr std::array<std::string_view, 17> kInterfacesKeys = {
    "auto",     "allow-*",  "iface",  "source",       "source-directory", "mapping",
    "template", "inherits", "mtu",    "address",      "netmask",          "up",
    "pre-up",   "post-up",  "rename", "no-auto-down", "no-scripts"};
constexpr std::array<std::string_view, 3> kModprobeKeys = {"options", "blacklist", "install"};
constexpr std::array<std::string_view, 1> kAll = {"*"};

constexpr std::array kSources = {
    Source{.name = "sysctl.d",
           .folders = kSysctl,
           .ending = ".conf",
           .form = Form::words,
           .keys = kAll},
    Source{.name = "modules-load.d",
           .folders = kModules,
           .ending = ".conf",
           .form = Form::words,
           .keys = kAll},
    Source{.name = "modprobe.d",
           .folders = kModprobe,
           .ending = ".conf",
           .form = Form::words,
           .keys = kModprobeKeys},
    Source{.name = "link files",
           .folders = kNetwork,
           .ending = ".link",
           .drop_in = ".d",
           .keys = kLinkKeys},
    Source{.name = "network files",
           .folders = kNetwork,
           .ending = ".network",
           .drop_in = ".d",
           .keys = kNetworkKeys,
           .timed = true},
    Source{.name = "networkd.conf",
           .folders = kSystemd,
           .ending = ".conf",
           .drop_in = ".d",
           .keys = kNetworkdKeys,
           .beginning = "networkd"},
    Source{.name = "keyfiles",
           .folders = kConnections,
           .ending = ".nmconnection",
           .keys = kConnectionKeys,
           .timed = true,
           .of_root = true},
    Source{.name = "ifcfg", .folders = kIfcfg, .keys = kIfcfgKeys, .beginning = "ifcfg-"},
    Source{.name = "NetworkManager.conf",
           .folders = kManagerConf,
           .ending = ".conf",
           .keys = kManagerKeys},
    Source{.name = "interfaces",
           .folders = kInterfaces,
           .form = Form::words,
           .keys = kInterfacesKeys,
           .hides = false},
    Source{.name = "hooks", .folders = kHooks, .form = Form::scripts, .hides = false},
    Source{.name = "dispatched", .folders = kDispatched, .form = Form::scripts},
    Source{.name = "netplan",
           .folders = kNetplan,
           .ending = ".yaml",
           .form = Form::presence,
           .timed = true},
    Source{.name = "units",
           .folders = kUnits,
           .ending = ".service",
           .drop_in = ".d",
           .keys = kUnitKeys,
           .beginning = "rocectl"},
    Source{.name = "limits",
           .folders = kUnits,
           .ending = ".service",
           .drop_in = ".d",
           .keys = kLimitKeys,
           .sparse = true},
    Source{.name = "enabled", .folders = kUnits, .ending = ".wants", .form = Form::wants},
    Source{.name = "required", .folders = kUnits, .ending = ".requires", .form = Form::wants},
};

constexpr const Source* source_at(std::string_view name) {
    for (const Source& one : kSources)
        if (one.name == name) return &one;
    return nullptr;
}

constexpr std::array kPrograms = {
    Program{BootProgram::modules_load, "systemd-modules-load", source_at("modules-load.d"),
            "systemd-modules-load.service"},
    Program{BootProgram::modprobe, "modprobe", source_at("modprobe.d")},
    Program{BootProgram::sysctl, "systemd-sysctl", source_at("sysctl.d"), "systemd-sysctl.service"},
    Program{BootProgram::link_file, "systemd-udevd", source_at("link files")},
    Program{BootProgram::networkd, "systemd-networkd", source_at("network files"),
            "systemd-networkd.service", true, true},
    Program{BootProgram::network_manager, "NetworkManager", source_at("keyfiles"),
            "NetworkManager.service", true, true},
    Program{BootProgram::ifupdown, "ifupdown", source_at("interfaces"), "networking.service", true,
            false},
    Program{.program = BootProgram::services,
            .name = "systemd",
            .source = source_at("enabled"),
            .late = true},
};

bool is_like(std::string_view pattern, std::string_view key) {
    return is_glob(pattern) ? glob_matches(pattern, key) : pattern == key;
}

bool is_in_table(const Source& source, std::string_view key) {
    return std::ranges::any_of(objects(), [&](const ObjectRow* row) {
        return std::ranges::any_of(row->boot.programs, [&](const AtBoot& at) {
            return program_of(at.program).source == &source && is_like(at.key, key);
        });
    });
}

bool is_kept(const Source& source, std::string_view key) {
    return std::ranges::any_of(source.keys,
                               [&](std::string_view pattern) { return is_like(pattern, key); }) ||
           is_in_table(source, key);
}

/// What runs at `up`, or in a module's place, may have a password in it.
std::string without_command(const std::string& text, std::string_view key) {
    if (key.ends_with("up")) return std::string(key);
    const std::vector<std::string> words = words_in(text);
    return key == "install" && words.size() > 3 ? "install " + words[1] + " ..." : text;
}

}  // namespace

std::span<const Program> programs() {
    return kPrograms;
}

const Program& program_of(BootProgram program) {
    return kPrograms[static_cast<std::size_t>(program)];
}

std::span<const Source> sources() {
    return kSources;
}

bool is_of_interest(std::string_view unit) {
    if (!unit.ends_with(".service")) return false;
    return unit.starts_with("rocectl") || is_in_table(source("enabled"), unit) ||
           std::ranges::any_of(kPrograms, [&](const Program& one) { return one.service == unit; });
}

const Source& source(std::string_view name) {
    return *source_at(name);
}

BootFiles kept_lines(const Source& source, const std::string& file, std::string_view text) {
    BootFiles out = {{.file = file}};
    if (source.form != Form::sections && source.form != Form::words) return out;
    for (const TextLine& line : logical_lines(source.form, text)) {
        const bool header = source.form == Form::sections && line.key.empty();
        if (!header && !is_kept(source, line.key)) continue;
        out.push_back({.file = file,
                       .line = line.number,
                       .text = source.form == Form::words ? without_command(line.text, line.key)
                                                          : line.text});
    }
    return out;
}

}  // namespace core::boot
