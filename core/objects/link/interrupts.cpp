// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::interrupts {

namespace {

constexpr std::string_view kLocal = "local";
constexpr std::string_view kSpread = "spread";

bool is_within(const Cpus& some, const Cpus& all) {
    return !some.empty() && std::ranges::includes(all, some);
}

/// Each interrupt has CPUs of the device's NUMA node, whichever: drivers and the vendors' scripts
/// give each one of its own, and that is as local as it gets.
bool is_local(const Interrupts& interrupts) {
    return std::ranges::all_of(interrupts.affinity, [&](const auto& one) {
        return is_within(one.second, interrupts.local);
    });
}

/// Each has one CPU, and no CPU has two interrupts more than another.
bool is_spread(const Interrupts& interrupts) {
    std::map<unsigned, unsigned> held;
    for (const unsigned cpu : interrupts.local)
        held[cpu] = 0;
    for (const auto& [number, cpus] : interrupts.affinity) {
        if (cpus.size() != 1 || !held.contains(*cpus.begin())) return false;
        ++held[*cpus.begin()];
    }
    const auto [least, most] =
        std::ranges::minmax_element(held, {}, [](const auto& one) { return one.second; });
    return !held.empty() && most->second - least->second <= 1;
}

/// One list where all interrupts have the same, a word where one says how they differ.
Got get_affinity(const Port& port) {
    if (!port.interrupts) return std::nullopt;
    const auto& affinity = port.interrupts->affinity;
    if (affinity.empty()) return Elements{};
    const Cpus& first = affinity.begin()->second;
    const bool same =
        std::ranges::all_of(affinity, [&](const auto& one) { return one.second == first; });
    if (same) return one(core::text(first));
    if (is_spread(*port.interrupts)) return one(std::string(kSpread));
    return is_local(*port.interrupts) ? one(std::string(kLocal)) : Elements{};
}

/// One CPU of the node for each interrupt, in turn.
void spread(Interrupts& interrupts) {
    if (interrupts.local.empty() || is_spread(interrupts)) return;
    auto next = interrupts.local.begin();
    for (auto& [number, now] : interrupts.affinity) {
        now = {*next};
        if (++next == interrupts.local.end()) next = interrupts.local.begin();
    }
}

void set_affinity(Port& port, const Elements& elements) {
    auto& interrupts = part_of<&Port::interrupts>(port);
    if (elements.empty()) return;
    if (interrupts.affinity.empty()) interrupts.affinity.try_emplace(0);
    const auto desired = plain<std::string>(elements);
    if (desired == kSpread) {
        spread(interrupts);
        return;
    }
    const auto cpus = desired == kLocal ? std::optional(interrupts.local) : parse_cpus(desired);
    if (!cpus) return;
    for (auto& [number, now] : interrupts.affinity)
        if (desired != kLocal || !is_within(now, interrupts.local)) now = *cpus;
}

/// A word that is desired is true of a port whichever value that reads as.
bool same_affinity(const Port& port, const Value& left, const Value& right) {
    if (left == right || !port.interrupts) return left == right;
    const Got reads = get_affinity(port);
    const bool reads_left = reads && *reads == one(left);
    const Value& desired = reads_left ? right : left;
    if (desired == Value(std::string(kSpread))) return is_spread(*port.interrupts);
    return desired == Value(std::string(kLocal)) && is_local(*port.interrupts);
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

template <auto Map>
Got get_each(const Port& port) {
    if (!port.interrupts) return std::nullopt;
    Elements elements;
    for (const auto& [number, cpus] : (*port.interrupts).*Map)
        elements.emplace(std::to_string(number),
                         Record{{"irq", std::uint64_t{number}}, {"cpus", core::text(cpus)}});
    return elements;
}

template <auto Map>
void set_each(Port& port, const Elements& elements) {
    auto& affinity = part_of<&Port::interrupts>(port).*Map;
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
            "CPUs that may handle each of the interrupts of the port's device; \"local\" are any "
            "of its NUMA node, \"spread\" is one of those for each interrupt in turn. A running "
            "irqbalance moves them again.",
            get_affinity, set_affinity, same_affinity),
    fact("irq.local", {.kind = Shape::Kind::text, .text = Text::cpus},
         "CPUs of the NUMA node of the port's device; all where the firmware names no node.",
         get_local, set_local),
    kept("irq.interrupts", {.kind = items, .parts = kEachParts},
         "Interrupts of the port's device, and which CPUs may handle each.",
         get_each<&Interrupts::affinity>, set_each<&Interrupts::affinity>),
    fact("irq.hints", {.kind = items, .parts = kEachParts},
         "Where the driver asks that an interrupt be handled; one of which it asks nothing is left "
         "out.",
         get_each<&Interrupts::hints>, set_each<&Interrupts::hints>),
};

/// Drivers ask for each interrupt to be handled in a place of its own, and put it there (kernel/
/// irq/manage.c __irq_apply_affinity_hint).
bool by_driver(const Port& port) {
    return port.interrupts && !port.interrupts->hints.empty() &&
           port.interrupts->hints == port.interrupts->affinity;
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

constexpr std::array kAtBoot = {
    AtBoot{"irq.affinity", BootProgram::services, "irqbalance.service", false},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::interrupts,
    .name = "interrupts",
    .doc = "Which CPUs handle the interrupts of the port's device.",
    .topic = Topic::bus,
    .lives = Lives::hardware,
    .fields = kFields,
    .play = take<&Port::interrupts>,
    .chosen_by = {.driver = by_driver},
    .words = {.unsupported = "the device of the port has no message-signalled interrupts",
              .spell = spell},
    .boot = {.programs = kAtBoot}};

}  // namespace core::interrupts
