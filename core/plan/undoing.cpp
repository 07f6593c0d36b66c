// SPDX-License-Identifier: Apache-2.0
#include "core/plan/undoing.hpp"

#include <algorithm>
#include <exception>

#include "core/model/finding_names.hpp"
#include "core/plan/await.hpp"
#include "core/plan/write.hpp"

namespace core {
namespace {

/// How long undoing waits for one link, and for all links together, before it goes on.
constexpr std::chrono::milliseconds kLinkOnTheWayBack{10'000};
constexpr std::chrono::milliseconds kLinksOnTheWayBack{20'000};

/// Whether the links that earlier steps took down are up again and there is time left for others.
/// False where they cannot be read.
bool has_links(Kernel& kernel, const Plan& back, std::size_t next, const State& foreseen,
               std::chrono::milliseconds& left, Recorder& recorder) {
    try {
        const auto start = kernel.time();
        if (await_link(kernel, back, next, foreseen, std::min(left, kLinkOnTheWayBack), recorder))
            return false;
        left -= std::min(left, kernel.time() - start);
    } catch (const std::exception&) {
        return false;
    }
    return left.count() > 0;
}

}  // namespace

template <typename Tell>
void Forbearing::tell(const Tell& tell) {
    try {
        tell();
    } catch (const std::exception& error) {
        if (failure_.empty()) failure_ = error.what();
    }
}

void Forbearing::begin(const Plan& plan, const DesiredState& undo_profile) {
    tell([&] { recorder_.begin(plan, undo_profile); });
}

void Forbearing::learned(const std::vector<Desired>& values) {
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

void undo_steps(Kernel& kernel, const DesiredState& undo_profile, const Force& force,
                const Scope& scope, Recorder& recorder, std::vector<Outcome>& undone) {
    Force still = force;
    int rounds = 2;
    bool one_by_one = true;
    auto left = kLinksOnTheWayBack;
    for (int round = 0; round < rounds; ++round) {
        const Plan back = make_plan(undo_profile, kernel.read(scope), still);
        if (back.steps.empty()) return;
        if (ends_stage(back)) rounds = 3;
        State foreseen = back.before;
        for (std::size_t i = 0; i < back.steps.size(); ++i) {
            const Step& step = back.steps[i];
            one_by_one = one_by_one && has_links(kernel, back, i, foreseen, left, recorder);
            recorder.writing(step, true);
            undone.push_back(write_step(kernel, step));
            recorder.wrote(undone.back(), true);
            if (undone.back().result != Outcome::Result::applied) continue;
            still.erase({step.port, step.object});
            static_cast<void>(play(foreseen, step));
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
        const bool reported = std::ranges::any_of(out, [&](const Finding& other) {
            return other.port == outcome.step.port && other.key == row_of(outcome.step.object).name;
        });
        if (restored || reported || row_of(outcome.step.object).read.needs.empty()) continue;
        out.push_back({.id = findings::not_restored,
                       .port = outcome.step.port,
                       .key = std::string(row_of(outcome.step.object).name),
                       .text = outcome.text});
    }
    return out;
}

Finding late_write() {
    return {.id = findings::not_restored,
            .text = "a write that had no answer has not ended, and may be stored still"};
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
