// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/model/edit.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/pass_through.hpp"

namespace buffer_test {

using namespace core;

namespace {

/// A host with PFC on priority 3, MTU 9000, 100 Gb/s and 7 m of cable.
State lossless_host() {
    State state = hosts::host("mlx5_core");
    state.ports[0].pause = Pause{};
    state.ports[0].pfc->priorities = 0x08;
    state.ports[0].link->mtu = 9000;
    return state;
}

std::vector<Desired> split(Numbers sizes) {
    return {hosts::desired("buffer.of_priority", Numbers{0, 0, 0, 1, 0, 0, 0, 0}),
            hosts::desired("buffer.size", std::move(sizes))};
}

/// Why the desired values are infeasible; empty where they are not.
std::string why(const State& state, std::vector<Desired> desired_values) {
    StateFile kernel(state);
    const Plan plan = hosts::plan(kernel, hosts::desired_values(std::move(desired_values)));
    return feasible(plan) ? "" : plan.findings[0].text;
}

bool has(const std::string& text, const std::string& part) {
    CAPTURE(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("buffer: a lossless buffer that is too small is infeasible, and the size is named") {
    const State state = lossless_host();
    // (301 + 216 * 7 / 100) * 100000 / 1000 + 272 * 9000 / 100 + 9978 + 128
    CHECK(
        has(why(state, split({65536, 66048, 0, 0, 0, 0, 0, 0})),
            "lossless buffer 1 has 66048 bytes, expected at least 66186 for 100000 Mb/s, MTU 9000 "
            "and 7 m of cable"));
    CHECK(why(state, split({65536, 66304, 0, 0, 0, 0, 0, 0})).empty());
    State longer = state;
    longer.ports[0].pfc->delay = 100;
    CHECK(has(why(longer, split({65536, 66304, 0, 0, 0, 0, 0, 0})), "at least 86286"));
    State slower = state;
    slower.ports[0].speed = 10000;
    CHECK(has(why(slower, split({65536, 128, 0, 0, 0, 0, 0, 0})), "at least 47226 for 40000 Mb/s"));
    State lossy = state;
    lossy.ports[0].pfc->priorities = 0;
    CHECK(why(lossy, split({65536, 128, 0, 0, 0, 0, 0, 0})).empty());
}

TEST_CASE("buffer: the size is judged as the port will be, with the PFC and MTU of the plan") {
    State state = lossless_host();
    state.ports[0].pfc->priorities = 0;
    state.ports[0].link->mtu = 1500;
    std::vector<Desired> desired_values = split({65536, 66048, 0, 0, 0, 0, 0, 0});
    CHECK(why(state, desired_values).empty());
    desired_values.push_back(hosts::desired("pfc.priorities", Numbers{3}));
    CHECK(why(state, desired_values).empty());
    desired_values.push_back(hosts::desired("mtu", std::uint64_t{9000}));
    CHECK(has(why(state, desired_values), "at least 66186"));
}

TEST_CASE("buffer: sizes that the NIC cannot hold are infeasible") {
    const State state = lossless_host();
    CHECK(has(why(state, split({65536, 100000, 0, 0, 0, 0, 0, 0})),
              "buffer 1: 100000 bytes would be stored as 99968, expected a multiple of 128"));
    CHECK(has(why(state, split({131072, 500096, 0, 0, 0, 0, 0, 0})),
              "the buffers come to 631168 bytes, and the port has 524032"));
    State coarse = state;
    coarse.ports[0].buffer = Buffer{.size = {131040, 131040}, .total = 524016};  // cells of 144
    CHECK(has(why(coarse, split({65536, 131040, 0, 0, 0, 0, 0, 0})),
              "buffer 0: 65536 bytes would be stored as 65520, expected a multiple of 144"));
    CHECK(why(coarse, split({65520, 131040, 0, 0, 0, 0, 0, 0})).empty());
}

TEST_CASE("buffer: a priority moves only into a buffer that is large enough already") {
    const Buffer now{.size = {131072, 0}, .total = 262144};
    Buffer then{.of_priority = {0, 0, 0, 1}, .size = {65536, 131072}, .total = 262144};
    const Buffer room{.size = {131072, 131072}, .total = 262144};
    const Buffer moved{.of_priority = {0, 0, 0, 1}, .size = {131072, 131072}, .total = 262144};
    CHECK(buffer::edits(now, then) == std::vector{room, moved, then});
    CHECK(buffer::edits(then, then).empty());
    then.of_priority = {};
    CHECK(buffer::edits(now, then) == std::vector{then});
    then = {.of_priority = {0, 0, 0, 1}, .size = {131072, 262144 - 131072}, .total = 262144};
    CHECK(buffer::edits(now, then).size() == 2);
    then.size = {65536, 196608};  // no room side by side
    CHECK(buffer::edits(now, then) == std::vector{then});

    State state = lossless_host();
    state.ports[0].buffer = now;
    CHECK(
        has(why(state, split({65536, 196608, 0, 0, 0, 0, 0, 0})),
            "lossless buffer 1 has 0 bytes, expected at least 66186 for 100000 Mb/s, MTU 9000 and "
            "7 m of cable before a lossless priority moves into it; the sizes of before and after "
            "do not fit side by side"));
    state.ports[0].pfc->priorities = 0;
    CHECK(why(state, split({65536, 196608, 0, 0, 0, 0, 0, 0})).empty());
}

TEST_CASE("buffer: what changes MTU or PFC on mlx5 puts the buffers back on the way back") {
    const Driver& mlx5 = driver_named("mlx5_core");
    CHECK(reach_of(mlx5, Object::link).contains(Object::buffer));
    CHECK(reach_of(mlx5, Object::pfc).contains(Object::buffer));
    CHECK_FALSE(reach_of(driver_named("ice"), Object::pfc).contains(Object::buffer));

    // Firmware that sizes the buffers anew when PFC comes on.
    StateFile firmware(lossless_host());
    bool armed = true;
    hosts::PassThrough kernel(
        firmware, {.before_write = [](const Step& step) -> std::optional<Refusal> {
                       if (step.object != Object::app) return std::nullopt;
                       return Refusal{.code = 5, .text = "Input/output error"};
                   },
                   .after_write =
                       [&](const Step& step) {
                           if (step.object != Object::pfc || !std::exchange(armed, false)) return;
                           State state = firmware.state();
                           state.ports[0].buffer->size = {20096, 156160};
                           state.ports[0].buffer->of_priority = {0, 0, 0, 0, 1};
                           firmware = StateFile(state);
                       }});
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("pfc.priorities", Numbers{4}),
                               hosts::desired("dscp.map", std::uint64_t{4}, "26")});
    const Report report =
        core::apply(kernel, desired_values, make_plan(desired_values, hosts::read_all(kernel)));
    CHECK(report.status == Status::brought_back);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
    CHECK(firmware.state().ports[0].buffer == before.ports[0].buffer);
}

TEST_CASE("buffer: spelled as dcb takes it, one line for each message") {
    const Port now = lossless_host().ports[0];
    Port then = now;
    then.buffer->of_priority[3] = 1;
    then.buffer->size = {65536, 196608};
    CHECK(row_of(Object::buffer).words.spell(driver_of(now), now, then) ==
          Commands{"dcb buffer set dev ens1f0 buffer-size 1:196608",
                   "dcb buffer set dev ens1f0 prio-buffer 3:1",
                   "dcb buffer set dev ens1f0 buffer-size 0:65536"});
}

}  // namespace buffer_test
