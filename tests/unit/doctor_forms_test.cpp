// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "cli/views/monitor.hpp"
#include "cli/views/quoted.hpp"
#include "core/model/finding_names.hpp"
#include "tests/unit/hosts.hpp"

namespace doctor_forms_test {

using namespace core;
using cli::Output;

// Names of ports, devices and programs are bytes that somebody else chose. In each form they are a
// name, whatever they spell there.

namespace {

const std::vector<std::string> kHostile = {
    "ens1f0np0",
    "\"} 1\nrocectl_doctor_causes 0\n#",
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "&lt;b&amp;gt;]]>--><!--",
    "a|fail=0;;",
    "\\",
    "\\\"\\n\\",
    "\x1b[2K\r\n\t\x7f",
    "\xff\xc3\x28\xe2\x80\xae\xef\xbf\xbf",
    std::string("nul\0byte", 8),
    "$(reboot) `id` ${x}",
};

/// A diagnosis in which each text that is not rocectl's own is the name.
struct Ill {
    State state{};
    Diagnosis diagnosis{};
    std::string profile{};

    explicit Ill(const std::string& name) : profile(name) {
        state.host.name = name;
        diagnosis.examination.ports = {name};
        const Fault fault{.text = name, .remedy = name, .row = &findings::drift};
        for (const Verdict verdict : {Verdict::fail, Verdict::warn, Verdict::unknown,
                                      Verdict::crash, Verdict::skip, Verdict::pass}) {
            Check check{.row = &findings::drift, .port = name, .verdict = verdict};
            if (verdict == Verdict::fail || verdict == Verdict::warn) check.faults = {fault};
            if (check.faults.empty()) check.reason = name;
            diagnosis.examination.checks.push_back(check);
        }
        diagnosis.causes.push_back({.row = &findings::drift,
                                    .verdict = Verdict::fail,
                                    .checks = {diagnosis.examination.checks.data()}});
    }
    [[nodiscard]] cli::DoctorView view() const {
        return {.state = state, .diagnosis = diagnosis, .profile = profile};
    }
};

/// The value of a label, as a reader of Prometheus' text format has it; nothing where it is none.
std::optional<std::string> unquoted(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"' || text[i] == '\n') return std::nullopt;
        if (text[i] != '\\') {
            out += text[i];
            continue;
        }
        if (++i == text.size() || std::string_view("\\\"n").find(text[i]) == std::string::npos)
            return std::nullopt;
        out += text[i] == 'n' ? '\n' : text[i];
    }
    return out;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        REQUIRE(end != std::string::npos);
        out.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

bool is_obeyed(const std::string& text) {
    return std::ranges::any_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
    });
}

/// The text without its tags and entities has none of the marks of XML.
bool is_markup(const std::string& text) {
    if (text.find_first_of("<>\"'") != std::string::npos) return true;
    for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1))
        if (std::ranges::none_of(
                std::vector<std::string>{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"},
                [&](const std::string& entity) {
                    return text.compare(at, entity.size(), entity) == 0;
                }))
            return true;
    return false;
}

}  // namespace

TEST_CASE("law: whatever a name spells, it is a name in XML, in a label and in a line") {
    for (const std::string& name : kHostile) {
        CAPTURE(name);
        CHECK_FALSE(is_markup(cli::xml(name)));
        const std::string label = cli::label(name);
        CHECK(unquoted(label).has_value());
        CHECK_FALSE(is_obeyed(label));
        const std::string line = cli::plugin_text(name);
        CHECK(line.find_first_of("|\n") == std::string::npos);
        CHECK_FALSE(is_obeyed(line));
    }
    CHECK(cli::xml("a\xef\xbf\xbf<\xef\xbf\xbe") == "a?&lt;?");  // XML 1.0, 2.2
    CHECK(cli::label("ens1f0np0") == "ens1f0np0");
    CHECK(cli::xml("a < b & \"c\"") == "a &lt; b &amp; &quot;c&quot;");
}

TEST_CASE("law: doctor's documents have the same lines whatever the names are") {
    const Ill tame("name");
    const auto metrics = lines_of(cli::doctor_prometheus(tame.view(), 1'700'000'000));
    for (const std::string& name : kHostile) {
        CAPTURE(name);
        const Ill ill(name);
        const auto found = lines_of(cli::doctor_prometheus(ill.view(), 1'700'000'000));
        REQUIRE(found.size() == metrics.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            CHECK(found[i].substr(0, found[i].find('{')) ==
                  metrics[i].substr(0, metrics[i].find('{')));
        CHECK(lines_of(cli::monitor_line(Output::nagios, ill.view(), false)).size() == 1);
        const std::string npd = cli::monitor_line(Output::npd, ill.view(), false);
        CHECK(lines_of(npd).size() == 1);
        CHECK(npd.size() <= 81);
    }
}

TEST_CASE("doctor -o prometheus: counts by verdict, of each port and of the host") {
    const Ill ill("ens1");
    const std::string text = cli::doctor_prometheus(ill.view(), 1'700'000'000);
    for (const char* verdict : {"pass", "warn", "fail", "unknown", "skip", "crash"})
        CHECK(text.find("rocectl_doctor_port_checks{port=\"ens1\",verdict=\"" +
                        std::string(verdict) + "\"} 1\n") != std::string::npos);
    CHECK(text.find("rocectl_doctor_causes 1\n") != std::string::npos);
    CHECK(text.find("rocectl_doctor_checks{verdict=\"fail\"} 1\n") != std::string::npos);
    CHECK(text.find("rocectl_doctor_timestamp_seconds 1700000000\n") != std::string::npos);
    CHECK(cli::doctor_prometheus(ill.view(), std::nullopt).find("timestamp") == std::string::npos);
}

TEST_CASE("law: Prometheus has so many series as the manual says, whatever is found") {
    const auto series = [](const Diagnosis& diagnosis) {
        const State now;
        const cli::DoctorView view{
            .state = now, .diagnosis = diagnosis, .profile = "", .apply = ""};
        std::size_t out = 0;
        for (const std::string& line : lines_of(cli::doctor_prometheus(view, 1'700'000'000)))
            if (!line.starts_with('#')) ++out;
        return out;
    };
    constexpr std::size_t a_port = 7;
    constexpr std::size_t a_host = 7 + 7 + 1 + 1 + 1;
    Diagnosis diagnosis;
    CHECK(series(diagnosis) == a_host - 7);
    for (const FindingRow* row : doctor_rows())
        diagnosis.examination.checks.push_back({.row = row, .port = std::string(kHost)});
    CHECK(series(diagnosis) == a_host);
    for (const char* port : {"a", "b"}) {
        diagnosis.examination.ports.emplace_back(port);
        for (const FindingRow* row : doctor_rows())
            diagnosis.examination.checks.push_back(
                {.row = row, .port = port, .verdict = Verdict::fail});
    }
    CHECK(series(diagnosis) == a_host + 2 * a_port);
    for (const FindingRow* row : doctor_rows())
        diagnosis.causes.push_back({.row = row});
    CHECK(series(diagnosis) == a_host + 4 + 2 * a_port);
}

TEST_CASE("doctor -o nagios, -o npd: their own statuses, and a line that tells the first cause") {
    Examination examination{.ports = {"a"}};
    const auto status = [&](Output form, Verdict verdict, bool strict) {
        examination.checks = {{.row = &findings::drift, .port = "a", .verdict = Verdict::pass},
                              {.row = &findings::drift, .port = "a", .verdict = verdict}};
        return static_cast<int>(cli::monitor_status(form, examination, strict));
    };
    CHECK(status(Output::nagios, Verdict::pass, false) == 0);
    CHECK(status(Output::nagios, Verdict::warn, false) == 1);
    CHECK(status(Output::nagios, Verdict::warn, true) == 2);
    CHECK(status(Output::nagios, Verdict::fail, false) == 2);
    CHECK(status(Output::nagios, Verdict::unknown, false) == 3);
    CHECK(status(Output::nagios, Verdict::crash, false) == 3);
    CHECK(status(Output::npd, Verdict::pass, false) == 0);
    CHECK(status(Output::npd, Verdict::warn, false) == 0);
    CHECK(status(Output::npd, Verdict::warn, true) == 1);
    CHECK(status(Output::npd, Verdict::fail, false) == 1);
    CHECK(status(Output::npd, Verdict::unknown, false) == 2);
    // A warning beside hides nothing that is not known.
    examination.checks = {{.row = &findings::drift, .port = "a", .verdict = Verdict::warn},
                          {.row = &findings::drift, .port = "a", .verdict = Verdict::unknown}};
    CHECK(static_cast<int>(cli::monitor_status(Output::nagios, examination, false)) == 3);
    CHECK(static_cast<int>(cli::monitor_status(Output::npd, examination, false)) == 2);
    CHECK(static_cast<int>(cli::monitor_status(Output::npd, examination, true)) == 1);
    // What of the host is well says nothing of RoCE where it has no port.
    examination.ports.clear();
    CHECK(status(Output::nagios, Verdict::pass, false) == 3);
    CHECK(status(Output::nagios, Verdict::warn, false) == 3);
    CHECK(status(Output::npd, Verdict::warn, false) == 2);
    CHECK(status_of(examination, false) == Status::failed);
    CHECK(static_cast<int>(cli::monitor_status(Output::nagios, {}, false)) == 3);
    CHECK(static_cast<int>(cli::monitor_status(Output::npd, {}, false)) == 2);
    const Ill ill("ens1");
    CHECK(cli::monitor_line(Output::nagios, ill.view(), false) ==
          "ROCE CRITICAL - drift on ens1 | causes=1;;;0 fail=1;;0;0 warn=1;0;;0 unknown=1;;;0 "
          "crash=1;;;0 pass=1;;;0 skip=1;;;0 accepted=0;;;0\n");
    CHECK(cli::monitor_line(Output::npd, ill.view(), false) == "drift on ens1\n");
    CHECK(cli::monitor_error(Output::nagios, {"a|b", "c"}) == "ROCE UNKNOWN - a/b; c\n");
}

TEST_CASE("doctor -o junit: one testcase a check and port") {
    const std::string text = cli::doctor_junit(Ill("ens1").view(), false);
    CHECK(text.find("tests=\"6\" failures=\"1\" errors=\"1\" skipped=\"2\"") != std::string::npos);
    CHECK(text.find("<skipped message=\"unknown: ens1\"/>") != std::string::npos);
    const std::string strict = cli::doctor_junit(Ill("ens1").view(), true);
    CHECK(strict.find("tests=\"6\" failures=\"2\" errors=\"1\" skipped=\"2\"") !=
          std::string::npos);
}

}  // namespace doctor_forms_test
