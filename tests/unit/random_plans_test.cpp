// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "core/json/json.hpp"
#include "core/plan/contradictions.hpp"
#include "core/plan/read_and_plan.hpp"
#include "core/plan/undo.hpp"
#include "tests/unit/effort.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/pass_through.hpp"

namespace random_plans_test {

using namespace core;

// Random plans on random states: apply and undo, apply and a way back through the journal, and an
// apply that is killed in the middle.

namespace {

const unsigned kPlans = effort::tries(200, 50);

/// What a process that is killed leaves: nothing catches it, and nothing is put right.
struct Killed {};

/// Keeps what a journal keeps, and is killed at the nth thing it is reported.
class Mortal final : public Recorder {
public:
    explicit Mortal(unsigned dies_at) : dies_at_(dies_at) {}

    void begin(const Plan& plan, const DesiredState& undo_profile) override {
        text_ = first_line({.id = 1,
                            .command = "apply",
                            .subjects = subjects_of(plan, undo_profile),
                            .undo_profile = undo_profile,
                            .steps = plan.steps})
                    .dump() +
                '\n';
    }
    void learned(const std::vector<Desired>& values) override { keep(learned_line(values)); }
    void writing(const Step& step, bool undoing) override { keep(writing_line(step, undoing)); }
    void wrote(const Outcome& outcome, bool /*undoing*/) override { keep(outcome_line(outcome)); }
    [[nodiscard]] JournalEntry entry() const { return parse_entry(text_, "1.jsonl"); }

private:
    void keep(const nlohmann::ordered_json& line) {
        if (++reported_ == dies_at_) {
            text_ += line.dump().substr(0, 7);  // a line that was being written
            throw Killed();
        }
        text_ += line.dump() + '\n';
    }

    std::string text_;
    unsigned reported_ = 0;
    unsigned dies_at_;
};

/// A host of a random family, and desired values for a random few of its settings.
class Dice {
public:
    explicit Dice(unsigned seed) : numbers_(seed) {}

    State host() {
        const Driver& driver = *drivers()[below(drivers().size())];
        State state = hosts::host(std::string(driver.name));
        state.ports[0].rdma_link = RdmaLink{.device = "rxe7", .index = 1, .type = "rxe"};
        state.ports[0].cm_directory = false;
        state.ports[0].cm_defaults = CmDefaults{.mode = "IB/RoCE v1", .tos = 40};
        StateFile kernel(state);
        hosts::apply(kernel, desired_values(6));
        return kernel.state();
    }

    DesiredState desired_values(unsigned most) {
        std::vector<Desired> out;
        std::set<std::pair<const Field*, std::string>> all_desired;
        for (unsigned i = 0; i < most; ++i) {
            const Field& field = fields()[below(fields().size())];
            if (field.use != Field::Use::setting || (row_of(field.object).lives == Lives::host))
                continue;
            const std::vector<Value> values = samples(field.shape);
            const Value& value = values[below(values.size())];
            const std::vector<std::string> keys = sample_keys(field.shape);
            Desired desired =
                hosts::desired(std::string(field.key), value, keys[below(keys.size())]);
            if (all_desired.emplace(&field, desired.element).second)
                out.push_back(std::move(desired));
        }
        return hosts::desired_values(std::move(out));
    }

    std::size_t below(std::size_t end) { return numbers_() % end; }

private:
    std::mt19937 numbers_;
};

/// Calls the test with states, desired values and plans that can be applied, as often as is asked.
template <typename Test>
void for_random_plans(const Test& test) {
    unsigned plans = 0;
    for (unsigned seed = 1; plans < kPlans; ++seed) {
        REQUIRE(seed < 50 * kPlans);
        Dice dice(seed);
        StateFile kernel(dice.host());
        const DesiredState desired_values = dice.desired_values(8);
        const Plan plan = hosts::plan(kernel, desired_values);
        const bool can_hold = std::ranges::all_of(plan.findings, [](const Finding& finding) {
            return finding.level == Finding::Level::note;
        });
        if (!can_hold || plan.steps.size() < 2) continue;
        ++plans;
        CAPTURE(seed);
        test(dice, kernel, desired_values, plan);
    }
}

}  // namespace

TEST_CASE("random plans: undone, killed and applied again, killed and rolled back") {
    for_random_plans([](Dice& dice, StateFile& kernel, const DesiredState& desired_values,
                        const Plan& plan) {
        const State before = hosts::read_all(kernel);
        StateFile alone = kernel;
        REQUIRE(core::apply(alone, desired_values, plan).status == Status::done);
        const State applied = hosts::read_all(alone);
        CHECK(hosts::apply(alone, undo_profile(plan)).status == Status::done);
        CHECK(hosts::difference(before, hosts::read_all(alone)) == "");

        StateFile killed = kernel;
        Mortal mortal(1 + static_cast<unsigned>(dice.below(2 * plan.steps.size())));
        CHECK_THROWS_AS(core::apply(killed, desired_values, plan, mortal), Killed);
        const JournalEntry entry = mortal.entry();
        CHECK(is_open(entry));
        StateFile again = killed;
        DesiredState with_what_went = desired_values;
        for (Desired& desired : taken_away(entry, desired_values))
            with_what_went.desired_values.push_back(std::move(desired));
        CHECK(hosts::apply(again, with_what_went).status == Status::done);
        CHECK(hosts::difference(applied, hosts::read_all(again)) == "");

        Undo back = undo_of({entry});
        find_again(back, hosts::read_all(killed));
        const Plan way = make_plan(back.undo_profile, hosts::read_all(killed), back.force);
        Recorder nothing;
        CHECK(undo_run(killed, back.undo_profile, way, back.force, nothing).status == Status::done);
        CHECK(hosts::difference(before, hosts::read_all(killed)) == "");
    });
}

namespace {

/// What a plan comes to, in words.
std::string text_of(const Plan& plan) {
    std::string out;
    for (const std::string& line : commands(plan))
        out += line + '\n';
    for (const Finding& finding : plan.findings)
        out +=
            finding.port + ": " + finding.key + ' ' + finding.element + ": " + finding.text + '\n';
    return out;
}

/// Keeps in mind what is read, and lets nothing be read twice.
hosts::Hooks each_once(Objects& read) {
    return {.before_read = [&read](const Scope& scope) {
        for (const Object object : scope.objects)
            CHECK_MESSAGE(read.insert(object).second, row_of(object).name, " is read twice");
    }};
}

void looks_the_same(StateFile& kernel, const DesiredState& desired_values) {
    Plan whole = make_plan(desired_values, kernel.read(scope_of(desired_values, kernel.state())));
    for (Finding& finding : contradictions(desired_values, whole))
        whole.findings.push_back(std::move(finding));
    Objects read;
    hosts::PassThrough once(kernel, each_once(read));
    const Plan plan = read_and_plan(once, desired_values, kernel.state()).plan;
    CHECK(text_of(plan) == text_of(whole));
    if (plan.steps.empty()) return;
    INFO(Json::diff(to_json(whole.before), to_json(plan.before)).dump());
    CHECK(plan.before.ports == whole.before.ports);
}

}  // namespace

TEST_CASE("law: looking first at what is desired finds what looking at all of it does") {
    for (unsigned seed = 1; seed < kPlans; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        StateFile kernel(dice.host());
        const DesiredState desired_values = dice.desired_values(5);
        looks_the_same(kernel, desired_values);
        hosts::apply(kernel, desired_values);
        looks_the_same(kernel, desired_values);
    }
}

TEST_CASE("look: what a step would disturb is read where there is a step") {
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("mtu", Value(std::uint64_t{9000}))});
    Objects read;
    hosts::PassThrough before(kernel, each_once(read));
    CHECK(read_and_plan(before, desired_values, kernel.state()).plan.steps.size() == 1);
    CHECK(read.contains(Object::routes));
    hosts::apply(kernel, desired_values);
    read.clear();
    hosts::PassThrough after(kernel, each_once(read));
    CHECK(satisfied(read_and_plan(after, desired_values, kernel.state()).plan));
    CHECK_FALSE(read.contains(Object::routes));
}

}  // namespace random_plans_test
