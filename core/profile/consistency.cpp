// SPDX-License-Identifier: Apache-2.0
#include "core/profile/consistency.hpp"

#include <algorithm>
#include <iterator>

#include "core/checks/catalogue.hpp"
#include "core/checks/rows.hpp"

namespace core {
namespace {

/// A port that holds only what is claimed. The driver comes last: where it lets trust follow from
/// the map, setting trust would store nothing, and what was asked would be lost.
Port described(const std::vector<const Wish*>& claims, const Driver& driver) {
    Port port;
    for (const Wish* claim : claims)
        set_element(port, *claim->field, claim->element, claim->value);
    port.device = Device{.driver = std::string(driver.name), .firmware = {}};
    return port;
}

std::vector<const Wish*> about(const std::vector<Wish>& claims, const FindingRow& row) {
    std::vector<const Wish*> out;
    for (const std::string_view key : row.needs)
        for (const Wish& claim : claims)
            if (claim.field->key == key) out.push_back(&claim);
    return out;
}

/// The first stated one, in the order in which the check names its keys.
const Wish* to_blame(const std::vector<const Wish*>& claims) {
    const auto stated =
        std::ranges::find_if(claims, [](const Wish* claim) { return !is_derived(claim->origin); });
    return stated == claims.end() ? claims.front() : *stated;
}

bool knows_all(const std::vector<const Wish*>& claims, const FindingRow& row,
               const std::set<const Field*>& open) {
    return std::ranges::all_of(row.needs, [&](std::string_view key) {
        const Field* field = find_field(key);
        return !open.contains(field) && std::ranges::any_of(claims, [&](const Wish* claim) {
            return claim->field == field;
        });
    });
}

void run(const FindingRow& row, const std::vector<const Wish*>& on, const Driver& driver,
         std::vector<Fault>& faults) {
    if (auto text = row.fails(driver, described(on, driver)))
        faults.push_back({row, std::move(*text), std::string(row.remedy), to_blame(on)});
}

const Wish* claim_of(const std::vector<Wish>& claims, std::string_view key,
                     const std::string& element) {
    for (const Wish& claim : claims)
        if (claim.field->key == key && claim.element == element) return &claim;
    return nullptr;
}

/// What only the intent tells: which priority and code point are those of the CNPs.
void check_cnp(const std::vector<Wish>& claims, const Intent::Cnp& cnp,
               std::vector<Fault>& faults) {
    const std::string dscp = std::to_string(cnp.dscp.value);
    const Wish* pfc = claim_of(claims, "pfc.priorities", "");
    const auto* lossless =
        pfc == nullptr || !pfc->value ? nullptr : std::get_if<Numbers>(&*pfc->value);
    const auto is_lossless = [&](std::uint64_t priority) {
        return lossless != nullptr && std::ranges::find(*lossless, priority) != lossless->end();
    };
    if (is_lossless(cnp.priority.value))
        faults.push_back({findings::cnp_lossless,
                          "priority " + std::to_string(cnp.priority.value) +
                              " of congestion notifications is made lossless: they would wait "
                              "behind the traffic they are to slow down",
                          "pfc.priorities without it", pfc});
    const Wish* mapped = claim_of(claims, "dscp.map", dscp);
    if (mapped == nullptr) return;
    const auto* priority = mapped->value ? std::get_if<std::uint64_t>(&*mapped->value) : nullptr;
    if (priority == nullptr) {
        faults.push_back({findings::cnp_not_mapped,
                          "DSCP " + dscp + " of congestion notifications is not to be mapped",
                          "roce.cnp null, or no null here", mapped});
    } else if (is_lossless(*priority) && *priority != cnp.priority.value) {
        faults.push_back({findings::cnp_lossless,
                          "DSCP " + dscp +
                              " of congestion notifications is mapped to lossless "
                              "priority " +
                              std::to_string(*priority),
                          "another priority for it", mapped});
    }
}

/// Where the ECN bits of the ToS are those of the packets, they have to say ECT.
void check_ect(const std::vector<Wish>& claims, const Intent& intent, const Driver& driver,
               std::vector<Fault>& faults) {
    const Wish* claim = claim_of(claims, "rdma.default_tos", "");
    if (claim == nullptr || !claim->value || intent.ecn.value == 0 || !driver.cm_defaults.tos_carries_ecn)
        return;
    const std::uint64_t tos = std::get<std::uint64_t>(*claim->value);
    if ((tos & 3U) != 0 || tos >> 2U != intent.dscp.value) return;
    faults.push_back({findings::tos_not_ect,
                      "ToS " + std::to_string(tos) + " is DSCP " + std::to_string(tos >> 2U) +
                          " without ECT, which " + std::string(driver.name) +
                          " sends as it stands: switches drop where they could mark, and "
                          "roce.ecn is true",
                      "rdma.default_tos " + std::to_string(tos | 2U) + ", or roce.ecn false",
                      claim});
}

/// A pause stops all that shares the class, and what shares the buffer takes the room that is
/// kept for what arrives after the pause. What is derived for some driver is not to blame.
void check_sharing(const std::vector<Wish>& claims, std::string_view key, const char* what,
                   std::vector<Fault>& faults) {
    const Wish* claim = claim_of(claims, key, "");
    const Wish* pfc = claim_of(claims, "pfc.priorities", "");
    if (claim == nullptr || pfc == nullptr || is_derived(claim->origin)) return;
    if (!claim->value || !pfc->value) return;
    const auto& shared = std::get<Numbers>(*claim->value);
    const auto& lossless = std::get<Numbers>(*pfc->value);
    const auto is_lossless = [&](std::uint64_t priority) {
        return std::ranges::find(lossless, priority) != lossless.end();
    };
    for (const std::uint64_t priority : lossless)
        for (std::size_t other = 0; other < shared.size(); ++other) {
            if (is_lossless(other) || shared[other] != shared[priority]) continue;
            faults.push_back(
                {findings::lossless_shared,
                 "lossless priority " + std::to_string(priority) + " shares " + what + ' ' +
                     std::to_string(shared[other]) + " with priority " + std::to_string(other) +
                     ", which may drop",
                 std::string(key) + " that keeps priority " + std::to_string(priority) + " apart",
                 claim});
            return;
        }
}

}  // namespace

std::vector<Fault> inconsistencies(const std::vector<Wish>& claims,
                                   const std::optional<Intent>& intent,
                                   const std::optional<Fabric>& fabric, const Driver& driver,
                                   const std::set<const Field*>& open) {
    std::vector<Fault> faults;
    const auto link = std::ranges::find_if(
        claims, [](const Wish& claim) { return claim.field->key == "rdma.link"; });
    for (const FindingRow* const each : catalogue()) {
        const FindingRow& row = *each;
        if (row.fails == nullptr) continue;
        std::vector<const Wish*> on = about(claims, row);
        const bool elements =
            row.needs.size() == 1 && is_collection(find_field(row.needs.front())->shape);
        if (elements) {
            // Each element by itself, so that the one at fault is the one to blame.
            for (const Wish* claim : on)
                if (claim->value) run(row, {claim}, driver, faults);
            continue;
        }
        if (!knows_all(on, row, open)) continue;
        // What the intent says of CNPs is judged below, as the intent says it.
        const Wish* first = claim_of(claims, row.needs.front(), "");
        if (group_of(row).name == "congestion" && first != nullptr && is_derived(first->origin))
            continue;
        if (link != claims.end()) on.push_back(&*link);  // the RDMA MTU depends on its type
        run(row, on, driver, faults);
    }
    if (intent && intent->cnp) check_cnp(claims, *intent->cnp, faults);
    if (intent) check_ect(claims, *intent, driver, faults);
    check_sharing(claims, "ets.traffic_class", "traffic class", faults);
    check_sharing(claims, "buffer.of_priority", "buffer", faults);
    if (fabric)
        std::ranges::move(disagreements(claims, intent, *fabric), std::back_inserter(faults));
    return faults;
}

}  // namespace core
