// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rows.hpp"

namespace core {
namespace {

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    now.governors = then.governors;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const auto& [policy, governor] : *then.governors) {
        const auto old = now.governors->find(policy);
        if (old == now.governors->end() || old->second == governor) continue;
        std::string line = "echo " + governor;
        line += " > /sys/devices/system/cpu/cpufreq/" + policy;
        lines.push_back(line + "/scaling_governor");
    }
    return lines;
}

}  // namespace

constinit const ObjectRow governor_row = {.object = Object::governor,
                                          .name = "governor",
                                          .doc = "How the CPUs choose their frequency.",
                                          .of_host = true,
                                          .copy = copy<&Port::governors>,
                                          .play = play,
                                          .spell = spell};

}  // namespace core
