// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/interrupts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::interrupts {

namespace {

/// One value where all interrupts have the same; none where they differ.
Got get_affinity(const Port& port) {
    if (!port.interrupts) return std::nullopt;
    const auto& affinity = port.interrupts->affinity;
    if (affinity.empty()) return Elements{};
    const Cpus& first = affinity.begin()->second;
    const bool same =
        std::ranges::all_of(affinity, [&](const auto& one) { return one.second == first; });
    return same ? one(core::text(first)) : Elements{};
}

void set_affinity(Port& port, const Elements& elements) {
    auto& interrupts = part_of<&Port::interrupts>(port);
    if (elements.empty()) return;
    if (interrupts.affinity.empty()) interrupts.affinity.try_emplace(0);
    const auto wished = plain<std::string>(elements);
    const auto cpus = wished == "local" ? std::optional(interrupts.local) : parse_cpus(wished);
    if (!cpus) return;
    for (auto& [number, now] : interrupts.affinity)
        now = *cpus;
}

/// "local" is the list that it stands for on the port.
bool same_affinity(const Port& port, const Value& one, const Value& other) {
    const auto meant = [&](const Value& value) {
        const bool local = value == Value(std::string("local")) && port.interrupts;
        return local ? Value(core::text(port.interrupts->local)) : value;
    };
    return meant(one) == meant(other);
}

Value spelled(const Value& value) {
    const auto* list = std::get_if<std::string>(&value);
    const auto cpus = list == nullptr ? std::nullopt : parse_cpus(*list);
    return cpus ? Value(core::text(*cpus)) : value;
}

Got get_local(const Port& port) {
    if (!port.interrupts) return std::nullopt;
    const Cpus& local = port.interrupts->local;
    return local.empty() ? Elements{} : one(core::text(local));
}

void set_local(Port& port, const Elements& elements) {
    part_of<&Port::interrupts>(port).local =
        parse_cpus(plain<std::string>(elements)).value_or(Cpus{});
}

Got get_each(const Port& port) {
    if (!port.interrupts) return std::nullopt;
    Elements elements;
    for (const auto& [number, cpus] : port.interrupts->affinity)
        elements.emplace(std::to_string(number),
                         Record{{"irq", std::uint64_t{number}}, {"cpus", core::text(cpus)}});
    return elements;
}

void set_each(Port& port, const Elements& elements) {
    auto& affinity = part_of<&Port::interrupts>(port).affinity;
    affinity.clear();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        affinity[static_cast<unsigned>(number_part(record, "irq"))] =
            parse_cpus(text_part(record, "cpus")).value_or(Cpus{});
    }
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kEachParts = {
    RecordPart{.name = "irq",
               .shape = {.kind = number, .max = kU32},
               .doc = "Number of the interrupt.",
               .required = true,
               .identity = true},
    RecordPart{.name = "cpus",
               .shape = {.kind = Shape::Kind::text, .text = Text::cpus},
               .doc = "CPUs that may handle it.",
               .required = true},
};

constexpr std::array kFields = {
    setting("irq.affinity", {.kind = Shape::Kind::text, .text = Text::cpus, .canonical = spelled},
            "CPUs that may handle each of the interrupts of the port's device; \"local\" are those "
            "of its NUMA node. A running irqbalance moves them again.",
            get_affinity, set_affinity, same_affinity),
    fact("irq.local", {.kind = Shape::Kind::text, .text = Text::cpus},
         "CPUs of the NUMA node of the port's device; all where the firmware names no node.",
         get_local, set_local),
    kept("irq.interrupts", {.kind = items, .parts = kEachParts},
         "Interrupts of the port's device, and which CPUs may handle each.", get_each, set_each),
};

std::optional<Lack> lacks(const Driver& /*driver*/, const Port& /*port*/,
                          std::string_view /*key*/) {
    return Lack{.text = "the device of the port has no message-signalled interrupts"};
}

Played play(const Driver& /*driver*/, State& /*state*/, Port& now, const Port& then) {
    now.interrupts = then.interrupts;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const auto& [number, cpus] : then.interrupts->affinity) {
        const auto before = now.interrupts->affinity.find(number);
        if (before != now.interrupts->affinity.end() && before->second == cpus) continue;
        lines.push_back("echo " + core::text(cpus) + " > /proc/irq/" + std::to_string(number) +
                        "/smp_affinity_list");
    }
    return lines;
}

}  // namespace

constinit const ObjectRow row = {.object = Object::interrupts,
                                 .name = "interrupts",
                                 .doc = "Which CPUs handle the interrupts of the port's device.",
                                 .topic = Topic::bus,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .lacks = lacks,
                                 .play = play,
                                 .spell = spell};

}  // namespace core::interrupts
