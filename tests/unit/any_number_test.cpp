// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <utility>

#include "core/doctor/diagnosis.hpp"
#include "core/doctor/examination.hpp"
#include "core/json/json.hpp"
#include "core/profile/draft.hpp"
#include "tests/unit/broken_hosts.hpp"
#include "tests/unit/effort.hpp"
#include "tests/unit/hosts.hpp"

// Where one of eight is meant a kernel, or a driver, may have any number that its attribute holds;
// and a state holds what was recorded of a host, which may be any part of it.

namespace any_number_test {

using namespace core;

namespace {

/// A number, and how much more each further place of a list has.
struct Any {
    std::uint64_t number = 0;
    std::uint64_t step = 0;
};

/// The value with the number in every place where it has one.
Value with_number(const Value& value, const Any& any) {
    auto [number, step] = any;
    if (std::holds_alternative<std::uint64_t>(value)) return number;
    if (const auto* numbers = std::get_if<Numbers>(&value)) {
        Numbers out(std::max<std::size_t>(numbers->size(), 1));
        for (std::uint64_t& one : out)
            one = std::exchange(number, number + step);
        return out;
    }
    const auto* record = std::get_if<Record>(&value);
    if (record == nullptr) return value;
    Record out = *record;
    for (auto& [name, part] : out)
        if (std::holds_alternative<std::uint64_t>(part)) part = number;
    return out;
}

/// The port with the number wherever the field has one; nothing where it has none.
std::optional<Port> with_number(const Port& port, const Field& field, const Any& number) {
    Elements elements = field.get(port).value_or(Elements{});
    bool any = false;
    for (auto& [element, value] : elements) {
        Value other = with_number(value, number);
        any = any || !(other == value);
        value = std::move(other);
    }
    if (!any) return std::nullopt;
    Port out = port;
    field.set(out, elements);
    return out;
}

/// What ended at the state, of all that looks at one; empty where nothing did.
std::string what_ends(const State& state, const DesiredState& desired_values) {
    try {
        for (const DesiredState* known :
             {&desired_values, static_cast<const DesiredState*>(nullptr)}) {
            const Diagnosis found = diagnose({.now = &state,
                                              .earlier = &state,
                                              .seconds = 60,
                                              .twice = true,
                                              .desired_values = known});
            for (const Check& check : found.examination.checks)
                if (check.verdict == Verdict::crash) return std::string(check.row->id);
        }
        static_cast<void>(make_plan(desired_values, state));
        std::vector<const Port*> ports;
        for (const Port& port : state.ports)
            ports.push_back(&port);
        static_cast<void>(draft_profile(state, ports, "host"));
        static_cast<void>(written(state));
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("law: no number that a kernel may have ends what looks at it") {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    constexpr std::array any = {Any{8, 0}, Any{8, 1}, Any{50, 0}, Any{most, 0}};
    std::size_t tried = 0;
    unsigned turn = 0;
    for (const Driver* driver : drivers()) {
        const DesiredState desired_values = hosts::lossless(std::string(driver->name));
        const State state =
            make_plan(desired_values, hosts::host(std::string(driver->name))).predicted;
        for (std::size_t i = 0; i < state.ports.size(); ++i)
            for (const Field& field : fields())
                for (const Any& number : any) {
                    if (turn++ % effort::tries(1, 7) != 0) continue;
                    std::optional<Port> port = with_number(state.ports[i], field, number);
                    if (!port) continue;
                    State other = state;
                    other.ports[i] = std::move(*port);
                    const std::string what = what_ends(other, desired_values);
                    CHECK_MESSAGE(what.empty(), driver->name, " ", field.key, " ", number.number,
                                  ": ", what);
                    ++tried;
                }
    }
    CHECK(tried > effort::tries(1000, 140));
}

TEST_CASE("law: no part that a state does not hold ends what looks at it") {
    const std::filesystem::path tests = ROCECTL_SOURCE_DIR "/tests";
    const DesiredState nothing_desired;
    std::size_t tried = 0;
    unsigned turn = 0;
    for (const char* folder : {"states", "hosts"})
        for (const auto& entry : std::filesystem::directory_iterator(tests / folder)) {
            if (entry.path().extension() != ".json") continue;
            const std::string file = entry.path().lexically_relative(tests).string();
            const State host = broken_hosts::whole(Json::parse(broken_hosts::source(file)));
            for (const ObjectRow* row : objects()) {
                if (turn++ % effort::tries(1, 7) != 0) continue;
                State less = host;
                for (Port& port : less.ports)
                    copy_part(row->object, Port(port.name), port);
                CHECK_NOTHROW(static_cast<void>(fabric_ports(less, nullptr)));
                const std::string what = what_ends(less, nothing_desired);
                CHECK_MESSAGE(what.empty(), file, " without ", row->name, ": ", what);
                ++tried;
            }
        }
    CHECK(tried > effort::tries(1000, 140));
}

}  // namespace any_number_test
