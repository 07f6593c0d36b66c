// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::coalesce {

namespace {

template <auto Side, auto Member>
Got get_idle(const Port& port) {
    if (!port.coalesce) return std::nullopt;
    const std::optional<std::uint32_t>& number = (*port.coalesce).*Side.*Member;
    return number ? Got(one(std::uint64_t{*number})) : std::nullopt;
}

/// There is none while the driver chooses it.
template <auto Side, auto Member, auto Idle>
Got get_count(const Port& port) {
    if (!port.coalesce) return std::nullopt;
    const Coalescing& side = (*port.coalesce).*Side;
    if (side.*Member) return one(std::uint64_t{*(side.*Member)});
    return side.*Idle ? Got(Elements{}) : std::nullopt;
}

template <auto Side, auto Member>
void set_count(Port& port, const Elements& elements) {
    auto& member = part_of<&Port::coalesce>(port).*Side.*Member;
    member.reset();
    if (!elements.empty()) member = static_cast<std::uint32_t>(plain<std::uint64_t>(elements));
}

template <auto Side, auto Member>
Got get_switch(const Port& port) {
    if (!port.coalesce) return std::nullopt;
    const std::optional<bool> on = (*port.coalesce).*Side.*Member;
    return on ? Got(one(*on)) : std::nullopt;
}

template <auto Side, auto Member>
void set_switch(Port& port, const Elements& elements) {
    auto& member = part_of<&Port::coalesce>(port).*Side.*Member;
    member.reset();
    if (!elements.empty()) member = plain<bool>(elements);
}

using enum Shape::Kind;

template <auto Side, auto Member, auto Idle>
constexpr Field count(std::string_view key, std::string_view doc) {
    return setting(key, {.kind = number, .max = kU32}, doc, get_count<Side, Member, Idle>,
                   set_count<Side, Member>);
}

template <auto Side, auto Member>
constexpr Field idle(std::string_view key, std::string_view doc) {
    return fact(key, {.kind = number, .max = kU32}, doc, get_idle<Side, Member>,
                set_count<Side, Member>);
}

template <auto Side, auto Member>
constexpr Field on_off(std::string_view key, std::string_view doc) {
    return setting(key, {.kind = flag}, doc, get_switch<Side, Member>, set_switch<Side, Member>);
}

constexpr std::array kFields = {
    on_off<&Coalesce::rx, &Coalescing::adaptive>(
        "coalesce.adaptive_rx",
        "The driver chooses how long it waits before it interrupts for what it received."),
    on_off<&Coalesce::tx, &Coalescing::adaptive>(
        "coalesce.adaptive_tx",
        "The driver chooses how long it waits before it interrupts for what it sent."),
    on_off<&Coalesce::rx, &Coalescing::cqe>(
        "coalesce.cqe_mode_rx",
        "The time starts again with every packet received, instead of with the first."),
    on_off<&Coalesce::tx, &Coalescing::cqe>(
        "coalesce.cqe_mode_tx",
        "The time starts again with every packet sent, instead of with the first."),
    // Before what is absent where they are there.
    idle<&Coalesce::rx, &Coalescing::idle_usecs>(
        "coalesce.rx_usecs_idle", "What counts again when coalesce.adaptive_rx goes off."),
    idle<&Coalesce::rx, &Coalescing::idle_frames>(
        "coalesce.rx_frames_idle", "What counts again when coalesce.adaptive_rx goes off."),
    idle<&Coalesce::tx, &Coalescing::idle_usecs>(
        "coalesce.tx_usecs_idle", "What counts again when coalesce.adaptive_tx goes off."),
    idle<&Coalesce::tx, &Coalescing::idle_frames>(
        "coalesce.tx_frames_idle", "What counts again when coalesce.adaptive_tx goes off."),
    count<&Coalesce::rx, &Coalescing::usecs, &Coalescing::idle_usecs>(
        "coalesce.rx_usecs",
        "Microseconds until the port interrupts for what it received; absent while "
        "coalesce.adaptive_rx is on."),
    count<&Coalesce::rx, &Coalescing::frames, &Coalescing::idle_frames>(
        "coalesce.rx_frames",
        "Packets received until the port interrupts; absent while coalesce.adaptive_rx is on."),
    count<&Coalesce::tx, &Coalescing::usecs, &Coalescing::idle_usecs>(
        "coalesce.tx_usecs",
        "Microseconds until the port interrupts for what it sent; absent while "
        "coalesce.adaptive_tx is on."),
    count<&Coalesce::tx, &Coalescing::frames, &Coalescing::idle_frames>(
        "coalesce.tx_frames",
        "Packets sent until the port interrupts; absent while coalesce.adaptive_tx is on."),
};

using Number = std::optional<std::uint32_t>;
using Switch = std::optional<bool>;

std::string key_of(const char* side, const char* what) {
    return std::string("coalesce.") + side + what;
}

/// A number that is desired while the driver chooses it, or that the driver does not take.
Reason bad_number(const Coalescing& then, Number before, Number after, std::uint32_t max,
                  const std::string& key, const char* side) {
    if (before == after) return std::nullopt;
    if (then.adaptive.value_or(false))
        return "the driver chooses " + key + " while coalesce.adaptive_" + side + " is on";
    if (!after) return key + " is absent only while the driver chooses it";
    if (*after <= max) return std::nullopt;
    return "the port takes up to " + std::to_string(max) + " for " + key;
}

Reason refuses_side(const Driver& driver, const Coalescing& now, const Coalescing& then,
                    const char* side) {
    // What goes away with it is not asked for.
    if (then.adaptive.value_or(false) && !now.adaptive.value_or(false)) return std::nullopt;
    if (Reason reason = bad_number(then, now.usecs, then.usecs, driver.coalesce.usecs_max,
                                   key_of(side, "_usecs"), side))
        return reason;
    return bad_number(then, now.frames, then.frames, driver.coalesce.frames_max,
                      key_of(side, "_frames"), side);
}

/// What is read while the driver chooses is not in force; it is again when that stops.
void play_side(Coalescing& now, const Coalescing& then) {
    const bool was = now.adaptive.value_or(false);
    const bool is = then.adaptive.value_or(false);
    const Number usecs = was ? now.idle_usecs : now.usecs;
    const Number frames = was ? now.idle_frames : now.frames;
    now.adaptive = then.adaptive;
    now.cqe = then.cqe;
    now.usecs = is ? std::nullopt : then.usecs ? then.usecs : usecs;
    now.frames = is ? std::nullopt : then.frames ? then.frames : frames;
    now.idle_usecs = is ? usecs : std::nullopt;
    now.idle_frames = is ? frames : std::nullopt;
}

void part(std::string& line, const std::string& name, Switch before, Switch after) {
    if (after && before != after) line += " " + name + (*after ? " on" : " off");
}
void part(std::string& line, const std::string& name, Number before, Number after) {
    if (after && before != after) line += " " + name + " " + std::to_string(*after);
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (Reason reason = refuses_side(driver, now.coalesce->rx, then.coalesce->rx, "rx"))
        return reason;
    return refuses_side(driver, now.coalesce->tx, then.coalesce->tx, "tx");
}

void become(Port& now, const Port& then) {
    play_side(now.coalesce->rx, then.coalesce->rx);
    play_side(now.coalesce->tx, then.coalesce->tx);
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = ERANGE, .text = "Numerical result out of range: " + *reason};
    become(now, then);
    return std::nullopt;
}

/// How the driver counts goes in front: it may change the numbers.
Commands spell(const Driver& driver, const Port& now, const Port& then) {
    const Coalesce& before = *now.coalesce;
    Port played = now;
    if (!refuses(driver, now, then)) become(played, then);
    const Coalesce& after = *played.coalesce;
    std::string how;
    part(how, "adaptive-rx", before.rx.adaptive, after.rx.adaptive);
    part(how, "adaptive-tx", before.tx.adaptive, after.tx.adaptive);
    part(how, "cqe-mode-rx", before.rx.cqe, after.rx.cqe);
    part(how, "cqe-mode-tx", before.tx.cqe, after.tx.cqe);
    std::string numbers;
    part(numbers, "rx-usecs", before.rx.usecs, after.rx.usecs);
    part(numbers, "rx-frames", before.rx.frames, after.rx.frames);
    part(numbers, "tx-usecs", before.tx.usecs, after.tx.usecs);
    part(numbers, "tx-frames", before.tx.frames, after.tx.frames);
    Commands lines;
    for (const std::string& what : {how, numbers})
        if (!what.empty()) lines.push_back("ethtool --coalesce " + shell(now.name) + what);
    return lines;
}

constexpr std::array kAtBoot = {
    AtBoot{"coalesce.*", BootProgram::link_file, "Link.*Coalesce*", false},
    AtBoot{"coalesce.*", BootProgram::network_manager, "ethtool.coalesce-*", false},
};

}  // namespace

constinit const ObjectRow row = {.object = Object::coalesce,
                                 .name = "coalesce",
                                 .doc = "For how long the port waits before it interrupts.",
                                 .topic = Topic::queues,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .alike = true,
                                 .refuses = refuses,
                                 .play = play,
                                 .order = {.by_driver = kAllByDriver},
                                 .words = {.spell = spell},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::coalesce
