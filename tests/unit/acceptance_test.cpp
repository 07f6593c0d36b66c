// SPDX-License-Identifier: Apache-2.0
// The probe section of a profile.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "core/profile/acceptance.hpp"

namespace acceptance_test {
namespace {

core::Profile load(const std::string& section) {
    const auto none = [](const std::string&, const std::string&) -> core::Source { return {}; };
    return core::load_profile({"main.json", R"({"format": 1, "probe": )" + section + "}"}, none);
}

std::string wrong(const std::string& section) {
    try {
        load(section);
    } catch (const core::Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("acceptance: what is stated is what is measured and expected") {
    const core::Acceptance got = core::acceptance_of(
        load(R"({"expect": ["write.p99<10us", "read.bandwidth>=90Gb/s"], "operations": ["send"],
                 "classes": true, "size": 4096, "queue_pairs": 4, "depth": 16})"),
        {});
    REQUIRE(got.expect.size() == 2);
    CHECK(got.expect[1].text == "read.bandwidth>=90Gb/s");
    CHECK(got.operations == std::vector{core::probe::Operation::send});
    CHECK(got.classes);
    CHECK(got.size == 4096);
    CHECK(got.queue_pairs == 4);
    CHECK(got.depth == 16);
    CHECK(core::acceptance_of(load("null"), {}).expect.empty());
    CHECK_FALSE(core::acceptance_of(load("{}"), {}).size);
}

TEST_CASE("acceptance: what is wrong is said with its place") {
    CHECK(wrong("{}") == "");
    CHECK(wrong(R"({"expext": []})").find("did you mean 'expect'?") != std::string::npos);
    CHECK(wrong(R"({"expect": ["write.p98<1us"]})").find("main.json:1") != std::string::npos);
    CHECK(wrong(R"({"expect": ["write.p98<1us"]})").find("p98") != std::string::npos);
    CHECK(wrong(R"({"size": 0})").find("16777216") != std::string::npos);
    CHECK(wrong(R"({"operations": ["sent"]})") != "");
    CHECK(wrong(R"({"classes": 1})") != "");
    CHECK(wrong("[]").find("expected an object, or null") != std::string::npos);
}

TEST_CASE("acceptance: a value of the host's variables stands in") {
    const core::Profile profile = load(R"({"size": "${bytes}", "expect": ["write.p99<${bound}"]})");
    core::Variables variables;
    variables.host = {{"bytes", "512"}, {"bound", "20us"}};
    const core::Acceptance got = core::acceptance_of(profile, variables);
    CHECK(got.size == 512);
    REQUIRE(got.expect.size() == 1);
    CHECK(got.expect[0].value == doctest::Approx(20000));
    variables.host["bound"] = "20";
    CHECK_THROWS_AS(core::acceptance_of(profile, variables), core::Error);
    variables.host.erase("bound");
    CHECK_THROWS_AS(core::acceptance_of(profile, variables), core::Error);
}

}  // namespace acceptance_test
