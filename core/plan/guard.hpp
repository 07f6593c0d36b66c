// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

/// The guard of `apply --confirm` as a state machine: what it does next, from what it sees. Times
/// are since boot, and no clock that can be set is among them.
namespace core::guard {

using std::chrono::milliseconds;

/// While the apply writes, the deadline moves with each sign that it goes on. One that gives none
/// for as long as it may be unconfirmed, and for this long, is taken for stopped.
inline constexpr milliseconds kSilence{5'000};
/// How long ports that are away are waited for, and a device that refuses is asked again.
inline constexpr milliseconds kGivesUpAfter{600'000};
/// Pauses between tries: while only ports are away; the longest where the guard could not try,
/// which never ends it; the longest where the kernel refused.
inline constexpr milliseconds kWhileAway{1'000};
inline constexpr milliseconds kLongestUntried{4'000};
inline constexpr milliseconds kLongestRefused{30'000};

/// What the journal says of the entry. Only `confirmed` is consent.
enum class Entry : std::uint8_t {
    unreadable,
    unconfirmed,
    confirmed,
    rolled_back,  ///< by another run, which verified it
};

/// What the apply does, by what it said.
enum class Apply : std::uint8_t {
    writes,
    wrote,         ///< all is written, and verified
    went_back,     ///< it rolled back by itself, and verified that
    left_changed,  ///< it rolled back by itself, but not as a whole
    gone,          ///< it ended, or was killed, before it said any of these
};

/// How the last try to go back ended.
enum class Try : std::uint8_t {
    none,     ///< there was none since the last step
    back,     ///< all is as before, verified
    away,     ///< all but ports that are not there
    refused,  ///< something was refused, or is not as before
    untried,  ///< it could not be tried: no memory, no file, no lock, nothing read
};

/// Why the guard goes back.
enum class Reason : std::uint8_t { none, killed, silent, left_changed, late, probe, told };

/// What the guard sees at one moment.
struct Seen {
    milliseconds now{};
    milliseconds last_sign{};  ///< when the apply last showed that it goes on
    Apply apply = Apply::writes;
    Entry entry = Entry::unreadable;
    /// The deadline in the pending file, which `confirm --extend` moves. Nothing where the file is
    /// gone or says nothing: then the one that is known holds.
    std::optional<milliseconds> deadline{};
    bool probe_fails = false;
    bool told_to_end = false;  ///< by SIGTERM, as who ends a service or a host does
    Try last = Try::none;
};

enum class Phase : std::uint8_t { writing, waiting, going_back, ended };

struct State {
    milliseconds confirm{};  ///< how long a confirmation is waited for
    Phase phase = Phase::writing;
    milliseconds deadline{};  ///< of `writing` and `waiting`
    milliseconds next_try{};  ///< of `going_back`
    milliseconds pause{};     ///< of `going_back`: what is waited after the next failure
    milliseconds gives_up{};  ///< of `going_back`
    Reason reason = Reason::none;
    bool operator==(const State&) const = default;
};

enum class Action : std::uint8_t {
    wait,     ///< until `until` at most, or until something is to be seen
    go_back,  ///< at once; the apply is ended first where it still writes
    end,
};

struct Step {
    State state{};
    Action action = Action::wait;
    milliseconds until{};
};

/// The state of a guard that is armed now, before the first write.
State armed(milliseconds now, milliseconds confirm);

/// What follows. It ends on a confirmation, on what has gone back already and, once it goes back,
/// kGivesUpAfter later where ports are away or the kernel refuses; on nothing else.
Step next(State state, const Seen& seen);

/// For the journal: `not confirmed in time`. Of a probe its own words say more.
std::string_view text(Reason reason);

}  // namespace core::guard
