// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "core/plan/undo.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/pass_through.hpp"

namespace apply_run_test {

using namespace core;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr unsigned kRails = 5;

std::string rail(unsigned number) {
    return "ens1f" + std::to_string(number);
}

/// Ports that lose their links by each write, for a while.
class Rails final : public hosts::PassThrough {
public:
    explicit Rails(milliseconds for_so_long)
        : PassThrough(whole(),
                      {.after_read = [this](State& state) { take_links(state); },
                       .before_write = [this](const Step& step) { return lose_link(step); }}),
          gone(for_so_long) {}
    bool has_late_write() override { return late && writes >= refused_write; }
    [[nodiscard]] std::uint64_t mtu(unsigned number) const {
        return find_port(own().state(), rail(number))->link->mtu;
    }

    milliseconds gone;
    unsigned writes = 0;
    unsigned refused_write = 0;
    bool late = false;       ///< the refused write never ends
    unsigned most_gone = 0;  ///< at one time

private:
    static State whole() {
        State state;
        for (unsigned i = 0; i < kRails; ++i) {
            Port port = hosts::port("bnxt_en", rail(i));
            port.link->up = port.link->carrier = true;
            state.ports.push_back(port);
        }
        return state;
    }
    void take_links(State& state) {
        for (Port& port : state.ports)
            if (port.link && is_gone(port.name)) port.link->carrier = false;
    }
    /// The port has lost its link by the write, which is refused or not.
    std::optional<Refusal> lose_link(const Step& step) {
        ++writes;
        back_at_[step.port] = own().time() + gone;
        unsigned without = 0;
        for (unsigned i = 0; i < kRails; ++i)
            if (is_gone(rail(i))) ++without;
        most_gone = std::max(most_gone, without);
        if (writes != refused_write) return std::nullopt;
        return Refusal{.code = ETIMEDOUT, .text = "no answer"};
    }
    [[nodiscard]] bool is_gone(const std::string& port) {
        const auto back = back_at_.find(port);
        return back != back_at_.end() && own().time() < back->second;
    }

    std::map<std::string, milliseconds> back_at_{};
};

DesiredState large(unsigned count = kRails) {
    DesiredState out;
    for (unsigned i = 0; i < count; ++i) {
        out.ports.push_back(rail(i));
        out.desired_values.push_back(hosts::desired("mtu", std::uint64_t{9000}, {}, rail(i)));
    }
    return out;
}

/// Tells the run to stop as soon as it waits, or at once.
struct Stopper final : Recorder {
    bool reported = false;
    void waiting(const Finding& /*missed*/) override { reported = true; }
    bool stop() override { return reported; }
};

Report apply_to(Rails& kernel, Recorder& recorder, const DesiredState& desired_values = large()) {
    return apply(kernel, desired_values, hosts::plan(kernel, desired_values), recorder);
}

Report undo_of(Rails& kernel, const Plan& plan, const Waits& waits = {}) {
    Recorder nothing;
    const DesiredState old = undo_profile(plan);
    return undo_run(kernel, old, make_plan(old, kernel.read(hosts::everything())), {}, nothing,
                    waits);
}

bool all_have(const Rails& kernel, std::uint64_t mtu) {
    for (unsigned i = 0; i < kRails; ++i)
        if (kernel.mtu(i) != mtu) return false;
    return true;
}

bool has(const std::vector<Finding>& findings, std::string_view id) {
    return std::ranges::find(findings, id, [](const Finding& finding) {
               return finding.id.row().id;
           }) != findings.end();
}

}  // namespace

TEST_CASE("course: ports lose their links one after the other, on the way back too") {
    Rails kernel(seconds(3));
    Recorder nothing;
    const Report report = apply_to(kernel, nothing);
    REQUIRE(report.status == Status::done);
    CHECK(all_have(kernel, 9000));
    CHECK(undo_of(kernel, report.plan).status == Status::done);
    CHECK(all_have(kernel, 1500));
    CHECK(kernel.most_gone == 1);

    Rails refusing(seconds(3));
    refusing.refused_write = 3;
    CHECK(apply_to(refusing, nothing).status == Status::brought_back);
    CHECK(all_have(refusing, 1500));
    CHECK(refusing.most_gone == 2);  // the one whose write was refused, which is written first
}

namespace {

/// So many rails with links, numbered from 1.
State linked(unsigned count) {
    State state;
    for (unsigned i = 0; i < count; ++i) {
        Port port = hosts::port("bnxt_en", rail(i));
        port.link->up = port.link->carrier = true;
        port.link->index = i + 1;
        state.ports.push_back(std::move(port));
    }
    return state;
}

/// How many ports are read, each as often as it is, while the MTU of so many is changed and then
/// changed back.
std::size_t readings(unsigned count) {
    std::size_t read = 0;
    StateFile host(linked(count));
    hosts::PassThrough kernel(
        host, {.before_read =
                   [&](const Scope& scope) { read += scope.ports ? scope.ports->size() : count; },
               .changed_links = [&] { return host.changed_links(); }});
    const DesiredState desired_values = large(count);
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(plan.steps.size() == count);
    Recorder nothing;
    read = 0;
    CHECK(apply(kernel, desired_values, plan, nothing).status == Status::done);
    const DesiredState old = undo_profile(plan);
    const Plan back = make_plan(old, kernel.read(hosts::everything()));
    CHECK(undo_run(kernel, old, back, {}, nothing).status == Status::done);
    return read;
}

}  // namespace

TEST_CASE("course: twice the ports are read about twice as often, on the way back too") {
    const std::size_t few = readings(64);
    const std::size_t all = readings(128);
    CHECK(few > 0);
    // Who reads all earlier ports before each that loses its link reads four times as many.
    CHECK(all * 10 <= few * 22);
}

TEST_CASE("course: a port that came back and loses its link again is awaited again") {
    for (const bool returns : {true, false}) {
        CAPTURE(returns);
        StateFile host(linked(kRails));
        std::set<std::uint32_t> told;
        bool lost = false;
        milliseconds until{};
        std::vector<std::string> written;
        const auto take_link = [&](State& state) {
            if (Port* port = find_port(state, rail(0)); port != nullptr && lost)
                port->link->carrier = host.time() >= until;
        };
        const auto lose_link = [&](const Step& step) -> std::optional<Refusal> {
            if (step.port == rail(3) && written.size() == 3) CHECK(host.time() >= until);
            written.push_back(step.port);
            return std::nullopt;
        };
        const auto tell = [&](const Step& step) {
            if (step.port != rail(2) || lost) return;
            lost = true;
            until = host.time() + (returns ? milliseconds(3000) : milliseconds(3'600'000));
            told.insert(1);
        };
        hosts::PassThrough kernel(
            host, {.after_read = take_link,
                   .before_write = lose_link,
                   .after_write = tell,
                   .changed_links = [&] { return std::optional(std::exchange(told, {})); }});
        const DesiredState desired_values = large();
        Recorder nothing;
        const Report report =
            apply(kernel, desired_values, hosts::plan(kernel, desired_values), nothing);
        REQUIRE(written.size() > 3);
        CHECK(lost);
        if (returns) {
            CHECK(report.status == Status::done);
            CHECK(report.outcomes.size() == kRails);
            continue;
        }
        CHECK(report.outcomes.size() == 3);
        CHECK(has(report.remaining.findings, "no-carrier"));
        CHECK(report.remaining.findings.front().port == rail(0));
    }
}

TEST_CASE("course: a link that does not come back keeps no other port from going back") {
    Rails kernel(milliseconds(0));
    Recorder nothing;
    const Report report = apply_to(kernel, nothing);
    REQUIRE(report.status == Status::done);
    kernel.gone = std::chrono::hours(1);
    const milliseconds begin = kernel.time();
    const Report back = undo_of(kernel, report.plan, {.wait = milliseconds(0)});
    CHECK(back.status == Status::done);
    CHECK(all_have(kernel, 1500));
    CHECK(kernel.time() - begin >= seconds(10));
    CHECK(kernel.time() - begin < seconds(15));
}

TEST_CASE("course: links that each come back in time keep the way back for no longer than 20 s") {
    Rails kernel(milliseconds(0));
    Recorder nothing;
    const Report report = apply_to(kernel, nothing);
    REQUIRE(report.status == Status::done);
    kernel.gone = seconds(9);
    const milliseconds begin = kernel.time();
    CHECK(undo_of(kernel, report.plan, {.wait = milliseconds(0)}).status == Status::done);
    CHECK(all_have(kernel, 1500));
    CHECK(kernel.time() - begin >= seconds(18));
    CHECK(kernel.time() - begin < seconds(25));
}

TEST_CASE("course: who is told to stop while a link is awaited writes no further port") {
    Rails kernel(seconds(20));
    Stopper stopper;
    const Report report = apply_to(kernel, stopper);
    CHECK(report.status == Status::brought_back);
    CHECK(report.interrupted);
    CHECK(report.outcomes.size() == 1);
    CHECK(report.remaining.findings.empty());
    CHECK(all_have(kernel, 1500));
    CHECK(kernel.time() < seconds(5));
}

TEST_CASE("course: who is told to stop behind the last write goes back, and waits no more") {
    Rails kernel(seconds(20));
    Stopper stopper;
    DesiredState one = large();
    one.desired_values.resize(1);
    const Report report = apply_to(kernel, stopper, one);
    CHECK(report.status == Status::brought_back);
    CHECK(report.interrupted);
    CHECK(report.outcomes.size() == 1);
    CHECK(all_have(kernel, 1500));
    CHECK(kernel.time() < seconds(5));
}

TEST_CASE("course: who is told to stop before the first write writes nothing") {
    Rails kernel(milliseconds(0));
    Stopper stopper;
    stopper.reported = true;
    const Report report = apply_to(kernel, stopper);
    CHECK(report.status == Status::brought_back);
    CHECK(report.interrupted);
    CHECK(kernel.writes == 0);
}

TEST_CASE("course: as long as a write has not ended, no host is as before") {
    DesiredState desired_values = large();
    desired_values.desired_values.front().optional = true;
    Recorder nothing;
    for (const bool late : {false, true}) {
        CAPTURE(late);
        Rails kernel(milliseconds(0));
        kernel.refused_write = 1;
        kernel.late = late;
        const Report report = apply_to(kernel, nothing, desired_values);
        CHECK(report.status == (late ? Status::left_changed : Status::done));
        CHECK(has(report.left_changed, "not-restored") == late);
        CHECK(kernel.mtu(1) == (late ? 1500 : 9000));

        Rails needed(milliseconds(0));
        needed.refused_write = 2;
        needed.late = late;
        CHECK(apply_to(needed, nothing).status ==
              (late ? Status::left_changed : Status::brought_back));
        CHECK(all_have(needed, 1500));

        Rails undone(milliseconds(0));
        const Report before = apply_to(undone, nothing);
        REQUIRE(before.status == Status::done);
        undone.refused_write = undone.writes + 1;
        undone.late = late;
        CHECK(undo_of(undone, before.plan).status == (late ? Status::left_changed : Status::done));
        CHECK(all_have(undone, 1500));
    }
}

}  // namespace apply_run_test
