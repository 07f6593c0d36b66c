// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/boot/boot_configuration.hpp"
#include "core/boot/match.hpp"

namespace core::boot {
namespace {

constexpr std::string_view kMatch = "Match.";

Matched match_of(const Port& port, const File& file) {
    Match match(port);
    for (const TextLine& line : file.lines)
        if (line.key.starts_with(kMatch)) match.add(line.key.substr(kMatch.size()), line.value);
    return match.result();
}

/// A file with its drop-ins.
struct Whole {
    File file{};
    std::vector<File> added{};
};

Whole whole_of(const Source& from, File file, const BootFiles& files) {
    std::vector<File> added = drop_ins(from, base_name(file.path), files);
    return {.file = std::move(file), .added = std::move(added)};
}

void add_lines(BootProgram program, const File& file, const std::string& unsure,
               BootConfiguration& out) {
    for (const TextLine& line : file.lines) {
        if (line.key.empty() || line.key.starts_with(kMatch)) continue;
        out.settings.push_back(
            {.program = program,
             .key = line.key,
             .value = line.key.ends_with("Bytes") ? bytes_in(line.value) : line.value,
             .file = file.path,
             .line = line.number,
             .unsure = unsure});
    }
}

std::uint32_t first_line(const File& file) {
    return file.lines.empty() ? 1 : file.lines.front().number;
}

/// The program has the port; and takes it up, where nothing else is stated (systemd.network(5),
/// ActivationPolicy=).
void add_port_of_networkd(const Whole& whole, const std::string& unsure, BootConfiguration& out) {
    BootSetting has{.program = BootProgram::networkd,
                    .value = "yes",
                    .file = whole.file.path,
                    .line = first_line(whole.file),
                    .unsure = unsure};
    BootSetting up = has;
    up.key = "up";
    bool unmanaged = false;
    const auto visit = [&](const File& file) {
        for (const TextLine& line : file.lines) {
            if (line.key == "Link.Unmanaged") unmanaged = flag_in(line.value).value_or(false);
            if (line.key != "Link.ActivationPolicy") continue;
            up.value = line.value == "up" || line.value == "always-up"       ? "yes"
                       : line.value == "down" || line.value == "always-down" ? "no"
                                                                             : "";
            up.file = file.path;
            up.line = line.number;
        }
    };
    visit(whole.file);
    std::ranges::for_each(whole.added, visit);
    if (unmanaged) return;
    out.settings.push_back(std::move(has));
    if (!up.value.empty()) out.settings.push_back(std::move(up));
}

/// systemd.network(5), UseMTU=, and its section's name until systemd 243: a lease may set the MTU
/// where MTUBytes= does not.
void add_lease(const Whole& whole, const std::string& unsure, BootConfiguration& out) {
    bool asks = false;
    std::optional<BootSetting> takes;
    const auto visit = [&](const File& file) {
        for (const TextLine& line : file.lines) {
            if (line.key == "Network.DHCP")
                asks = flag_in(line.value)
                           .value_or(!line.value.ends_with("v6") && line.value != "none");
            if (line.key != "DHCPv4.UseMTU" && line.key != "DHCP.UseMTU") continue;
            takes.reset();
            if (flag_in(line.value).value_or(true))
                takes = BootSetting{.program = BootProgram::networkd,
                                    .key = std::string(kByDhcp),
                                    .value = line.value,
                                    .file = file.path,
                                    .line = line.number,
                                    .unsure = unsure};
        }
    };
    visit(whole.file);
    std::ranges::for_each(whole.added, visit);
    if (asks && takes) out.settings.push_back(std::move(*takes));
}

/// A port that comes by another name is none that the profile knows.
void uncertain_name(const Port& port, const Whole& whole, BootConfiguration& out) {
    const auto visit = [&](const File& file) {
        for (const TextLine& line : file.lines)
            if (line.key == "Link.Name" && line.value != port.name)
                out.uncertainties.push_back({.program = BootProgram::link_file,
                                             .text = file.path + ':' + std::to_string(line.number) +
                                                     " names the port '" + line.value + "'",
                                             .of_all = true});
    };
    visit(whole.file);
    std::ranges::for_each(whole.added, visit);
}

/// systemd.network(5), systemd.link(5): the first file that matches is the only one.
void add_first(BootProgram program, const Port& port, const BootFiles& files,
               BootConfiguration& out) {
    const Source& from = *program_of(program).source;
    std::string unsure;
    for (File& file : in_force(from, files)) {
        if (file.lines.empty()) continue;
        const Matched matched = match_of(port, file);
        if (matched.applies == Matched::Applies::no) continue;
        if (matched.applies == Matched::Applies::maybe)
            unsure = file.path + " may be for the port: " + matched.unsure;
        const Whole whole = whole_of(from, std::move(file), files);
        if (program == BootProgram::networkd) {
            add_port_of_networkd(whole, unsure, out);
            add_lease(whole, unsure, out);
        }
        if (program == BootProgram::link_file) uncertain_name(port, whole, out);
        add_lines(program, whole.file, unsure, out);
        for (const File& added : whole.added)
            add_lines(program, added, unsure, out);
        if (matched.applies == Matched::Applies::yes) return;
    }
}

/// networkd.conf(5), in its drop-ins too, which may be there without it.
bool manages_foreign_rules(const BootFiles& files) {
    const Source& from = source("networkd.conf");
    bool manages = true;
    const auto visit = [&](const File& file) {
        for (const TextLine& line : file.lines)
            if (line.key == "Network.ManageForeignRoutingPolicyRules")
                manages = flag_in(line.value).value_or(true);
    };
    std::ranges::for_each(in_force(from, files), visit);
    std::ranges::for_each(drop_ins(from, "networkd.conf", files), visit);
    return manages;
}

/// Files of packages are for containers and virtual machines, which the host has no port of yet.
bool is_of_package(std::string_view file) {
    return file.starts_with("/usr/");
}

}  // namespace

/// Since 248 it takes away all rules of the host but its own and the kernel's when it sets up a
/// port, whosever the rules are (src/network/networkd-link.c link_drop_foreign_config).
void add_networkd_of_host(const BootFiles& files, BootConfiguration& out) {
    if (!manages_foreign_rules(files)) return;
    const Source& from = *program_of(BootProgram::networkd).source;
    for (File& file : in_force(from, files)) {
        if (file.lines.empty() || is_of_package(file.path)) continue;
        BootConfiguration of_port;
        add_port_of_networkd(whole_of(from, std::move(file), files), "", of_port);
        if (of_port.settings.empty()) continue;
        out.settings.push_back(of_port.settings.front());
        return;
    }
}

void add_link_file(const Port& port, const BootFiles& files, BootConfiguration& out) {
    add_first(BootProgram::link_file, port, files, out);
}

void add_networkd(const Port& port, const BootFiles& files, BootConfiguration& out) {
    add_first(BootProgram::networkd, port, files, out);
}

}  // namespace core::boot
