// SPDX-License-Identifier: Apache-2.0
#include "core/plan/guard.hpp"

#include <algorithm>

namespace core::guard {
namespace {

constexpr milliseconds kFirstPause{1'000};

Reason reason_of(Apply apply) {
    switch (apply) {
        case Apply::gone: return Reason::killed;
        case Apply::left_changed: return Reason::left_changed;
        case Apply::writes:
        case Apply::wrote:
        case Apply::went_back: break;
    }
    return Reason::none;
}

/// Why it is time to go back; `none` where it is not.
Reason due(const State& state, const Seen& seen) {
    if (seen.told_to_end) return Reason::told;
    if (state.phase == Phase::writing) {
        if (const Reason reason = reason_of(seen.apply); reason != Reason::none) return reason;
        return seen.now >= state.deadline ? Reason::silent : Reason::none;
    }
    if (seen.now >= state.deadline) return Reason::late;
    return seen.probe_fails ? Reason::probe : Reason::none;
}

/// The same phase, with the deadline that holds now; the next one where the apply is done.
void follow(State& state, const Seen& seen) {
    if (state.phase == Phase::writing && seen.apply == Apply::wrote) {
        state.phase = Phase::waiting;
        state.deadline = seen.now + state.confirm;
    } else if (state.phase == Phase::writing) {
        state.deadline =
            std::max(state.deadline, seen.last_sign + std::max(state.confirm, kSilence));
    } else if (state.phase == Phase::waiting) {
        state.deadline = seen.deadline.value_or(state.deadline);
    }
}

void pause_at_most(State& state, milliseconds longest, milliseconds now) {
    state.next_try = now + std::min(state.pause, longest);
    state.pause = std::min(2 * state.pause, longest);
}

/// After a try. False where the guard has nothing left to do.
bool goes_on(State& state, const Seen& seen) {
    switch (seen.last) {
        case Try::none: return true;
        case Try::back: return false;
        case Try::untried: pause_at_most(state, kLongestUntried, seen.now); return true;
        case Try::away: state.next_try = seen.now + kWhileAway; break;
        case Try::refused: pause_at_most(state, kLongestRefused, seen.now); break;
    }
    return seen.now < state.gives_up;
}

Step ended(State state) {
    state.phase = Phase::ended;
    return {.state = state, .action = Action::end};
}

}  // namespace

State armed(milliseconds now, milliseconds confirm) {
    return {.confirm = confirm, .deadline = now + std::max(confirm, kSilence)};
}

Step next(State state, const Seen& seen) {
    const bool has_gone_back = seen.entry == Entry::rolled_back || seen.apply == Apply::went_back;
    if (state.phase == Phase::ended || seen.entry == Entry::confirmed || has_gone_back)
        return ended(state);
    if (state.phase != Phase::going_back) {
        follow(state, seen);
        state.reason = due(state, seen);
        if (state.reason == Reason::none) return {.state = state, .until = state.deadline};
        state.phase = Phase::going_back;
        state.next_try = seen.now;
        state.pause = kFirstPause;
        state.gives_up = seen.now + kGivesUpAfter;
    } else if (!goes_on(state, seen)) {
        return ended(state);
    }
    if (seen.now >= state.next_try) return {.state = state, .action = Action::go_back};
    return {.state = state, .until = state.next_try};
}

std::string_view text(Reason reason) {
    switch (reason) {
        case Reason::killed: return "the apply was killed";
        case Reason::silent: return "the apply gave no sign that it goes on";
        case Reason::left_changed: return "the apply could not go back as a whole";
        case Reason::late: return "not confirmed in time";
        case Reason::probe: return "a probe does not hold";
        case Reason::told: return "the guard was told to end";
        case Reason::none: break;
    }
    return "";
}

}  // namespace core::guard
