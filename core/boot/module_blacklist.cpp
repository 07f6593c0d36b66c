// SPDX-License-Identifier: Apache-2.0
#include "core/boot/module_blacklist.hpp"

#include <algorithm>
#include <array>

#include "core/boot/boot_settings.hpp"
#include "core/boot/lines.hpp"
#include "core/model/glob.hpp"
#include "core/model/object.hpp"
#include "core/objects/host/parts.hpp"

namespace core::boot {
namespace {

using Kind = Persistence::Kind;

constexpr std::string_view kBlacklist = "blacklist";
constexpr std::string_view kInstall = "install";

/// A command that loads nothing. The shell has the last of them itself.
bool does_nothing(const std::string& command) {
    constexpr std::array<std::string_view, 3> idle = {"true", "false", ":"};
    return std::ranges::find(idle, base_name(command)) != idle.end();
}

/// libkmod-module.c: the first command whose pattern is of the module is run in its place, also
/// where another module takes it along.
std::optional<Persistence> by_command(const std::string& module,
                                      const BootConfiguration& configuration) {
    for (const BootSetting& line : configuration.blacklisted) {
        if (line.value.empty() || !glob_matches(line.key, module)) continue;
        if (does_nothing(line.value))
            return Persistence{Kind::overwritten, place(line) + " has modprobe run '" + line.value +
                                                      "' instead of loading " + module};
        return Persistence{
            Kind::unknown,
            place(line) + " has modprobe run a command instead of loading " + module};
    }
    return std::nullopt;
}

/// No device loads it then, nor does who asks libkmod to go by the list: systemd-modules-load
/// (src/shared/module-util.c, module_load_and_warn) and rocectl. What another module needs is
/// loaded with it all the same.
std::optional<Persistence> by_list(const std::string& module,
                                   const BootConfiguration& configuration) {
    for (const BootSetting& line : configuration.blacklisted)
        if (line.value.empty() && line.key == module)
            return Persistence{Kind::overwritten,
                               place(line) + " blacklists " + module +
                                   ": no device, systemd-modules-load or rocectl "
                                   "loads it"};
    return std::nullopt;
}

std::optional<Persistence> kept_out(const std::string& module,
                                    const BootConfiguration& configuration, std::string_view role) {
    auto out = by_command(module, configuration);
    if (!out) out = by_list(module, configuration);
    if (out) out->text += role;
    return out;
}

std::string underscored(std::string_view name) {
    std::string out(name);
    std::ranges::replace(out, '-', '_');
    return out;
}

/// Of a port of a NIC: modules and drivers have one name there.
std::optional<Persistence> of_driver(const Port& port, const BootConfiguration& configuration) {
    if (!port.link || port.link->pci.empty() || !port.device || port.device->driver.empty())
        return std::nullopt;
    return kept_out(underscored(port.device->driver), configuration, ", the driver of the port");
}

std::optional<Persistence> of_rdma_device(const Desired& desired, const Port& port,
                                          const BootConfiguration& configuration) {
    const ObjectRow& row = row_of(desired.field->object);
    const bool hangs_on_it = row.lives == Lives::rdma_device || row.makes_rdma_device;
    const std::string_view module = rdma_software::module_of(port);
    if (!hangs_on_it || module.empty()) return std::nullopt;
    if (auto out = kept_out(std::string(module), configuration, ", which makes the RDMA device"))
        return out;
    auto out = by_command(std::string(rdma_software::kCore), configuration);
    if (out) out->text += ", without which there is no RDMA device";
    return out;
}

}  // namespace

std::string module_kept_out(std::string_view line) {
    const std::vector<std::string> words = words_in(line);
    const bool named = words.size() > 1 && words[0] == kBlacklist;
    const bool given = words.size() > 2 && words[0] == kInstall;
    return named || given ? underscored(words[1]) : "";
}

std::optional<Persistence> blacklisted(const Desired& desired, const Port& port,
                                       const BootConfiguration& configuration) {
    if (configuration.blacklisted.empty()) return std::nullopt;
    if (is_reported_of(*desired.field, BootProgram::modules_load)) {
        auto out = kept_out(desired.element, configuration, "");
        if (out && !desired.value && out->kind == Kind::overwritten) out->kind = Kind::restored;
        return out;
    }
    if (auto out = of_driver(port, configuration)) return out;
    return of_rdma_device(desired, port, configuration);
}

}  // namespace core::boot
