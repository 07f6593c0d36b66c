// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "cli/views/port_groups.hpp"
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

TEST_CASE("plan_text: marks say what comes, changes and goes, and settings are counted once") {
    const core::State state = hosts::host("mlx5_core");
    const core::Plan plan = core::make_plan(hosts::lossless("mlx5_core"), state);
    const std::string text = cli::plan_text(plan, {});
    CAPTURE(text);
    CHECK(text.find("\n~ mtu ") != std::string::npos);
    CHECK(text.find("\n+ dscp.map ") != std::string::npos);
    cli::GroupedChange gone{.name = "addresses", .before = "10.0.0.1/24", .after = "none"};
    CHECK(cli::mark_of(gone) == '-');
    // However many ports change the same, and however many entries of the map.
    core::Plan both = plan;
    for (core::Step step : plan.steps) {
        step.port = "other";
        both.steps.push_back(std::move(step));
    }
    const auto counted = [](const core::Plan& of) {
        const std::string line = cli::plan_summary(of, {});
        const std::size_t from = line.find(", ") + 2;
        return line.substr(from, line.find(" settings") - from);
    };
    CHECK(counted(both) == counted(plan));
}

}  // namespace map_text_test
