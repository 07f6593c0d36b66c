// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/rdma/parts.hpp"
#include "core/objects/rows.hpp"

namespace core::modules {

namespace {

/// The kernel's own spelling (scripts/Makefile.lib: KBUILD_MODNAME).
Value with_underscores(const Value& value) {
    std::string name = std::get<std::string>(value);
    std::ranges::replace(name, '-', '_');
    return name;
}

Got get_modules(const Port& port) {
    if (!port.modules) return std::nullopt;
    Elements elements;
    for (const std::string& name : *port.modules)
        elements.emplace(name, name);
    return elements;
}

void set_modules(Port& port, const Elements& elements) {
    port.modules.emplace();
    for (const auto& [name, value] : elements)
        port.modules->insert(std::get<std::string>(value));
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kFields = {
    setting("host.modules", {.kind = items, .text = Text::name, .canonical = with_underscores},
            "Kernel modules that are loaded; one that is built in counts. What a module needs is "
            "loaded with it, and stays when it goes.",
            get_modules, set_modules),
};

bool has_directory(const Port& port) {
    return port.cm_directory.value_or(false);
}

bool brings_cm(const Modules& loaded) {
    return std::ranges::any_of(loaded, cm_directory::comes_with);
}

/// Who else needs a module, and whether its file is there, only the kernel can say. A directory in
/// rdma_cm's configfs holds the module (fs/configfs/dir.c configfs_mkdir, Linux 6.12).
Played play(const Driver& /*driver*/, State& state, Port& now, const Port& then) {
    const bool comes = brings_cm(*then.modules);
    const bool goes = now.modules->contains("rdma_cm") && !then.modules->contains("rdma_cm");
    if (goes && std::ranges::any_of(state.ports, has_directory))
        return Refusal{.code = EBUSY, .text = "Device or resource busy"};
    now.modules = then.modules;
    std::vector<Port> touched;
    for (Port& port : state.ports) {
        const bool unsupported = cm_directory::lacks_module(port);
        if (!(unsupported ? comes : goes && port.cm_directory)) continue;
        touched.push_back(port);
        if (unsupported)
            cm_directory::module_came(port);
        else
            cm_directory::module_went(port);
    }
    return Played(std::move(touched));
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const std::string& name : *now.modules)
        if (!then.modules->contains(name)) lines.push_back("modprobe -r " + shell(name));
    for (const std::string& name : *then.modules)
        if (!now.modules->contains(name)) lines.push_back("modprobe " + shell(name));
    return lines;
}

constexpr std::array kAtBoot = {
    AtBoot{"host.modules", BootProgram::modules_load, "$element"},
};

}  // namespace

Modules loaded(const State& before, const State& after) {
    const Port* was = find_port(before, kHost);
    const Port* is = find_port(after, kHost);
    if (was == nullptr || is == nullptr || !was->modules || !is->modules) return {};
    Modules out;
    std::ranges::set_difference(*is->modules, *was->modules, std::inserter(out, out.end()));
    return out;
}

constinit const ObjectRow row = {
    .object = Object::modules,
    .name = "modules",
    .doc = "Kernel modules.",
    .topic = Topic::host,
    .lives = Lives::host,
    .sees_others = true,
    .fields = kFields,
    .play = play,
    .read = {.by_name = true},
    .order = {.settle_ms = 10000},
    .words = {.spell = spell},
    .boot = {
        .programs = kAtBoot,
        .unforeseen =
            "no file of modules-load.d names it, and whether a device loads it files do not tell"}};

}  // namespace core::modules
