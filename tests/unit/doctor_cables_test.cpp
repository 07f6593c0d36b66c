// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>

#include "cli/views/doctor.hpp"
#include "tests/unit/broken_hosts.hpp"

// NICs on several links of PCI Express, and ports that nobody plugged in.

namespace doctor_cables_test {

using namespace core;
using namespace broken_hosts;

namespace {

/// As on a GB10: a NIC with two ports, each of which two functions have, of four lanes each; one
/// port is not plugged in.
State two_links() {
    struct Place {
        const char* name;
        const char* pci;
        const char* device;
        bool plugged;
    };
    constexpr std::array places = {Place{"enp1s0f0np0", "0000:01:00.0", "rocep1s0f0", false},
                                   Place{"enp1s0f1np1", "0000:01:00.1", "rocep1s0f1", true},
                                   Place{"enP2p1s0f0np0", "0002:01:00.0", "roceP2p1s0f0", false},
                                   Place{"enP2p1s0f1np1", "0002:01:00.1", "roceP2p1s0f1", true}};
    const State rails = whole(applied("gpu-rail"));
    const std::vector<std::string> names = fabric_of(applied("gpu-rail"));
    State out = rails;
    std::erase_if(out.ports, [&](const Port& port) {
        return std::ranges::find(names, port.name) != names.end();
    });
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place& place = places.at(i);
        Port port = *find_port(rails, names.at(i));
        port.name = place.name;
        port.link->pci = place.pci;
        port.link->mac = "4c:bb:47:2c:10:a" + std::to_string(i);
        port.link->carrier = place.plugged;
        port.rdma_link->device = place.device;
        port.pcie_link = PcieLink{.speed = "32.0 GT/s PCIe",
                                  .width = 4,
                                  .max_speed = "32.0 GT/s PCIe",
                                  .max_width = 16,
                                  .iommu = "identity"};
        port.speed = 200'000;
        for (Gid& gid : *port.rdma_port->gids)
            gid.port = place.name;
        if (!place.plugged) {
            port.speed.reset();
            port.link->carrier_up_count = port.link->carrier_down_count = 0;
            port.rdma_port->state = "DOWN";
            port.rdma_port->gids.emplace();
            port.addresses.emplace();
            port.routes.emplace();
        }
        out.ports.push_back(std::move(port));
    }
    return out;
}

Port& port_of(State& state, const char* name) {
    return *find_port(state, name);
}

/// What is found on the host, a line each, of these rows alone.
std::vector<std::string> found_of(const State& state, std::set<std::string> only) {
    return found(diagnose({.now = &state, .only = std::move(only)}));
}

}  // namespace

TEST_CASE("doctor: functions on one cable carry it together, each by its own lanes") {
    const std::set<std::string> bus = {"pcie-slow", "pcie-degraded"};
    const State host = two_links();
    CHECK(found_of(host, bus) == std::vector<std::string>{});
    // Each needs the other: of another card, on one bus, with all lanes, or without the carrier.
    const auto is_slow = [&](const auto& change) {
        State now = host;
        change(port_of(now, "enP2p1s0f1np1"));
        const std::vector<std::string> all = found_of(now, bus);
        return std::ranges::any_of(all, [](const std::string& one) {
            return one.starts_with("pcie-slow: enp1s0f1np1: the PCI Express link is 32.0 GT/s");
        });
    };
    CHECK_FALSE(is_slow([](Port&) {}));
    CHECK(is_slow([](Port& port) { port.link->pci = "0002:02:00.1"; }));
    CHECK(is_slow([](Port& port) { port.link->pci = "0000:01:00.1"; }));
    CHECK(is_slow([](Port& port) { port.pcie_link->width = 16; }));
    CHECK(is_slow([](Port& port) { port.device->firmware = "1.0"; }));
    CHECK(is_slow([](Port& port) { port.link->carrier = false; }));
    // Cards in domains of their own, each with half of its lanes.
    CHECK(is_slow([](Port& port) { port.link->mac = "4c:bb:47:2c:10:b0"; }));
    CHECK(is_slow([](Port& port) { port.link->mac = "4c:bb:47:2c:11:a3"; }));
    // Half of the other's lanes is what was seen with old firmware of the host.
    State now = host;
    port_of(now, "enP2p1s0f1np1").pcie_link->width = 2;
    CHECK(found_of(now, bus) ==
          std::vector<std::string>{
              "pcie-slow: enp1s0f1np1: the PCI Express link is 32.0 GT/s PCIe x4, about 189 Gb/s "
              "with the other functions on its cable, the port has 200 Gb/s",
              "pcie-slow: enP2p1s0f1np1: the PCI Express link is 32.0 GT/s PCIe x2, about 189 Gb/s "
              "with the other functions on its cable, the port has 200 Gb/s"});
    port_of(now, "enp1s0f1np1").speed = port_of(now, "enP2p1s0f1np1").speed = 100'000;
    CHECK(found_of(now, bus) ==
          std::vector<std::string>{"pcie-degraded: enP2p1s0f1np1: the PCI Express link is 32.0 "
                                   "GT/s PCIe x2, another function on its cable has x4"});
}

TEST_CASE("doctor: a list that leaves out a function of a cable in use is told of") {
    State now = two_links();
    const auto told = [&](const char* list) {
        find_port(now, kHost)->environments = Environments{
            {.process = 5, .program = "all_gather", .name = "NCCL_IB_HCA", .value = list}};
        return found_of(now, {"app-device-left-out"});
    };
    CHECK(told("rocep1s0f1,roceP2p1s0f1").empty());
    CHECK(told("roce").empty());
    CHECK(told("^rocep1s0f0").empty());
    const std::string end =
        ": each of the two carries no more than its own link of PCI Express "
        "does";
    CHECK(told("rocep1s0f1") ==
          std::vector<std::string>{"app-device-left-out: enP2p1s0f1np1: all_gather (5): "
                                   "NCCL_IB_HCA rocep1s0f1 leaves out roceP2p1s0f1, which shares "
                                   "its cable with rocep1s0f1" +
                                   end});
    CHECK(told("^rocep1s0f1") ==
          std::vector<std::string>{"app-device-left-out: enp1s0f1np1: all_gather (5): "
                                   "NCCL_IB_HCA ^rocep1s0f1 leaves out rocep1s0f1, which shares "
                                   "its cable with roceP2p1s0f1" +
                                   end});
    // Without an address it is left alone, for the other has the cable, but not without a word.
    port_of(now, "enP2p1s0f1np1").addresses.emplace();
    const Diagnosis diagnosis = diagnose({.now = &now, .only = {"no-address"}});
    CHECK(causes_of(diagnosis) == std::vector<std::string>{"no-address"});
    CHECK(status_of(diagnosis.examination, false) == Status::done);
}

TEST_CASE(
    "doctor: ports that nobody plugged in are left alone on a card whose other port is used") {
    const State host = two_links();
    const std::vector<std::string> both = {"enp1s0f0np0", "enP2p1s0f0np0"};
    const Diagnosis diagnosis = diagnose({.now = &host});
    CHECK(diagnosis.examination.left_out == both);
    const cli::DoctorView view{.state = host, .diagnosis = diagnosis, .profile = "", .apply = ""};
    CHECK(cli::doctor_text(view, cli::Style{})
              .find("left out: enp1s0f0np0, enP2p1s0f0np0: 2 ports that nobody uses, without a "
                    "link and an address, of cards whose other port is used") != std::string::npos);
    const auto left_out = [&](const auto& change) {
        State now = host;
        change(now);
        return diagnose({.now = &now}).examination.left_out;
    };
    // Not one that lost its link, has an address, or of which that was not read; nor the same port
    // of another card, or the other function on its cable, then.
    CHECK(left_out([](State& now) {
              Link& link = *port_of(now, "enp1s0f0np0").link;
              link.carrier_up_count = 1;
              link.carrier_down_count = 1;
          }).empty());
    CHECK(left_out([](State& now) {
              port_of(now, "enp1s0f0np0")
                  .addresses->push_back({.ip = *parse_ip("10.9.0.1"), .prefix_length = 31});
          }).empty());
    CHECK(left_out([](State& now) { port_of(now, "enp1s0f0np0").addresses.reset(); }).empty());
    // Nor where nobody uses the card's other port.
    CHECK(left_out([](State& now) { port_of(now, "enp1s0f0np0").link->pci = "0000:07:00.0"; }) ==
          std::vector<std::string>{"enP2p1s0f0np0"});
    // Nor the only one of a row: there a cable is missing.
    CHECK(left_out([](State& now) {
              for (const char* pci : {"0003:01:00.0", "0004:01:00.0", "0005:01:00.0"}) {
                  Port used = port_of(now, "enp1s0f1np1");
                  used.name = std::string("enp") + pci;
                  used.link->pci = pci;
                  now.ports.push_back(std::move(used));
              }
          }).empty());
}

}  // namespace doctor_cables_test
