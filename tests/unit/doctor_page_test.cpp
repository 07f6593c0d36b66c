// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "cli/views/doctor_page.hpp"
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
        {.state = state, .diagnosis = diagnosis, .profile = name, .counter_series = {series}});
}

/// The tags and their attributes, without what stands between them and without titles.
std::string skeleton(const std::string& page) {
    std::string out;
    bool inside = false;
    for (const char c : page) {
        if (c == '<') inside = true;
        if (inside) out += c;
        if (c == '>') inside = false;
    }
    return out;
}

}  // namespace

TEST_CASE("law: whatever names spell, the page has the same tags") {
    const std::string tame = skeleton(page("name"));
    CHECK(tame.find("class=\"broken\"") != std::string::npos);
    CHECK(tame.find("class=\"card fail\"") != std::string::npos);
    for (const std::string name :
         {"<script>alert(1)</script>", "\"><img src=x onerror='alert(1)'>", "</style></title>",
          "&lt;b&gt;", "'", "--><!--", "\x1b[2K\xff\xe2\x80\xae", "</script><script>"}) {
        CAPTURE(name);
        CHECK(skeleton(page(name)) == tame);
    }
}

TEST_CASE("doctor --html: the page loads nothing") {
    const std::string text = page("name");
    for (const char* way : {"http://", "https://", "src=", "url(", "@import", "fetch(", "//cdn"})
        CHECK(text.find(way) == std::string::npos);
    CHECK(text.find("default-src 'none'") != std::string::npos);
}

TEST_CASE("doctor --html: a counter's curve goes from the first reading to the last") {
    const std::string text = page("name");
    CHECK(text.find("<h2>Counters that grew</h2>") != std::string::npos);
    CHECK(text.find("<polyline points=\"0,30 30,23 60,23 120,2\"/>") != std::string::npos);
    CHECK(text.find("by 40 in 10 s") != std::string::npos);
}

}  // namespace doctor_page_test
