// SPDX-License-Identifier: Apache-2.0
#include "core/boot/outcome.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/boot/boot_configuration.hpp"
#include "core/boot/lines.hpp"
#include "core/model/glob.hpp"
#include "core/model/object.hpp"
#include "core/objects/host/parts.hpp"

namespace core::boot {
namespace {

using Kind = BootOutcome::Kind;

constexpr std::string_view kBlacklist = "blacklist";
constexpr std::string_view kInstall = "install";

/// A command that loads nothing. The shell has the last of them itself.
bool does_nothing(const std::string& command) {
    constexpr std::array<std::string_view, 3> idle = {"true", "false", ":"};
    return std::ranges::find(idle, base_name(command)) != idle.end();
}

/// libkmod-module.c: the first command whose pattern is of the module is run in its place, also
/// where another module takes it along.
std::optional<BootOutcome> by_command(const std::string& module,
                                      const BootConfiguration& configuration) {
    for (const BootSetting& line : configuration.blacklisted) {
        if (line.value.empty() || !glob_matches(line.key, module)) continue;
        if (does_nothing(line.value))
            return BootOutcome{Kind::overwritten, place(line) + " has modprobe run '" + line.value +
                                                      "' instead of loading " + module};
        return BootOutcome{
            Kind::unknown,
            place(line) + " has modprobe run a command instead of loading " + module};
    }
    return std::nullopt;
}

/// No device loads it then, nor does who asks libkmod to go by the list: systemd-modules-load
/// (src/shared/module-util.c, module_load_and_warn) and rocectl. What another module needs is
/// loaded with it all the same.
std::optional<BootOutcome> by_list(const std::string& module,
                                   const BootConfiguration& configuration) {
    for (const BootSetting& line : configuration.blacklisted)
        if (line.value.empty() && line.key == module)
            return BootOutcome{Kind::overwritten,
                               place(line) + " blacklists " + module +
                                   ": no device, systemd-modules-load or rocectl "
                                   "loads it"};
    return std::nullopt;
}

std::optional<BootOutcome> kept_out(const std::string& module,
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
std::optional<BootOutcome> of_driver(const Port& port, const BootConfiguration& configuration) {
    if (!port.link || port.link->pci.empty() || !port.device || port.device->driver.empty())
        return std::nullopt;
    return kept_out(underscored(port.device->driver), configuration, ", the driver of the port");
}

std::optional<BootOutcome> of_rdma_device(const Desired& desired, const Port& port,
                                          const BootConfiguration& configuration) {
    const ObjectRow& row = row_of(desired.field->object);
    const bool hangs_on_it = row.lives == Lives::rdma_device || row.lifecycle.makes_rdma_device;
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

std::optional<BootOutcome> blacklisted(const Desired& desired, const Port& port,
                                       const BootConfiguration& configuration) {
    if (configuration.blacklisted.empty()) return std::nullopt;
    if (can_state(*desired.field, BootProgram::modules_load)) {
        auto out = kept_out(desired.element, configuration, "");
        if (out && !desired.value && out->kind == Kind::overwritten) out->kind = Kind::restored;
        return out;
    }
    if (auto out = of_driver(port, configuration)) return out;
    return of_rdma_device(desired, port, configuration);
}

namespace {

using Kind = BootOutcome::Kind;

bool holds_value(const Desired& desired, const Port& port, const Value& value) {
    const Field& field = *desired.field;
    const Shape& shape = field.shape.of != nullptr ? *field.shape.of : field.shape;
    return canonical(shape, *desired.value) == canonical(shape, value) ||
           (field.same != nullptr && field.same(port, *desired.value, value));
}

std::string restored_by(const BootSetting& setting) {
    return "set again at boot by " + place(setting);
}

BootOutcome of_one(const Desired& desired, const Port& port, const UnderstoodSetting& understood) {
    const BootSetting& setting = *understood.setting;
    if (!setting.unsure.empty()) return {Kind::unknown, setting.unsure};
    const std::string where = place(setting);
    const std::string program(setting.program == BootProgram::services
                                  ? std::string_view(setting.key)
                                  : program_of(setting.program).name);
    if (understood.at->key == kByDhcp)
        return {Kind::unknown,
                where + " has " + program + " take what a DHCP server says, which may be another"};
    if (!understood.at->compared)
        return {Kind::unknown, where + " has " + program + " set it, to what is not compared"};
    if (!understood.value)
        return {Kind::unknown, where + " says '" + setting.value + "', which is not understood"};
    if (desired.value && holds_value(desired, port, *understood.value))
        return {Kind::restored, restored_by(setting)};
    return {Kind::overwritten,
            where + " says " + text(*understood.value) + ", and " + program + " sets that at boot"};
}

/// Of an element of a list: any line may bring it.
std::optional<BootOutcome> of_list(const Desired& desired, const Port& port,
                                   const std::vector<UnderstoodSetting>& all) {
    std::optional<BootOutcome> uncertain;
    for (const UnderstoodSetting& understood : all) {
        if (!understood.setting->unsure.empty() || !understood.at->compared) {
            uncertain = of_one(desired, port, understood);
        } else if (understood.value &&
                   identity(desired.field->shape, *understood.value) == desired.element) {
            return of_one(desired, port, understood);
        }
    }
    return uncertain;
}

/// Of a value of which the larger of several counts. What is only the default of ports may come too
/// late for one.
std::optional<BootOutcome> of_joint(const Desired& desired, const Port& port,
                                    const std::vector<UnderstoodSetting>& all) {
    const UnderstoodSetting* largest = nullptr;
    const auto is_default = [](const UnderstoodSetting& one) {
        return one.at->key.find("/default/") != std::string_view::npos;
    };
    for (const UnderstoodSetting& understood : all) {
        if (!understood.value || !understood.setting->unsure.empty())
            return of_one(desired, port, understood);
        const bool larger = largest == nullptr || *largest->value < *understood.value;
        const bool surer = largest != nullptr && *largest->value == *understood.value;
        if (larger || surer) largest = &understood;
    }
    if (largest == nullptr || !is_default(*largest)) return of_one(desired, port, *largest);
    return BootOutcome{Kind::unknown,
                       place(*largest->setting) + " is for ports that appear after it"};
}

std::optional<BootOutcome> of_files(const Desired& desired, const Port& port,
                                    const std::vector<UnderstoodSetting>& all) {
    if (all.empty()) return std::nullopt;
    if (desired.field->shape.kind == Shape::Kind::items) return of_list(desired, port, all);
    if (all.front().at->joint) return of_joint(desired, port, all);
    // Of programs that act one after the other the last one counts. Those of the network act at no
    // time that is known: they have to agree.
    const BootProgram last = all.back().setting->program;
    std::optional<BootOutcome> out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const UnderstoodSetting& understood = all[i];
        const BootProgram program = understood.setting->program;
        if (program != last && !program_of(program).late) continue;
        const bool overruled = i + 1 < all.size() && all[i + 1].setting->program == program &&
                               understood.setting->unsure.empty();
        if (overruled) continue;
        const BootOutcome outcome = of_one(desired, port, understood);
        if (!out || outcome.kind != Kind::restored) out = outcome;
        if (outcome.kind != Kind::restored) return out;
    }
    return out;
}

/// What of networkd.conf(5) leaves them to others.
constexpr std::string_view kKeepsRules =
    " unless networkd.conf says ManageForeignRoutingPolicyRules=no";

/// Programs that remove what is not in their configuration.
std::optional<BootOutcome> taken_away(const Desired& desired,
                                      const BootConfiguration& configuration) {
    if (desired.field->shape.kind != Shape::Kind::items || !desired.value) return std::nullopt;
    const bool of_host = desired.port == kHost;
    for (const BootSetting& setting : configuration.settings)
        if (setting.key.empty() && program_of(setting.program).takes_over &&
            can_state(*desired.field, setting.program)) {
            std::string text =
                place(setting) + (of_host ? " gives a port to " : " gives the port to ");
            text += program_of(setting.program).name;
            text += ", which may take away what it was not told of";
            if (of_host) text += kKeepsRules;
            return BootOutcome{Kind::unknown, std::move(text)};
        }
    return std::nullopt;
}

/// What no program of a file restores by itself, in the words of who would.
BootOutcome lost(const Desired& desired, const BootConfiguration& configuration) {
    const ObjectRow& row = row_of(desired.field->object);
    if (const auto value = unstated(*desired.field); value && desired.value == value)
        return {Kind::restored, "nothing that is read at boot sets it otherwise"};
    if (!row.boot.unforeseen.empty()) return {Kind::unknown, std::string(row.boot.unforeseen)};
    if (!desired.value) return {Kind::restored, "nothing that is read at boot brings it"};
    BootOutcome out{Kind::lost, "nothing that is read at boot sets it"};
    for (const UnderstoodSetting& idle : understood(desired, configuration.idle, false))
        out.text = place(*idle.setting) + " says it, and " +
                   std::string(program_of(idle.setting->program).service) + " is not enabled";
    return out;
}

BootOutcome by_service(const Desired& desired, const Port& port,
                       const BootConfiguration& configuration, const Service& service) {
    const std::vector<UnderstoodSetting> late = understood(desired, configuration.settings, true);
    const auto others = of_files(desired, port, late);
    if (others && others->kind != Kind::restored) return *others;
    if (!others)
        if (auto taken = taken_away(desired, configuration)) return *taken;
    return {Kind::restored, "set again at boot by " + service.unit + " (" + service.place + ')'};
}

}  // namespace

bool stays(const Desired& desired) {
    const ObjectRow& row = row_of(desired.field->object);
    return !row.boot.stays.empty() &&
           (row.boot.stays_of == nullptr || row.boot.stays_of(desired.element));
}

bool outlives_boot(const Desired& desired) {
    return stays(desired) || row_of(desired.field->object).boot.kept_by_device;
}

BootOutcome boot_outcome_of(const Desired& desired, const Port& port,
                            const BootConfiguration& configuration, const Service* service) {
    const ObjectRow& row = row_of(desired.field->object);
    if (stays(desired)) return {Kind::restored, std::string(row.boot.stays)};
    if (const auto missing = blacklisted(desired, port, configuration)) return *missing;
    if (desired.value && row.already_so != nullptr && row.already_so(port))
        return {Kind::restored, "the device has it by itself"};
    const bool writes = row.play != nullptr && !desired.external;
    const bool covered = writes && service != nullptr && service->unsure.empty();
    for (const Uncertainty& uncertainty : configuration.uncertainties)
        if ((uncertainty.of_all || can_state(*desired.field, uncertainty.program)) &&
            (!covered || uncertainty.of_all || program_of(uncertainty.program).late))
            return {Kind::unknown, uncertainty.text};
    if (writes && service != nullptr && !covered)
        return {Kind::unknown, service->unit + " (" + service->place + "): " + service->unsure};
    if (covered) return by_service(desired, port, configuration, *service);
    const auto outcome =
        of_files(desired, port, understood(desired, configuration.settings, false));
    return outcome ? *outcome : lost(desired, configuration);
}

std::map<std::string, std::string> brought(const Field& field, const std::string& port,
                                           const BootConfiguration& configuration) {
    std::map<std::string, std::string> out;
    const Desired any{.port = port, .field = &field};
    for (const UnderstoodSetting& one : understood(any, configuration.settings, false))
        if (one.value && one.at->compared)
            out[identity(field.shape, *one.value)] = place(*one.setting) + " brings it at boot";
    return out;
}

}  // namespace core::boot
