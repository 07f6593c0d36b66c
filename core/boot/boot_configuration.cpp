// SPDX-License-Identifier: Apache-2.0
#include "core/boot/boot_configuration.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/boot/lines.hpp"
#include "core/model/glob.hpp"
#include "core/model/object.hpp"

namespace core::boot {
namespace {

/// systemd.unit(5): beside the unit that starts it too.
bool is_link_of_wanted(std::string_view file) {
    const std::string_view folder = file.substr(0, file.rfind('/'));
    return folder.ends_with(".wants") || folder.ends_with(".requires");
}

/// Whether an ordinary boot starts the unit by this link, rather than shutdown, sleep or rescue.
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

/// netplan generates files for the other programs at every boot: those present now are only
/// believed if they are newer than netplan's own.
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
    for (const BootSetting& setting : out.settings)
        if (setting.key.empty() && (owners.empty() || owners.back()->program != setting.program))
            owners.push_back(&setting);
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

std::string place(const BootSetting& setting) {
    return setting.line == 0 ? setting.file : setting.file + ':' + std::to_string(setting.line);
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

namespace {

using ShapeKind = Shape::Kind;

bool is_of(const AtBoot& at, const Field& field) {
    return is_glob(at.setting) ? glob_matches(at.setting, field.key) : at.setting == field.key;
}

std::string filled_in(std::string_view key, const Desired& desired) {
    std::string out(key);
    for (const auto& [variable, value] :
         {std::pair<std::string_view, std::string_view>{"$port", desired.port},
          {"$element", desired.element}})
        if (const std::size_t at = out.find(variable); at != std::string::npos)
            out.replace(at, variable.size(), value);
    return out;
}

std::optional<Value> value_in(const Shape& shape, const std::string& text) {
    switch (shape.kind) {
        case ShapeKind::flag: return flag_in(text);
        case ShapeKind::number: {
            std::uint64_t number = 0;
            const char* end = text.data() + text.size();
            const auto read = std::from_chars(text.data(), end, number);
            if (text.empty() || read.ec != std::errc() || read.ptr != end) return std::nullopt;
            return number;
        }
        case ShapeKind::word:
        case ShapeKind::text: return canonical(shape, text);
        case ShapeKind::named: return value_in(*shape.of, text);
        // An address has its gateway behind a comma in keyfiles.
        case ShapeKind::items: {
            if (!shape.parts.empty()) return std::nullopt;
            const Value item = text.substr(0, text.find(','));
            return illegal(shape, item) ? std::nullopt : std::optional(canonical(shape, item));
        }
        default: return std::nullopt;
    }
}

std::vector<const BootSetting*> lines_for(const AtBoot& at, const Desired& desired,
                                          const std::vector<BootSetting>& settings) {
    std::vector<const BootSetting*> out;
    const std::string key = filled_in(at.key, desired);
    const bool open = is_glob(at.key);
    if (at.program == BootProgram::sysctl) {
        if (const BootSetting* last = last_sysctl(settings, sysctl_name(key))) out.push_back(last);
        return out;
    }
    const bool any = at.key == "$element" && desired.element.empty();
    for (const BootSetting& one : settings)
        if (one.program == at.program && !one.key.empty() &&
            (any || (open ? glob_matches(key, one.key) : one.key == key)))
            out.push_back(&one);
    return out;
}

}  // namespace

std::vector<UnderstoodSetting> understood(const Desired& desired,
                                          const std::vector<BootSetting>& settings, bool late) {
    std::vector<UnderstoodSetting> out;
    for (const AtBoot& at : row_of(desired.field->object).boot.programs) {
        if (!at.element.empty() && !desired.element.empty() && at.element != desired.element)
            continue;
        if (!is_of(at, *desired.field) || (late && !program_of(at.program).late)) continue;
        for (const BootSetting* one : lines_for(at, desired, settings)) {
            UnderstoodSetting& understood =
                out.emplace_back(UnderstoodSetting{.setting = one, .at = &at});
            const std::string spelled =
                at.spelled == nullptr ? one->value : std::string(at.spelled(one->value));
            if (at.compared) understood.value = value_in(desired.field->shape, spelled);
        }
    }
    std::ranges::stable_sort(out, {},
                             [](const UnderstoodSetting& one) { return one.setting->program; });
    return out;
}

std::optional<Value> unstated(const Field& field) {
    for (const AtBoot& at : row_of(field.object).boot.programs)
        if (is_of(at, field) && !at.unstated.empty())
            return value_in(field.shape, std::string(at.unstated));
    return std::nullopt;
}

bool can_state(const Field& field, BootProgram program) {
    return std::ranges::any_of(row_of(field.object).boot.programs, [&](const AtBoot& at) {
        return is_of(at, field) && at.program == program;
    });
}

}  // namespace core::boot
