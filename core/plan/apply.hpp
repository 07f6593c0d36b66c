// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/kernel.hpp"
#include "core/plan/plan.hpp"

namespace core {

/// The result of one step.
struct Outcome {
    Step step;
    enum class Result : std::uint8_t { applied, refused, not_stored } result = Result::applied;
    std::optional<Refusal> refusal{};
    std::string text{};  ///< `ens1f0: pfc: Operation not supported (95) while setting …`
    /// Failed, but only optional values needed it: it was undone by itself and the run went on.
    bool optional = false;
};

std::string_view word(Outcome::Result result);

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

/// What a whole apply did, as read back from the host and not as assumed.
struct Report {
    Plan plan;                      ///< what was to be done, later stages included
    std::vector<Outcome> outcomes;  ///< of the steps that were tried, in order
    bool interrupted = false;
    /// The plan made again after the last write: empty after success. Its findings include what is
    /// not ready.
    Plan remaining;
    std::vector<Outcome> undone;  ///< the steps that undid the run, in order
    /// Differences from the state before the run that the undo did not remove.
    std::vector<Finding> left_changed;
    std::vector<Finding> surprises;  ///< after success: what reads differently from the prediction
    Tally tally{};                   ///< after success
    Status status = Status::done;
    std::uint64_t entry = 0;  ///< number of the journal entry; 0 without a journal
};

/// How long a run waits for ports, and whether it judges their readiness.
struct Waits {
    /// For links and facts that the run broke or has to bring.
    std::chrono::milliseconds wait{30'000};
    /// For ports that were not ready before the run either.
    std::chrono::milliseconds wait_for_others{5'000};
    bool settings_only = false;  ///< findings about readiness become notes
};

/// Writes the plan, reads each object back and verifies the whole. On any failure it undoes what it
/// wrote and verifies that too; a refused write that only optional values need is undone alone and
/// the rest goes on. A refusal by the kernel never throws: it is in the report. Throws only what
/// reading before the first write, or Recorder::begin, throws.
Report apply(Kernel& kernel, const DesiredState& desired_values, const Plan& plan,
             Recorder& recorder, const Waits& waits = {});
/// The same with default waits and a recorder that keeps nothing.
Report apply(Kernel& kernel, const DesiredState& desired_values, const Plan& plan);
/// The report for a plan without steps: whether the ports are ready. Status::failed where that
/// could not be read.
Report leave_as_is(Kernel& kernel, const DesiredState& desired_values, const Plan& plan,
                   const Waits& waits);

/// Differences in settings between two reads of a host: a failure with both values for each setting
/// that differs, an unknown for each that can no longer be read. What was not readable in `before`
/// is not compared.
std::vector<Finding> compare(const State& before, const State& after);

}  // namespace core
