// SPDX-License-Identifier: Apache-2.0
#include "core/plan/undoing.hpp"

#include <algorithm>
#include <exception>

#include "core/model/finding_names.hpp"
#include "core/plan/write.hpp"

namespace core {

template <typename Tell>
void Forbearing::tell(const Tell& tell) {
    try {
        tell();
    } catch (const std::exception& error) {
        if (failure_.empty()) failure_ = error.what();
    }
}

void Forbearing::begin(const Plan& plan, const Wishes& past) {
    tell([&] { recorder_.begin(plan, past); });
}

void Forbearing::learned(const std::vector<Wish>& values) {
    tell([&] { recorder_.learned(values); });
}

void Forbearing::writing(const Step& step, bool undoing) {
    tell([&] { recorder_.writing(step, undoing); });
}

void Forbearing::wrote(const Outcome& outcome, bool undoing) {
    tell([&] { recorder_.wrote(outcome, undoing); });
}

void Forbearing::waiting(const Finding& missed) {
    tell([&] { recorder_.waiting(missed); });
}

void undo_steps(Kernel& kernel, const Wishes& past, const Force& force, const Scope& scope,
                Recorder& recorder, std::vector<Outcome>& undone) {
    Force still = force;
    int rounds = 2;
    for (int round = 0; round < rounds; ++round) {
        const Plan back = make_plan(past, kernel.read(scope), still);
        if (back.steps.empty()) return;
        if (ends_stage(back)) rounds = 3;
        for (const Step& step : back.steps) {
            recorder.writing(step, true);
            undone.push_back(write_step(kernel, step));
            recorder.wrote(undone.back(), true);
            if (undone.back().result == Outcome::Result::applied)
                still.erase({step.port, step.object});
        }
    }
}

std::vector<Finding> lost_unseen(const std::vector<Outcome>& undone) {
    std::vector<Finding> out;
    for (const Outcome& outcome : undone) {
        const bool restored = std::ranges::any_of(undone, [&](const Outcome& other) {
            return other.step.port == outcome.step.port &&
                   other.step.object == outcome.step.object &&
                   other.result == Outcome::Result::applied;
        });
        const bool told = std::ranges::any_of(out, [&](const Finding& other) {
            return other.port == outcome.step.port && other.key == row_of(outcome.step.object).name;
        });
        if (restored || told || row_of(outcome.step.object).needs.empty()) continue;
        out.push_back({.id = findings::not_restored,
                       .port = outcome.step.port,
                       .key = std::string(row_of(outcome.step.object).name),
                       .text = outcome.text});
    }
    return out;
}

Finding unnoted(const std::string& reason) {
    return {.id = findings::unnoted,
            .level = Finding::Level::note,
            .text = "not noted in the journal: " + reason};
}

Finding broken(const std::exception& error) {
    return {.id = findings::broken, .text = error.what()};
}

}  // namespace core
