// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/reference.hpp"
#include "core/profile/profile.hpp"

namespace {

const std::string kManual = ROCECTL_SOURCE_DIR "/man/";

/// man(7) writes a hyphen that can be copied as \-.
std::string plain(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\\' || i + 1 >= text.size() || text[i + 1] != '-') out += text[i];
    return out;
}

}  // namespace

TEST_CASE("rocectl-profile(5): the tables are those of the binary") {
    const std::string file = kManual + "rocectl-profile.5";
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
        cli::write_file(file, text.replace(first, stop - first, tables));
        return;
    }
    CHECK(text.substr(first, stop - first) == tables);
}

TEST_CASE("rocectl(8): names every command, option and exit status") {
    const std::string text = plain(cli::read_file(kManual + "rocectl.8"));
    for (const cli::Command& command : cli::commands()) {
        CAPTURE(command.name);
        CHECK(text.find(".B rocectl " + std::string(command.name)) != std::string::npos);
        for (const cli::OptionRow* row : command.options) {
            CAPTURE(row->name);
            CHECK(text.find(row->name) != std::string::npos);
        }
    }
    for (const cli::OptionRow& row : cli::common_options()) {
        CAPTURE(row.name);
        CHECK(text.find(row.name) != std::string::npos);
    }
    for (const char* status : {"0", "1", "2", "3", "4", "64", "65", "77"}) {
        CAPTURE(status);
        CHECK(text.find(".TP\n.B " + std::string(status) + "\n") != std::string::npos);
    }
}

TEST_CASE("explain: every field is explained by its row") {
    for (const core::Field& field : core::fields()) {
        CAPTURE(field.key);
        const std::string text = cli::explanation(field, {});
        CHECK(text.find(field.doc) != std::string::npos);
        CHECK(text.find(core::admits(field.shape)) != std::string::npos);
    }
}

TEST_CASE("explain: the example is a valid profile that states every setting") {
    const core::Profile profile = core::load_profile(
        {.name = "example.json", .text = std::string(cli::example_profile())}, nullptr);
    const core::State host{.host = {}, .ports = {core::Port{.name = "ens1f0"}}};
    const core::Wishes wishes = core::resolve(profile, {}, host);
    for (const core::Field& field : core::fields()) {
        if (field.use != core::Field::Use::setting) continue;
        CAPTURE(field.key);
        CHECK(std::ranges::any_of(wishes.wishes,
                                  [&](const core::Wish& wish) { return wish.field == &field; }));
    }
}
