// SPDX-License-Identifier: Apache-2.0
#include "cli/reference.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "cli/files/text_file.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/resolve.hpp"

namespace reference_test {

TEST_CASE("rocectl-profile(5): the tables are those of the binary") {
    const std::string file = ROCECTL_SOURCE_DIR "/man/rocectl-profile.5";
    const std::string begin = ".\\\" Generated from the field table; see CONTRIBUTING.md.\n";
    const std::string end = ".\\\" End of what is generated.\n";
    std::string text = cli::read_file(file);
    const std::size_t start = text.find(begin);
    const std::size_t stop = text.find(end);
    REQUIRE(start != std::string::npos);
    REQUIRE(stop != std::string::npos);
    const std::size_t first = start + begin.size();
    const std::string tables = cli::manual_tables();
    if (std::getenv("ROCECTL_REGENERATE") != nullptr) {
        std::ofstream(file) << text.replace(first, stop - first, tables);
        return;
    }
    CHECK(text.substr(first, stop - first) == tables);
}

TEST_CASE("explain: every field is explained by its row") {
    for (const core::Field& field : core::fields()) {
        CAPTURE(field.key);
        const std::string text = cli::text_of(cli::entry_of(field), {});
        CHECK(text.find(field.doc) != std::string::npos);
        CHECK(text.find(core::admits(field.shape)) != std::string::npos);
    }
}

TEST_CASE("explain: the example is a valid profile that states every setting") {
    const core::Profile profile = core::load_profile(
        {.name = "example.json", .text = std::string(cli::example_profile())}, nullptr);
    const core::State host{.host = {}, .ports = {core::Port("ens1f0")}};
    const core::DesiredState desired_values = core::resolve(profile, {}, host);
    for (const core::Field& field : core::fields()) {
        if (field.use != core::Field::Use::setting) continue;
        CAPTURE(field.key);
        CHECK(std::ranges::any_of(desired_values.desired_values, [&](const core::Desired& desired) {
            return desired.field == &field;
        }));
    }
}

}  // namespace reference_test
