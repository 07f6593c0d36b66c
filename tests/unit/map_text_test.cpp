// SPDX-License-Identifier: Apache-2.0
#include "cli/views/map_text.hpp"

#include <doctest/doctest.h>

#include "cli/views/text.hpp"
#include "tests/unit/hosts.hpp"

namespace map_text_test {

using Lines = std::vector<std::string>;

TEST_CASE("map_text: entries of one map are one setting, by ranges") {
    std::vector<cli::MapEntry> entries;
    for (std::uint64_t dscp = 16; dscp-- > 0;)
        entries.push_back({dscp, "none", dscp == 10 ? "3" : std::to_string(dscp / 8)});
    const cli::MapText text = cli::map_text("dscp.map", entries);
    CHECK(text.name == "dscp.map");
    CHECK(text.before == "none");
    CHECK(text.after == "0-7:0 8-9:1 10:3 11-15:1");
}

TEST_CASE("map_text: what is alike for all entries is said with their numbers") {
    const cli::MapText text =
        cli::map_text("dscp.map", {{8, "none", "1"}, {9, "none", "1"}, {26, "none", "1"}});
    CHECK(text.name == "dscp.map 8-9,26");
    CHECK(text.before == "none");
    CHECK(text.after == "1");
}

TEST_CASE("map_text: names of a map are one name, and others stay") {
    CHECK(cli::names_once({"mtu", "dscp.map 1", "dscp.map 0", "pause.rx", "dscp.map 26"}) ==
          Lines{"mtu", "dscp.map 0-1,26", "pause.rx"});
    CHECK(cli::names_once({"features rx-checksum", "ring 1"}) ==
          Lines{"features rx-checksum", "ring 1"});
}

TEST_CASE("map_text: a plan has one row of a map for each origin") {
    const core::State state = hosts::host("mlx5_core");
    const core::Plan plan = core::make_plan(hosts::lossless("mlx5_core"), state);
    const std::string text = cli::plan_text(plan, {});
    CAPTURE(text);
    std::size_t rows = 0;
    for (std::size_t at = text.find("dscp.map"); at != std::string::npos;
         at = text.find("dscp.map", at + 1))
        ++rows;
    CHECK(rows > 0);
    CHECK(rows <= 4);
}

}  // namespace map_text_test
