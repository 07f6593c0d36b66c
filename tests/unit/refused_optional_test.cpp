// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/views/text.hpp"
#include "core/json/json.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/refused_optional.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/pass_through.hpp"

namespace refused_optional_test {

using namespace core;

// An optional value that the device refuses goes back by itself, and apply goes on.

namespace {

constexpr int kNotSupported = 95;

Desired optional(Desired desired) {
    desired.optional = true;
    return desired;
}

Refusal no() {
    return {.code = kNotSupported, .text = "Operation not supported"};
}

/// A host that refuses the steps that somebody picks, after it has stored them by halves if asked.
struct Picky final : hosts::PassThrough {
    std::function<bool(const Step&)> refuses;
    unsigned by_halves = 0;  ///< of how many refused writes the values are stored all the same
    unsigned writes = 0;
    Picky(const State& now, std::function<bool(const Step&)> which)
        : PassThrough(now, {.before_write = [this](const Step& step) { return picked(step); }}),
          refuses(std::move(which)) {}
    std::optional<Refusal> picked(const Step& step) {
        ++writes;
        if (!refuses(step)) return std::nullopt;
        if (by_halves > 0) {
            --by_halves;
            static_cast<void>(own().write(step));
        }
        return no();
    }
};

bool has(const Step& step, std::string_view key, const Value& value) {
    return std::ranges::any_of(step.changes, [&](const Change& change) {
        return change.field->key == key && change.after == value;
    });
}

Value value_of(Kernel& kernel, std::string_view key) {
    return *element_of(hosts::read_all(kernel).ports.front(), *find_field(key), "");
}

std::vector<Finding> noted(const Report& report) {
    std::vector<Finding> out = report.remaining.findings;
    std::erase_if(out, [](const Finding& finding) { return finding.id != "forgone"; });
    return out;
}

const Value kRings = std::uint64_t{4096};
const Value kMtu = std::uint64_t{9000};

}  // namespace

TEST_CASE("forgone: a refused object goes back, the rest is applied, and all say so") {
    StateFile kernel(hosts::host("mlx5_core"));
    kernel.refuse(Object::ring, no(), 0);
    const Value before = value_of(kernel, "ring.rx");
    const DesiredState desired_values = hosts::desired_values(
        {optional(hosts::desired("ring.rx", kRings)), hosts::desired("mtu", kMtu)});
    const Report report = hosts::apply(kernel, desired_values);
    CHECK(report.status == Status::done);
    CHECK(value_of(kernel, "ring.rx") == before);
    CHECK(value_of(kernel, "mtu") == kMtu);
    REQUIRE(noted(report).size() == 1);
    const Finding found = noted(report).front();
    CHECK(found.level == Finding::Level::note);
    CHECK(found.key == "ring.rx");
    CHECK(found.text ==
          "Operation not supported (95) while setting ring.rx to 4096; it is optional, "
          "and was brought back");
    const nlohmann::ordered_json json = to_json(report);
    CHECK(json["wished"] == 2);
    CHECK(json["held"] == 1);
    CHECK(json["optional_not_held"] == 1);
    CHECK(json["changed"] == true);
    CHECK(json["outcomes"][0]["optional"] == true);
    const std::string text = cli::report_text(report, {});
    CAPTURE(text);
    CHECK(text.find("failed") == std::string::npos);
    CHECK(text.find("note: ens1f0: ring.rx: Operation not supported (95)") != std::string::npos);
    CHECK(text.ends_with("1 port, 1 setting; 1 of 2 values match, 1 optional not held\n"));
}

TEST_CASE("forgone: nothing changed where nothing else was desired") {
    StateFile kernel(hosts::host("mlx5_core"));
    kernel.refuse(Object::ring, no(), 0);
    const Report report =
        hosts::apply(kernel, hosts::desired_values({optional(hosts::desired("ring.rx", kRings))}));
    CHECK(report.status == Status::done);
    CHECK(to_json(report)["changed"] == false);
}

TEST_CASE("forgone: what is needed of a refused object, and what else is optional, is had") {
    Picky kernel(hosts::host("mlx5_core"),
                 [](const Step& step) { return has(step, "ring.rx", kRings); });
    kernel.by_halves = 1;
    const Value before = value_of(kernel, "ring.rx");
    const DesiredState desired_values =
        hosts::desired_values({optional(hosts::desired("ring.rx", kRings)),
                               hosts::desired("ring.tx", kRings), hosts::desired("mtu", kMtu)});
    const Report report = hosts::apply(kernel, desired_values);
    CHECK(report.status == Status::done);
    CHECK(value_of(kernel, "ring.rx") == before);
    CHECK(value_of(kernel, "ring.tx") == kRings);
    CHECK(value_of(kernel, "mtu") == kMtu);
    CHECK(noted(report).size() == 1);
    CHECK(report.tally.held == 2);
}

TEST_CASE("forgone: of two optional values the one that is taken stays") {
    Picky kernel(hosts::host("mlx5_core"),
                 [](const Step& step) { return has(step, "ring.rx", kRings); });
    const Report report =
        hosts::apply(kernel, hosts::desired_values({optional(hosts::desired("ring.rx", kRings)),
                                                    optional(hosts::desired("ring.tx", kRings))}));
    CHECK(report.status == Status::done);
    CHECK(value_of(kernel, "ring.tx") == kRings);
    CHECK(noted(report).size() == 1);
}

TEST_CASE("forgone: a write that is answered with yes and stores nothing is refused too") {
    StateFile kernel(hosts::host("mlx5_core"));
    kernel.lie(Object::ring);
    const Report report =
        hosts::apply(kernel, hosts::desired_values({optional(hosts::desired("ring.rx", kRings)),
                                                    hosts::desired("mtu", kMtu)}));
    CHECK(report.status == Status::done);
    REQUIRE(noted(report).size() == 1);
    CHECK(noted(report).front().text.starts_with("answered with success, but ring.rx reads"));
}

TEST_CASE("forgone: the directory in which a value could be read is needed for it alone") {
    State state = hosts::host("mlx5_core");
    state.ports[0].rdma_link = RdmaLink{.device = "mlx5_0"};
    state.ports[0].cm_directory = false;
    StateFile kernel(state);
    kernel.refuse(Object::cm_directory, no(), 0);
    const Report report = hosts::apply(
        kernel,
        hosts::desired_values({optional(hosts::desired("rdma.default_tos", std::uint64_t{106})),
                               hosts::desired("mtu", kMtu)}));
    CAPTURE(cli::report_text(report, {}));
    CHECK(report.status == Status::done);
    CHECK(value_of(kernel, "mtu") == kMtu);
    REQUIRE(noted(report).size() == 1);
    CHECK(noted(report).front().key == "rdma.default_tos");
}

TEST_CASE("forgone: what does not go back takes the whole run back") {
    Picky kernel(hosts::host("mlx5_core"),
                 [](const Step& step) { return step.object == Object::ring; });
    kernel.by_halves = 1;  // the value is there, and no write takes it away
    const Report report =
        hosts::apply(kernel, hosts::desired_values({hosts::desired("mtu", kMtu),
                                                    optional(hosts::desired("ring.rx", kRings))}));
    CHECK(report.status == Status::left_changed);
    REQUIRE(report.left_changed.size() == 1);
    CHECK(report.left_changed.front().key == "ring.rx");
    CHECK(value_of(kernel, "mtu") == Value(std::uint64_t{1500}));
}

TEST_CASE("forgone: what is needed and cannot be without it takes the whole run back") {
    State state = hosts::host("generic");
    state.ports[0].rdma_link.emplace();
    state.ports[0].cm_defaults.reset();
    state.ports[0].cm_directory.reset();
    StateFile kernel(state);
    kernel.refuse(Object::rdma_link, no(), 0);
    const DesiredState desired_values = hosts::desired_values(
        {optional(hosts::desired("rdma.link", Record{{"type", "rxe"}, {"name", "rxe0"}})),
         hosts::desired("rdma.default_tos", std::uint64_t{106}), hosts::desired("mtu", kMtu)});
    REQUIRE(feasible(hosts::plan(kernel, desired_values)));
    const Report report = hosts::apply(kernel, desired_values);
    CHECK(report.status == Status::brought_back);
    CHECK(noted(report).size() == 1);
    CHECK(value_of(kernel, "mtu") == Value(std::uint64_t{1500}));
    CHECK(cli::report_text(report, {}).find("rdma.default_tos") != std::string::npos);
}

namespace {

JournalEntry entry_of(const Report& report, std::uint64_t id) {
    JournalEntry out{.id = id, .time = "2026-01-02T03:04:05Z", .boot = "this", .end = Status::done};
    for (const Outcome& outcome : report.outcomes)
        out.attempts.push_back(
            {.step = outcome.step, .result = outcome.result, .text = outcome.text});
    return out;
}

std::vector<std::string> keys_of(const std::vector<RefusedOptional>& refused_optional) {
    std::vector<std::string> out;
    for (const RefusedOptional& one : refused_optional)
        out.emplace_back(one.field->key);
    return out;
}

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("forgone: what was refused is set aside by verify, and what was taken is not") {
    Picky kernel(hosts::host("mlx5_core"),
                 [](const Step& step) { return has(step, "ring.rx", kRings); });
    const DesiredState desired_values = hosts::desired_values(
        {optional(hosts::desired("ring.rx", kRings)), optional(hosts::desired("ring.tx", kRings)),
         hosts::desired("mtu", kMtu)});
    const JournalEntry entry = entry_of(hosts::apply(kernel, desired_values), 1);
    const std::vector<RefusedOptional> known = refused_optional({entry}, "this");
    CHECK(keys_of(known) == Keys{"ring.rx"});
    CHECK(refused_optional({entry}, "another").empty());

    const State now = hosts::read_all(kernel);
    DesiredState rest = desired_values;
    const std::vector<Finding> notes = take_out_refused_optional(rest, known, now);
    REQUIRE(notes.size() == 1);
    CHECK(notes.front().level == Finding::Level::note);
    CHECK(notes.front().text.starts_with("refused by the device on 2026-01-02T03:04:05Z: "));
    CHECK_FALSE(satisfied(make_plan(desired_values, now)));
    CHECK(satisfied(make_plan(rest, now)));

    // Another value was never tried, what is needed is a difference, and what is held is no note.
    for (const Desired& other :
         {optional(hosts::desired("ring.rx", std::uint64_t{2048})),
          hosts::desired("ring.rx", kRings), optional(hosts::desired("ring.tx", kRings))}) {
        DesiredState others = hosts::desired_values({other});
        CHECK(take_out_refused_optional(others, known, now).empty());
        CHECK(others.desired_values.size() == 1);
    }

    // A snapshot says the same of another host.
    State snapshot = now;
    snapshot.refused_optional = known;
    CHECK(parse_state(to_json(snapshot).dump(), "s").refused_optional == known);
}

TEST_CASE("forgone: the last word on a value counts, and only of a run that ended well") {
    Picky kernel(hosts::host("mlx5_core"),
                 [](const Step& step) { return has(step, "ring.rx", kRings); });
    const DesiredState desired_values =
        hosts::desired_values({optional(hosts::desired("ring.rx", kRings))});
    const JournalEntry refused = entry_of(hosts::apply(kernel, desired_values), 1);
    kernel.refuses = [](const Step&) { return false; };
    const JournalEntry taken = entry_of(hosts::apply(kernel, desired_values), 2);
    CHECK(keys_of(refused_optional({refused}, "this")) == Keys{"ring.rx"});
    CHECK(keys_of(refused_optional({refused, refused}, "this")) == Keys{"ring.rx"});
    CHECK(refused_optional({refused, taken}, "this").empty());
    CHECK(keys_of(refused_optional({taken, refused}, "this")) == Keys{"ring.rx"});
    JournalEntry other = refused;
    for (const std::optional<Status> end :
         {std::optional<Status>(), std::optional(Status::brought_back),
          std::optional(Status::left_changed)}) {
        other.end = end;
        CHECK(refused_optional({other}, "this").empty());
    }
    // What goes back is no attempt.
    other = refused;
    for (Attempt& attempt : other.attempts)
        attempt.undoing = true;
    CHECK(refused_optional({other}, "this").empty());
}

TEST_CASE("forgone: a value whose directory was refused is set aside with it") {
    State state = hosts::host("mlx5_core");
    state.ports[0].rdma_link = RdmaLink{.device = "mlx5_0"};
    state.ports[0].cm_directory = false;
    StateFile kernel(state);
    kernel.refuse(Object::cm_directory, no(), 0);
    const DesiredState desired_values =
        hosts::desired_values({optional(hosts::desired("rdma.default_tos", std::uint64_t{106}))});
    const JournalEntry entry = entry_of(hosts::apply(kernel, desired_values), 1);
    DesiredState rest = desired_values;
    CHECK(
        take_out_refused_optional(rest, refused_optional({entry}, "this"), hosts::read_all(kernel))
            .size() == 1);
}

// Law: whichever object of a lossless profile is optional and refused, on whichever driver, all
// ends as if nobody had desired it; unless something else needs it, such as what a step takes away.
TEST_CASE("forgone: law over every object that a lossless profile writes on every driver") {
    for (const Driver* const driver : drivers()) {
        const std::string name(driver->name);
        StateFile fresh(hosts::host(name));
        std::map<Object, bool> needed;
        for (const Step& step : hosts::plan(fresh, hosts::lossless(name)).steps)
            for (const Change& change : step.changes)
                needed[step.object] = needed[step.object] || !change.origin.other.empty();
        for (const auto& [object, by_others] : needed) {
            CAPTURE(name);
            CAPTURE(row_of(object).name);
            DesiredState desired_values = hosts::lossless(name);
            for (Desired& desired : desired_values.desired_values)
                desired.optional = desired.optional || desired.field->object == object;
            StateFile kernel(hosts::host(name));
            kernel.refuse(object, no(), 0);
            const Report report = hosts::apply(kernel, desired_values);
            if (by_others) {
                CHECK(report.status != Status::done);
                continue;
            }
            CHECK_FALSE(noted(report).empty());
            std::erase_if(desired_values.desired_values,
                          [&](const Desired& desired) { return desired.field->object == object; });
            // By what it could be read is there, as for anybody else who wants to read it.
            const std::string needs(row_of(object).read.needs);
            if (!needs.empty() && needed.contains(object_of(needs)))
                desired_values.desired_values.push_back(hosts::desired(needs, true));
            StateFile without(hosts::host(name));
            CHECK(report.status == hosts::apply(without, desired_values).status);
            CHECK(hosts::difference(hosts::read_all(without), hosts::read_all(kernel)) == "");
        }
    }
}

}  // namespace refused_optional_test
