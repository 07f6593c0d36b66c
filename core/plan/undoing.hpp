// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/apply.hpp"

namespace core {

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
