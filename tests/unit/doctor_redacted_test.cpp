// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/checks/catalogue.hpp"
#include "core/json/json.hpp"
#include "core/redact/redaction.hpp"
#include "tests/unit/broken_hosts.hpp"
#include "tests/unit/effort.hpp"
#include "tests/unit/hosts.hpp"

namespace doctor_redacted_test {

using namespace core;
using namespace broken_hosts;

namespace {

/// What was found, by its letters and signs: several things may be named in another order.
using Reported = std::map<std::string, std::string>;

Reported reported_of(const Diagnosis& diagnosis, const State& now,
                     const std::function<std::string(const std::string&)>& spelled) {
    Reported out;
    for (const Check& check : diagnosis.examination.checks) {
        std::string text = check.reason;
        for (const Fault& fault : check.faults) {
            text += ' ' + fault.text + ' ' + fault.remedy;
            for (const std::string& command : fixing_commands(now, fault))
                text += ' ' + command;
        }
        const std::string whole = std::string(check.row->id) + ' ' + spelled(check.port) + ' ' +
                                  std::string(word(check.verdict)) + ' ' + spelled(text);
        std::string sorted = spelled(text);
        std::ranges::sort(sorted);
        out.emplace(std::string(check.row->id) + spelled(check.port) +
                        std::string(word(check.verdict)) + sorted,
                    whole);
    }
    for (const Suspect& cause : diagnosis.causes)
        out.emplace("cause " + std::string(cause.row->id), cause.row->id);
    return out;
}

/// What one tells and the other does not.
std::string only_in(const Reported& one, const Reported& other) {
    std::string out;
    for (const auto& [key, said] : one)
        if (!other.contains(key)) out += said + '\n';
    return out;
}

}  // namespace

TEST_CASE("law: of a redacted host doctor says what it says of the host, with the other names") {
    constexpr std::uint64_t seed = 99;
    std::size_t examined = 0;
    std::size_t reported = 0;
    const auto same = [&](const Json& state) {
        const State now = whole(state);
        const Redaction redaction(now, seed);
        StateFile host(redaction.state());
        const State other = hosts::read_all(host);
        const Diagnosis one = diagnose({.now = &now});
        const Diagnosis redacted = diagnose({.now = &other});
        const Reported here =
            reported_of(one, now, [&](const std::string& text) { return redaction.text(text); });
        const Reported there =
            reported_of(redacted, other, [](const std::string& text) { return text; });
        CHECK(only_in(here, there) == "");
        CHECK(only_in(there, here) == "");
        ++examined;
        reported += here.size();
    };
    for (const std::string name : {"gpu-rail", "e810", "mixed-nics", "db-cluster", "vlan-pcp"}) {
        CAPTURE(name);
        same(applied(name));
    }
    unsigned turn = 0;
    for (const Json& fault : faults()) {
        if (fault.contains("profile") || turn++ % effort::tries(1, 4) != 0) continue;
        CAPTURE(fault["id"]);
        const Mutant one = mutant(fault["of"], {fault});
        same(one.sound);
        same(one.broken);
    }
    CHECK(examined > effort::tries(100, 25));
    CHECK(reported > 500 * examined);
}

}  // namespace doctor_redacted_test
