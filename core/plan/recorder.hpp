// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/plan/plan.hpp"

namespace core {

struct Outcome;

/// Told of everything that a run writes, in the order in which it happens, so that what must last
/// can be kept before the kernel is asked. These keep nothing.
class Recorder {
public:
    virtual ~Recorder() = default;
    /// Before the first write; `undo_profile` brings back what was. Throws Error to refuse the run.
    virtual void begin(const Plan& /*plan*/, const DesiredState& /*past*/) {}
    /// Old values that could be read only now, before the write that replaces them.
    virtual void learned(const std::vector<Desired>& /*values*/) {}
    /// The step is written next; `undoing` where it writes an old value. Throws Error to have it
    /// not written.
    virtual void writing(const Step& /*step*/, bool /*undoing*/) {}
    virtual void wrote(const Outcome& /*outcome*/, bool /*undoing*/) {}
    /// What a write brought is not there yet, and is waited for: called again and again meanwhile.
    virtual void waiting(const Finding& /*missed*/) {}
    /// Whether the run should stop and undo; asked around each step that is not undoing, and while
    /// something is waited for.
    virtual bool stop() { return false; }
};

}  // namespace core
