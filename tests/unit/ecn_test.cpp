// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/unit/hosts.hpp"

namespace ecn_test {

using namespace core;

namespace {

State bnxt(bool directory) {
    State state = hosts::host("bnxt_en");
    state.ports[0].rdma_link = RdmaLink{.device = "bnxt_re0", .index = 1};
    state.ports[0].ecn_directory = directory;
    return state;
}

/// Its congestion control turned off, so that it tells no CNP.
State bnxt_off() {
    State state = bnxt(true);
    Ecn& congestion = *state.ports[0].ecn;
    for (auto& [priority, on] : *congestion.notify)
        on = false;
    congestion.react = congestion.notify;
    congestion.numbers.at(Ecn::cnp_dscp) = Ecn::Held{};
    congestion.numbers.at(Ecn::cnp_priority) = Ecn::Held{};
    return state;
}

State mlx5(const std::string& interface) {
    State state = hosts::host("mlx5_core");
    Ecn& congestion = *state.ports[0].ecn;
    congestion.interface = interface;
    if (interface == "debugfs") congestion.notify = congestion.react = std::nullopt;
    return state;
}

Desired dscp(std::uint64_t value) {
    return hosts::desired("ecn.cnp_dscp", value);
}

Plan plan(const State& state, std::vector<Desired> desired_values) {
    StateFile kernel(state);
    return hosts::plan(kernel, hosts::desired_values(std::move(desired_values)));
}

}  // namespace

TEST_CASE("ecn: the lines an operator would type go to the files of the interface in use") {
    const std::vector<Desired> some = {dscp(46),
                                       hosts::desired("dcqcn.rpg_ai_rate", std::uint64_t{10})};
    CHECK(commands(plan(mlx5("debugfs"), some)) ==
          Commands{"echo 46 > /sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/np_cnp_dscp",
                   "echo 10 > /sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/rp_ai_rate"});
    CHECK(commands(plan(mlx5("sysfs"), {hosts::desired("ecn.notify", true, "3")})) ==
          Commands{"echo 1 > /sys/class/net/ens1f0/ecn/roce_np/enable/3"});
}

TEST_CASE("ecn: bnxt's directory is made first, numbers are hexadecimal, and apply comes last") {
    const std::string cc = " > /sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/";
    const Plan made = plan(bnxt(false), {hosts::desired("ecn.notify", true, "3"), dscp(26)});
    CHECK(feasible(made));
    REQUIRE(made.steps.size() == 2);
    CHECK(made.steps[0].changes[0].origin.other == "needed for ecn.notify");
    CHECK(made.steps[1].changes[0].before_unknown);
    CHECK(commands(made) == Commands{"mkdir /sys/kernel/config/bnxt_re/bnxt_re0",
                                     "echo 1" + cc + "ecn_enable", "echo 0x1a" + cc + "cnp_dscp",
                                     "echo 1" + cc + "apply"});
}

TEST_CASE("ecn: bnxt has one switch for all priorities, and undo turns it off again") {
    StateFile kernel(bnxt_off());
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("ecn.notify", true, "3"), dscp(48)});
    const Plan one = hosts::plan(kernel, desired_values);
    CHECK(core::apply(kernel, desired_values, one).status == Status::done);
    const Ecn after = *hosts::read_all(kernel).ports[0].ecn;
    CHECK(after.notify->at("0"));
    CHECK(after.react->at("7"));
    CHECK(hosts::apply(kernel, undo_profile(one)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
    const Plan both = plan(bnxt(true), {hosts::desired("ecn.notify", true, "3"),
                                        hosts::desired("ecn.react", false, "3")});
    CHECK_FALSE(feasible(both));
}

TEST_CASE("ecn: bnxt has no CNP DSCP while it is off") {
    const Plan off = plan(bnxt_off(), {dscp(48)});
    REQUIRE(off.findings.size() == 1);
    CHECK(off.findings[0].text.ends_with("the device has no ecn.cnp_dscp while ecn.notify is off"));
}

TEST_CASE("ecn: decimal digits in a file that reads hexadecimal are named as that mistake") {
    State state = bnxt(true);
    Ecn& congestion = *state.ports[0].ecn;
    congestion.numbers.at(Ecn::cnp_dscp)->value = 38;
    const Plan drift = plan(state, {dscp(26)});
    REQUIRE(drift.findings.size() == 1);
    CHECK(drift.findings[0].level == Finding::Level::note);
    CHECK(drift.findings[0].text ==
          "ecn.cnp_dscp reads 38, which is 0x26: somebody wrote 26 to a file that the kernel reads "
          "as hexadecimal");
    CHECK(plan(state, {dscp(48)}).findings.empty());
}

TEST_CASE(
    "ecn: what the firmware owns, what has no interface and what cannot be read are told apart") {
    const auto finding = [](const State& state, Desired desired, bool derived) {
        if (derived) desired.origin.derived_from = "roce.ecn";
        const Plan one = plan(state, {std::move(desired)});
        REQUIRE(one.findings.size() == 1);
        return one.findings[0];
    };
    const Desired notify = hosts::desired("ecn.notify", true, "3");
    const Finding owned = finding(mlx5("debugfs"), notify, false);
    CHECK(owned.id == "firmware");
    CHECK(owned.level == Finding::Level::failure);
    CHECK(owned.text.find("ROCE_CC_PRIO_MASK_P1") != std::string::npos);
    CHECK(finding(mlx5("debugfs"), notify, true).level == Finding::Level::note);

    const Finding nowhere = finding(hosts::host("mana"), notify, false);
    CHECK(nowhere.level == Finding::Level::failure);
    CHECK(
        nowhere.text ==
        "mana has no interface to the congestion control of the device, desired on (test.json:1)");
    CHECK(finding(hosts::host("mana"), notify, true).level == Finding::Level::note);

    const Finding other = finding(hosts::host("ice"), notify, true);
    CHECK(other.level == Finding::Level::note);
    CHECK(other.text.starts_with("ice has no setting for it"));
    const Finding kernels =
        finding(hosts::host("ice"), hosts::desired("ecn.react", true, "3"), true);
    CHECK(kernels.level == Finding::Level::note);

    State gone = mlx5("debugfs");
    gone.ports[0].ecn.reset();
    CHECK(finding(gone, dscp(48), true).level == Finding::Level::note);
    CHECK(finding(gone, dscp(48), false)
              .text.starts_with(
                  "the kernel does not offer it: there is no /sys/class/net/ens1f0/ecn nor "
                  "/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params"));

    gone.ports[0].rdma_link->type = "rxe";
    const Finding soft = finding(gone, dscp(48), true);
    CHECK(soft.text.starts_with("soft RoCE (rxe) has no congestion control"));
    CHECK(soft.remedy.empty());
    CHECK(soft.level == Finding::Level::note);
    gone.ports[0].rdma_link->type.clear();

    State inbox = bnxt(false);
    inbox.ports[0].ecn.reset();
    inbox.ports[0].ecn_directory.reset();
    const Desired marking = hosts::desired("ecn.marking", true);
    CHECK(finding(inbox, marking, false).remedy ==
          "it takes Linux 6.15 and later, or the vendor's bnxt_re; in 6.13 and 6.14 its packets "
          "can be marked by default, and there is nothing to set");
    CHECK(finding(inbox, marking, true).level == Finding::Level::note);
    inbox.ports[0].rdma_link->device.clear();
    CHECK(finding(inbox, marking, false).remedy.starts_with("load the NIC's RDMA driver"));

    for (const int code : {1, 2}) {  // locked down, not mounted
        gone.ports[0].refused[Object::ecn] = {.code = code, .text = "debugfs is closed"};
        const Finding closed = finding(gone, dscp(48), true);
        CHECK(closed.id == "closed");
        CHECK(closed.level == Finding::Level::note);
        CHECK(closed.text.starts_with("ecn: debugfs is closed (" + std::to_string(code) +
                                      "), desired"));
        CHECK(finding(gone, dscp(48), false).level == Finding::Level::failure);
        Desired optional = dscp(48);
        optional.optional = true;
        CHECK(finding(gone, optional, false).level == Finding::Level::note);
    }
    gone.ports[0].refused[Object::ecn] = {.code = 13, .text = "Permission denied"};
    const Finding hidden = finding(gone, dscp(48), true);
    CHECK(hidden.id == "unreadable");
    CHECK(hidden.level == Finding::Level::unknown);
}

}  // namespace ecn_test
