// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>

#include "core/objects/rows.hpp"

namespace core {
namespace {

std::optional<Lack> lacks(const Driver& /*driver*/, const Port& /*port*/,
                          std::string_view /*key*/) {
    return Lack{.text = "the device of the port has no message-signalled interrupts"};
}

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    now.interrupts = then.interrupts;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const auto& [number, cpus] : then.interrupts->affinity) {
        const auto before = now.interrupts->affinity.find(number);
        if (before != now.interrupts->affinity.end() && before->second == cpus) continue;
        lines.push_back("echo " + text(cpus) + " > /proc/irq/" + std::to_string(number) +
                        "/smp_affinity_list");
    }
    return lines;
}

}  // namespace

constinit const ObjectRow interrupts_row = {
    .object = Object::interrupts,
    .name = "interrupts",
    .doc = "Which CPUs handle the interrupts of the port's device.",
    .copy = copy<&Port::interrupts>,
    .lacks = lacks,
    .play = play,
    .spell = spell};

}  // namespace core
