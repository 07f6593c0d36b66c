// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/checks/catalogue.hpp"
#include "core/checks/growth.hpp"
#include "core/doctor/comparison.hpp"
#include "core/doctor/reading.hpp"
#include "core/drivers/counters.hpp"
#include "core/json/json.hpp"
#include "core/plan/state_file.hpp"
#include "tests/unit/broken_hosts.hpp"

namespace doctor_readings_test {

using namespace core;
using namespace broken_hosts;

TEST_CASE("doctor: what cannot be read is unknown, and no pass") {
    Asked asked{.now = whole(applied("gpu-rail"))};
    for (Port& port : asked.now.ports)
        if (port.pfc) port.refused[Object::pfc] = {.code = EIO, .text = "Input/output error"};
    const Diagnosis diagnosis = asked.diagnose();
    for (const Check& check : diagnosis.examination.checks) {
        const auto needs = check.row->needs.keys;
        if (std::ranges::find(needs, "pfc.priorities") == needs.end()) continue;
        INFO(check.row->id);
        CHECK(check.verdict == Verdict::unknown);
        CHECK(check.reason.find("Input/output error") != std::string::npos);
    }
    CHECK(status_of(diagnosis.examination, false) == Status::failed);
}

namespace {

/// The finding's texts on the first port, of two readings that differ in its counters.
std::vector<std::string> counted(std::string_view id, const Json& before, const Json& now,
                                 double seconds = 10) {
    const Json& host = applied("gpu-rail");
    const std::vector<std::string> fabric = fabric_of(host);
    const State earlier = whole(patched(host, fabric, {{"port", before}}));
    const State later = whole(patched(host, fabric, {{"port", now}}));
    const Inquiry inquiry{.now = &later,
                          .earlier = &earlier,
                          .seconds = seconds,
                          .twice = true,
                          .only = {std::string(id)}};
    std::vector<std::string> out;
    for (const Check& check : diagnose(inquiry).examination.checks) {
        if (check.port != fabric.front()) continue;
        out.push_back(std::string(word(check.verdict)) + ": " + check.reason);
        for (const Fault& fault : check.faults)
            out.back() += fault.text;
    }
    return out;
}

Json rdma_counters(const Json& counters) {
    return {{"rdma", {{"counters", counters}}}};
}

}  // namespace

TEST_CASE("doctor: a counter of 32 bits begins again at 0, and did not fall") {
    const auto found = counted("retries-exhausted",
                               rdma_counters({{"req_transport_retries_exceeded", 4294967290}}),
                               rdma_counters({{"req_transport_retries_exceeded", 4}}));
    CHECK(found == std::vector<std::string>{"fail: req_transport_retries_exceeded grew by 10 in 10 "
                                            "s: connections were given up"});
}

TEST_CASE("doctor: where one counter fell, all began anew") {
    const auto found = counted(
        "retries-exhausted",
        rdma_counters({{"req_transport_retries_exceeded", 2}, {"np_ecn_marked_roce_packets", 900}}),
        rdma_counters({{"req_transport_retries_exceeded", 3}, {"np_ecn_marked_roce_packets", 0}}));
    CHECK(found == std::vector<std::string>{"fail: req_transport_retries_exceeded grew by 3 since "
                                            "the counters began anew: connections were given up"});
}

TEST_CASE("doctor: few lost packets beside many are a warning") {
    const auto reading = [](std::uint64_t lost, std::uint64_t packets) {
        Json out = rdma_counters({{"out_of_sequence", lost}});
        out["statistics"] = {{"rx_vport_rdma_unicast_packets", packets}};
        return out;
    };
    const std::string few =
        counted("out-of-sequence", reading(0, 0), reading(2, 1'000'000)).front();
    CHECK(few.starts_with("warn: out_of_sequence grew by 2"));
    const std::string many =
        counted("out-of-sequence", reading(0, 0), reading(20, 1'000'000)).front();
    CHECK(many.starts_with("fail: out_of_sequence grew by 20"));
}

TEST_CASE("doctor: what was counted is measured, or it is said why not") {
    CHECK(counted("crc-errors", {{"statistics", Json::object()}}, {{"statistics", {{"x", 1}}}}) ==
          std::vector<std::string>{"skip: the driver has no such counter"});
    CHECK(counted("crc-errors", {{"statistics", Json::object()}},
                  {{"statistics", {{"rx_crc_errors_phy", 1}}}}) ==
          std::vector<std::string>{"skip: the earlier reading does not hold the counter"});
}

TEST_CASE("doctor: the class chain ends with what the priority carried, of two readings") {
    Json fault;
    for (const Json& each : faults())
        if (each["id"] == "traffic-in-other-priority") fault = each;
    const Json& host = applied("gpu-rail");
    const std::vector<std::string> fabric = fabric_of(host);
    const Json sound = patched(host, fabric, fault["given"]);
    Asked ill = asked(fault, patched(sound, fabric, fault["fault"]), sound);
    const Diagnosis diagnosis = ill.diagnose();
    const Chain& chain = diagnosis.chains.front();
    CHECK(chain.name == "class");
    CHECK(chain.ports == std::vector<std::string>{fabric.front()});
    CHECK(chain.links.back().name == "traffic");
    CHECK(chain.links.back().found == "none");
    REQUIRE(first_broken(chain) == &chain.links.back());
    CHECK(chain.links.back().broken->id == "traffic-in-other-priority");
    Asked once{.now = whole(host)};
    const Diagnosis other = once.diagnose();
    CHECK(other.chains.front().links.back().name == "PFC");
}

TEST_CASE("doctor: a driver that asks its device every second is not asked twice in one") {
    const auto rows = counter_rows();
    for (const CounterRow& row : rows)
        if (refresh_ms(row.driver) != 0) {
            State state;
            Port port("port");
            port.device = Device{.driver = std::string(row.driver), .firmware = {}};
            port.statistics.emplace();
            std::string name(row.name);
            if (const auto at = name.find('#'); at != std::string::npos) name.replace(at, 1, "3");
            port.statistics->emplace(name, 1);
            port.rdma_counters = Counters{{name, 1}};
            const EffectiveIntent roce;
            Evidence evidence{
                .now = &port, .before = &port, .seconds = 0.5, .state = &state, .roce = &roce};
            const std::array<Meter, 1> meters = {row.meter};
            INFO(name);
            const auto why = unmeasured(evidence, meters);
            CHECK(why.has_value() == (row.object == Object::statistics));
            evidence.seconds = 2;
            CHECK_FALSE(unmeasured(evidence, meters).has_value());
        }
}

TEST_CASE("doctor: a counter of each row is found by its name, and once only by each driver") {
    std::set<std::tuple<std::string_view, Object, std::string_view>> seen;
    for (const CounterRow& row : counter_rows()) {
        INFO(row.name);
        CHECK((row.bits == 32 || row.bits == 64));
        CHECK((row.object == Object::pfc) == row.name.empty());
        if (!row.name.empty()) CHECK(seen.emplace(row.driver, row.object, row.name).second);
    }
}

TEST_CASE("doctor: since an earlier snapshot, settings and facts that are one value") {
    State before = whole(applied("gpu-rail"));
    State now = before;
    Port& port = *find_port(now, "enp26s0np0");
    port.link->mtu = 1500;
    port.device->firmware = "99.1";
    port.link->carrier_down_count += 7;
    port.rdma_counters = Counters{{"out_of_sequence", 9}};
    std::erase_if(now.ports, [](const Port& each) { return each.name == "enp60s0np0"; });
    const Comparison found = compared(before, now, 60);
    const auto named = [&](std::string_view name) {
        std::vector<std::string> out;
        for (const Difference& each : found.changed)
            if (each.name == name) out.push_back(each.port + ": " + each.after);
        return out;
    };
    CHECK(found.changed.size() == 3);
    CHECK(named("mtu") == std::vector<std::string>{"enp26s0np0: 1500"});
    CHECK(named("firmware") == std::vector<std::string>{"enp26s0np0: 99.1"});
    CHECK(named("port") == std::vector<std::string>{"enp60s0np0: gone"});
    CHECK(compared(now, now, 60).changed.empty());
}

TEST_CASE("doctor: a reading of another host is known by its name and its addresses") {
    const auto host = [](const char* name, const char* mac) {
        State out{.host = {.name = name, .kernel = "6.12.0"}};
        Port port("ens1");
        port.link = Link{.mac = mac};
        out.ports = {port, Port(kHost)};
        return out;
    };
    const char* const mac = "02:00:00:00:00:01";
    const char* const other = "02:00:00:00:00:02";
    CHECK(are_of_different_hosts(host("a", mac), host("b", other)));
    CHECK(are_of_different_hosts(host("a", ""), host("b", "")));
    // The same name, another name of the same ports, or no name.
    CHECK_FALSE(are_of_different_hosts(host("a", mac), host("a", other)));
    CHECK_FALSE(are_of_different_hosts(host("a", mac), host("b", mac)));
    CHECK_FALSE(are_of_different_hosts(host("", mac), host("b", other)));
}

TEST_CASE("doctor: kernel parameters are asked for by name, and set by a command") {
    State state = whole(applied("gpu-rail"));
    const std::string name = "kernel.numa_balancing";
    const std::string other = "net.core.somaxconn";
    find_port(state, kHost)->sysctl = Sysctl{{name, "1"}, {other, "4096"}};
    Inquiry inquiry{.only = {"numa-balancing"}};
    CHECK(doctor_elements(inquiry) == AskedNames{{Object::sysctl, {name}}});
    StateFile host(state);
    const State now = read_host(host, inquiry);
    inquiry.now = &now;
    const Diagnosis diagnosis = diagnose(inquiry);
    REQUIRE(diagnosis.causes.size() == 1);
    const Fault& fault = diagnosis.causes.front().checks.front()->faults.front();
    CHECK(fixing_commands(now, fault) ==
          std::vector<std::string>{"sysctl -w kernel.numa_balancing=0"});
    // Of a host that has none of the name nothing is said.
    find_port(state, kHost)->sysctl = Sysctl{{other, "4096"}};
    StateFile without(state);
    const State unsupported = read_host(without, inquiry);
    inquiry.now = &unsupported;
    CHECK(diagnose(inquiry).examination.checks.front().verdict == Verdict::skip);
}

TEST_CASE("doctor: counters are read only where two readings are compared") {
    const Inquiry once{};
    CHECK_FALSE(doctor_objects(once).contains(Object::statistics));
    const Inquiry twice{.twice = true};
    CHECK(doctor_objects(twice).contains(Object::statistics));
    CHECK(doctor_objects(twice).contains(Object::rdma_counters));
}

TEST_CASE("doctor: on a host without RDMA nothing was checked, which is not green") {
    Asked asked{.now = whole(Json::parse(source("states/soft-roce.json")))};
    Port& host = asked.now.ports.emplace_back(kHost);
    host.kernel_log.emplace();  // in which nothing is found
    const Diagnosis diagnosis = asked.diagnose();
    CHECK(tally(diagnosis.examination).at(Verdict::pass) > 0);
    CHECK(diagnosis.examination.ports.empty());
    CHECK(status_of(diagnosis.examination, false) == Status::failed);
}

}  // namespace doctor_readings_test
