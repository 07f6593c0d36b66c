// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "core/objects/rows.hpp"

namespace core {
namespace {

using Number = std::optional<std::uint32_t>;
using Switch = std::optional<bool>;

std::string key_of(const char* side, const char* what) {
    return std::string("coalesce.") + side + what;
}

/// A number that is wished while the driver chooses it, or that the driver does not take.
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
    if (Reason reason = bad_number(then, now.usecs, then.usecs, driver.coalesce_usecs_max,
                                   key_of(side, "_usecs"), side))
        return reason;
    return bad_number(then, now.frames, then.frames, driver.coalesce_frames_max,
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

Played play(const Driver& driver, Port& now, const Port& then) {
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = ERANGE, .text = "Numerical result out of range: " + *reason};
    play_side(now.coalesce->rx, then.coalesce->rx);
    play_side(now.coalesce->tx, then.coalesce->tx);
    return std::nullopt;
}

/// How the driver counts goes in front: it may change the numbers.
Commands spell(const Driver& driver, const Port& now, const Port& then) {
    const Coalesce& before = *now.coalesce;
    Port played = now;
    static_cast<void>(play(driver, played, then));
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
        if (!what.empty()) lines.push_back("ethtool --coalesce " + now.name + what);
    return lines;
}

}  // namespace

constinit const ObjectRow coalesce_row = {
    .object = Object::coalesce,
    .name = "coalesce",
    .doc = "For how long the port waits before it interrupts.",
    .copy = copy<&Port::coalesce>,
    .refuses = refuses,
    .play = play,
    .spell = spell};

}  // namespace core
