// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "core/checks/growth.hpp"
#include "core/doctor/diagnosis.hpp"
#include "core/plan/owners.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace driver_rows_test {

using namespace core;

// What the driver rows say, seen from a profile.

namespace {

State host_of(const std::string& driver, std::uint8_t classes = 8) {
    State state = hosts::host(driver);
    Port& port = state.ports[0];
    port.ets->capability = classes;
    port.rdma_link = RdmaLink{.device = "rdma0", .index = 1};
    port.cm_directory = true;
    port.cm_defaults = CmDefaults{.mode = "RoCE v2", .tos = 0};
    if (driver == "bnxt_en") port.ecn_directory = true;
    return state;
}

Plan plan_of(const State& state, const std::string& settings) {
    const DesiredState desired_values =
        resolve(profiles::load(profiles::entry(settings)), {}, state);
    StateFile kernel(state);
    return hosts::plan(kernel, desired_values);
}

std::string failures(const Plan& plan) {
    std::string out;
    for (const Finding& finding : plan.findings)
        if (finding.level != Finding::Level::note) out += finding.key + ": " + finding.text + "; ";
    return out;
}

}  // namespace

TEST_CASE("drivers: ice takes DSCP entries only of priorities whose class the port has") {
    const Plan refused = plan_of(host_of("ice", 4), R"("roce": {})");
    CHECK_FALSE(feasible(refused));
    CHECK(failures(refused).find("the port has 4 traffic classes, and ice takes no DSCP entry of "
                                 "priority 6; state a priority below 4") != std::string::npos);
    const State four = host_of("ice", 4);
    const std::string low = R"("roce": {"cnp": {"priority": 2}})";
    const Plan plan = plan_of(four, low);
    CHECK(failures(plan) == "");
    StateFile kernel(four);
    const DesiredState desired_values = resolve(profiles::load(profiles::entry(low)), {}, four);
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    CHECK(kernel.state().ports[0].ets->traffic_class ==
          PerPriority<std::uint8_t>{0, 1, 2, 3, 0, 0, 0, 0});
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    CHECK(failures(plan_of(host_of("ice"), R"("roce": {})")) == "");
}

TEST_CASE("drivers: how many traffic classes there are is what the port says, on every driver") {
    const std::string five = R"("ets": {"traffic_class": [0, 0, 0, 1, 0, 0, 2, 4]})";
    for (const Driver* const driver : drivers()) {
        INFO(driver->name);
        if (driver->ets.classes_contiguous) continue;
        const std::string name(driver->name);
        CHECK(failures(plan_of(host_of(name, 8), five)) == "");
        const std::string few = failures(plan_of(host_of(name, 3), five));
        CHECK(few.find("the port has 3 traffic classes, and no class 4") != std::string::npos);
    }
}

TEST_CASE("drivers: on bnxt congestion control comes before the code points that it clears") {
    for (const bool directory : {false, true}) {
        State state = host_of("bnxt_en");
        state.ports[0].ecn_directory = directory;
        const Plan plan = plan_of(state, R"("roce": {})");
        CHECK(failures(plan) == "");
        const auto at = [&](Object object) {
            return std::ranges::find(plan.steps, object, &Step::object) - plan.steps.begin();
        };
        CHECK(at(Object::ecn) < at(Object::app));
        CHECK(at(Object::app) < static_cast<std::ptrdiff_t>(plan.steps.size()));
        CHECK(at(Object::ets) < at(Object::pfc));
    }
}

TEST_CASE("drivers: what bnxt answers before it was told ETS is not taken for the truth") {
    State state = host_of("bnxt_en");
    state.ports[0].ets = Ets{.capability = 3};
    const Plan off = plan_of(state, R"("pfc": {"priorities": []})");
    CHECK(failures(off).find("bnxt_en refuses PFC until it was told ETS; state ets too") !=
          std::string::npos);
    const std::string both =
        R"("roce": {}, "pfc": {"priorities": []}, "optional": ["pfc.priorities"])";
    const Plan plan = plan_of(state, both);
    CHECK(failures(plan) == "");
    const auto step = std::ranges::find(plan.steps, Object::pfc, &Step::object);
    REQUIRE(step != plan.steps.end());
    CHECK(step->changes[0].before_unknown);
    const auto ets = std::ranges::find(plan.steps, Object::ets, &Step::object);
    REQUIRE(ets < step);
    CHECK(ets->changes[0].before_unknown);
    CHECK(std::ranges::none_of(plan.steps, &Step::irreversible));  // a host can be brought up

    StateFile kernel(state);
    const DesiredState desired_values =
        resolve(profiles::load(profiles::entry(R"("roce": {})")), {}, state);
    const Plan whole = hosts::plan(kernel, desired_values);
    CHECK(failures(whole) == "");
    const Report report = core::apply(kernel, desired_values, whole);
    CHECK(report.status == Status::done);
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    StateFile failing(state);
    failing.refuse(Object::cm_defaults, {.code = 5, .text = "Input/output error"});
    CHECK(hosts::apply(failing, desired_values).status == Status::brought_back);
    CHECK(failing.state().ports[0].pfc->priorities == 0);
    CHECK(failing.state().ports[0].ets == state.ports[0].ets);
}

TEST_CASE("drivers: what closes the port or restarts its PHY costs the link") {
    const auto cost = [](const char* driver, const char* key, bool negotiated = false) {
        Port port = hosts::port(driver);
        port.pause->autoneg = negotiated;
        return disruption_of(port, find_field(key)->object, {key});
    };
    for (const char* key :
         {"ets.bandwidth", "pfc.priorities", "ring.rx", "channels.combined", "mtu"})
        CHECK(cost("bnxt_en", key) == Disruption::link);
    CHECK(cost("bnxt_en", "pause.rx") == Disruption::none);
    CHECK(cost("bnxt_en", "pause.rx", true) == Disruption::link);
    CHECK(cost("bnxt_en", "pause.autoneg") == Disruption::link);
    CHECK(cost("ice", "pause.rx") == Disruption::link);
    CHECK(cost("mlx5_core", "pause.rx", true) == Disruption::none);
}

TEST_CASE("drivers: what comes with a change on bnxt is a note: a priority tag, an unshifted ToS") {
    const auto notes = [](const Plan& plan, std::string_view key) {
        std::string out;
        for (const Finding& finding : plan.findings)
            if (finding.id == "remark" && finding.key == key) out += finding.text;
        return out;
    };
    State state = host_of("bnxt_en");
    state.host.kernel = "6.12.43+deb13-amd64";
    const Plan vendors = plan_of(state, R"("roce": {})");
    CHECK(notes(vendors, "app").find("disable_prio_vlan_tx") != std::string::npos);
    CHECK(notes(vendors, "app").find("no proof") == std::string::npos);
    CHECK(notes(vendors, "cm_defaults") == "");
    state.ports[0].ecn.reset();
    state.ports[0].ecn_directory.reset();
    const Plan inbox = plan_of(state, R"("rdma": {"default_tos": 106})");
    CHECK(notes(inbox, "cm_defaults").find("do not leave with DSCP 26") != std::string::npos);
    CHECK(feasible(inbox));
    state.host.kernel = "6.13.0";
    CHECK(notes(plan_of(state, R"("rdma": {"default_tos": 106})"), "cm_defaults") == "");
    State other = host_of("mlx5_core");
    other.host.kernel = "5.15.0";
    CHECK(notes(plan_of(other, R"("rdma": {"default_tos": 106})"), "cm_defaults") == "");
    CHECK(release_of("6.1.0-37-amd64") == Release{6, 1});
    CHECK_FALSE(release_of("six"));
    const Release release{6, 13};
    for (const char* kernel : {"6.12.9", "5.15.0"}) {
        CHECK(is_before({.name = "", .kernel = kernel}, release));
        CHECK_FALSE(is_since({.name = "", .kernel = kernel}, release));
    }
    for (const char* kernel : {"6.13.0-rc1", "7.0"}) {
        CHECK_FALSE(is_before({.name = "", .kernel = kernel}, release));
        CHECK(is_since({.name = "", .kernel = kernel}, release));
    }
    CHECK_FALSE(is_before({.name = "", .kernel = "six"}, release));
    CHECK_FALSE(is_since({.name = "", .kernel = "six"}, release));
}

namespace {

std::string remarks(const Plan& plan) {
    std::string out;
    for (const Finding& finding : plan.findings)
        if (finding.id == "remark") out += finding.text + "; ";
    return out;
}

Plan plan_of(const State& state, std::vector<Desired> some) {
    StateFile kernel(state);
    return hosts::plan(kernel, hosts::desired_values(std::move(some)));
}

Disruption cost_of(const Port& port, const char* key) {
    return disruption_of(port, find_field(key)->object, {key});
}

}  // namespace

TEST_CASE("ionic: pause is not written, since its flags are those of PFC") {
    State state = host_of("ionic");
    state.ports[0].pause = Pause{.rx = true, .tx = true};
    for (const Object object : {Object::dcbx, Object::ets, Object::pfc, Object::app})
        state.ports[0].refused[object] = {.code = 95, .text = "Operation not supported"};
    state.ports[0].dcbx.reset();
    state.ports[0].ets.reset();
    state.ports[0].pfc.reset();
    state.ports[0].app.reset();
    const Plan plan = plan_of(state, R"("roce": {})");
    CHECK(failures(plan) == "");
    CHECK(std::ranges::none_of(plan.steps,
                               [](const Step& step) { return step.object == Object::pause; }));
    const auto pfc = std::ranges::find(plan.findings, "pfc.priorities", &Finding::key);
    REQUIRE(pfc != plan.findings.end());
    CHECK(pfc->level == Finding::Level::note);
    CHECK(pfc->remedy.find("--pause-type pfc --rx-pause enable --tx-pause enable") !=
          std::string::npos);
    CHECK(pfc->remedy.find("nicctl show qos") != std::string::npos);

    const Plan stated = plan_of(state, R"("pause": {"rx": false})");
    CHECK_FALSE(feasible(stated));
    CHECK(failures(stated).find("shows the flags of PFC as those of pause") != std::string::npos);
    CHECK(plan_of(state, R"("pause": {"rx": true, "tx": true})").steps.empty());
    // Once on, it could not be turned off again.
    state.ports[0].pause = Pause{};
    CHECK_FALSE(feasible(plan_of(state, R"("pause": {"rx": true})")));
}

TEST_CASE("bnxt: app.udp 4791 tags RoCE only where what is there, or the kernel, is old enough") {
    const auto said = [](const char* kernel, const char* counter) {
        State state = host_of("bnxt_en");
        state.host.kernel = kernel;
        state.ports[0].ecn.reset();
        state.ports[0].ecn_directory.reset();
        if (*counter != 0) state.ports[0].rdma_counters = Counters{{counter, 1}};
        return remarks(plan_of(state, {hosts::desired("app.udp", std::uint64_t{3}, "4791")}));
    };
    CHECK(said("6.17.0", "").find("dscp.map is no proof") != std::string::npos);
    CHECK(said("6.17.0", "").find("before Linux 6.18, and this is 6.17.0") != std::string::npos);
    CHECK(said("7.3.4", "") == "");
    CHECK(said("6.12.0-rhel", "out_of_sequence") == "");  // as the later driver counts
    CHECK(said("7.3.4", "oos_drop_count").find("no proof") != std::string::npos);
}

TEST_CASE(
    "drivers: the active RDMA MTU is compared where its rule is known, and more is no fault") {
    const auto missing = [](const char* driver, std::uint32_t active) {
        State state = host_of(driver);
        state.ports[0].link->mtu = 4096;
        state.ports[0].active_mtu = ActiveMtu{.bytes = active, .max = 4096};
        return find_field("rdma.active_mtu")
            ->proves->missing(state, state.ports[0], std::uint64_t{4096})
            .value_or("not compared");
    };
    CHECK(missing("mlx5_core", 2048) == "");
    CHECK(missing("mlx5_core", 4096) == "");
    CHECK(missing("mlx5_core", 1024).find("MTU 4096 gives 2048") != std::string::npos);
    for (const char* driver : {"mana", "idpf", "erdma", "ice"}) {
        CHECK(missing(driver, 4096) == "");
        CHECK(missing(driver, 2048).find("MTU 4096 gives 4096") != std::string::npos);
    }
    CHECK(missing("zxdh", 1024) == "not compared");
    CHECK(rdma_mtu(driver_named("zxdh"), "", 4096) == 4096);  // no more than it can give
}

TEST_CASE("drivers: what only a driver without a row decides costs unknown, the kernel's own not") {
    Port port = hosts::port("zxdh");
    for (const char* key : {"mtu", "pfc.priorities", "ets.bandwidth", "dscp.map", "ring.rx",
                            "coalesce.rx_usecs", "pause.rx", "dcbx.mode", "vf.count"})
        CHECK(cost_of(port, key) == Disruption::unknown);
    for (const char* key : {"addresses", "routes", "rdma.default_tos", "ip.rp_filter"})
        if (find_field(key) != nullptr) CHECK(cost_of(port, key) == Disruption::none);
    CHECK(cost_of(port, "up") == Disruption::link);
    CHECK(cost_of(port, "link.speed") == Disruption::link);
    for (const char* kind : {"veth", "bond", "bridge", "dummy", "vlan"}) {
        port.link->kind = kind;
        CHECK(&driver_of(port) == &driver_named("virtual"));
        CHECK(cost_of(port, "mtu") == Disruption::none);
    }
    for (const char* driver : {"bonding", "802.1Q VLAN Support", "virtio_net"})
        CHECK(cost_of(hosts::port(driver), "mtu") == Disruption::none);
    for (const char* driver : {"mana", "idpf", "ionic"})
        CHECK(cost_of(hosts::port(driver), "mtu") == Disruption::queues);
    CHECK(cost_of(hosts::port("qede"), "mtu") == Disruption::link);
    CHECK(Disruption::unknown < Disruption::link);
    CHECK(Disruption::queues < Disruption::unknown);
    CHECK_FALSE(disruption_named("unknown"));
}

TEST_CASE("drivers: a queue pair in use has to be given up for what may cost the link") {
    State state = host_of("zxdh");
    const Plan plan = plan_of(state, {hosts::desired("mtu", std::uint64_t{9000})});
    REQUIRE(plan.steps.size() == 1);
    CHECK(plan.steps[0].disruption == Disruption::unknown);
    CHECK(held_ports(plan, state).empty());
    state.ports[0].queue_pairs = QueuePairs{{"ib_write_bw (7)", 2}};
    CHECK(held_ports(plan, state).size() == 1);
}

TEST_CASE("doctor: what a driver counts and no row knows is unknown, and what moved is listed") {
    State before = host_of("zxdh");
    before.ports[0].statistics = Counters{{"rx_lost", 1}, {"tx_ok", 5}, {"same", 9}};
    before.ports[0].rdma_counters = Counters{{"seq_gone", 1}};
    State now = before;
    now.ports[0].statistics = Counters{{"rx_lost", 8}, {"tx_ok", 9}, {"same", 9}};
    now.ports[0].rdma_counters = Counters{{"seq_gone", 100}};
    const EffectiveIntent roce;
    const auto why = [&](Port& port, Port& earlier) {
        const Evidence evidence{.driver = &driver_of(port),
                                .now = &port,
                                .before = &earlier,
                                .seconds = 10,
                                .roce = &roce};
        constexpr std::array meters = {Meter::out_of_sequence};
        return unmeasured(evidence, meters);
    };
    const auto found = why(now.ports[0], before.ports[0]);
    REQUIRE(found);
    CHECK(found->unknown);
    CHECK(found->why ==
          "what zxdh counts is not all known by its meaning; of its other counters these moved: "
          "rx_lost, seq_gone, tx_ok");
    // An RDMA device of soft RoCE is known, whatever it is on.
    now.ports[0].rdma_link->type = "rxe";
    CHECK_FALSE(why(now.ports[0], before.ports[0])->unknown);
    now.ports[0].device->driver = "mlx5_core";
    CHECK(why(now.ports[0], before.ports[0])->why == "the driver has no such counter");
}

TEST_CASE("bnxt: its counters have their old names and those since Linux 6.18") {
    const auto value = [](Meter meter, const char* name) {
        Port port = hosts::port("bnxt_en");
        port.rdma_counters = Counters{{name, 7}};
        const auto counted = count(port, meter, 3);
        return counted ? counted->value : 0;
    };
    struct Renamed {
        Meter meter;
        const char* old_name;
        const char* new_name;
    };
    for (const Renamed& each :
         {Renamed{Meter::out_of_sequence, "oos_drop_count", "out_of_sequence"},
          Renamed{Meter::sequence_naks, "seq_err_naks_rcvd", "packet_seq_err"},
          Renamed{Meter::ack_timeouts, "to_retransmits", "local_ack_timeout_err"},
          Renamed{Meter::rnr_received, "rnr_naks_rcvd", "rnr_nak_retry_err"},
          Renamed{Meter::no_receive, "rx_out_of_buffer", "out_of_buffer"},
          Renamed{Meter::remote_access, "remote_access_err", "req_remote_access_errors"},
          Renamed{Meter::ecn_marked, "rx_ecn_marked_pkts", "np_ecn_marked_roce_packets"},
          Renamed{Meter::cnp_sent, "tx_cnp_pkts", "np_cnp_pkts"},
          Renamed{Meter::cnp_handled, "rx_cnp_pkts", "rp_cnp_handled"}}) {
        CHECK(value(each.meter, each.old_name) == 7);
        CHECK(value(each.meter, each.new_name) == 7);
    }
}

TEST_CASE("bnxt: ETS is refused where bnxt_ets_validate refuses it, and nowhere else") {
    const auto ets = [](const char* driver, std::uint64_t first, std::uint64_t second) {
        const std::string strict = "strict";
        return failures(plan_of(
            host_of(driver, 4),
            {hosts::desired("ets.traffic_class", Numbers{0, 0, 0, 1, 0, 0, 2, 0}),
             hosts::desired("ets.algorithm",
                            Words{"ets", "ets", strict, strict, strict, strict, strict, strict}),
             hosts::desired("ets.bandwidth", Numbers{first, second, 0, 0, 0, 0, 0, 0})}));
    };
    CHECK(ets("bnxt_en", 40, 30) == "");
    CHECK(ets("bnxt_en", 60, 60).find("sum to 120, and bnxt_en takes up to 100") !=
          std::string::npos);
    CHECK(ets("bnxt_en", 0, 100)
              .find("traffic class 0 shares 0 percent beside classes that share all") !=
          std::string::npos);
    CHECK(ets("qede", 40, 30) == "");
    CHECK(ets("ice", 40, 30).find("sum to 70, not 100") != std::string::npos);
}

TEST_CASE("bnxt: ETS that is not known comes with how it can be") {
    State state = host_of("bnxt_en");
    state.ports[0].ets = Ets{.capability = 3};
    CHECK(remarks(plan_of(state, R"("roce": {})"))
              .find("dcb dcbx set dev PORT ieee, dcb ets show dev PORT") != std::string::npos);
}

TEST_CASE("counters: what a port counts beside the names that had a meaning") {
    struct Counted {
        const char* driver;
        Meter meter;
        Object object;
        const char* name;
    };
    const Object rdma = Object::rdma_counters;
    const Object netdev = Object::statistics;
    for (const Counted& each :
         {Counted{"bnxt_en", Meter::roce_tx_bytes, rdma, "tx_roce_only_bytes"},
          Counted{"ice", Meter::roce_packets, rdma, "RxUDP"},
          Counted{"ice", Meter::roce_rx_bytes, rdma, "ip6InOctets"},
          Counted{"ice", Meter::roce_tx_bytes, rdma, "ip4OutOctets"},
          Counted{"ice", Meter::rx_discards, rdma, "ip6InDiscards"},
          Counted{"idpf", Meter::roce_tx_bytes, rdma, "ip4OutOctets"},
          Counted{"mana", Meter::no_receive, rdma, "responder_rnr_nak"},
          Counted{"mana", Meter::cnp_handled, rdma, "received_cnps"},
          Counted{"mana", Meter::roce_rx_bytes, rdma, "rx_bytes"},
          Counted{"erdma", Meter::roce_tx_bytes, rdma, "tx_bytes_cnt"},
          Counted{"hns3", Meter::cnp_sent, rdma, "tx_cnp_pkt"},
          Counted{"hns3", Meter::rx_pause, netdev, "mac_rx_pfc_pri3_pkt_num"},
          Counted{"mlx4_en", Meter::rx_bytes, netdev, "rx_prio_3_bytes"},
          Counted{"mlx4_en", Meter::tx_pause, netdev, "tx_pause_prio_3"}}) {
        Port port = hosts::port(each.driver);
        port.pfc.reset();
        (each.object == rdma ? port.rdma_counters : port.statistics) = Counters{{each.name, 7}};
        const auto counted = count(port, each.meter, 3);
        INFO(std::string(each.driver), " ", std::string(each.name));
        CHECK((counted && counted->value == 7));
    }
    CHECK_FALSE(driver_named("mana").counters_known);  // CNPs sent are counted of the device alone
}

TEST_CASE("ice: its counters are added up in 64 bits, so that one that fell began anew") {
    Port before = hosts::port("ice");
    before.rdma_counters = Counters{{"cnpIgnored", 3'000'000'000}};
    Port now = before;
    now.rdma_counters = Counters{{"cnpIgnored", 5}};
    const auto counted = count(now, Meter::cnp_ignored, 3);
    REQUIRE(counted);
    const Grown grown = grown_since(before, 3'000'000'000, now, *counted);
    CHECK(grown.anew);
    CHECK(grown.by == 5);
}

TEST_CASE("drivers: devices that do RoCE v2 alone get one GID for an address") {
    for (const char* name : {"idpf", "mana", "erdma", "virtio_net", "ice", "ionic"}) {
        State state = host_of(name);
        state.ports[0].rdma_port = RdmaPort{};
        state.ports[0].rdma_port->gids = std::vector<Gid>{};
        StateFile kernel(state);
        const DesiredState address =
            hosts::desired_values({hosts::desired("addresses", std::string("192.0.2.7/24"))});
        CHECK(hosts::apply(kernel, address).status == Status::done);
        const auto& gids = kernel.state().ports[0].rdma_port->gids;
        INFO(std::string(name));
        REQUIRE(gids);
        CHECK_FALSE(gids->empty());
        CHECK(std::ranges::none_of(*gids, [](const Gid& gid) { return gid.type == "IB/RoCE v1"; }));
    }
}

TEST_CASE("mlx4, qede, ionic: what the driver refuses or does not store is told by its row") {
    const auto told = [](const char* driver, const Desired& one) {
        return failures(plan_of(host_of(driver), {one}));
    };
    const auto contains = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    for (const char* driver : {"mlx4_en", "qede"}) {
        const State state = host_of(driver);
        StateFile kernel(state);
        const DesiredState longer = hosts::desired_values(
            {hosts::desired("pfc.delay", std::uint64_t{state.ports[0].pfc->delay + 5U})});
        const Report report = hosts::apply(kernel, longer);
        CHECK(report.status == Status::brought_back);
    }
    const State forced = host_of("mlx4_en");
    StateFile kernel(forced);
    const DesiredState negotiated =
        hosts::desired_values({hosts::desired("pause.autoneg", !forced.ports[0].pause->autoneg)});
    CHECK(hosts::apply(kernel, negotiated).status == Status::brought_back);
    CHECK(told("mlx4_en", hosts::desired("ets.algorithm", Words(kPriorities, "vendor"))) == "");
    State limited = host_of("mlx4_en");
    limited.ports[0].maxrate = MaxRate{};
    CHECK(contains(failures(plan_of(limited, {hosts::desired("maxrate", Numbers{0, 0, 0, 150'000, 0,
                                                                                0, 0, 0})})),
                   "mlx4_en would store 150000 kbit/s as 200000"));
    CHECK(contains(told("mlx4_en", hosts::desired("ring.rx", std::uint64_t{128})),
                   "the port takes 256.."));
    CHECK(contains(told("ionic", hosts::desired("ring.rx", std::uint64_t{1000})),
                   "ionic takes powers of two for ring.rx, the next one is 1024"));
    CHECK(contains(told("qede", hosts::desired("ring.tx", std::uint64_t{100})),
                   "the port takes 128.."));
    CHECK(contains(told("mana", hosts::desired("ring.rx", std::uint64_t{64})),
                   "the port takes 128.."));
    CHECK(contains(told("idpf", hosts::desired("ring.tx", std::uint64_t{64})),
                   "the port takes 128.."));
}

TEST_CASE("drivers: a kernel that may refuse a value is told, and nothing is refused for it") {
    State state = host_of("mlx5_core");
    state.host.kernel = "6.12.43";
    const auto plan = [&](const Desired& one) { return plan_of(state, {one}); };
    const Desired high = hosts::desired("maxrate", Numbers{0, 0, 0, 300'000'000, 0, 0, 0, 0});
    CHECK(feasible(plan(high)));
    CHECK(remarks(plan(high)).find("since Linux 7.0 and on newer NICs alone") != std::string::npos);
    CHECK(failures(plan(hosts::desired("ring.rx", std::uint64_t{8})))
              .find("the port takes 16..8192 for ring.rx") != std::string::npos);

    state.ports[0].link_modes->autoneg = false;
    state.ports[0].link_modes->speed = 100000;
    state.ports[0].link_modes->lanes = 4;
    const Desired lanes = hosts::desired("link.lanes", std::uint64_t{2});
    CHECK(feasible(plan(lanes)));
    CHECK(remarks(plan(lanes)).find("before Linux 6.15 takes lanes only") != std::string::npos);
    state.host.kernel = "6.18.0";
    CHECK(remarks(plan(lanes)) == "");

    state = host_of("hns3");
    state.ports[0].storm_prevention = StormPrevention{.timeout = 1000};
    const auto storm = [&](const char* value) {
        return plan(hosts::desired("pfc.storm_prevention", std::string(value)));
    };
    CHECK(failures(storm("auto")).find("hns3 takes no auto") != std::string::npos);
    CHECK(failures(storm("8000")).find("8000 ms is outside 1..2000") != std::string::npos);
    CHECK(feasible(storm("2000")));

    state = host_of("bnxt_en");
    state.host.kernel = "7.3.4";
    state.ports[0].storm_prevention = StormPrevention{.timeout = 1000};
    CHECK(remarks(storm("60000")).find("a maximum of its own") != std::string::npos);
    const Desired few = hosts::desired("ring.tx", std::uint64_t{64});
    CHECK(remarks(plan(few)) == "");
    state.ports[0].features->active["tx-udp-segmentation"] = true;
    CHECK(remarks(plan(few)).find("fewer than 420 for ring.tx") != std::string::npos);
}

TEST_CASE("counters: what newer kernels count has its meaning") {
    Port port = hosts::port("mlx5_core");
    port.statistics = Statistics{{"tx_pause_storm_events", 5}, {"pci_bw_outbound_high", 4}};
    CHECK(count(port, Meter::storm_events, 0)->value == 5);
    CHECK(count(port, Meter::bus_congested, 0)->value == 4);
    port.rdma_link = RdmaLink{.device = "rxe0"};
    port.rdma_link->type = "rxe";
    port.rdma_counters = Counters{{"sent_bytes", 7}, {"rcvd_bytes", 9}};
    CHECK(count(port, Meter::roce_tx_bytes, 0)->value == 7);
    CHECK(count(port, Meter::roce_rx_bytes, 0)->value == 9);
}

TEST_CASE("ice: a code point whose entry was removed is not in the class of its eight") {
    // ice_dcbnl_delapp gives it DSCP % 8, and nothing tells which were removed
    Port port = hosts::port("ice");
    port.app->entries.insert({AppEntry::dscp, 48, 6});
    CHECK(priority_of_dscp(port, 48) == 6);
    CHECK(priority_of_dscp(port, 26) == std::nullopt);  // 3, or 2
    CHECK(priority_of_dscp(port, 27) == 3);
    CHECK(priority_of_dscp(port, 0) == 0);

    port.ets->capability = 4;
    CHECK(priority_of_dscp(port, 48) == 6);
    CHECK(priority_of_dscp(port, 46) == std::nullopt);  // 3, or 6
    CHECK(priority_of_dscp(port, 8) == std::nullopt);   // 2, or 0
    CHECK(priority_of_dscp(port, 19) == 3);
    CHECK(priority_of_dscp(port, 51) == 3);
    CHECK(priority_of_dscp(port, 24) == 0);
}

TEST_CASE("ice: a ToS whose code point lost its entry is not taken to be lossless") {
    const auto lossy = [](std::uint8_t tos) {
        State state = hosts::host("ice");
        Port& port = state.ports[0];
        port.rdma_link = RdmaLink{.device = "irdma0", .index = 1};
        port.cm_directory = true;
        port.cm_defaults = CmDefaults{.mode = "RoCE v2", .tos = tos};
        port.app->entries = {{AppEntry::dscp, 48, 6}};
        port.pfc->priorities = 0b1000;
        const Diagnosis found = diagnose({.now = &state});
        return std::ranges::any_of(found.examination.checks, [](const Check& check) {
            return check.row->id == "tos-lossy" && !check.faults.empty();
        });
    };
    CHECK(lossy(26 << 2));
    CHECK_FALSE(lossy(27 << 2));
}

TEST_CASE("ice: E82x and E830 are told by their PCI id, and have no table of code points") {
    State state = host_of("ice");
    const auto row = [&](const char* id) {
        state.ports[0].device->pci_id = id;
        return driver_of(state.ports[0]).name;
    };
    CHECK(row("") == "ice");
    CHECK(row("8086:1592") == "ice");
    CHECK(row("8086:159B") == "ice");  // however its letters are written
    CHECK(row("8086:12d2") == "ice-e82x");
    CHECK(row("8086:1891") == "ice-e82x");
    const Plan plan = plan_of(state, R"("roce": {})");
    CHECK_FALSE(feasible(plan));
    CHECK(failures(plan).find("E82x, E830 and E835 have no table of code points") !=
          std::string::npos);
    CHECK(has_variants("ice"));
    CHECK_FALSE(has_variants("mlx5_core"));
    CHECK_FALSE(has_variants(""));
}

TEST_CASE("rdma: the defaults of a device's second port are its own") {
    State state = host_of("mlx5_core");
    Port& port = state.ports[0];
    port.rdma_link->port = 2;
    port.traffic_class = TrafficClass{};
    const auto lines =
        commands(plan_of(state, {hosts::desired("rdma.default_tos", std::uint64_t{106}),
                                 hosts::desired("rdma.traffic_class", std::uint64_t{106})}));
    std::string all;
    for (const std::string& line : lines)
        all += line + '\n';
    CHECK(all.find("/rdma_cm/rdma0/ports/2/default_roce_tos") != std::string::npos);
    CHECK(all.find("/infiniband/rdma0/tc/2/traffic_class") != std::string::npos);
    CHECK(find_field("rdma.port")->get(port)->at("") == Value(std::uint64_t{2}));
    port.rdma_link->port = 1;
    CHECK_FALSE(find_field("rdma.port")->get(port));
}

TEST_CASE("hns3: a bond of up to four functions of one bus has one RDMA device") {
    const Driver& row = driver_named("hns3");
    CHECK(row.bond_members.one_device == "hns_bond_0");
    CHECK(row.bond_members.most == 4);
    CHECK(row.bond_members.of_one_bus);
    CHECK(driver_named("mlx5_core").bond_members.most == 8);
}

TEST_CASE(
    "drivers: what is not RoCE v2 says what it is, and without a device where none comes from") {
    const auto said = [](const char* driver) {
        State state = host_of(driver);
        state.ports[0].rdma_link = RdmaLink{};
        state.ports[0].cm_directory.reset();
        state.ports[0].cm_defaults.reset();
        std::string out;
        for (const Finding& finding :
             plan_of(state, {hosts::desired("rdma.default_tos", std::uint64_t{106})}).findings)
            out += finding.text + "; " + finding.remedy;
        return out;
    };
    CHECK(said("ena").find("speaks SRD and not RoCE v2") != std::string::npos);
    CHECK(said("cxgb4").find("iWARP (iw_cxgb4), and not RoCE v2") != std::string::npos);
    CHECK(said("i40e").find("iWARP (X722, irdma), and not RoCE v2") != std::string::npos);
    CHECK(said("bnge").find("no RDMA in this kernel") != std::string::npos);
    CHECK(said("ionic").find("ionic_rdma, of Linux 6.18 and later, where it is built with it") !=
          std::string::npos);
    CHECK(said("mlx5_core").find("load the NIC's RDMA driver, or") != std::string::npos);
    CHECK_FALSE(driver_named("ionic").cm_defaults.tos_carries_ecn);
    CHECK(driver_named("mlx4_core").rdma_software.provider == "mlx4");
    CHECK(driver_named("eea").rdma_software.provider == "erdma");
}

TEST_CASE("virtual functions: what the physical function decides is a note, the rest is planned") {
    State state = host_of("mlx5_core");
    Port& port = state.ports[0];
    port.link->function = "vf";
    for (const Object object : {Object::dcbx, Object::ets, Object::pfc, Object::app})
        port.refused[object] = {.code = 95, .text = "Operation not supported"};
    port.dcbx.reset();
    port.ets.reset();
    port.pfc.reset();
    port.app.reset();
    const DesiredState desired_values =
        resolve(profiles::load(R"({"format": 1, "ports": [{"match": {"function": "vf"}, "mtu": 4200,
                           "roce": {}}]})"),
                {}, state);
    StateFile kernel(state);
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(failures(plan) == "");
    CHECK(feasible(plan));
    const auto pfc = std::ranges::find(plan.findings, "pfc.priorities", &Finding::key);
    REQUIRE(pfc != plan.findings.end());
    CHECK(pfc->cause.find("its physical function decides") != std::string::npos);
    CHECK(std::ranges::any_of(plan.steps,
                              [](const Step& step) { return step.object == Object::link; }));

    port = hosts::port("mlx5_core");
    port.vf = VirtualFunctions{.limit = 0};
    const Plan none = plan_of(state, {hosts::desired("vf.count", std::uint64_t{4})});
    REQUIRE(none.findings.size() == 1);
    CHECK(none.findings[0].remedy.find("SRIOV_EN and NUM_OF_VFS") != std::string::npos);
}

TEST_CASE(
    "virtual functions: what a port shows of its physical function is neither set nor missed") {
    for (const Driver* const driver : drivers()) {
        INFO(driver->name);
        State state = host_of(std::string(driver->name));
        Port& port = state.ports[0];
        if (!port.pause) continue;
        port.link->function = "vf";
        port.pause = Pause{.rx = true, .tx = true};
        const Plan plan = plan_of(state, {hosts::desired("pause.rx", false)});
        CHECK(plan.steps.empty());
        REQUIRE(plan.findings.size() == 1);
        CHECK(plan.findings[0].level == Finding::Level::note);
        CHECK(plan.findings[0].cause.find("its physical function decides") != std::string::npos);
        port.ecn.reset();
        port.ecn_directory.reset();
        const Plan notify = plan_of(state, {hosts::desired("ecn.notify", true, "3")});
        const bool by_queue_pair = driver->name == "hns3";  // on any function
        CHECK(feasible(notify) != by_queue_pair);
    }
}

TEST_CASE(
    "ice: a virtual function is reset for its VLAN, and for trust as the kernel's driver has it") {
    State state = host_of("ice");
    const auto cost = [&](const char* kernel, const Desired& one) {
        state.host.kernel = kernel;
        const Plan plan = plan_of(state, {one});
        REQUIRE(plan.steps.size() == 1);
        return plan.steps[0].disruption;
    };
    const Desired trust = hosts::desired("vf.trust", true, "0");
    CHECK(cost("6.12.43", trust) == Disruption::link);
    CHECK(cost("7.2.1", trust) == Disruption::link);
    CHECK(cost("", trust) == Disruption::link);
    CHECK(cost("7.3.4", trust) == Disruption::none);
    CHECK(cost("7.3.4", hosts::desired("vf.vlan", std::uint64_t{5}, "0")) == Disruption::link);
    CHECK(cost("6.12.43", hosts::desired("vf.max_tx_rate", std::uint64_t{500}, "0")) ==
          Disruption::none);
    CHECK(cost("6.12.43", hosts::desired("vf.spoofchk", true, "0")) == Disruption::none);
    state.ports[0].vf->functions[0].trust = true;
    CHECK(cost("7.3.4", hosts::desired("vf.trust", false, "0")) == Disruption::link);
}

TEST_CASE("law: a virtual function of every family is planned, what is not its own is in notes") {
    for (const Driver* const driver : drivers()) {
        INFO(driver->name);
        State state = host_of(std::string(driver->name));
        Port& port = state.ports[0];
        port.link->function = "vf";
        for (const Object object :
             {Object::dcbx, Object::ets, Object::pfc, Object::app, Object::buffer, Object::maxrate})
            port.refused[object] = {.code = 95, .text = "Operation not supported"};
        port.dcbx.reset();
        port.ets.reset();
        port.pfc.reset();
        port.app.reset();
        port.buffer.reset();
        port.maxrate.reset();
        port.ecn.reset();
        port.ecn_directory.reset();
        const DesiredState desired_values = resolve(
            profiles::load(R"({"format": 1, "ports": [{"match": {"function": "vf"}, "mtu": 4200,
                               "roce": {}}]})"),
            {}, state);
        StateFile kernel(state);
        const Plan plan = hosts::plan(kernel, desired_values);
        CHECK(failures(plan) == "");
        CHECK(hosts::apply(kernel, desired_values).status == Status::done);
        CHECK(satisfied(hosts::plan(kernel, desired_values)));
    }
}

TEST_CASE("generic: the intent alone keeps the lossless priority in a buffer of its own") {
    using Sizes = PerPriority<std::uint32_t>;
    const auto planned = [](const Buffer& buffer, const char* roce) {
        State state = host_of("generic");
        state.ports[0].buffer = buffer;
        const Plan plan = plan_of(state, roce);
        CHECK(failures(plan) == "");
        const Port* port = find_port(plan.predicted, "ens1f0");
        REQUIRE(port != nullptr);
        return *port->buffer;
    };
    const char* const four = R"("roce": {"priority": 4})";
    const Buffer split = planned({.size = {262144}, .total = 262144}, four);
    CHECK(split.of_priority == PerPriority<std::uint8_t>{0, 0, 0, 0, 1, 0, 0, 0});
    CHECK(split.size == Sizes{131968, 130176});
    const Buffer room = planned({.size = {131072, 0, 65536}, .total = 262144}, four);
    CHECK(room.of_priority == PerPriority<std::uint8_t>{0, 0, 0, 0, 2, 0, 0, 0});
    CHECK(room.size == Sizes{131072, 0, 65536});
    const Buffer apart{.of_priority = {0, 0, 0, 0, 3, 0, 0, 0}, .size = {1, 0, 0, 2}, .total = 3};
    CHECK(planned(apart, four) == apart);
    // What is stated is nobody's to change.
    State state = host_of("generic");
    state.ports[0].buffer = Buffer{.size = {262144}, .total = 262144};
    const Plan stated = plan_of(
        state, R"("roce": {"priority": 4}, "buffer": {"of_priority": [0, 0, 0, 0, 5, 0, 0, 0]})");
    CHECK(failures(stated) == "");
    CHECK(find_port(stated.predicted, "ens1f0")->buffer->size == Sizes{262144});
    // Settled, the same profile finds nothing to do, and what it did goes back.
    StateFile kernel(state);
    const DesiredState desired_values =
        resolve(profiles::load(profiles::entry(R"("roce": {"priority": 4})")), {}, state);
    CHECK(hosts::apply(kernel, desired_values).status == Status::done);
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    StateFile failing(state);
    failing.refuse(Object::cm_defaults, {.code = 5, .text = "Input/output error"});
    CHECK(hosts::apply(failing, desired_values).status == Status::brought_back);
    CHECK(failing.state().ports[0].buffer == state.ports[0].buffer);
}

TEST_CASE("qede: with four traffic classes the lossless intent fits") {
    State state = host_of("qede", 4);
    const Plan plan = plan_of(
        state, R"("roce": {"trust": "pcp"}, "vlans": {"100": {"egress_priority": {"2": 3}}})");
    CHECK(failures(plan).find("traffic class") == std::string::npos);
    CHECK(find_port(plan.predicted, "ens1f0")->ets->traffic_class ==
          PerPriority<std::uint8_t>{0, 0, 0, 1, 0, 0, 2, 0});
}

TEST_CASE("law: on every family the lossless intent is feasible, or says which limit forbids it") {
    for (const Driver* const driver : drivers()) {
        INFO(driver->name);
        const Plan plan = plan_of(host_of(std::string(driver->name)), R"("roce": {})");
        const std::string limit =
            driver->app.no_dscp.empty() ? std::string("none") : std::string(driver->app.no_dscp);
        const bool named = failures(plan).find(limit) != std::string::npos;
        CHECK((feasible(plan) || named));
        CHECK(feasible(plan) == driver->app.no_dscp.empty());
        // With buffers, and with as few classes as there may be.
        for (const std::uint8_t classes : std::to_array<std::uint8_t>({3, 4, 8})) {
            State state = host_of(std::string(driver->name), classes);
            state.ports[0].buffer = Buffer{.size = {262144, 131072}, .total = 524032};
            const Plan few = plan_of(state, R"("roce": {})");
            const std::string why = failures(few);
            CHECK((feasible(few) || why.find(limit) != std::string::npos ||
                   why.find("traffic classes") != std::string::npos));
        }
    }
}

}  // namespace driver_rows_test
