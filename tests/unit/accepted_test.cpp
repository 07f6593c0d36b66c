// SPDX-License-Identifier: Apache-2.0
// Findings that are meant so: reading them, and what becomes of what is found.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/checks/catalogue.hpp"
#include "core/doctor/accepted.hpp"
#include "core/doctor/diagnosis.hpp"
#include "core/error.hpp"
#include "core/model/finding_names.hpp"
#include "core/plan/plan.hpp"
#include "core/profile/accepted_findings.hpp"

namespace accepted_test {
namespace {

using namespace core;

constexpr const char* kToday = "2026-11-29";

std::vector<AcceptedFinding> load(const std::string& list) {
    return load_accepted({.name = "accepted.json", .text = list});
}

std::string wrong(const std::string& list) {
    try {
        load(list);
    } catch (const Error& error) {
        CHECK(error.status() == Status::invalid_input);
        return error.what();
    }
    return "";
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Two ports of a fabric, the MTU of one of them too low, and what is accepted of that.
struct Site {
    std::vector<AcceptedFinding> accepted{};
    Examination examination{};

    explicit Site(const std::string& list) : accepted(load(list)) {
        examination.ports = {"a", "b"};
        add("mtu-low", "a", Verdict::fail);
        add("mtu-low", "b", Verdict::pass);
    }
    void add(const char* id, const std::string& port, Verdict verdict) {
        Check check{.row = find_finding(id), .port = port, .verdict = verdict};
        REQUIRE(check.row != nullptr);
        if (verdict == Verdict::fail || verdict == Verdict::warn)
            check.faults = {{.text = "it is so", .row = check.row}};
        examination.checks.push_back(std::move(check));
    }
    void accept(const std::string& today = kToday) {
        core::accept(examination, {.accepted = accepted, .today = today});
    }
    /// `mtu-low a fail`, what passed left out.
    [[nodiscard]] std::vector<std::string> ended() const {
        std::vector<std::string> out;
        for (const Check& check : examination.checks)
            if (check.verdict != Verdict::pass)
                out.push_back(std::string(check.row->id) + ' ' + check.port + ' ' +
                              std::string(word(check.verdict)));
        return out;
    }
};

using Ended = std::vector<std::string>;

}  // namespace

TEST_CASE("accepted: what is stated is read, with its place") {
    const auto got = load(R"([
        {"finding": "mtu-low", "ports": ["ens1*", "ens2"], "reason": "by design",
         "until": "2027-03-31"},
        {"finding": "pfc-off", "reason": "a lab"},
        {"finding": "pfc-off", "fabric": "storage", "reason": "lossy"}])");
    REQUIRE(got.size() == 3);
    CHECK(got[0].row == find_finding("mtu-low"));
    CHECK(got[0].ports == std::vector<std::string>{"ens1*", "ens2"});
    CHECK(text(got[0]) == "by design (accepted.json:2), until 2027-03-31");
    CHECK(text(got[1]) == "a lab (accepted.json:4)");
    CHECK(where(got[0]) == "on ens1*, ens2");
    CHECK(where(got[1]) == "everywhere");
    CHECK(where(got[2]) == "on fabric storage");
    CHECK(load("[]").empty());
}

TEST_CASE("accepted: what is wrong is said with its place and what would do") {
    const std::string reason = R"(, "reason": "r"})";
    CHECK(has(wrong(R"([{"finding": "mtu-lwo")" + reason + "]"), "did you mean 'mtu-low'?"));
    CHECK(has(wrong(R"([{"finding": "mtu-lwo")" + reason + "]"), "accepted.json:1"));
    CHECK(has(wrong(R"([{"finding": "nothing-of-this-kind")" + reason + "]"), "rocectl-checks(7)"));
    for (const char* day : {"2026-02-30", "2026-13-01", "31.3.2027", "2027-3-31", ""})
        CHECK(has(
            wrong(R"([{"finding": "mtu-low", "until": ")" + std::string(day) + '"' + reason + "]"),
            "expected a day such as 2027-03-31"));
    CHECK(wrong(R"([{"finding": "mtu-low", "until": "2028-02-29")" + reason + "]") == "");
    CHECK(has(wrong(R"([{"finding": "mtu-low"}])"), "found no 'reason'"));
    CHECK(has(wrong(R"([{"reason": "r"}])"), "found no 'finding'"));
    CHECK(has(wrong(R"([{"finding": "mtu-low", "reason": ""}])"), "empty text"));
    CHECK(has(wrong(R"([{"finding": "mtu-low", "ports": [])" + reason + "]"), "found no port"));
    CHECK(has(wrong(R"([{"finding": "mtu-low", "port": "a")" + reason + "]"), "'ports'"));
    CHECK(has(wrong(R"([{"finding": "mtu-low", "ports": ["a"], "fabric": "f")" + reason + "]"),
              "found both 'ports' and 'fabric'"));
    CHECK(has(wrong(R"([{"finding": "mtu-low", "fabric": "")" + reason + "]"), "name of a fabric"));
    CHECK(has(wrong("{}"), "expected a list"));
    CHECK(has(wrong("[1]"), "expected an object"));
}

TEST_CASE("accepted: of a profile, with the values of variables") {
    const auto none = [](const std::string&, const std::string&) -> Source { return {}; };
    const Profile profile = load_profile(
        {"site.json", R"({"format": 1, "accepted": [{"finding": "mtu-low", "ports": ["${rail}"],
          "reason": "r", "until": "2027-01-01"}]})"},
        none);
    Variables variables;
    variables.host = {{"rail", "ens1"}};
    const auto got = accepted_by(profile, variables);
    REQUIRE(got.size() == 1);
    CHECK(got[0].ports == std::vector<std::string>{"ens1"});
    CHECK_THROWS_AS(accepted_by(profile, {}), Error);
}

TEST_CASE("accepted: a finding turns no status, and only where and while it is accepted") {
    const auto ended = [](const std::string& entry, const std::string& today) {
        Site site("[" + entry + "]");
        site.accept(today);
        return site.ended();
    };
    const std::string of_a = R"({"finding": "mtu-low", "ports": ["a*"], "reason": "r",
                                 "until": "2026-11-29"})";
    CHECK(ended(of_a, "2026-11-29") == Ended{"mtu-low a accepted"});
    CHECK(ended(of_a, "") == Ended{"mtu-low a accepted"});
    CHECK(ended(of_a, "2026-11-30") == Ended{"mtu-low a fail", "accepted-stale the host warn"});
    CHECK(ended(R"({"finding": "mtu-low", "reason": "r"})", kToday) == Ended{"mtu-low a accepted"});
    CHECK(ended(R"({"finding": "mtu-low", "ports": ["b"], "reason": "r"})", kToday) ==
          Ended{"mtu-low a fail", "accepted-stale the host warn"});
    CHECK(ended(R"({"finding": "mtu-low", "ports": ["c"], "reason": "r"})", kToday) ==
          Ended{"mtu-low a fail", "accepted-stale the host warn"});
    // Of what was not looked for nobody knows that it is not there any more.
    CHECK(ended(R"({"finding": "pfc-off", "reason": "r"})", kToday) == Ended{"mtu-low a fail"});
    Site site("[" + of_a + "]");
    CHECK(status_of(site.examination, false) == Status::differs);
    site.accept();
    CHECK(status_of(site.examination, true) == Status::done);
    CHECK(causes(site.examination).empty());
    CHECK(tally(site.examination)[Verdict::accepted] == 1);
}

TEST_CASE("accepted: on a fabric, which is one of the profile's") {
    const std::vector<AcceptedFinding> accepted =
        load(R"([{"finding": "mtu-low", "fabric": "storage", "reason": "r"}])");
    const auto ended = [&](const std::vector<NamedFabric>& fabrics) {
        Site site("[]");
        const DesiredState desired_values{.fabrics = fabrics};
        for (const NamedFabric& fabric : fabrics)
            site.examination.fabrics.push_back({.name = fabric.name});
        site.examination.fabrics.push_back({.ports = {"a"}});
        if (!fabrics.empty()) site.examination.fabrics.front().ports = {"b"};
        accept(site.examination, {.desired_values = fabrics.empty() ? nullptr : &desired_values,
                                  .accepted = accepted,
                                  .today = kToday});
        return site.ended();
    };
    CHECK(ended({{.name = "storage", .ports = {"a"}}}) == Ended{"mtu-low a accepted"});
    // What a bond's member is of, the examination alone tells; `b` passes.
    CHECK(ended({{.name = "storage"}}) == Ended{"mtu-low a fail", "accepted-stale the host warn"});
    CHECK(ended({{.name = "rails", .ports = {"a"}}}) ==
          Ended{"mtu-low a fail", "accepted-stale the host warn"});
    // Without a profile no fabric has a name.
    CHECK(ended({}) == Ended{"mtu-low a fail", "accepted-stale the host warn"});

    std::vector<Finding> found = {{.id = findings::no_carrier,
                                   .level = FindingLevel::failure,
                                   .port = "a",
                                   .text = "carrier is off"}};
    const auto dark = load(R"([{"finding": "no-carrier", "fabric": "storage", "reason": "r"}])");
    accept(found, dark, {}, kToday);
    CHECK(found[0].level == FindingLevel::failure);
    accept(found, dark, std::vector<NamedFabric>{{.name = "storage", .ports = {"a"}}}, kToday);
    CHECK(found[0].level == FindingLevel::accepted);
}

TEST_CASE("accepted: a fabric that the profile does not name is refused with those that it does") {
    const auto none = [](const std::string&, const std::string&) -> Source { return {}; };
    try {
        load_profile({"site.json", R"({"format": 1, "fabrics": {"rails": {}, "storage": {}},
                       "accepted": [{"finding": "mtu-low", "fabric": "storag", "reason": "r"}]})"},
                     none);
        FAIL("expected an error");
    } catch (const Error& error) {
        CHECK(has(error.what(), "expected a fabric of 'fabrics': one of rails, storage"));
        CHECK(has(error.what(), "site.json:2"));
    }
}

TEST_CASE("accepted: a check that is not known makes no entry stale") {
    for (const Verdict verdict : {Verdict::unknown, Verdict::skip, Verdict::crash}) {
        Site site(R"([{"finding": "pfc-off", "reason": "r"}])");
        site.add("pfc-off", "a", verdict);
        site.add("pfc-off", "b", Verdict::pass);
        site.accept();
        CHECK(site.ended().back() == "pfc-off a " + std::string(word(verdict)));
    }
}

TEST_CASE("accepted: what follows is accepted too, unless it follows from something else as well") {
    const FindingRow* cause = nullptr;
    const FindingRow* other = nullptr;
    const FindingRow* consequence = nullptr;
    const auto follows = [](const FindingRow& row, const FindingRow& from) {
        return std::ranges::find(from.cause.explains, row.id) != from.cause.explains.end();
    };
    // A consequence of two, of which neither follows from what else is there.
    for (const FindingRow* one : catalogue())
        for (const std::string_view id : one->cause.explains)
            for (const FindingRow* two : catalogue()) {
                const FindingRow& both = *find_finding(id);
                if (consequence != nullptr || one == two || !follows(both, *two) ||
                    follows(*two, *one) || follows(*two, both))
                    continue;
                cause = one;
                other = two;
                consequence = &both;
            }
    REQUIRE(consequence != nullptr);
    const auto verdict = [&](bool two) {
        Site site(R"([{"finding": ")" + std::string(cause->id) + R"(", "reason": "r"}])");
        site.examination.checks.clear();
        site.add(std::string(cause->id).c_str(), "a", Verdict::fail);
        site.add(std::string(consequence->id).c_str(), "a", Verdict::fail);
        site.add(std::string(consequence->id).c_str(), "b", Verdict::fail);
        if (two) site.add(std::string(other->id).c_str(), "a", Verdict::fail);
        site.accept();
        CHECK(site.examination.checks[2].verdict == Verdict::fail);
        return site.examination.checks[1].verdict;
    };
    CHECK(verdict(false) == Verdict::accepted);
    CHECK(verdict(true) == Verdict::fail);
}

TEST_CASE("accepted: of what a plan found, and a last day that is past is told") {
    const auto findings = [](const std::string& today) {
        std::vector<Finding> out = {{.id = findings::no_carrier,
                                     .level = FindingLevel::failure,
                                     .port = "a",
                                     .text = "carrier is off",
                                     .remedy = "plug it in"},
                                    {.id = findings::no_carrier, .port = "b", .text = "off"}};
        accept(out, load(R"([{"finding": "no-carrier", "ports": ["a"], "reason": "the cable comes",
                         "until": "2026-12-01"}])"),
               {}, today);
        return out;
    };
    const auto now = findings(kToday);
    REQUIRE(now.size() == 2);
    CHECK(now[0].level == FindingLevel::accepted);
    CHECK(now[0].text == "carrier is off; the cable comes (accepted.json:1), until 2026-12-01");
    CHECK(now[0].remedy.empty());
    CHECK(now[1].level == FindingLevel::failure);
    CHECK(satisfied(Plan{.findings = {now[0]}}));
    CHECK_FALSE(satisfied(Plan{.findings = now}));
    const auto later = findings("2026-12-02");
    REQUIRE(later.size() == 3);
    CHECK(later[0].level == FindingLevel::failure);
    CHECK(later[2].id == findings::accepted_stale);
    CHECK(later[2].level == FindingLevel::note);
}

}  // namespace accepted_test
