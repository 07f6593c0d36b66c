// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/reference.hpp"

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
    const std::string begin = ".\\\" Generated from the field table; see README.md.\n";
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

TEST_CASE("explain: every field has an example that its own shape admits") {
    for (const core::Field& field : core::fields()) {
        CAPTURE(field.key);
        CHECK(cli::explanation(field, {}).find(field.doc) != std::string::npos);
        if (field.use == core::Field::Use::setting)
            CHECK(cli::example(field).find(field.key.substr(0, field.key.find('.'))) == 1);
    }
}
