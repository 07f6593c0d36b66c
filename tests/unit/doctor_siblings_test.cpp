// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "core/doctor/reading.hpp"
#include "core/plan/state_file.hpp"
#include "tests/unit/broken_hosts.hpp"

namespace doctor_siblings_test {

using namespace core;
using namespace broken_hosts;

namespace {

bool is_reported(State& now, const std::string& start) {
    Asked host{.now = now};
    const std::vector<std::string> reported = found(host.diagnose());
    INFO(start, ": ", doctest::toString(reported));
    return std::ranges::any_of(reported,
                               [&](const std::string& each) { return each.starts_with(start); });
}

}  // namespace

TEST_CASE(
    "doctor: a rail whose RDMA device is gone, or speaks iWARP, is looked at as its siblings") {
    const std::vector<std::string> rails = fabric_of(applied("gpu-rail"));
    const std::string& lost = rails.at(3);
    const std::string missing = "rdma-device-missing: " + lost + ": the port has no RDMA device";
    State now = whole(applied("gpu-rail"));
    Port& rail = *find_port(now, lost);
    const RdmaLink had = *rail.rdma_link;
    rail.rdma_link = RdmaLink{};
    rail.rdma_port.reset();
    CHECK(is_reported(now, missing));
    // Not one that is set down, has no address, or is there for management.
    rail.link->up = false;
    CHECK_FALSE(is_reported(now, missing));
    rail.link->up = true;
    const auto addresses = std::exchange(rail.addresses, std::vector<Address>{});
    CHECK_FALSE(is_reported(now, missing));
    rail.addresses = addresses;
    rail.routes->push_back({.to = {}, .via = parse_ip("10.3.0.34")});
    CHECK_FALSE(is_reported(now, missing));
    rail.routes->pop_back();
    // Nor one that the others send nothing to.
    const Ip own = std::exchange(rail.addresses->front().ip, *parse_ip("192.168.50.7"));
    CHECK_FALSE(is_reported(now, missing));
    rail.addresses->front().ip = own;
    CHECK(is_reported(now, missing));
    // As the command reads it, also where that alone is asked for.
    for (const bool alone : {false, true}) {
        INFO(alone);
        StateFile kernel(now);
        Inquiry inquiry;
        if (alone) inquiry.only = {"rdma-device-missing"};
        const State read = read_host(kernel, inquiry, false);
        inquiry.now = &read;
        const std::vector<std::string> reported = found(diagnose(inquiry));
        CHECK(std::ranges::find(reported, missing) != reported.end());
        CHECK(find_port(read, lost)->pfc.has_value() == !alone);
    }
    // Two that have one are no custom of the host.
    State few = now;
    for (const std::size_t other : {0U, 1U, 2U, 4U, 5U})
        find_port(few, rails.at(other))->rdma_link = RdmaLink{};
    CHECK_FALSE(is_reported(few, missing));

    rail.rdma_link = had;
    rail.rdma_link->protocol = "iw";
    CHECK(is_reported(now, "rdma-iwarp: " + lost + ": the RDMA device speaks iWARP, not RoCE"));
}

}  // namespace doctor_siblings_test
