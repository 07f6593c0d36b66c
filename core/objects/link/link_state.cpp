// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <array>
#include <span>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::link_state {

namespace {

constexpr std::array<std::string_view, 6> kAutoneg = {
    "no partner detected",          "ack not received",
    "next page exchange failed",    "no partner detected during force mode",
    "FEC mismatch during override", "no common mode"};
constexpr std::array<std::string_view, 4> kTraining = {
    "frame lock not acquired", "link inhibit timeout", "the other end has not set receiver ready",
    "remote fault"};
constexpr std::array<std::string_view, 5> kMismatch = {
    "PCS did not acquire block lock", "PCS did not acquire AM lock", "PCS did not get align status",
    "FC FEC is not locked", "RS FEC is not locked"};
constexpr std::array<std::string_view, 4> kSignal = {"large number of physical errors",
                                                     "unsupported rate",
                                                     "serdes reference clock lost", "serdes ALOS"};
constexpr std::array<std::string_view, 2> kCable = {"unsupported cable", "cable test failure"};
constexpr std::array<std::string_view, 1> kModule = {"CMIS module is not ready"};

struct StateRow {
    std::string_view name;
    std::span<const std::string_view> details{};  ///< from the substate 1 on
};
constexpr std::array kStates = {
    StateRow{"autonegotiation", kAutoneg},
    StateRow{"link training failure", kTraining},
    StateRow{"logical mismatch", kMismatch},
    StateRow{"bad signal integrity", kSignal},
    StateRow{"no cable"},
    StateRow{"cable issue", kCable},
    StateRow{"EEPROM issue"},
    StateRow{"calibration failure"},
    StateRow{"power budget exceeded"},
    StateRow{"overheat"},
    StateRow{"module", kModule},
};

using enum Shape::Kind;

constexpr std::array kFields = {
    fact("link_state.reason", {.kind = text},
         "Why there is no link, as the device tells it: no cable, autonegotiation, link training "
         "failure, logical mismatch, bad signal integrity, overheat, module and others.",
         get_text<&Port::link_state, &LinkState::reason>,
         set_text<&Port::link_state, &LinkState::reason>),
    fact("link_state.detail", {.kind = text}, "And more closely, where the device tells it.",
         get_text<&Port::link_state, &LinkState::detail>,
         set_text<&Port::link_state, &LinkState::detail>),
    fact("link_state.losses", {.kind = counter, .max = kU32},
         "How often the device itself saw the link go, where it counts that.",
         get_reported<&Port::link_state, &LinkState::losses>,
         set_reported<&Port::link_state, &LinkState::losses>),
};

constexpr std::array kFoundBy = {Object::link};

}  // namespace

std::string reason_word(unsigned state) {
    return state < kStates.size() ? std::string(kStates.at(state).name)
                                  : "state " + std::to_string(state);
}

std::string detail_word(unsigned state, unsigned substate) {
    if (substate == 0) return {};
    const auto details =
        state < kStates.size() ? kStates.at(state).details : std::span<const std::string_view>();
    return substate <= details.size() ? std::string(details[substate - 1])
                                      : "substate " + std::to_string(substate);
}

constinit const ObjectRow row = {.object = Object::link_state,
                                 .name = "link_state",
                                 .doc = "What the device knows of its link.",
                                 .topic = Topic::link,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .read = {.on_demand = true, .found_by = kFoundBy}};

}  // namespace core::link_state
