// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/files/text_file.hpp"
#include "core/checks/catalogue.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/doctor/examination.hpp"
#include "core/json/json.hpp"

// What people met who put RoCE v2 into production, and what their reports got wrong.

namespace reports_test {

using namespace core;

namespace {

Json reported(const std::string& name) {
    return Json::parse(cli::read_file(ROCECTL_SOURCE_DIR "/tests/doctor/" + name));
}

}  // namespace

TEST_CASE("reports: each fault that they met has a check, and the check its fault") {
    std::set<std::string> tried;
    for (const Json& fault : reported("faults.json"))
        tried.insert(fault["id"].get<std::string>());
    std::set<std::string_view> checks;
    for (const FindingRow* row : doctor_rows())
        checks.insert(row->id);
    std::set<std::string> reports;
    for (const Json& row : reported("reports.json")) {
        INFO(row["point"].get<std::string>());
        reports.insert(row["report"].get<std::string>());
        CHECK((row.contains("checks") != row.contains("explain")));
        if (!row.contains("checks")) continue;
        CHECK_FALSE(row["checks"].empty());
        for (const Json& id : row["checks"]) {
            INFO(id.get<std::string>());
            CHECK(checks.contains(id.get<std::string>()));
            CHECK(tried.contains(id.get<std::string>()));
        }
    }
    CHECK(reports == std::set<std::string>{"A", "B", "C"});
}

TEST_CASE("reports: what they advise and is mistaken is answered with what is right") {
    std::size_t mistaken = 0;
    for (const Json& row : reported("reports.json")) {
        if (!row.contains("explain")) continue;
        INFO(row["point"].get<std::string>());
        const ErrorText* text = find_error_text(row["explain"].get<std::string>(), false);
        REQUIRE(text != nullptr);
        CHECK(text->name == row["answer"].get<std::string>());
        const auto says = row["says"].get<std::string>();
        if (says.empty()) continue;
        ++mistaken;
        CHECK(text->mistaken.find(says) != std::string_view::npos);
    }
    CHECK(mistaken >= 6);
}

}  // namespace reports_test
