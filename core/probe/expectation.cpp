// SPDX-License-Identifier: Apache-2.0
#include "core/probe/expectation.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "core/error.hpp"
#include "core/probe/report.hpp"

namespace core::probe {
namespace {

struct Figure {
    std::string_view name;
    bool bandwidth;
    double (*of)(const Trial& trial);
};

template <int PerMille>
double percentile(const Trial& trial) {
    return static_cast<double>(trial.latency->times.percentile(PerMille / 10.0));
}

constexpr std::array kFigures = {
    Figure{"min", false,
           [](const Trial& t) { return static_cast<double>(t.latency->times.min()); }},
    Figure{"p50", false, percentile<500>},
    Figure{"p90", false, percentile<900>},
    Figure{"p99", false, percentile<990>},
    Figure{"p99.9", false, percentile<999>},
    Figure{"max", false,
           [](const Trial& t) { return static_cast<double>(t.latency->times.max()); }},
    Figure{"mean", false, [](const Trial& t) { return t.latency->times.mean(); }},
    Figure{"bandwidth", true, [](const Trial& t) { return t.bandwidth->gigabits() * 1e9; }},
    Figure{"messages", true, [](const Trial& t) { return t.bandwidth->million_messages() * 1e6; }},
};

struct Unit {
    std::string_view name;
    double factor;
};
constexpr std::array kTimes = {Unit{"ns", 1}, Unit{"us", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}};
constexpr std::array kRates = {Unit{"Gb/s", 1e9}, Unit{"Mb/s", 1e6}, Unit{"kb/s", 1e3}};
constexpr std::array kMessages = {Unit{"M/s", 1e6}, Unit{"k/s", 1e3}, Unit{"/s", 1}};

[[noreturn]] void refuse(std::string_view text, const std::string& found,
                         const std::string& expected) {
    throw Error(Status::usage, "--expect: '" + std::string(text) + "': found '" + found +
                                   "', expected " + expected);
}

const Figure* find_figure(std::string_view name) {
    for (const Figure& figure : kFigures)
        if (figure.name == name) return &figure;
    return nullptr;
}

std::span<const Unit> units_of(const Figure& figure) {
    if (!figure.bandwidth) return kTimes;
    if (figure.name == "messages") return kMessages;
    return kRates;
}

std::string names(std::span<const Unit> units) {
    std::string out;
    for (const Unit& unit : units) {
        out += out.empty() ? "" : ", ";
        out += unit.name;
    }
    return out;
}

/// The value and its unit.
void take_value(Expectation& out, std::string_view part, const Figure& figure) {
    double number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    const std::string_view unit(end, static_cast<std::size_t>(part.data() + part.size() - end));
    if (error == std::errc() && number >= 0 && std::isfinite(number))
        for (const Unit& one : units_of(figure))
            if (one.name == unit) {
                out.value = number * one.factor;
                out.unit = unit;
                out.factor = one.factor;
                return;
            }
    refuse(out.text, std::string(part), "a number with its unit: " + names(units_of(figure)));
}

Operation operation_in(std::string_view text, std::string_view part) {
    if (const auto found = find_operation(part)) return *found;
    refuse(text, std::string(part),
           "send, write, read, tcp, rpc or tcp-rpc, and a figure of it: write.p99<10us");
}

}  // namespace

Expectation parse_expectation(std::string_view text) {
    const std::size_t sign = text.find_first_of("<>");
    if (sign == std::string_view::npos)
        refuse(text, std::string(text), "a figure, < or >, and a value: write.p99<10us");
    const std::string_view left = text.substr(0, sign);
    const std::size_t dot = left.find('.');
    Expectation out{.text = std::string(text),
                    .operation = operation_in(text, left.substr(0, dot)),
                    .below = text[sign] == '<'};
    const std::string_view name = dot == std::string_view::npos ? "" : left.substr(dot + 1);
    const Figure* figure = find_figure(name);
    if (figure == nullptr)
        refuse(text, std::string(name),
               "min, p50, p90, p99, p99.9, max, mean, bandwidth or messages");
    out.figure = name;
    out.bandwidth = figure->bandwidth;
    std::string_view right = text.substr(sign + 1);
    if (right.starts_with('=')) {
        out.or_equal = true;
        right.remove_prefix(1);
    }
    take_value(out, right, *figure);
    return out;
}

Outcome judge(const Expectation& expectation, const PathReport& report) {
    Outcome out{.expectation = expectation};
    const Figure* figure = find_figure(expectation.figure);
    for (const Trial& trial : report.trials) {
        const bool measured =
            expectation.bandwidth ? trial.bandwidth.has_value() : trial.latency.has_value();
        if (trial.operation != expectation.operation || !measured || trial.back) continue;
        const double found = figure->of(trial);
        const bool worse =
            !out.measured || (expectation.below ? found > *out.measured : found < *out.measured);
        if (worse) out.measured = found;
    }
    if (out.measured)
        out.met = (expectation.below ? *out.measured < expectation.value
                                     : *out.measured > expectation.value) ||
                  (expectation.or_equal && *out.measured == expectation.value);
    return out;
}

}  // namespace core::probe
