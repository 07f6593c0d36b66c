// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <map>

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

DesiredState large() {
    DesiredState out;
    for (unsigned i = 0; i < kRails; ++i) {
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
