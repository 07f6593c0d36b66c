// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/plan/plan.hpp"

namespace core {

struct Outcome;

/// Is called for everything that a run writes, in order and before the kernel is asked, so that the
/// journal can be on disk first. This base class keeps nothing.
class Recorder {
public:
    virtual ~Recorder() = default;
    /// Before the first write, with the undo profile. Throws Error to refuse the run.
    virtual void begin(const Plan& /*plan*/, const DesiredState& /*undo_profile*/) {}
    /// Old values that became readable only now, before the write that replaces them.
    virtual void learned(const std::vector<Desired>& /*values*/) {}
    /// The step is about to be written; `undoing`: it restores an old value. Throws Error to
    /// prevent it.
    virtual void writing(const Step& /*step*/, bool /*undoing*/) {}
    virtual void wrote(const Outcome& /*outcome*/, bool /*undoing*/) {}
    /// A write has not shown its effect yet. Called repeatedly while the run waits for it.
    virtual void waiting(const Finding& /*missed*/) {}
    /// Whether the run should stop and undo. Asked around each step that does not undo, and during
    /// waits.
    virtual bool stop() { return false; }
};

}  // namespace core
