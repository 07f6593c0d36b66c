// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cerrno>

#include "core/objects/rows.hpp"

namespace core {
namespace {

bool trusts_dscp(const Port& port) {
    return port.app && std::ranges::any_of(port.app->entries, [](const AppEntry& entry) {
               return entry.selector == AppEntry::dscp;
           });
}

unsigned classes_used(const Ets& ets) {
    unsigned used = 0;
    for (const std::uint8_t traffic_class : ets.traffic_class)
        used |= 1U << traffic_class;
    return used;
}

Reason illegal_algorithm(const Driver& driver, const Ets& ets) {
    for (const std::uint8_t algorithm : ets.algorithm) {
        if (algorithm == Ets::vendor && !driver.takes_vendor)
            return std::string(driver.name) + " takes no algorithm vendor";
        if (algorithm == Ets::cb_shaper && !driver.takes_cb_shaper)
            return std::string(driver.name) + " takes no algorithm cb_shaper";
    }
    return std::nullopt;
}

Reason illegal_shares(const Driver& driver, const Ets& ets) {
    const auto classes = static_cast<unsigned>(std::bit_width(classes_used(ets)));
    unsigned total = 0;
    bool shares = false;
    for (std::size_t i = 0; i < kPriorities; ++i) {
        if (ets.algorithm.at(i) != Ets::shared) continue;
        shares = true;
        total += ets.bandwidth.at(i);
        if (driver.zero_share_refused && ets.bandwidth.at(i) == 0)
            return "traffic class " + std::to_string(i) + " shares 0 percent";
        if (driver.zero_share_refused && i >= classes)
            return "traffic class " + std::to_string(i) + " shares, but no priority is in it";
    }
    if (driver.shares_checked && shares && total != 100)
        return "the shares of the ets classes sum to " + std::to_string(total) + ", not 100";
    return std::nullopt;
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (Reason reason = owned_by_agent(driver, now)) return reason;
    for (const std::uint8_t traffic_class : then.ets->traffic_class)
        if (traffic_class >= driver.classes_max)
            return "traffic class " + std::to_string(traffic_class) + " is above " +
                   std::to_string(driver.classes_max - 1);
    const unsigned used = classes_used(*then.ets);
    if (driver.classes_contiguous && (used & (used + 1)) != 0)
        return "the traffic classes in use have a gap, at which " + std::string(driver.name) +
               " resets all QoS";
    if (Reason reason = illegal_algorithm(driver, *then.ets)) return reason;
    return illegal_shares(driver, *then.ets);
}

Played play(const Driver& driver, Port& now, const Port& then) {
    if (!now.ets) return std::nullopt;  // no op: answered with yes, and nothing is stored
    if (refuses(driver, now, then)) return Refusal{.code = EINVAL, .text = "Invalid argument"};
    const PerPriority<std::uint8_t> classes = now.ets->traffic_class;
    now.ets = then.ets;
    if (driver.fixed_classes_with_dscp && trusts_dscp(now)) now.ets->traffic_class = classes;
    for (std::size_t i = 0; i < kPriorities; ++i)
        if (driver.no_share_unless_ets && now.ets->algorithm.at(i) != Ets::shared)
            now.ets->bandwidth.at(i) = 0;
    if (driver.reopens) reopen(now);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    const auto list = [](const char* name, const auto& values, const auto& word) {
        std::string out = std::string(" ") + name;
        for (std::size_t i = 0; i < kPriorities; ++i)
            out += " " + std::to_string(i) + ":" + word(values.at(i));
        return out;
    };
    const auto number = [](std::uint8_t value) { return std::to_string(value); };
    const auto algorithm = [](std::uint8_t value) -> std::string {
        switch (value) {
            case Ets::strict: return "strict";
            case Ets::cb_shaper: return "cb";
            case Ets::shared: return "ets";
            default: return "vendor";
        }
    };
    std::string line = "dcb ets set dev " + now.name;
    if (now.ets->traffic_class != then.ets->traffic_class)
        line += list("prio-tc", then.ets->traffic_class, number);
    if (now.ets->algorithm != then.ets->algorithm)
        line += list("tc-tsa", then.ets->algorithm, algorithm);
    if (now.ets->bandwidth != then.ets->bandwidth)
        line += list("tc-bw", then.ets->bandwidth, number);
    return {line};
}

constexpr std::array kConsults = {Object::dcbx, Object::app};

}  // namespace

constinit const ObjectRow ets_row = {.object = Object::ets,
                                     .name = "ets",
                                     .doc = "Priorities, traffic classes and their shares.",
                                     .copy = copy<&Port::ets>,
                                     .consults = kConsults,
                                     .refuses = refuses,
                                     .play = play,
                                     .spell = spell};

}  // namespace core
