// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rows.hpp"

namespace core {
namespace {

/// Who else needs a module, and whether its file is there, only the kernel can say.
Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    now.modules = then.modules;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const std::string& name : *now.modules)
        if (!then.modules->contains(name)) lines.push_back("modprobe -r " + name);
    for (const std::string& name : *then.modules)
        if (!now.modules->contains(name)) lines.push_back("modprobe " + name);
    return lines;
}

}  // namespace

constinit const ObjectRow modules_row = {.object = Object::modules,
                                         .name = "modules",
                                         .doc = "Kernel modules.",
                                         .of_host = true,
                                         .copy = copy<&Port::modules>,
                                         .settle_ms = 2000,
                                         .play = play,
                                         .spell = spell};

}  // namespace core
