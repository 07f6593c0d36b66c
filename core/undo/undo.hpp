// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/undo/entry.hpp"

namespace core {

/// What undoes these entries, so that the host is as before the first of them, whatever each of
/// them wrote: of each value the oldest that is recorded. They are in the order in which they ran.
struct Undo {
    DesiredState undo_profile{};
    Force force{};  ///< objects whose last write is not known to have ended well
    std::vector<Subject> subjects{};
};
Undo undo_of(const std::vector<JournalEntry>& entries);

/// The patterns and objects that find the subjects among the ports of a host.
Scope subjects_scope();

/// Gives the desired values the names that the subjects have now: a port is the one with its PCI
/// address and MAC, whatever it is called. A subject that is not there any more, or whose name
/// another device has, is a finding of the desired values (failure).
void find_again(Undo& undo, const State& inventory);

/// The ports that a plan writes to, as they are in the state it was made from.
std::vector<Subject> subjects_of(const Plan& plan);

/// What a run that was killed took away on the way, nobody states otherwise, and it would have put
/// back itself: addresses and routes of a port that was closed and opened. As optional desired
/// values.
std::vector<Desired> taken_away(const JournalEntry& entry, const DesiredState& desired_values);

/// Whether the desired values include all that the entry was to write, so that having them
/// completes it.
[[nodiscard]] bool completes(const DesiredState& desired_values, const JournalEntry& entry);

/// Undoes earlier runs: writes their undo profile, from wherever the host is now, and verifies it:
/// done, or left_changed with what is not as it was. `plan` is what makes the undo profile of what
/// was read. What the recorder throws, to its beginning too, is a finding and ends nothing.
Report undo_run(Kernel& kernel, const DesiredState& undo_profile, const Plan& plan,
                const Force& force, Recorder& recorder, const Terms& terms = {});

}  // namespace core
