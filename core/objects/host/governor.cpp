// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/rows.hpp"

namespace core::governor {

namespace {

/// The governor of all policies; nothing where they have different ones.
Got get_governor(const Port& port) {
    if (!port.governor) return std::nullopt;
    const auto differs = [&](const auto& policy) {
        return policy.second != port.governor->begin()->second;
    };
    if (port.governor->empty() || std::ranges::any_of(*port.governor, differs)) return Elements{};
    return one(port.governor->begin()->second);
}

void set_governor(Port& port, const Elements& elements) {
    Governors& governors = part_of<&Port::governor>(port);
    if (elements.empty()) return;
    governors.try_emplace("policy0");  // there is no CPU without one
    for (auto& [policy, governor] : governors)
        governor = plain<std::string>(elements);
}

constexpr std::array<std::string_view, 2> kPolicies = {"policy0", "policy1"};

using enum Shape::Kind;
using Text = Shape::Text;

constexpr Shape kWord = {.kind = text, .text = Text::name};

constexpr std::array kFields = {
    setting("host.cpu.governor", kWord, "The cpufreq governor of all CPUs, such as performance.",
            get_governor, set_governor),
    kept("host.cpu.governors", {.kind = named, .words = kPolicies, .of = &kWord},
         "The cpufreq governor of each policy.", get_named<&Port::governor>,
         set_named<&Port::governor>),
};

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const auto& [policy, governor] : *then.governor) {
        const auto old = now.governor->find(policy);
        if (old == now.governor->end() || old->second == governor) continue;
        std::string line = "echo " + shell(governor);
        line += " > /sys/devices/system/cpu/cpufreq/" + shell(policy);
        lines.push_back(line + "/scaling_governor");
    }
    return lines;
}

constexpr std::array kAtBoot = {
    AtBoot{"host.cpu.governor", BootProgram::services, "tuned.service", false},
};

}  // namespace

constinit const ObjectRow row = {.object = Object::governor,
                                 .name = "governor",
                                 .doc = "How the CPUs choose their frequency.",
                                 .topic = Topic::host,
                                 .lives = Lives::host,
                                 .fields = kFields,
                                 .play = take<&Port::governor>,
                                 .words = {.spell = spell},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::governor
