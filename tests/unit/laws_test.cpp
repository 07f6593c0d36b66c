// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/plan/judge.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/pass_through.hpp"

namespace laws_test {

using namespace core;

// The two identities of the design and what follows from them, over every setting of the field
// table, every sample of its shape and every row of the driver table.

namespace {

/// A desired value for one sample; in a keyed collection one for each sample key.
std::vector<Desired> desired_for(const Field& field) {
    std::vector<Desired> out;
    std::vector<Value> values = samples(field.shape);
    for (const Value& value : hosts::held(field.key))
        values.push_back(value);
    for (const Value& sample : values) {
        for (const std::string& key : sample_keys(field.shape))
            out.push_back(hosts::desired(std::string(field.key), sample, key));
    }
    return out;
}

/// The host with a soft RDMA device, so that what hangs on one can be desired too.
State host_with_rdma(const Driver& driver) {
    State state = hosts::host(std::string(driver.name));
    state.ports[0].rdma_link = RdmaLink{.device = "rxe7", .index = 1, .type = "rxe"};
    state.ports[0].rdma_moderation = false;
    state.ports[0].cm_directory = false;
    state.ports[0].cm_defaults = CmDefaults{.mode = "IB/RoCE v1", .tos = 40};
    for (const char* ip : {"198.18.0.7", "2001:db8::7"})
        state.ports[0].neighbours->push_back({.ip = *parse_ip(ip), .mac = "02:00:00:00:00:07"});
    state.ports.push_back(hosts::whole_host());
    if (driver.name == "bnxt_en") state.ports[0].ecn_directory = false;
    return state;
}

struct Case {
    const Driver& driver;
    const Field& field;
    Desired desired;
};

bool contains_word(const std::string& words, std::string_view word) {
    return (' ' + words + ' ').find(' ' + std::string(word) + ' ') != std::string::npos;
}

/// Where ROCECTL_LAWS_OF names objects, with blanks between them, only their rows
/// (tests/recipe/run).
template <typename Law>
void for_every_row(const Law& law) {
    const char* only = std::getenv("ROCECTL_LAWS_OF");
    for (const Driver* const driver : drivers())
        for (const Field& field : fields()) {
            if (field.use != Field::Use::setting) continue;
            if (only != nullptr && !contains_word(only, row_of(field.object).name)) continue;
            for (const Desired& desired : desired_for(field)) {
                INFO(driver->name, " ", field.key, " ", desired.element, " = ",
                     desired.value ? text(*desired.value) : "absent");
                law(Case{*driver, field, desired});
            }
        }
}

/// Whether all that is desired comes about by writing: feasible is also what others have to set.
bool can_hold(const Plan& plan) {
    return std::ranges::none_of(plan.findings, [](const Finding& finding) {
        return finding.level != Finding::Level::note;
    });
}

/// How often a law is to have got as far as it counts, where it runs for the rows of all objects.
unsigned of_all(unsigned times) {
    return std::getenv("ROCECTL_LAWS_OF") == nullptr ? times : 0U;
}

}  // namespace

TEST_CASE("law: apply then plan is empty, and a second apply writes nothing") {
    unsigned applied = 0;
    for_every_row([&](const Case& one) {
        StateFile kernel(host_with_rdma(one.driver));
        const State before = hosts::read_all(kernel);
        const DesiredState desired_values = hosts::desired_values({one.desired});
        const Plan plan = hosts::plan(kernel, desired_values);
        if (!can_hold(plan)) {
            CHECK(kernel.writes() == 0);
            CHECK_FALSE(plan.findings.empty());
            return;
        }
        const Report report = core::apply(kernel, desired_values, plan);
        CHECK(report.status == Status::done);
        CHECK(satisfied(hosts::plan(kernel, desired_values)));
        CHECK(report.surprises.empty());
        const unsigned writes = kernel.writes();
        applied += plan.steps.empty() ? 0U : 1U;
        CHECK(hosts::apply(kernel, desired_values).outcomes.empty());
        CHECK(kernel.writes() == writes);
        if (!plan.steps.empty()) CHECK_FALSE(compare(before, hosts::read_all(kernel)).empty());
    });
    CHECK(applied > of_all(60));
}

TEST_CASE("law: undo is the undo profile as a profile, and restores an equal state") {
    unsigned undone_plans = 0;
    for_every_row([&](const Case& one) {
        StateFile kernel(host_with_rdma(one.driver));
        const State before = hosts::read_all(kernel);
        const DesiredState desired_values = hosts::desired_values({one.desired});
        const Plan plan = hosts::plan(kernel, desired_values);
        if (!can_hold(plan)) return;
        REQUIRE(core::apply(kernel, desired_values, plan).status == Status::done);
        const DesiredState back = undo_profile(plan);
        const Report undone = hosts::apply(kernel, back);
        CHECK(undone.status == Status::done);
        CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
        CHECK(hosts::plan(kernel, back).steps.empty());
        undone_plans += plan.steps.empty() ? 0U : 1U;
    });
    CHECK(undone_plans > of_all(700));
}

TEST_CASE(
    "law: an object that lies is never success: 3 and equal, or 4 where it lies on the way back") {
    unsigned lied = 0;
    for_every_row([&](const Case& one) {
        StateFile kernel(host_with_rdma(one.driver));
        const State before = hosts::read_all(kernel);
        const DesiredState desired_values = hosts::desired_values({one.desired});
        const Plan plan = hosts::plan(kernel, desired_values);
        if (!can_hold(plan) || plan.steps.empty()) return;
        for (const Step& step : plan.steps) {
            StateFile liar(host_with_rdma(one.driver));
            liar.lie(step.object);
            const Report report = core::apply(liar, desired_values, plan);
            if (report.status == Status::done) {  // it held that value already, unread
                CHECK(satisfied(hosts::plan(liar, desired_values)));
                continue;
            }
            const bool equal = hosts::difference(before, hosts::read_all(liar)).empty();
            CHECK(report.status == (equal ? Status::brought_back : Status::left_changed));
            CHECK(report.outcomes.back().result == Outcome::Result::not_stored);
            if (plan.steps.size() == 1) CHECK(equal);
            ++lied;
        }
    });
    CHECK(lied > of_all(700));
}

TEST_CASE("law: the whole lossless chain converges in one pass on every driver") {
    for (const Driver* const row : drivers()) {
        const Driver& driver = *row;
        const std::string name(driver.name);
        INFO(name);
        StateFile kernel(hosts::host(name));
        const State before = hosts::read_all(kernel);
        const DesiredState desired_values = hosts::lossless(name);
        const Plan plan = hosts::plan(kernel, desired_values);
        for (const Finding& finding : plan.findings)
            CAPTURE(finding.text);
        std::string findings;
        for (const Finding& finding : plan.findings)
            if (finding.level != Finding::Level::note) findings += finding.text + "; ";
        CHECK(findings == "");
        REQUIRE(feasible(plan));
        const Report report = core::apply(kernel, desired_values, plan);
        std::string outcomes;
        for (const Outcome& outcome : report.outcomes)
            outcomes += outcome.text;
        CHECK(outcomes == "");
        CHECK(report.status == Status::done);
        CHECK(report.surprises.empty());
        CHECK(satisfied(hosts::plan(kernel, desired_values)));
        CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
        CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
    }
}

TEST_CASE("law: refusing each write of the chain in turn brings the host back") {
    for (const Driver* const row : drivers()) {
        const Driver& driver = *row;
        const std::string name(driver.name);
        const DesiredState desired_values = hosts::lossless(name);
        StateFile fresh(hosts::host(name));
        const State before = hosts::read_all(fresh);
        const Plan plan = hosts::plan(fresh, desired_values);
        for (std::size_t i = 0; i < plan.steps.size(); ++i) {
            unsigned nth = 0;
            for (std::size_t k = 0; k <= i; ++k)
                nth += plan.steps[k].object == plan.steps[i].object ? 1U : 0U;
            INFO(name, " step ", i, " ", row_of(plan.steps[i].object).name);
            StateFile kernel(hosts::host(name));
            kernel.refuse(plan.steps[i].object, {.code = 5, .text = "Input/output error"}, nth);
            const Report report = core::apply(kernel, desired_values, plan);
            CHECK(report.status == Status::brought_back);
            REQUIRE(report.outcomes.size() == i + 1);
            CHECK(report.outcomes.back().text.find("Input/output error (5)") != std::string::npos);
            CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
        }
    }
}

TEST_CASE("law: a device that refuses the way back too is left with 4 and what differs") {
    StateFile stuck(hosts::host("mlx5_core"));
    DesiredState only = hosts::desired_values({hosts::desired("pause.rx", false),
                                               hosts::desired("mtu", std::uint64_t{9000}),
                                               hosts::desired("pfc.priorities", Numbers{3})});
    const Plan short_plan = hosts::plan(stuck, only);
    bool jammed = false;
    hosts::PassThrough jam(stuck, {.before_write = [&](const Step& step) -> std::optional<Refusal> {
                               if (step.object == Object::pfc) jammed = true;
                               if (!jammed) return std::nullopt;
                               return Refusal{.code = 5, .text = "Input/output error"};
                           }});
    const Report report = core::apply(jam, only, short_plan);
    CHECK(report.status == Status::left_changed);
    std::set<std::string> left;
    for (const Finding& finding : report.left_changed)
        left.insert(finding.key);
    CHECK(left.contains("mtu"));
    CHECK(left.contains("pause.rx"));
}

namespace {

/// A host on which the nth read from now throws, as a socket does that the kernel closes.
hosts::Hooks breaking(unsigned nth) {
    return {.before_read = [nth](const Scope&) mutable {
        if (--nth == 0) throw Error(Status::failed, "the socket is gone");
    }};
}

}  // namespace

TEST_CASE("law: whatever is thrown between two writes leads back, never to a half-written host") {
    const DesiredState desired_values = hosts::lossless("mlx5_core");
    StateFile fresh(hosts::host("mlx5_core"));
    const State before = hosts::read_all(fresh);
    const Plan plan = hosts::plan(fresh, desired_values);
    StateFile untouched(hosts::host("mlx5_core"));
    hosts::PassThrough at_once(
        untouched, breaking(1));  // before the first write there is nothing to lead back from
    CHECK_THROWS_AS(core::apply(at_once, desired_values, plan), Error);
    CHECK(untouched.writes() == 0);
    for (unsigned nth = 2; nth <= plan.steps.size() + 2; ++nth) {
        INFO("read ", nth);
        StateFile file(hosts::host("mlx5_core"));
        hosts::PassThrough kernel(file, breaking(nth));
        const Report report = core::apply(kernel, desired_values, plan);
        CHECK(report.status == Status::brought_back);
        REQUIRE_FALSE(report.remaining.findings.empty());
        CHECK(report.remaining.findings.back().text == "the socket is gone");
        CHECK(hosts::difference(before, hosts::read_all(file)) == "");
    }
}

}  // namespace laws_test
