// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/checks/checks.hpp"

// Where the settings of a port and the configuration of the switches cannot both be meant.

namespace core {
namespace {

std::string place(const Origin& origin) {
    return " (" + text(origin) + ")";
}

/// `3 or 4`
std::string any_of(const Numbers& numbers) {
    std::string out;
    for (const std::uint64_t number : numbers)
        out += (out.empty() ? "" : " or ") + std::to_string(number);
    return out;
}

class Agreement {
public:
    explicit Agreement(const Evidence& evidence)
        : desired_values_(evidence.desired_values),
          switches_(*evidence.switches),
          pfc_(find_desired(evidence, "pfc.priorities")) {
        const Intent* intent = evidence.intent;
        if (intent != nullptr) roce_ = intent->dscp.value;
        if (intent != nullptr && intent->cnp) cnp_ = intent->cnp->dscp.value;
        by_tag_ = intent != nullptr && trusts_tag(*intent);
        if (pfc_ != nullptr && pfc_->value) lossless_ = std::get<Numbers>(*pfc_->value);
    }

    Faults code_points() {
        for (const Desired& desired : desired_values_)
            if (desired.value && desired.field->key == "dscp.map") code_point(desired);
        return std::move(faults_);
    }

    Faults notifications() {
        for (const Desired& desired : desired_values_)
            if (desired.value && desired.field->key == "dscp.map") notification(desired);
        return std::move(faults_);
    }

    Faults types_of_service() {
        for (const Desired& desired : desired_values_)
            if (desired.value && desired.field->key == "rdma.default_tos" && !by_tag_)
                type_of_service(desired);
        return std::move(faults_);
    }

    Faults flow_control() {
        if (pfc_ != nullptr && pfc_->value && switches_.lossless) hold_priorities();
        return std::move(faults_);
    }

private:
    [[nodiscard]] bool is_lossless(std::uint64_t priority) const {
        return std::ranges::find(lossless_, priority) != lossless_.end();
    }

    [[nodiscard]] std::string in_priority(std::uint64_t priority) const {
        std::string out = "priority " + std::to_string(priority);
        if (switches_.loses(priority)) out += ", which is not lossless";
        if (switches_.keeps(priority)) out += ", which is lossless";
        return out;
    }

    /// Whether somebody means the code point, and it was not given a priority beside the others.
    [[nodiscard]] bool is_meant(const Desired& desired) const {
        const std::uint64_t dscp = std::stoul(desired.element);
        return !is_derived(desired.origin) || dscp == roce_ || dscp == cnp_;
    }

    /// Code points that would do instead: those that the switch puts into the priority.
    [[nodiscard]] Numbers others(std::uint64_t priority) const {
        Numbers out;
        for (const auto& [dscp, given] : switches_.dscp_map)
            if (given.value == priority) out.push_back(dscp);
        return out;
    }

    /// Whether the switch keeps what the code point of CNPs gets; that is said by itself.
    [[nodiscard]] bool keeps_cnps(std::uint64_t dscp, const SwitchSettings::Priority& there) const {
        return dscp == cnp_ && switches_.keeps(there.value);
    }

    /// One code point in two priorities.
    void code_point(const Desired& desired) {
        const std::uint64_t dscp = std::stoul(desired.element);
        const auto* here = std::get_if<std::uint64_t>(&*desired.value);
        const SwitchSettings::Priority* there = switches_.priority_of(dscp);
        if (here == nullptr || there == nullptr || !is_meant(desired)) return;
        if (keeps_cnps(dscp, *there) || *here == there->value) return;
        std::string text = "DSCP " + desired.element + " gets priority " + std::to_string(*here) +
                           " here, but from the switch ";
        text += in_priority(there->value) + place(there->origin);
        const std::string key = desired.origin.derived_from.empty()
                                    ? "in dscp.map"
                                    : "for " + desired.origin.derived_from;
        const Numbers instead = others(*here);
        std::string remedy;
        if (!instead.empty() && !switches_.loses(*here)) {
            remedy = "DSCP " + any_of(instead) + " " + key +
                     ", which the switch puts into priority " + std::to_string(*here);
        } else if (!is_lossless(*here) || switches_.keeps(there->value)) {
            remedy = "priority " + std::to_string(there->value) + " for it";
        }
        remedy += remedy.empty() ? "" : ", or ";
        remedy += "switch.dscp_map " + desired.element + ": " + std::to_string(*here) +
                  " in the profile once the switches are set so";
        faults_.push_back({.text = std::move(text), .remedy = std::move(remedy), .at = &desired});
    }

    void notification(const Desired& desired) {
        const std::uint64_t dscp = std::stoul(desired.element);
        const SwitchSettings::Priority* there = switches_.priority_of(dscp);
        if (!std::holds_alternative<std::uint64_t>(*desired.value) || there == nullptr) return;
        if (!keeps_cnps(dscp, *there)) return;
        faults_.push_back({.text = "DSCP " + std::to_string(dscp) +
                                   " of congestion notifications gets from the switch " +
                                   in_priority(there->value) + place(there->origin) +
                                   ": they would wait behind the traffic they are to slow down",
                           .at = &desired});
    }

    /// A ToS whose code point the port's own map does not name.
    void type_of_service(const Desired& desired) {
        const auto* tos = std::get_if<std::uint64_t>(&*desired.value);
        if (tos == nullptr || lossless_.empty()) return;
        const std::uint64_t dscp = *tos >> 2U;
        const bool mapped = std::ranges::any_of(desired_values_, [&](const Desired& other) {
            return other.field->key == "dscp.map" && other.value &&
                   other.element == std::to_string(dscp) && is_meant(other);
        });
        const SwitchSettings::Priority* there = switches_.priority_of(dscp);
        if (mapped || there == nullptr || !switches_.loses(there->value)) return;
        faults_.push_back({.text = "ToS " + std::to_string(*tos) + " is DSCP " +
                                   std::to_string(dscp) + ", which gets from the switch " +
                                   in_priority(there->value) + place(there->origin),
                           .remedy = "a ToS whose DSCP the switch puts into a lossless priority",
                           .at = &desired});
    }

    /// Whether the port sends anything that is in the priority here or at the switch.
    [[nodiscard]] bool uses(std::uint64_t priority) const {
        return std::ranges::any_of(desired_values_, [&](const Desired& desired) {
            if (desired.field->key != "dscp.map" || !desired.value || !is_meant(desired))
                return false;
            if (std::stoul(desired.element) == cnp_) return false;  // said by itself
            const auto* here = std::get_if<std::uint64_t>(&*desired.value);
            const SwitchSettings::Priority* there =
                switches_.priority_of(std::stoul(desired.element));
            return here != nullptr &&
                   (there == nullptr ? *here == priority : there->value == priority);
        });
    }

    void hold_priorities() {
        const std::string there = text(Value(switches_.lossless->priorities));
        std::string why;
        for (const std::uint64_t priority : lossless_)
            if (!switches_.keeps(priority))
                why = "packets of priority " + std::to_string(priority) + " are dropped there";
        for (const std::uint64_t priority : switches_.lossless->priorities)
            if (why.empty() && !is_lossless(priority) && uses(priority))
                why = "its pauses of priority " + std::to_string(priority) + " are not obeyed";
        if (why.empty()) return;
        faults_.push_back(
            {.text = "PFC is on for " + text(Value(lossless_)) + ", but the switch makes " + there +
                     " lossless" + place(switches_.lossless->origin) + ": " + why,
             .remedy = "pfc.priorities " + there + ", or switch.lossless " +
                       text(Value(lossless_)) + " in the profile once the switches are set so",
             .at = pfc_});
    }

    std::span<const Desired> desired_values_;
    const SwitchSettings& switches_;
    const Desired* pfc_ = nullptr;
    std::optional<std::uint64_t> roce_;
    std::optional<std::uint64_t> cnp_;
    bool by_tag_ = false;  ///< the switch looks at no DSCP either
    Numbers lossless_;     ///< priorities of the port
    Faults faults_;
};

constexpr std::array<Keys, 1> kMapped = {"dscp.map"};
constexpr std::array<Keys, 1> kMarked = {"rdma.default_tos"};
constexpr std::array<Keys, 1> kPaused = {"pfc.priorities"};

Faults code_points(const Evidence& evidence) {
    return Agreement(evidence).code_points();
}

Faults kept_notifications(const Evidence& evidence) {
    return Agreement(evidence).notifications();
}

Faults lost_tos(const Evidence& evidence) {
    return Agreement(evidence).types_of_service();
}

Faults one_sided_pauses(const Evidence& evidence) {
    return Agreement(evidence).flow_control();
}

constexpr std::array kRowsAgreement = {
    FindingRow{.id = "switch-dscp",
               .why = "A packet that port and switch put into different priorities is paused on "
                      "one side and dropped on the other.",
               .remedy = "dscp.map as on the switch, or the switches set as dscp.map, and then "
                         "switch.dscp_map in the profile",
               .manual = "rocectl-profile(5), SWITCH",
               .needs = {.desired = kMapped, .switches = true},
               .run = code_points},
    FindingRow{
        .id = "switch-cnp-lossless",
        .why = "A notification that the switch keeps in a lossless priority waits there behind the "
               "traffic it is to slow down.",
        .remedy =
            "a code point for roce.cnp.dscp that the switch puts into a priority that may drop",
        .manual = "rocectl-profile(5), SWITCH",
        .needs = {.desired = kMapped, .intent = true, .switches = true},
        .run = kept_notifications},
    FindingRow{.id = "switch-tos-lossy",
               .why = "Connections made by rdma_cm carry the default ToS; the switch drops what "
                      "its DSCP does not lead to a lossless priority.",
               .remedy = "rdma.default_tos whose DSCP the switch puts into a lossless priority",
               .manual = "rocectl-profile(5), SWITCH",
               .needs = {.desired = kMarked, .switches = true},
               .run = lost_tos},
    FindingRow{.id = "switch-lossless",
               .why = "A priority is lossless only where both ends of the link pause it.",
               .remedy = "pfc.priorities as on the switch, or the switches set as pfc.priorities, "
                         "and then switch.lossless in the profile",
               .manual = "rocectl-profile(5), SWITCH",
               .needs = {.desired = kPaused, .switches = true},
               .run = one_sided_pauses},
};
constexpr auto kAllAgreement = each_of(kRowsAgreement);

}  // namespace

const FindingGroup finding_group::agreement{
    .name = "switch",
    .doc = "Whether ports and switches agree, as far as the profile states what the switches do.",
    .rows = kAllAgreement};

}  // namespace core
