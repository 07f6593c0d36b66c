// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

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
