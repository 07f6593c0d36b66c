// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/words_of_others.hpp"

#include <doctest/doctest.h>

#include "core/model/finding_names.hpp"
#include "tests/unit/hosts.hpp"

namespace words_of_others {

using namespace core;

World::World(const std::string& one)
    : word(one),
      state(hosts::host("mlx5_core")),
      active{.status = Status::failed, .text = "text\n", .paths = "[]", .failure = one} {
    plan_and_apply();
    diagnose();
    probe();
}

void World::plan_and_apply() {
    Port& port = state.ports[0];
    port.name = word;
    port.device->firmware = word;
    port.link->kind = word;
    port.link->master = word;
    port.rdma_link = RdmaLink{.device = word, .index = 1, .type = word};
    state.host = {.name = word, .kernel = word};
    StateFile kernel(state);
    Desired desired = hosts::desired("mtu", Value(std::uint64_t{9000}));
    desired.port = word;
    desired.origin = {.file = word, .line = 7};
    desired_values = hosts::desired_values({desired});
    desired_values.ports = {word};
    plan = hosts::plan(kernel, desired_values);
    REQUIRE(plan.steps.size() == 1);
    plan.before.host = state.host;
    const Finding failure{.id = findings::remark,
                          .level = Finding::Level::failure,
                          .port = word,
                          .text = word,
                          .remedy = word};
    plan.findings = {failure, failure};
    plan.findings[1].level = Finding::Level::note;
    plan.findings[1].cause = word;
    desired_values.findings = plan.findings;
    report.plan = report.remaining = plan;
    report.outcomes = {
        {.step = plan.steps.front(), .result = Outcome::Result::refused, .text = word}};
    report.undone = report.outcomes;
    report.left_changed = report.surprises = plan.findings;
    report.status = Status::left_changed;
    entry = {.id = 1,
             .command = "apply",
             .subject = word,
             .digest = word,
             .time = word,
             .user = word,
             .host = state.host,
             .boot = word,
             .steps = plan.steps,
             .attempts = {{.step = plan.steps.front(),
                           .result = Outcome::Result::refused,
                           .text = word}},
             .end_time = word};
}

void World::diagnose() {
    diagnosis.examination.ports = {word};
    const Fault fault{
        .text = word, .remedy = word, .row = &findings::drift, .command = word, .when = word};
    diagnosis.examination.checks = {
        {.row = &findings::drift, .port = word, .verdict = Verdict::fail, .faults = {fault}},
        {.row = &findings::gone,
         .port = word,
         .verdict = Verdict::unknown,
         .reason = word,
         .opened_by = {word}},
        {.row = &findings::gone, .port = word, .verdict = Verdict::crash, .reason = word},
        {.row = &findings::gone, .port = word, .verdict = Verdict::skip, .reason = word}};
    diagnosis.causes = {{.row = &findings::drift,
                         .verdict = Verdict::fail,
                         .checks = {diagnosis.examination.checks.data()},
                         .follows = {&findings::gone}}};
    diagnosis.chains = {{.name = "mtu",
                         .ports = {word},
                         .links = {{.name = "port", .found = word},
                                   {.name = "RDMA", .found = word, .broken = &findings::drift}}}};
    changes.changed = {{.port = word, .name = word, .before = word, .after = word}};
    met = {{.text = error_texts().front(), .line = word, .times = 2}};
}

void World::probe() {
    using namespace core::probe;
    path.here = path.peer = {.port = word, .device = word, .address = word, .gid_index = 1};
    path.completion = "polling";
    path.checks = {{.name = word, .sizes = {1}, .why = word},
                   {.name = word, .skipped = true, .why = word}};
    path.cm = CmReport{.device = word,
                       .steps = {{.name = word, .nanoseconds = 1}},
                       .failure = word,
                       .advice = word};
    path.path = PathMtu{};
    path.path->failure = word;
    path.flows = {{.flow_label = 1, .source_port = 2, .failure = word}};
    path.classes = {{.traffic_class = 1, .unknown = word, .faults = {word}}};
    path.packet_losses = {{.name = std::string(packet_loss_names().front()), .number = 1}};
    path.outcomes = {{.expectation = {.text = word, .figure = "p99", .unit = word}}};
    path.fallback = path.failure = path.advice = word;
    mesh.hosts = {{.name = word, .rails = 2}, {.name = word, .unreachable = word}};
    mesh.results = {{.from = 0, .to = 1, .rail = 1, .failure = word},
                    {.from = 0, .to = 1, .unmet = {word}, .fallback = word},
                    {.from = 1, .to = 0, .skipped = word}};
}

cli::DoctorView World::view() const {
    cli::DoctorView out{.state = state,
                        .diagnosis = diagnosis,
                        .changes = &changes,
                        .profile = word,
                        .apply = word,
                        .profiles = {word},
                        .counter_series = {{.port = word,
                                            .name = word,
                                            .grown = 40,
                                            .points = {{0, 0}, {5, 10}, {10, 40}}}},
                        .active = &active};
    out.all = true;
    return out;
}

}  // namespace words_of_others
