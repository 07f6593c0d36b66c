// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/modules.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/ip_conf.hpp"
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

/// Who else needs a module, and whether its file is there, only the kernel can say.
Played play(const Driver& /*driver*/, State& /*state*/, Port& now, const Port& then) {
    now.modules = then.modules;
    return std::nullopt;
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

constinit const ObjectRow row = {
    .object = Object::modules,
    .name = "modules",
    .doc = "Kernel modules.",
    .topic = Topic::host,
    .lives = Lives::host,
    .by_name = true,
    .fields = kFields,
    .settle_ms = 2000,
    .play = play,
    .spell = spell,
    .at_boot = kAtBoot,
    .unforeseen =
        "no file of modules-load.d names it, and whether a device loads it files do not tell"};

}  // namespace core::modules
