// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/views/doctor.hpp"
#include "core/model/finding_names.hpp"

namespace doctor_page_test {

using namespace core;

namespace {

/// A page of a host on which each text that is not rocectl's own is the name.
std::string page(const std::string& name) {
    State state{.host = {.name = name, .kernel = name}};
    Diagnosis diagnosis;
    diagnosis.examination.ports = {name};
    const Fault fault{.text = name, .remedy = name, .row = &findings::drift};
    diagnosis.examination.checks = {
        {.row = &findings::drift, .port = name, .verdict = Verdict::fail, .faults = {fault}},
        {.row = &findings::gone, .port = name, .verdict = Verdict::unknown, .reason = name}};
    diagnosis.causes = {{.row = &findings::drift,
                         .verdict = Verdict::fail,
                         .checks = {diagnosis.examination.checks.data()},
                         .follows = {&findings::gone}}};
    diagnosis.chains = {{.name = "mtu",
                         .ports = {name},
                         .links = {{.name = "port", .found = name},
                                   {.name = "RDMA", .found = name, .broken = &findings::drift}}}};
    const CounterSeries series{
        .port = name, .name = name, .grown = 40, .points = {{0, 0}, {2.5, 10}, {5, 10}, {10, 40}}};
    return cli::doctor_page(
        {"doctor", Status::differs},
        {.state = state, .diagnosis = diagnosis, .profile = name, .counter_series = {series}});
}

/// The document that the page draws.
nlohmann::json document_in(const std::string& page) {
    const std::string begin = "id=\"document\">";
    const std::size_t at = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

std::size_t times(const std::string& text, const std::string& what) {
    std::size_t out = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++out;
    return out;
}

}  // namespace

TEST_CASE("law: whatever names spell, they are texts of the page's document") {
    const std::string tame = page("name");
    const auto written = document_in(tame);
    CHECK(written.at("page").at("host").at("name") == "name");
    for (const std::string name :
         {"<script>alert(1)</script>", "\"><img src=x onerror='alert(1)'>", "</style></title>",
          "&lt;b&gt;", "'", "--><!--", "\x1b[2K\u202e", "</script><script>"}) {
        CAPTURE(name);
        const std::string text = page(name);
        CHECK(times(text, "<") == times(tame, "<"));
        CHECK(text.find_first_of("\x1b\x7f") == std::string::npos);
        CHECK(text.find("\u202e") == std::string::npos);
        const auto document = document_in(text);
        CHECK(document.at("page").at("host").at("name") == name);
        CHECK(document.at("causes")[0].at("because")[0].at("text") == name);
        CHECK(document.at("checks").size() == written.at("checks").size());
    }
    CHECK_NOTHROW(document_in(page("\xff\x9b")));
}

TEST_CASE("doctor --html: the page loads nothing") {
    const std::string text = page("name");
    for (const char* way : {"http://", "https://", "src=", "url(", "@import", "fetch(", "//cdn"})
        CHECK(text.find(way) == std::string::npos);
    CHECK(text.find("default-src 'none'") != std::string::npos);
}

TEST_CASE("doctor --html: a counter's curve goes from the first reading to the last") {
    const auto counter = document_in(page("name")).at("page").at("counters").at(0);
    CHECK(counter.at("points").dump() == "[[0.0,0],[2.5,10],[5.0,10],[10.0,40]]");
    CHECK(counter.at("grown") == 40);
    CHECK(counter.at("time") == "10 s");
}

}  // namespace doctor_page_test
