// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/apply.hpp"

namespace core {

/// A recorder for undoing, which nothing may stop: the first failure to
/// record is kept, not thrown.
class Forbearing final : public Recorder {
public:
    explicit Forbearing(Recorder& recorder) : recorder_(recorder) {}
    void begin(const Plan& plan, const DesiredState& undo_profile) override;
    void learned(const std::vector<Desired>& values) override;
    void writing(const Step& step, bool undoing) override;
    void wrote(const Outcome& outcome, bool undoing) override;
    void waiting(const Finding& missed) override;
    /// Why something could not be recorded; empty where all was.
    [[nodiscard]] const std::string& failure() const { return failure_; }

private:
    template <typename Tell>
    void tell(const Tell& tell);

    Recorder& recorder_;
    std::string failure_;
};

/// Plans the undo profile from wherever the host is now, twice, since a refused step of the first
/// try may be accepted once the others are done; once more where a stage ended on the way. A port
/// loses its link only when the one before has it again, until one has not in time: then the rest
/// goes back without waiting.
void undo_steps(Kernel& kernel, const DesiredState& undo_profile, const Force& force,
                const Scope& scope, Recorder& recorder, std::vector<Outcome>& undone);

/// Values that cannot be read any more, and were not undone: nobody can say what they are.
std::vector<Finding> lost_unseen(const std::vector<Outcome>& undone);

/// A write that has not ended keeps a host from being as before, whatever that reads.
Finding late_write();

/// The finding that the journal could not be reported of the undoing, which goes on.
Finding unnoted(const std::string& reason);

/// The finding of an exception during the undoing, which goes on.
Finding broken(const std::exception& error);

}  // namespace core
