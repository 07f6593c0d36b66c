// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/plan/apply.hpp"
#include "core/plan/journal.hpp"

namespace core {

/// What undoes these entries, so that the host is as before the first of them, whatever each of
/// them wrote: of each value the oldest that is recorded. They are in the order in which they ran.
struct Undo {
    DesiredState undo_profile{};
    Force force{};  ///< objects whose last write is not known to have ended well
    std::vector<Subject> subjects{};
};
/// A network namespace: the boot that it is of, and its cookie (as in JournalEntry). What is empty
/// or 0 is not known, and not compared.
struct NetworkNamespace {
    std::string boot{};
    std::uint64_t cookie = 0;
};
/// An entry that wrote to another network namespace of the same boot adds no value, and a finding
/// for each of its ports (failure).
Undo undo_of(const std::vector<JournalEntry>& entries, const NetworkNamespace& here = {});

/// The patterns and objects that find the subjects among the ports of a host.
Scope subjects_scope();

/// Gives the desired values the names that the subjects have now: a port is the one with its PCI
/// address and its permanent MAC address (its MAC address where it has none of these), whatever it
/// is called. A subject that is not there any more, or whose name another device has, loses its
/// desired values and is a finding (failure): nothing is written to another device.
void find_again(Undo& undo, const State& inventory);

/// The ports that a plan writes to or disturbs, those of its undo profile included, as they are in
/// the state it was made from.
std::vector<Subject> subjects_of(const Plan& plan, const DesiredState& undo_profile);

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
                const Force& force, Recorder& recorder, const Waits& waits = {});

/// Wraps a recorder while undoing, which nothing may stop: the first error of recording is kept and
/// not thrown, and stop() is never passed on.
class Forbearing final : public Recorder {
public:
    explicit Forbearing(Recorder& recorder) : recorder_(recorder) {}
    void begin(const Plan& plan, const DesiredState& undo_profile) override;
    void learned(const std::vector<Desired>& values) override;
    void writing(const Step& step, bool undoing) override;
    void wrote(const Outcome& outcome, bool undoing) override;
    void waiting(const Finding& missed) override;
    /// why something could not be recorded; empty where all was
    [[nodiscard]] const std::string& failure() const { return failure_; }

private:
    template <typename Tell>
    void tell(const Tell& tell);

    Recorder& recorder_;
    std::string failure_;
};

/// Plans the undo profile from the current state and writes it, twice, because a step refused in
/// the first round may be accepted after the others; three times if a round ends a stage. Waits for
/// a link to come back before the next is taken down, until one stays down too long: the rest is
/// then written without waiting. Appends each step's result to `undone`.
void undo_steps(Kernel& kernel, const DesiredState& undo_profile, const Force& force,
                const Scope& scope, Recorder& recorder, std::vector<Outcome>& undone);

/// A failure for each object that was not restored and whose value cannot be read any more.
std::vector<Finding> lost_unseen(const std::vector<Outcome>& undone);

/// The failure that a write without an answer is still running, so that the host may change yet.
Finding late_write();

/// The note that the journal could not record the undo, which goes on.
Finding unnoted(const std::string& reason);

/// The failure of an exception during the run or its undo.
Finding broken(const std::exception& error);

}  // namespace core
