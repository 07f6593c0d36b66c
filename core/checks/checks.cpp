// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"

#include <bit>
#include <charconv>
#include <iterator>

#include "core/objects/link/parts.hpp"

namespace core {
namespace {

/// `ETS and the other end's PFC have 3 too`; empty where nothing else has it.
std::string confirmed(const Evidence& evidence) {
    std::string names;
    bool several = false;
    for (const PriorityHint& one : priority_hints(*evidence.now, std::nullopt)) {
        if (one.priority != evidence.roce->priority || one.name == "PFC") continue;
        several = !names.empty();
        names.append(several ? " and " : "").append(one.name);
    }
    if (names.empty()) return {};
    return names + (several ? " have " : " has ") + std::to_string(evidence.roce->priority) +
           " too";
}

/// How the two stand to each other, and what tells which of them was changed.
std::string weighed(const Evidence& evidence, const std::string& other, const char* suspect) {
    const std::string confirming = confirmed(evidence);
    const std::string ends = "; no profile says which of the two was changed";
    if (evidence.roce->by != IntentSource::settings || confirming.empty())
        return "but " + other + ends;
    return "but " + other + ", and " + confirming + ", so that " + suspect +
           " is likelier to be what was changed" + "; no profile says so";
}

bool is_certain(const EffectiveIntent& roce) {
    return roce.by == IntentSource::profile || roce.by == IntentSource::ports;
}

std::string meant(unsigned priority) {
    return "RoCE is meant to have priority " + std::to_string(priority) + ", as at the switch";
}

/// Both ways, where nobody says which.
void add_other(Fault& fault, const EffectiveIntent& roce, unsigned priority, Desired fix) {
    fault.when = meant(roce.priority);
    fault.other = OtherFix{.when = meant(priority), .fix = {std::move(fix)}};
}

Desired map_desired(const Evidence& evidence, unsigned priority) {
    return fixed(*evidence.now, "dscp.map", std::uint64_t{priority},
                 std::to_string(evidence.roce->dscp));
}

}  // namespace

std::string priorities_text(std::uint8_t priorities) {
    std::string out;
    for (unsigned i = 0; i < kPriorities; ++i)
        if (((unsigned{priorities} >> i) & 1U) != 0)
            out += (out.empty() ? "" : ", ") + std::to_string(i);
    return out.empty() ? "none" : out;
}

std::vector<const Port*> senders_of(const Evidence& evidence) {
    const auto by_itself = [&](std::string_view name) {
        return name != evidence.now->name && evidence.index->is_of_fabric(name);
    };
    std::vector<const Port*> out = evidence.index->senders_by(*evidence.now);
    std::erase_if(out, [&](const Port* sender) {
        const bool vlan = sender->link && sender->link->kind == "vlan";
        return by_itself(sender->name) || (vlan && by_itself(sender->link->lower));
    });
    return out;
}

std::string siblings_words(const Evidence& evidence) {
    return siblings_words(evidence.index->fabrics(), *evidence.host_fabric);
}

std::string siblings_words(const HostFabrics& fabrics, const HostFabric& fabric) {
    std::string out = "the other ports of its kind";
    if (!fabric.name.empty()) return out + " in fabric " + fabric.name;
    if (fabrics.all().size() == 1) return out;
    return out + " in the fabric that " + fabric.ports.front()->name +
           " is of, as driver, speed and subnets tell,";
}

std::vector<Address> reachable_addresses(const Port& port) {
    std::vector<Address> out;
    if (port.addresses)
        std::ranges::copy_if(*port.addresses, std::back_inserter(out),
                             [](const Address& address) { return !is_link_local(address.ip); });
    return out;
}

std::string intended(const EffectiveIntent& roce) {
    const std::string priority = "priority " + std::to_string(roce.priority);
    if (roce.by == IntentSource::profile) return "RoCE is meant to have " + priority;
    if (roce.by == IntentSource::ports) return "other ports of this host have RoCE in " + priority;
    return "RoCE seems to have " + priority + ", which no profile says";
}

Faults opposed_pfc(const Evidence& evidence, Desired fix) {
    const Port& port = *evidence.now;
    const EffectiveIntent& roce = *evidence.roce;
    const std::uint8_t kept = port.pfc->priorities;
    const std::string said = "PFC is on for priority " + priorities_text(kept) + ", ";
    const bool leads =
        trusts_dscp(port) != false && priority_of_dscp(port, roce.dscp) == unsigned{roce.priority};
    if (is_certain(roce) || !leads) return fault(said + intended(roce), std::move(fix));
    const std::string other =
        "DSCP " + std::to_string(roce.dscp) + " has priority " + std::to_string(roce.priority);
    Faults out = fault(said + weighed(evidence, other, "PFC"), std::move(fix));
    if (std::has_single_bit(kept)) {
        const auto priority = static_cast<unsigned>(std::countr_zero(kept));
        add_other(out.front(), roce, priority, map_desired(evidence, priority));
    }
    return out;
}

Faults opposed_map(const Evidence& evidence, unsigned priority) {
    const EffectiveIntent& roce = *evidence.roce;
    const std::string said =
        "DSCP " + std::to_string(roce.dscp) + " has priority " + std::to_string(priority) + ", ";
    Desired fix = map_desired(evidence, roce.priority);
    if (is_certain(roce) || !is_lossless(*evidence.now, roce.priority))
        return fault(said + intended(roce), std::move(fix));
    const std::string other = "PFC is on for priority " + std::to_string(roce.priority);
    Faults out = fault(said + weighed(evidence, other, "the DSCP map"), std::move(fix));
    add_other(out.front(), roce, priority,
              fixed(*evidence.now, "pfc.priorities", Numbers{priority}));
    return out;
}

std::vector<StatedVariable> stated_variables(const Evidence& evidence) {
    const Port& host = *find_port(*evidence.state, kHost);
    std::vector<StatedVariable> out;
    for (const ProcessVariable& variable : *host.environments)
        out.push_back({.who = variable.program + " (" + std::to_string(variable.process) + ')',
                       .name = variable.name,
                       .value = variable.value});
    if (host.nccl)
        for (const auto& [name, value] : *host.nccl)
            out.push_back({.who = "/etc/nccl.conf", .name = name, .value = value, .of_file = true});
    if (host.ucx)
        for (const auto& [name, value] : *host.ucx)
            out.push_back(
                {.who = "/etc/ucx/ucx.conf", .name = name, .value = value, .of_file = true});
    return out;
}

std::string to_start_anew(const StatedVariable& variable) {
    return variable.of_file ? "what reads " + variable.who + ", and start it anew"
                            : variable.who + " and start it anew";
}

double pcie_transfers(std::string_view speed) {
    double out = 0;
    std::from_chars(speed.data(), speed.data() + speed.size(), out);
    return out;
}

double pcie_capacity(std::string_view speed, std::uint32_t width) {
    const double rate = pcie_transfers(speed);
    const double coded = rate <= 5 ? 8.0 / 10 : rate <= 32 ? 128.0 / 130 : 1;
    return rate * coded * width;
}

double pcie_capacity_beside(const Evidence& evidence) {
    double out = 0;
    for (const Port* other : evidence.index->on_one_cable(*evidence.now))
        out += pcie_capacity(other->pcie_link->speed, other->pcie_link->width);
    return out;
}

std::string pcie_words(std::string_view speed, std::uint32_t width) {
    return std::string(speed) + " x" + std::to_string(width);
}

}  // namespace core
