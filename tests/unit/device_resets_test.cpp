// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/doctor/notification_log.hpp"
#include "tests/unit/hosts.hpp"

// Why a port that came back had gone, by what devlink counts.

namespace device_resets_test {

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
    return core::reason_of_reset(before, now);
}

core::Notification came(std::string name) {
    return {.what = core::Notification::What::came, .port = std::move(name)};
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
          "devlink reloaded its device for another function or host of the card (fw_activate)");
}

TEST_CASE("loss: firmware that was activated started the driver anew too, and is why") {
    CHECK(reason(port({{"driver_reinit", 0}, {"fw_activate", 0}}),
                 port({{"driver_reinit", 1}, {"fw_activate", 1}})) ==
          "devlink reloaded its device (fw_activate)");
    CHECK(reason(port({{"remote driver_reinit", 0}, {"remote fw_activate", 0}}),
                 port({{"remote driver_reinit", 1}, {"remote fw_activate", 1}})) ==
          "devlink reloaded its device for another function or host of the card (fw_activate)");
    // What this function did itself is nearer.
    CHECK(reason(port({{"driver_reinit", 0}, {"remote fw_activate", 0}}),
                 port({{"driver_reinit", 1}, {"remote fw_activate", 1}})) ==
          "devlink reloaded its device (driver_reinit)");
}

TEST_CASE(
    "loss: a recovery of the firmware is why where nothing was reloaded, one of a queue is not") {
    CHECK(reason(port({{"driver_reinit", 1}}), port({{"driver_reinit", 1}}, 1)) ==
          "the driver's reporter fw_fatal recovered its device after an error");
    CHECK(reason(port({{"driver_reinit", 1}}), port({{"driver_reinit", 2}}, 1)) ==
          "devlink reloaded its device (driver_reinit)");
    Port before = port({{"driver_reinit", 1}});
    Port now = before;
    before.reporters = core::Reporters{{.name = "tx", .recovered = 1}};
    now.reporters = core::Reporters{{.name = "tx", .recovered = 2}};
    CHECK(reason(before, now).empty());
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
    core::DeviceResets device_resets;
    core::State state{.host = {}, .ports = {port({{"driver_reinit", 0}}), Port("other")}};
    std::vector<core::Notification> notifications{
        came("ens1f0np0"),
        came("other"),
        {.what = core::Notification::What::gone, .port = "ens1f0np0"}};
    device_resets.counted(state, notifications);
    CHECK(notifications[0].reason.empty());  // nothing was counted before

    state.ports.front().reloads = Reloads{{"driver_reinit", 1}};
    device_resets.counted(state, notifications);
    CHECK(notifications[0].reason == "devlink reloaded its device (driver_reinit)");
    CHECK(notifications[1].reason.empty());
    CHECK(notifications[2].reason.empty());

    notifications.front().reason.clear();
    device_resets.counted(state, notifications);
    CHECK(notifications[0].reason.empty());

    // What was counted while the port stayed is of no loss that comes later.
    std::vector<core::Notification> silence;
    state.ports.front().reloads = Reloads{{"driver_reinit", 2}};
    device_resets.counted(state, silence);
    device_resets.counted(state, notifications);
    CHECK(notifications[0].reason.empty());
}

TEST_CASE("loss: a port that is there before its device does not take away what it counted") {
    core::DeviceResets device_resets;
    core::State state{.host = {}, .ports = {port({{"driver_reinit", 1}})}};
    std::vector<core::Notification> notifications;
    device_resets.counted(state, notifications);

    notifications = {came("ens1f0np0")};
    // One that goes has its port a moment longer than its device: nobody came, nothing is
    // forgotten.
    std::vector<core::Notification> silence;
    device_resets.counted({.host = {}, .ports = {Port("ens1f0np0")}}, silence);
    device_resets.forget_uncounted(silence);
    device_resets.counted({.host = {}, .ports = {Port("ens1f0np0")}}, notifications);
    CHECK(notifications[0].reason.empty());
    CHECK(device_resets.any_unexplained(notifications));

    state.ports.front().reloads = Reloads{{"driver_reinit", 0}};
    device_resets.counted(state, notifications);
    CHECK(notifications[0].reason == "its driver was loaded anew");

    // A driver without devlink has it now: once it was waited for, nothing is known of before.
    notifications = {came("ens1f0np0")};
    device_resets.counted({.host = {}, .ports = {Port("ens1f0np0")}}, notifications);
    device_resets.forget_uncounted(notifications);
    CHECK_FALSE(device_resets.any_unexplained(notifications));
    device_resets.counted(state, notifications);
    CHECK(notifications[0].reason.empty());
}

TEST_CASE("hearing: the ways of ports that are not watched are no motion") {
    core::NotificationLog notifications;
    const std::set<std::string> watched{"ens1f0np0"};
    CHECK_FALSE(notifications.add({came("veth1"), {.port = "ens1f0np0"}}, watched));
    CHECK(notifications.add({{.what = core::Notification::What::gone, .port = "ens1f0np0"}},
                            watched));
    CHECK(notifications.returned().empty());
    CHECK(notifications.add({came("ens1f0np0")}, watched));
    CHECK(notifications.returned() == watched);
    CHECK(notifications.returned().empty());
    CHECK(notifications.add_of_own_writes({came("ens1f0np0")}, watched));
    CHECK(notifications.returned().empty());  // its own reload
}

TEST_CASE("hearing: what a reload counted is of a port that came until the count was read") {
    core::NotificationLog notifications;
    const std::set<std::string> watched{"ens1f0np0"};
    const auto counted = [](std::uint64_t reloads) {
        return core::State{.host = {}, .ports = {port({{"driver_reinit", reloads}})}};
    };
    CHECK_FALSE(notifications.counted(counted(0), {}, watched));
    notifications.was_reported({"ens1f0np0"});
    // The reading waited for the reload: the port is back, which the reading before did not know.
    CHECK_FALSE(notifications.add({}, watched));
    CHECK(notifications.counted(
        counted(1),
        {{.what = core::Notification::What::gone, .port = "ens1f0np0"}, came("ens1f0np0")},
        watched));
    CHECK_FALSE(notifications.any_unexplained());
    notifications.was_reported({"ens1f0np0"});
    CHECK_FALSE(notifications.add({}, watched));
    CHECK_FALSE(notifications.counted(counted(1), {}, watched));
    const core::Deviation differs{.port = "ens1f0np0", .name = "mtu"};
    CHECK(notifications.reasons(differs) ==
          std::vector<std::string>{"the port went and came back: devlink reloaded its device "
                                   "(driver_reinit)"});
}

}  // namespace device_resets_test
