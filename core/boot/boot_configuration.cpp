// SPDX-License-Identifier: Apache-2.0
#include "core/boot/boot_configuration.hpp"

#include <algorithm>
#include <array>

namespace core::boot {
namespace {

/// systemd.unit(5): beside the unit that starts it too.
bool is_link_of_wanted(std::string_view file) {
    const std::string_view folder = file.substr(0, file.rfind('/'));
    return folder.ends_with(".wants") || folder.ends_with(".requires");
}

/// By a target that a boot comes by, and none of those that end it or are for fixing.
bool is_wanted_at_boot(std::string_view link) {
    constexpr std::array others = {"rescue",
                                   "emergency",
                                   "shutdown",
                                   "reboot",
                                   "poweroff",
                                   "halt",
                                   "kexec",
                                   "exit",
                                   "sleep",
                                   "suspend",
                                   "hibernate",
                                   "hybrid-sleep",
                                   "suspend-then-hibernate"};
    if (!is_link_of_wanted(link)) return false;
    const std::string_view by = base_name(link.substr(0, link.rfind('/')));
    const std::size_t end = by.find(".target.");
    return end == std::string_view::npos ||
           std::ranges::find(others, by.substr(0, end)) == others.end();
}

/// netplan writes files for the others whenever the host starts: those of now are reported of only
/// if they were written after its own.
void uncertain_netplan(const BootFiles& files, BootConfiguration& out) {
    std::uint64_t written = 0, made = 0;
    std::string newest;
    for (const BootLine& line : files) {
        if (line.line != 0) continue;
        const bool own = line.file.find("/netplan/") != std::string::npos;
        if (own && line.time >= written) {
            written = line.time;
            newest = line.file;
        }
        if (is_from_netplan(line.file)) made = std::max(made, line.time);
    }
    if (newest.empty() || (made != 0 && made >= written)) return;
    const std::string text =
        newest + (made == 0 ? ", and netplan has not generated anything from it"
                            : " is newer than what netplan generated");
    for (const BootProgram program :
         {BootProgram::link_file, BootProgram::networkd, BootProgram::network_manager})
        out.uncertainties.push_back({.program = program, .text = text});
}

void uncertain_refused(const BootFiles& files, BootConfiguration& out) {
    for (const File& file : in_force(source("ifcfg"), files))
        if (!file.refused.empty())
            out.uncertainties.push_back(
                {.program = BootProgram::network_manager, .text = file.path + ": " + file.refused});
    for (const Program& program : programs())
        for (const File& file : in_force(*program.source, files))
            if (!file.refused.empty())
                out.uncertainties.push_back(
                    {.program = program.program, .text = file.path + ": " + file.refused});
}

/// Which of two programs that both have a port acts on it files do not tell.
void uncertain_rivals(BootConfiguration& out) {
    std::vector<const BootSetting*> owners;
    for (const BootSetting& settings : out.settings)
        if (settings.key.empty() && (owners.empty() || owners.back()->program != settings.program))
            owners.push_back(&settings);
    if (owners.size() < 2) return;
    for (const BootSetting* owner : owners)
        out.uncertainties.push_back({.program = owner->program,
                                     .text = "both " + place(*owners.front()) + " and " +
                                             place(*owners.back()) + " are for the port"});
}

/// What a program says that nothing starts does not count.
void set_idle_aside(const BootFiles& files, BootConfiguration& out) {
    for (const Program& program : programs()) {
        if (program.service.empty() || is_enabled(program.service, files)) continue;
        const auto is_its = [&](const auto& one) { return one.program == program.program; };
        std::ranges::copy_if(out.settings, std::back_inserter(out.idle), is_its);
        std::erase_if(out.settings, is_its);
        std::erase_if(out.uncertainties, is_its);
    }
}

}  // namespace

bool is_from_netplan(std::string_view file) {
    return file.starts_with("/run/systemd/network/10-netplan-") ||
           file.starts_with("/run/NetworkManager/system-connections/netplan-");
}

std::string place(const BootSetting& settings) {
    return settings.line == 0 ? settings.file : settings.file + ':' + std::to_string(settings.line);
}

bool is_enabled(std::string_view unit, const BootFiles& files) {
    bool wanted = false;
    for (const BootLine& line : files) {
        if (base_name(line.file) != unit || line.line != 0) continue;
        if (line.refused == kMasked) return false;
        wanted = wanted || is_wanted_at_boot(line.file);
    }
    return wanted;
}

void add_services(const BootFiles& files, BootConfiguration& out) {
    for (const BootLine& line : files) {
        const std::string unit(base_name(line.file));
        if (line.line == 0 && is_wanted_at_boot(line.file) && is_enabled(unit, files))
            out.settings.push_back(
                {.program = BootProgram::services, .key = unit, .value = "yes", .file = line.file});
    }
}

BootConfiguration configuration(const Port& port, const BootFiles& files) {
    BootConfiguration out;
    add_services(files, out);
    add_limits(files, out);
    add_modules(files, out);
    add_sysctl(files, out);
    if (port.name != kHost) {
        add_link_file(port, files, out);
        add_networkd(port, files, out);
        add_network_manager(port, files, out);
        add_interfaces(port, files, out);
        add_scripts(files, out);
        uncertain_netplan(files, out);
    } else {
        add_networkd_of_host(files, out);
    }
    uncertain_refused(files, out);
    set_idle_aside(files, out);
    uncertain_rivals(out);
    return out;
}

}  // namespace core::boot
