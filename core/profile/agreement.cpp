// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/checks/rows.hpp"
#include "core/profile/consistency.hpp"

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
    Agreement(const std::vector<Wish>& claims, const std::optional<Intent>& intent,
              const Fabric& fabric)
        : claims_(claims), fabric_(fabric) {
        if (intent && intent->cnp) cnp_ = intent->cnp->dscp.value;
        by_tag_ = intent && trusts_tag(*intent);
        for (const Wish& claim : claims) {
            if (!claim.value) continue;
            if (claim.field->key == "pfc.priorities") {
                pfc_ = &claim;
                lossless_ = std::get<Numbers>(*claim.value);
            }
        }
    }

    std::vector<Fault> run() {
        for (const Wish& claim : claims_) {
            if (!claim.value) continue;
            if (claim.field->key == "dscp.map") code_point(claim);
            if (claim.field->key == "rdma.default_tos" && !by_tag_) type_of_service(claim);
        }
        if (pfc_ != nullptr && fabric_.lossless) flow_control();
        return std::move(faults_);
    }

private:
    [[nodiscard]] bool is_lossless(std::uint64_t priority) const {
        return std::ranges::find(lossless_, priority) != lossless_.end();
    }

    [[nodiscard]] std::string in_priority(std::uint64_t priority) const {
        std::string out = "priority " + std::to_string(priority);
        if (fabric_.loses(priority)) out += ", which is not lossless";
        if (fabric_.keeps(priority)) out += ", which is lossless";
        return out;
    }

    /// Code points that would do instead: those that the switch puts into the priority.
    [[nodiscard]] Numbers others(std::uint64_t priority) const {
        Numbers out;
        for (const auto& [dscp, given] : fabric_.dscp_map)
            if (given.value == priority) out.push_back(dscp);
        return out;
    }

    /// One code point in two priorities.
    void code_point(const Wish& claim) {
        const std::uint64_t dscp = std::stoul(claim.element);
        const auto* here = std::get_if<std::uint64_t>(&*claim.value);
        const Fabric::Priority* there = fabric_.priority_of(dscp);
        if (here == nullptr || there == nullptr) return;
        if (dscp == cnp_ && fabric_.keeps(there->value)) {
            notifications(claim, dscp, *there);
            return;
        }
        if (*here == there->value) return;
        std::string text = "DSCP " + claim.element + " gets priority " + std::to_string(*here) +
                           " here, but from the switch ";
        text += in_priority(there->value) + place(there->origin);
        const std::string key =
            claim.origin.derived_from.empty() ? "in dscp.map" : "for " + claim.origin.derived_from;
        const Numbers instead = others(*here);
        std::string remedy;
        if (!instead.empty() && !fabric_.loses(*here)) {
            remedy = "DSCP " + any_of(instead) + " " + key +
                     ", which the switch puts into priority " + std::to_string(*here);
        } else if (!is_lossless(*here) || fabric_.keeps(there->value)) {
            remedy = "priority " + std::to_string(there->value) + " for it";
        }
        remedy += remedy.empty() ? "" : ", or ";
        remedy += "switch.dscp_map " + claim.element + ": " + std::to_string(*here) +
                  " once the switches do so";
        faults_.push_back({findings::switch_dscp, std::move(text), std::move(remedy), &claim});
    }

    void notifications(const Wish& claim, std::uint64_t dscp, const Fabric::Priority& there) {
        faults_.push_back(
            {findings::switch_cnp_lossless,
             "DSCP " + std::to_string(dscp) + " of congestion notifications gets from the switch " +
                 in_priority(there.value) + place(there.origin) +
                 ": they would wait behind the traffic they are to slow down",
             "a code point for roce.cnp.dscp that the switch puts into a priority that may drop",
             &claim});
    }

    /// A ToS whose code point the port's own map does not name.
    void type_of_service(const Wish& claim) {
        const auto* tos = std::get_if<std::uint64_t>(&*claim.value);
        if (tos == nullptr || lossless_.empty()) return;
        const std::uint64_t dscp = *tos >> 2U;
        const bool mapped = std::ranges::any_of(claims_, [&](const Wish& other) {
            return other.field->key == "dscp.map" && other.value &&
                   other.element == std::to_string(dscp);
        });
        const Fabric::Priority* there = fabric_.priority_of(dscp);
        if (mapped || there == nullptr || !fabric_.loses(there->value)) return;
        faults_.push_back({findings::switch_tos_lossy,
                           "ToS " + std::to_string(*tos) + " is DSCP " + std::to_string(dscp) +
                               ", which gets from the switch " + in_priority(there->value) +
                               place(there->origin),
                           "a ToS whose DSCP the switch puts into a lossless priority", &claim});
    }

    /// Whether the port sends anything that is in the priority here or at the switch.
    [[nodiscard]] bool uses(std::uint64_t priority) const {
        return std::ranges::any_of(claims_, [&](const Wish& claim) {
            if (claim.field->key != "dscp.map" || !claim.value) return false;
            if (std::stoul(claim.element) == cnp_) return false;  // said by itself
            const auto* here = std::get_if<std::uint64_t>(&*claim.value);
            const Fabric::Priority* there = fabric_.priority_of(std::stoul(claim.element));
            return here != nullptr &&
                   (there == nullptr ? *here == priority : there->value == priority);
        });
    }

    void flow_control() {
        const std::string there = text(Value(fabric_.lossless->priorities));
        std::string why;
        for (const std::uint64_t priority : lossless_)
            if (!fabric_.keeps(priority))
                why = "packets of priority " + std::to_string(priority) + " are dropped there";
        for (const std::uint64_t priority : fabric_.lossless->priorities)
            if (why.empty() && !is_lossless(priority) && uses(priority))
                why = "its pauses of priority " + std::to_string(priority) + " are not obeyed";
        if (why.empty()) return;
        faults_.push_back({findings::switch_lossless,
                           "PFC is on for " + text(Value(lossless_)) + ", but the switch makes " +
                               there + " lossless" + place(fabric_.lossless->origin) + ": " + why,
                           "pfc.priorities " + there + ", or switch.lossless " +
                               text(Value(lossless_)) + " once the switches do so",
                           pfc_});
    }

    const std::vector<Wish>& claims_;
    const Fabric& fabric_;
    std::optional<std::uint64_t> cnp_;
    bool by_tag_ = false;  ///< the switch looks at no DSCP either
    const Wish* pfc_ = nullptr;
    Numbers lossless_;  ///< priorities of the port
    std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> disagreements(const std::vector<Wish>& claims,
                                 const std::optional<Intent>& intent, const Fabric& fabric) {
    return Agreement(claims, intent, fabric).run();
}

}  // namespace core
