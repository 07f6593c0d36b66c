// SPDX-License-Identifier: Apache-2.0
#include "core/objects/dcb/parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/bits.hpp"
#include "core/model/selectors.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::ets {

namespace {

constexpr std::array<std::string_view, 4> kAlgorithms = {"strict", "cb_shaper", "ets", "vendor"};

Got get_algorithm(const Port& port) {
    if (!port.ets) return std::nullopt;
    Words words;
    for (const std::uint8_t algorithm : port.ets->algorithm)
        words.emplace_back(kAlgorithms.at(std::min<std::size_t>(algorithm, 3)));
    return one(words);
}

void set_algorithm(Port& port, const Elements& elements) {
    auto& algorithms = part_of<&Port::ets>(port).algorithm;
    algorithms = {};
    const auto words = plain<Words>(elements);
    for (std::size_t i = 0; i < std::min(words.size(), algorithms.size()); ++i) {
        const auto found = std::ranges::find(kAlgorithms, words[i]);
        const auto index = static_cast<std::uint8_t>(found - kAlgorithms.begin());
        algorithms.at(i) = index == 3 ? Ets::vendor : index;
    }
}

bool has_dscp_app(const Port& port) {
    return port.app && std::ranges::any_of(port.app->entries, [](const AppEntry& entry) {
               return entry.selector == AppEntry::dscp;
           });
}

bool is_fixed(const Driver& driver, const Port& port) {
    return driver.ets.fixed_with_dscp && has_dscp_app(port);
}

/// Where the class of a priority is fixed, that of one without a class of its own leads nowhere.
bool same_classes(const Port& port, const Value& left, const Value& right) {
    const auto* one = std::get_if<Numbers>(&left);
    const auto* other = std::get_if<Numbers>(&right);
    if (one == nullptr || other == nullptr || one->size() != other->size()) return false;
    // Where APP was not read, an entry may be there.
    const Driver& driver = driver_of(port);
    const bool may_be_fixed = driver.ets.fixed_with_dscp && !port.app;
    if (!may_be_fixed && !is_fixed(driver, port)) return *one == *other;
    return std::equal(one->begin(), one->begin() + classes_of(port), other->begin());
}

bool same_bandwidth(const Port& port, const Value& left, const Value& right) {
    const auto* one = std::get_if<Numbers>(&left);
    const auto* other = std::get_if<Numbers>(&right);
    if (one == nullptr || other == nullptr || one->size() != other->size()) return false;
    for (std::size_t i = 0; i < one->size(); ++i) {
        const bool shares = !port.ets || port.ets->algorithm.at(i) == Ets::shared;
        if (shares && (*one)[i] != (*other)[i]) return false;
    }
    return true;
}

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("ets.traffic_class", {.kind = list, .max = 7},
            "Traffic class of each priority, from priority 0 to 7 (IEEE 802.1Q 37).",
            get_numbers<&Port::ets, &Ets::traffic_class>,
            set_numbers<&Port::ets, &Ets::traffic_class>, same_classes),
    setting("ets.algorithm", {.kind = words, .words = kAlgorithms},
            "Transmission selection algorithm of each traffic class, from class 0 to 7.",
            get_algorithm, set_algorithm),
    setting("ets.bandwidth", {.kind = list, .max = 100},
            "Share of each traffic class in percent; the classes with algorithm ets sum to 100.",
            get_numbers<&Port::ets, &Ets::bandwidth>, set_numbers<&Port::ets, &Ets::bandwidth>,
            same_bandwidth),
    fact("ets.capability", {.kind = number, .max = 8},
         "How many traffic classes the port has; 0 stands for 8.",
         get_number<&Port::ets, &Ets::capability>, set_number<&Port::ets, &Ets::capability>),
    fact("ets.willing", {.kind = flag}, "The port takes ETS from its peer by DCBX.",
         get_flag<&Port::ets, &Ets::willing>, set_flag<&Port::ets, &Ets::willing>),
};

}  // namespace

std::uint8_t classes_of(const Port& port) {
    const bool said = port.ets && port.ets->capability != 0;
    return std::min<std::uint8_t>(said ? port.ets->capability : kPriorities, kPriorities);
}

bool is_never_written(const Driver& driver, const Port& port) {
    if (!driver.ets.zero_until_written || !port.ets) return false;
    if (port.dcbx && (port.dcbx->bits & Dcbx::host) == 0) return false;
    constexpr PerPriority<std::uint8_t> zeros{};
    return port.ets->traffic_class == zeros && port.ets->algorithm == zeros &&
           port.ets->bandwidth == zeros;
}

namespace {

unsigned classes_used(const Ets& ets) {
    unsigned used = 0;
    for (const std::uint8_t traffic_class : ets.traffic_class)
        used |= bit_of(traffic_class);
    return used;
}

Reason illegal_algorithm(const Driver& driver, const Ets& ets) {
    for (const std::uint8_t algorithm : ets.algorithm) {
        if (algorithm == Ets::vendor && !driver.ets.takes_vendor)
            return std::string(driver.name) + " takes no algorithm vendor";
        if (algorithm == Ets::cb_shaper && !driver.ets.takes_cb_shaper)
            return std::string(driver.name) + " takes no algorithm cb_shaper";
    }
    return std::nullopt;
}

/// drivers/net/ethernet/broadcom/bnxt/bnxt_dcb.c bnxt_ets_validate, whose loop over the classes
/// ends before the highest one that a priority is in (6.12.117 and 7.3.4).
Reason illegal_below_highest(const Driver& driver, const Ets& ets) {
    const auto classes = static_cast<std::size_t>(std::bit_width(classes_used(ets)));
    unsigned total = 0;
    std::optional<std::size_t> starved;
    for (std::size_t i = 0; i + 1 < classes; ++i) {
        if (ets.algorithm.at(i) != Ets::shared) continue;
        total += ets.bandwidth.at(i);
        if (ets.bandwidth.at(i) == 0) starved = i;
    }
    constexpr unsigned whole = 100;
    if (total > whole)
        return "the shares of the ets classes below the highest one in use sum to " +
               std::to_string(total) + ", and " + std::string(driver.name) + " takes up to 100";
    if (total == whole && starved)
        return "traffic class " + std::to_string(*starved) +
               " shares 0 percent beside classes that share all, which " +
               std::string(driver.name) + " refuses";
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
        if (driver.ets.zero_share_refused && ets.bandwidth.at(i) == 0)
            return "traffic class " + std::to_string(i) + " shares 0 percent";
        if (driver.ets.empty_share_refused && i >= classes)
            return "traffic class " + std::to_string(i) + " shares, but no priority is in it";
    }
    if (driver.ets.shares_below_checked) return illegal_below_highest(driver, ets);
    if (driver.ets.shares_checked && shares && total != 100)
        return "the shares of the ets classes sum to " + std::to_string(total) + ", not 100";
    return std::nullopt;
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (Reason reason = dcbx::owned_by_agent(driver, now)) return reason;
    const std::uint8_t classes = classes_of(now);
    for (const std::uint8_t traffic_class : then.ets->traffic_class)
        if (traffic_class >= classes && !is_fixed(driver, now))
            return "the port has " + std::to_string(classes) + " traffic classes, and no class " +
                   std::to_string(traffic_class);
    const unsigned used = classes_used(*then.ets);
    if (driver.ets.classes_contiguous && (used & (used + 1)) != 0)
        return "the traffic classes in use have a gap, at which " + std::string(driver.name) +
               " resets all QoS";
    if (Reason reason = illegal_algorithm(driver, *then.ets)) return reason;
    if (is_never_written(driver, then) && now.pfc && now.pfc->priorities != 0)
        return "PFC is on, and reads as nothing once ETS is all zeros";
    return illegal_shares(driver, *then.ets);
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (!now.ets) return std::nullopt;  // no op: answered with yes, and nothing is stored
    if (refuses(driver, now, then)) return Refusal{.code = EINVAL, .text = "Invalid argument"};
    const PerPriority<std::uint8_t> classes = now.ets->traffic_class;
    now.ets = then.ets;
    if (is_fixed(driver, now)) now.ets->traffic_class = classes;
    for (std::size_t i = 0; i < kPriorities; ++i)
        if (driver.ets.no_share_unless_ets && now.ets->algorithm.at(i) != Ets::shared)
            now.ets->bandwidth.at(i) = 0;
    if (driver.reopens) link::reopen(now);
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
    std::string line = "dcb ets set dev " + shell(now.name);
    if (now.ets->traffic_class != then.ets->traffic_class)
        line += list("prio-tc", then.ets->traffic_class, number);
    if (now.ets->algorithm != then.ets->algorithm)
        line += list("tc-tsa", then.ets->algorithm, algorithm);
    if (now.ets->bandwidth != then.ets->bandwidth)
        line += list("tc-bw", then.ets->bandwidth, number);
    return {line};
}

Uncertainty uncertainty(const Driver& driver, const Port& port) {
    return is_never_written(driver, port) ? Uncertainty::shown : Uncertainty::none;
}

Reason remarks(const Driver& driver, const Host& /*host*/, const Port& now, const Port& /*then*/) {
    if (!is_never_written(driver, now)) return std::nullopt;
    return std::string(driver.name) +
           " answers zeros until it was told ETS, so that what the NIC has now is not known; undo "
           "sets zeros, which is all in traffic class 0 and no PFC" +
           (driver.ets.zero_shown_by.empty() ? "" : "; " + std::string(driver.ets.zero_shown_by));
}

constexpr std::array kConsults = {Object::dcbx, Object::app, Object::pfc};

Objects disturbs(const Driver& driver) {
    return dcbx::disturbed_by_qos(driver);
}

constexpr std::array kAtBoot = {
    AtBoot{"*", BootProgram::services, "lldpad.service", false},
    AtBoot{"ets.*", BootProgram::network_manager, "dcb.*", false},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::ets,
    .name = "ets",
    .doc = "Priorities, traffic classes and their shares.",
    .topic = Topic::dcb,
    .lives = Lives::hardware,
    .fields = kFields,
    .alike = true,
    .refuses = refuses,
    .play = play,
    .read = {.intents = true, .uncertainty = uncertainty},
    .order = {.consults = kConsults, .by_driver = kAllByDriver, .disturbs = disturbs},
    .chosen_by = {.others = Others::firmware | Others::dcb_agent | Others::udev_rule},
    .words = {.remarks = remarks, .spell = spell, .by_family = true},
    .boot = {.programs = kAtBoot}};

}  // namespace core::ets
