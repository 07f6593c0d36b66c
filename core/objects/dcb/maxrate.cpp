// SPDX-License-Identifier: Apache-2.0
#include "core/objects/dcb/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>

#include "core/model/access.hpp"
#include "core/model/selectors.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::maxrate {

namespace {

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("maxrate", {.kind = list, .max = kU32},
            "Most each traffic class sends, from class 0 to 7, in kbit/s; 0 is no limit. mlx5_core "
            "counts in 100000 up to 25500000 and in 1000000 above; newer NICs take more than "
            "255000000, "
            "or count in 100000 up to 6553500000, since Linux 7.0.",
            get_numbers<&Port::maxrate, &MaxRate::kbit>,
            set_numbers<&Port::maxrate, &MaxRate::kbit>),
};

std::string kbit(std::uint64_t rate) {
    return std::to_string(rate) + " kbit/s";
}

/// Why the device would not hold exactly this limit.
Reason inexact(const Driver& driver, std::uint64_t rate) {
    if (rate == 0 || driver.maxrate.steps.empty()) return std::nullopt;
    auto row = std::ranges::find_if(driver.maxrate.steps,
                                    [&](const RateStep& one) { return rate <= one.up_to; });
    const std::string name(driver.name);
    const bool higher = row == driver.maxrate.steps.end();
    if (higher && driver.maxrate.higher_since != Release{}) row = std::prev(row);
    if (row == driver.maxrate.steps.end())
        return kbit(rate) + " is above " + std::to_string(driver.maxrate.steps.back().up_to) +
               ", the highest limit of " + name + "; 0 is no limit";
    if (rate % row->step == 0) return std::nullopt;
    const std::uint64_t below = rate - rate % row->step;
    const std::uint64_t stored =
        driver.maxrate.rounds_up ? below + row->step : std::max(below, row->step);
    return name + " would store " + kbit(rate) + " as " + std::to_string(stored) +
           ", expected a multiple of " + std::to_string(row->step);
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    for (std::size_t i = 0; i < kPriorities; ++i) {
        const std::uint64_t rate = then.maxrate->kbit.at(i);
        if (rate == now.maxrate->kbit.at(i)) continue;
        if (const Reason reason = inexact(driver, rate))
            return "traffic class " + std::to_string(i) + ": " + *reason;
    }
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (!now.maxrate) return std::nullopt;  // no op: answered with yes, and nothing is stored
    if (refuses(driver, now, then)) return Refusal{.code = EINVAL, .text = "Invalid argument"};
    now.maxrate = then.maxrate;
    return std::nullopt;
}

/// Above the last step.
Reason remarks(const Driver& driver, const Host& host, const Port& now, const Port& then) {
    if (driver.maxrate.higher_since == Release{}) return std::nullopt;
    const std::uint64_t most = driver.maxrate.steps.back().up_to;
    for (std::size_t i = 0; i < kPriorities; ++i) {
        const std::uint64_t rate = then.maxrate->kbit.at(i);
        if (rate == now.maxrate->kbit.at(i) || rate <= most) continue;
        return kbit(rate) + " is above " + std::to_string(most) + ", and " +
               std::string(driver.name) + " takes that since Linux " +
               core::text(driver.maxrate.higher_since) +
               " and on newer NICs alone, which cannot be told beforehand (this is " + host.kernel +
               "): the write may be refused";
    }
    return std::nullopt;
}

/// As dcb-maxrate(8) says. iproute2 6.1 takes the rate for bytes a second and hands that on.
Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    std::string line = "dcb maxrate set dev " + shell(now.name) + " tc-maxrate";
    for (std::size_t i = 0; i < kPriorities; ++i)
        if (now.maxrate->kbit.at(i) != then.maxrate->kbit.at(i))
            line +=
                " " + std::to_string(i) + ":" + std::to_string(then.maxrate->kbit.at(i)) + "kbit";
    return {line};
}

}  // namespace

constinit const ObjectRow row = {.object = Object::maxrate,
                                 .name = "maxrate",
                                 .doc = "Rate limits of the traffic classes.",
                                 .topic = Topic::dcb,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .alike = true,
                                 .refuses = refuses,
                                 .play = play,
                                 .order = {.by_driver = kAllByDriver},
                                 .chosen_by = {.others = Others::dcb_agent},
                                 .words = {.remarks = remarks, .spell = spell}};

}  // namespace core::maxrate
