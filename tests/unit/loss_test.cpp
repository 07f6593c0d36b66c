// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/watch/loss.hpp"
#include "tests/unit/hosts.hpp"

// Why a port that came back had gone, by what devlink counts.

namespace loss_test {

namespace {

using core::Port;
using core::Reloads;

Port port(Reloads reloads, std::uint64_t recovered = 0) {
    Port out("ens1f0np0");
    out.reloads = std::move(reloads);
    out.reporters = core::Reporters{{.name = "fw_fatal", .recovered = recovered}};
    return out;
}

std::string reason(const Port& before, const Port& now) {
    return core::reason_of_loss(before, now);
}

core::Announcement came(std::string name) {
    return {.what = core::Announcement::What::came, .port = std::move(name)};
}

}  // namespace

TEST_CASE("loss: the action that is counted once more is why") {
    const Port before = port({{"driver_reinit", 1}, {"fw_activate", 0}});
    CHECK(reason(before, port({{"driver_reinit", 2}, {"fw_activate", 0}})) ==
          "devlink reloaded its device (driver_reinit)");
    CHECK(reason(before, port({{"driver_reinit", 1}, {"fw_activate", 1}})) ==
          "devlink reloaded its device (fw_activate)");
    CHECK(reason(before,
                 port({{"driver_reinit", 1}, {"fw_activate", 0}, {"remote fw_activate", 1}})) ==
          "another host of its card had devlink reload the device (fw_activate)");
}

TEST_CASE("loss: a recovery by the driver is why where nothing was reloaded") {
    CHECK(reason(port({{"driver_reinit", 1}}), port({{"driver_reinit", 1}}, 1)) ==
          "the driver's reporter fw_fatal recovered its device after an error");
    CHECK(reason(port({{"driver_reinit", 1}}), port({{"driver_reinit", 2}}, 1)) ==
          "devlink reloaded its device (driver_reinit)");
}

TEST_CASE("loss: counts that began anew are a driver that was loaded anew, whatever else grew") {
    CHECK(reason(port({{"driver_reinit", 1}, {"remote fw_activate", 0}}),
                 port({{"driver_reinit", 0}, {"remote fw_activate", 1}}, 1)) ==
          "its driver was loaded anew");
}

TEST_CASE("loss: without a count that moved, or without devlink, nothing is said") {
    const Port still = port({{"driver_reinit", 0}});
    CHECK(reason(still, still).empty());
    CHECK(reason(Port("ens1f0np0"), port({{"driver_reinit", 1}})).empty());
    CHECK(reason(port({{"driver_reinit", 1}}), Port("ens1f0np0")).empty());
}

TEST_CASE("loss: each port that came has its own reason, and the next loss counts from there") {
    core::Losses losses;
    core::State state{.host = {}, .ports = {port({{"driver_reinit", 0}}), Port("other")}};
    losses.began(state);
    const std::vector<std::string> watched{"ens1f0np0", "other"};
    std::vector<core::Announcement> heard{
        came("ens1f0np0"),
        came("other"),
        came("stranger"),
        {.what = core::Announcement::What::gone, .port = "ens1f0np0"}};
    CHECK(core::Losses::came(heard, watched) == watched);

    state.ports.front().reloads = Reloads{{"driver_reinit", 1}};
    losses.explain(state, heard);
    CHECK(heard[0].reason == "devlink reloaded its device (driver_reinit)");
    CHECK(heard[1].reason.empty());
    CHECK(heard[3].reason.empty());

    heard.front().reason.clear();
    losses.explain(state, heard);
    CHECK(heard[0].reason.empty());
}

}  // namespace loss_test
