// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/plan/guard.hpp"

namespace guard_test {

namespace {

using namespace std::chrono_literals;
using core::guard::Action;
using core::guard::Apply;
using core::guard::Entry;
using core::guard::milliseconds;
using core::guard::Phase;
using core::guard::Reason;
using core::guard::Seen;
using core::guard::State;
using core::guard::Step;
using core::guard::Try;

constexpr milliseconds kConfirm{3'000};
constexpr int kAllowed = 5;  ///< seconds that a change may outlive its deadline

/// A host with an apply and its guard. Time is what is left, so that a state comes again.
struct World {
    State guard = core::guard::armed(0ms, kConfirm);
    Apply said = Apply::writes;
    milliseconds last_sign{};
    milliseconds deadline{kConfirm};  ///< what was promised, counted beside the guard
    bool stopped = false;
    bool changed = false;
    bool confirmed = false;
    bool told = false;
    bool away = false;       ///< the port
    bool refuses = false;    ///< the kernel
    bool starved = false;    ///< no memory, no file: nothing can be opened or read
    bool unlinked = false;   ///< the pending file
    bool disk_full = false;  ///< a confirmation cannot be recorded
    bool refused = false;    ///< by the last try
    bool gave_up = false;
    bool late = false;
    int owed = 0;  ///< seconds for which the change could have been undone, and was not

    [[nodiscard]] bool alive() const { return said == Apply::writes; }
    [[nodiscard]] bool ended() const { return guard.phase == Phase::ended; }
};

void pass(World& world, milliseconds time) {
    for (milliseconds* each : {&world.guard.deadline, &world.guard.next_try, &world.guard.gives_up,
                               &world.deadline, &world.last_sign})
        *each = std::max<milliseconds>(*each - time, -10s);
    const bool may_be_written = !world.away && !world.refuses && !world.starved;
    if (!may_be_written) world.owed = 0;
    const bool is_owed =
        world.changed && !world.confirmed && world.deadline < 0ms && !world.gave_up;
    if (may_be_written && is_owed) world.owed += static_cast<int>(time / 1s);
    if (!is_owed) world.owed = 0;
}

Seen seen_in(const World& world, Try last) {
    Seen seen{.last_sign = world.last_sign, .apply = world.said, .told_to_end = world.told};
    if (!world.starved) seen.entry = world.confirmed ? Entry::confirmed : Entry::unconfirmed;
    if (!world.starved && !world.unlinked && world.guard.phase == Phase::waiting)
        seen.deadline = world.deadline;
    seen.last = last;
    return seen;
}

Try go_back(World& world) {
    if (world.alive()) world.said = Apply::gone;
    if (world.starved) return Try::untried;
    if (world.refuses) {
        world.refused = true;
        return Try::refused;
    }
    world.refused = false;
    if (world.away) return Try::away;
    world.changed = false;
    return Try::back;
}

/// What does not matter any more to one that goes back is not told apart.
void forget(World& world) {
    world.guard.deadline = world.last_sign = 0ms;
    world.guard.reason = Reason::late;
    world.said = Apply::gone;
    world.stopped = world.told = world.unlinked = world.disk_full = false;
}

/// The guard looks, as it does several times a second, and acts.
void look(World& world) {
    const auto pause = static_cast<int>(core::guard::kLongestRefused / 1s);
    world.late = world.owed > kAllowed + (world.refused ? pause : 0);
    Try last = Try::none;
    for (;;) {
        const bool waits = world.guard.phase != Phase::going_back;
        const Step step = core::guard::next(world.guard, seen_in(world, last));
        world.guard = step.state;
        const bool begins = waits && world.guard.phase == Phase::going_back;
        if (begins) world.deadline = std::min(world.deadline, 0ms);
        if (step.action != Action::go_back) break;
        last = go_back(world);
    }
    // What it may give up: a port that is away, and a kernel that refuses, for so long.
    const bool patient = world.guard.reason != Reason::none && world.guard.gives_up <= 0ms &&
                         (last == Try::away || last == Try::refused);
    if (world.ended() && world.changed && !world.confirmed && patient) world.gave_up = true;
    if (world.ended()) world.guard = {.phase = Phase::ended};
    if (world.guard.phase == Phase::going_back) forget(world);
}

struct Event {
    std::string name;
    bool (*may)(const World&);
    void (*happens)(World&);
};

bool writes(const World& world) {
    return world.alive() && !world.stopped;
}
bool always(const World& /*world*/) {
    return true;
}
void sign(World& world) {
    world.last_sign = 0ms;
    world.deadline = std::max(world.deadline, std::max(kConfirm, core::guard::kSilence));
}

const std::vector<Event>& events() {
    static const std::vector<Event> all = {
        {"write", writes,
         [](World& w) {
             w.changed = true;
             sign(w);
         }},
        {"all is written", [](const World& w) { return writes(w) && w.changed; },
         [](World& w) {
             w.said = Apply::wrote;
             w.deadline = kConfirm;
         }},
        {"the apply goes back", writes,
         [](World& w) {
             w.said = Apply::went_back;
             w.changed = false;
         }},
        {"the apply cannot go back", writes,
         [](World& w) {
             w.said = Apply::left_changed;
             w.deadline = 0ms;
         }},
        {"kill of the apply", [](const World& w) { return w.alive(); },
         [](World& w) {
             w.said = Apply::gone;
             w.deadline = 0ms;
         }},
        {"stop of the apply", writes, [](World& w) { w.stopped = true; }},
        {"the apply goes on", [](const World& w) { return w.alive() && w.stopped; },
         [](World& w) { w.stopped = false; }},
        {"confirm",
         [](const World& w) {
             return w.guard.phase == Phase::waiting && !w.disk_full && !w.starved && !w.unlinked;
         },
         [](World& w) { w.confirmed = true; }},
        {"confirm --extend",
         [](const World& w) {
             return w.guard.phase == Phase::waiting && !w.starved && !w.unlinked;
         },
         [](World& w) { w.deadline = 2 * kConfirm; }},
        {"port goes", [](const World& w) { return !w.away; }, [](World& w) { w.away = true; }},
        {"port comes", [](const World& w) { return w.away; }, [](World& w) { w.away = false; }},
        {"the kernel refuses, or not", always, [](World& w) { w.refuses = !w.refuses; }},
        {"no memory or file, or again", always, [](World& w) { w.starved = !w.starved; }},
        {"the pending file is removed", [](const World& w) { return !w.unlinked; },
         [](World& w) { w.unlinked = true; }},
        {"disk full, or not", always, [](World& w) { w.disk_full = !w.disk_full; }},
        {"the guard is told to end", [](const World& w) { return !w.told; },
         [](World& w) {
             w.told = true;
             w.deadline = std::min(w.deadline, 0ms);
         }},
        // Nothing of these is among what it sees, and so they change nothing.
        {"clock jumps", always, [](World& /*w*/) {}},
        {"package upgraded", always, [](World& /*w*/) {}},
        {"log blocked", always, [](World& /*w*/) {}},
        // Nobody could have written meanwhile.
        {"suspend", always,
         [](World& w) {
             const int owed = w.owed;
             pass(w, 10s);
             w.owed = owed;
         }},
        {"time passes", always,
         [](World& w) {
             const bool waits = w.guard.phase != Phase::going_back;
             pass(w, waits ? 1s : std::max<milliseconds>(w.guard.next_try, 1s));
         }},
        // The kernel's start is the end of the guard, and of what it was to bring back.
        {"boot", always, [](World& w) { w = {.guard = {.phase = Phase::ended}}; }},
    };
    return all;
}

/// A second's resolution is enough: every time here is a whole number of them.
std::uint64_t key_of(const World& world) {
    std::uint64_t key = 0;
    const auto add = [&key](std::int64_t value, unsigned bits) {
        key = key << bits | (static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1));
    };
    add(static_cast<int>(world.guard.phase), 2);
    add(world.guard.deadline / 1s + 10, 5);
    add(world.guard.next_try / 1s + 10, 6);
    add(world.guard.pause / 1s, 5);
    add(world.guard.gives_up / 1s + 10, 10);
    add(static_cast<int>(world.said), 3);
    add(world.deadline / 1s + 10, 5);
    add(world.last_sign / 1s + 10, 4);
    add(std::min(world.owed, 63), 6);
    for (const bool flag :
         {world.stopped, world.changed, world.confirmed, world.told, world.away, world.refuses,
          world.starved, world.unlinked, world.disk_full, world.refused, world.gave_up})
        add(flag ? 1 : 0, 1);
    return key;
}

/// What is wrong in this state; empty where nothing is.
std::string violation(const World& world) {
    if (world.ended() && world.changed && !world.confirmed && !world.gave_up)
        return "it ended without consent";
    if (world.late) return "a change outlived its deadline";
    return {};
}

struct Walk {
    std::size_t states = 0;
    std::size_t steps = 0;
    std::string violation{};
};

Walk walk_all() {
    Walk walk;
    std::unordered_map<std::uint64_t, bool> known;
    std::vector<World> left{World{}};
    known.emplace(key_of(left.front()), true);
    while (!left.empty() && walk.violation.empty()) {
        const World world = left.back();
        left.pop_back();
        ++walk.states;
        for (const Event& event : events()) {
            if (!event.may(world)) continue;
            World after = world;
            event.happens(after);
            look(after);
            ++walk.steps;
            walk.violation = violation(after);
            if (!walk.violation.empty()) {
                walk.violation += " after: " + event.name;
                break;
            }
            // What ended has nothing more to be watched.
            if (!after.ended() && known.emplace(key_of(after), true).second) left.push_back(after);
        }
    }
    return walk;
}

}  // namespace

TEST_CASE("guard: no change outlives its deadline without consent, in every state that there is") {
    const Walk walk = walk_all();
    CHECK_MESSAGE(walk.violation.empty(), walk.violation);
    CHECK(walk.states == 187'640);
    CHECK(walk.steps == 2'261'392);
}

}  // namespace guard_test
