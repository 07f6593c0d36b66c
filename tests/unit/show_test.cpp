// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/views/gpus.hpp"
#include "cli/views/text.hpp"
#include "core/json/json.hpp"

namespace show_test {
namespace {

using core::Port;
using core::State;

core::Ip ip(const char* text) {
    return *core::parse_ip(text);
}

/// A port of 400 Gb/s with a GID table as mlx5 has it: version 1 and 2 of each address.
State host() {
    Port port("ens1f0np0");
    port.link.emplace();
    port.speed = 400000;
    port.addresses =
        std::vector<core::Address>{{.ip = ip("fe80::1"), .prefix_length = 64, .by_kernel = true},
                                   {.ip = ip("fd00::1"), .prefix_length = 64},
                                   {.ip = ip("10.0.0.1"), .prefix_length = 31}};
    port.rdma_link = core::RdmaLink{.device = "mlx5_0"};
    const std::string own = "0000:0000:0000:0000:0000:ffff:0a00:0001";
    port.rdma_port =
        core::RdmaPort{.state = "ACTIVE",
                       .physical_state = "LINK_UP",
                       .gids = std::vector<core::Gid>{
                           {.index = 2, .gid = own, .type = "IB/RoCE v1", .port = "ens1f0np0"},
                           {.index = 3, .gid = own, .type = "RoCE v2", .port = "ens1f0np0"}}};
    port.pcie_link.emplace().numa_node = 1;
    State out;
    out.ports.push_back(port);
    return out;
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        out.push_back(line);
    return out;
}

std::size_t columns(const std::string& line) {
    std::size_t out = 0;
    for (const char c : line)
        if ((static_cast<unsigned char>(c) & 0xc0U) != 0x80U) ++out;
    return out;
}

}  // namespace

TEST_CASE("show: address, index of its RoCE v2 GID, speed as people say it, NUMA node") {
    CHECK(cli::show_text(host(), {}) ==
          "PORT       DRIVER  UP   CARRIER  SPEED  MTU  ADDRESS            RDMA    STATE   GID  TOS"
          "  PAUSE  PFC  TRUST  NUMA  FIRMWARE\n"
          "ens1f0np0  -       off  off      400G   0    10.0.0.1, fd00::1  mlx5_0  ACTIVE  3    -  "
          "  -      -    -      1     -\n");
    State state = host();
    for (const auto& [megabits, said] :
         {std::pair{2500U, "2.5G"}, {1000U, "1G"}, {100U, "100M"}, {800000U, "800G"}}) {
        state.ports[0].speed = megabits;
        CHECK(cli::show_text(state, {}).find(std::string(" ") + said + ' ') != std::string::npos);
    }
    // Only version 1 of the address, and only an address of the link.
    state.ports[0].rdma_port->gids->pop_back();
    CHECK(cli::show_text(state, {}).find("ACTIVE  none") != std::string::npos);
    state.ports[0].addresses->resize(1);
    CHECK(cli::show_text(state, {}).find("fe80::1") != std::string::npos);
}

TEST_CASE("show: entries of a map that nobody looks at are drawn as ignored") {
    Port port("ens1f0np0");
    port.app = core::App{.entries = {{core::AppEntry::dscp, 26, 3},
                                     {core::AppEntry::dscp, 30, 8},
                                     {core::AppEntry::dscp, 64, 3}},
                         .trust = std::nullopt};
    const std::string text = cli::port_text(port, {});
    CHECK(text.find("26:3, 30:8 (ignored), 64:3 (ignored)") != std::string::npos);
}

TEST_CASE("show --gids: a row for each GID, and one for a device without") {
    State state = host();
    Port bare("ens1f1np1");
    bare.rdma_link = core::RdmaLink{.device = "mlx5_1", .port = 2};
    bare.rdma_port = core::RdmaPort{
        .state = "DOWN", .physical_state = "DISABLED", .gids = std::vector<core::Gid>{}};
    state.ports.push_back(bare);
    state.ports.emplace_back("eno1");
    CHECK(cli::gids_text(state, {}) ==
          "PORT       INDEX  DEVICE    VERSION  ADDRESS   STATE   NETDEV     GID\n"
          "ens1f0np0  2      mlx5_0/1  v1       10.0.0.1  ACTIVE  ens1f0np0  "
          "0000:0000:0000:0000:0000:ffff:0a00:0001\n"
          "ens1f0np0  3      mlx5_0/1  v2       10.0.0.1  ACTIVE  ens1f0np0  "
          "0000:0000:0000:0000:0000:ffff:0a00:0001\n"
          "ens1f1np1  none   mlx5_1/2  -        -         DOWN    -          -\n");
    const auto json = core::Json::parse(cli::gids_json({"show"}, state));
    REQUIRE(json["gids"].size() == 3);
    CHECK(json["gids"][1]["index"] == 3);
    CHECK(json["gids"][1]["rdma_port"] == 1);
    CHECK(json["gids"][1]["version"] == "RoCE v2");
    CHECK(json["gids"][2]["index"].is_null());
}

TEST_CASE("law: whichever host it is, show fits 80 columns, and has all in a pipe") {
    for (const auto& entry :
         std::filesystem::directory_iterator(ROCECTL_SOURCE_DIR "/tests/states")) {
        const std::string file = entry.path().string();
        INFO(file);
        std::ifstream in(file);
        std::stringstream text;
        text << in.rdbuf();
        const State state = core::parse_state(text.str(), file);
        const cli::Style narrow{.width = 80};
        std::string all = cli::show_text(state, narrow) + cli::gids_text(state, narrow) +
                          cli::gpus_text(state, narrow);
        for (const Port& port : state.ports) {
            if (port.name == core::kHost) continue;
            all += cli::port_text(port, narrow);
            // Each value that a pipe gets is on a line with its name.
            for (const core::Field& field : core::fields())
                if (const auto got = field.get(port); got && got->size() == 1)
                    CHECK(cli::port_text(port, {}).find("\n  " + std::string(field.key) + ' ') !=
                          std::string::npos);
        }
        for (const std::string& line : lines(all)) {
            CAPTURE(line);
            CHECK(columns(line) <= 80);
        }
        const std::size_t ports =
            state.ports.size() - (core::find_port(state, core::kHost) != nullptr ? 1 : 0);
        CHECK(lines(cli::show_text(state, {})).size() == ports + 1);
    }
}

}  // namespace show_test
