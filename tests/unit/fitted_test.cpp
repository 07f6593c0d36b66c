// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "cli/views/quoted.hpp"
#include "cli/views/style.hpp"
#include "cli/views/text.hpp"
#include "tests/unit/hosts.hpp"

namespace fitted_test {

using Rows = std::vector<cli::Row>;

namespace {

/// Columns of a line without colour.
std::size_t columns(const std::string& line) {
    return static_cast<std::size_t>(std::ranges::count_if(
        line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::size_t widest(const std::string& text) {
    std::istringstream lines(text);
    std::size_t out = 0;
    for (std::string line; std::getline(lines, line);)
        out = std::max(out, columns(line));
    return out;
}

}  // namespace

TEST_CASE("fitted: a long value pushes no column of its row alone") {
    CHECK(cli::table({{"mtu", "1500 → 9000", "queues"}, {"ets", "[1,0,2] → [0,1,2]", "link"}}) ==
          "mtu  1500 → 9000        queues\n"
          "ets  [1,0,2] → [0,1,2]  link\n");
}

TEST_CASE("fitted: a table as wide as the terminal goes on below its cells") {
    CHECK(cli::table({{"mtu", "1500 → 9000", "queues"}, {"ets", "[1,0,2] → [0,1,2]", "link"}}, "",
                     25) ==
          "mtu  1500 → 9000   queues\n"
          "ets  [1,0,2] →     link\n"
          "     [0,1,2]\n");
}

TEST_CASE("fitted: prose goes on below its column, and a line to paste is as it is") {
    CHECK(cli::fitted("   because    one two three four\n", 30) ==
          "   because    one two three\n"
          "              four\n");
    const std::string command = "    $ " + std::string(40, 'x') + " y\n";
    CHECK(cli::fitted(command, 25) == command);
    const std::string line = "   because    one two three four\n";
    CHECK(cli::fitted(line, std::string::npos) == line);
}

TEST_CASE("fitted: figures that do not fit stand in a table below, behind what they are of") {
    const Rows rows = {{"OF", "BYTES", "MIN", "MAX"}, {"send", "65536", "123.45", "6789.01"}};
    CHECK(cli::figures(rows, 2, std::string::npos) == cli::table(rows));
    CHECK(cli::figures(rows, 2, 22) ==
          "OF    BYTES  MIN\n"
          "send  65536  123.45\n"
          "\n"
          "OF    BYTES  MAX\n"
          "send  65536  6789.01\n");
}

TEST_CASE(
    "fitted: the commands in a text are lines of their own, and what is said stays in order") {
    const auto parts = [](const std::string& text) {
        std::string out;
        for (const cli::Piece& piece : cli::pieces_of(text))
            out += (piece.command ? "$ " : "  ") + piece.text + '\n';
        return out;
    };
    CHECK(parts("stop it") == "  stop it\n");
    CHECK(parts("dcb pfc show dev PORT, and the same at the switch") ==
          "$ dcb pfc show dev PORT\n"
          "  and the same at the switch\n");
    CHECK(parts("on a peer: ip neighbour show; ping HOST") ==
          "  on a peer:\n"
          "$ ip neighbour show\n"
          "$ ping HOST\n");
    CHECK(parts("take it out of /etc/modprobe.d; then modprobe mlx5_ib") ==
          "  take it out of /etc/modprobe.d; then\n"
          "$ modprobe mlx5_ib\n");
    CHECK(parts("rocectl show lists the ports of this host") ==
          "$ rocectl show\n"
          "  lists the ports of this host\n");
    CHECK(parts("modprobe of the module") == "  modprobe of the module\n");
    CHECK(parts("ethtool --show-fec a,b, a minute apart") ==
          "$ ethtool --show-fec a,b\n"
          "  a minute apart\n");
    CHECK(parts("").empty());
}

TEST_CASE("fitted: every plan fits 80 columns, and is whole in a pipe") {
    for (const char* driver : {"mlx5_core", "ice", "bnxt_en", "hns3", "generic"}) {
        CAPTURE(driver);
        const core::State state = hosts::host(driver);
        const core::DesiredState desired_values = hosts::lossless(driver);
        const core::Plan plan = core::make_plan(desired_values, state);
        for (const bool group : {true, false}) {
            const cli::Style style{.group_ports = group, .width = 80};
            CHECK(widest(cli::plan_text(plan, style)) <= 80);
            CHECK(widest(cli::verify_text(plan, desired_values, style)) <= 80);
        }
    }
}

}  // namespace fitted_test
