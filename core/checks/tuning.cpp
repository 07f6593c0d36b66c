// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "core/checks/checks.hpp"

// Whether processors, memory and tables of the host are set up for RDMA.

namespace core {
namespace {

constexpr std::array<Keys, 1> kGovernors = {"host.cpu.governors"};
constexpr std::array<Keys, 1> kSysctl = {"host.sysctl"};
constexpr std::array<Keys, 2> kMoved = {"host.irqbalance", "irq.interrupts"};
constexpr std::array<Keys, 2> kSysctlAndNeighbours = {"host.sysctl", "neighbours_learned"};

constexpr std::array<std::string_view, 1> kNumaBalancing = {"kernel.numa_balancing"};
/// Of IPv4 and of IPv6.
constexpr std::array<std::string_view, 2> kNeighbourLimits = {"net.ipv4.neigh.default.gc_thresh3",
                                                              "net.ipv6.neigh.default.gc_thresh3"};

Faults slow_governor(const Evidence& evidence) {
    constexpr std::string_view best = "performance";
    std::string other;
    std::size_t policies = 0;
    for (const auto& [policy, governor] : *evidence.now->governor) {
        if (governor == best) continue;
        ++policies;
        other = governor;
    }
    const Desired* desired = find_desired(evidence, "host.cpu.governor");
    if (policies == 0 || (desired != nullptr && desired->value == Value(other))) return {};
    return fault(std::to_string(policies) + " of " +
                     std::to_string(evidence.now->governor->size()) +
                     " cpufreq policies have the governor " + other,
                 fixed(*evidence.now, "host.cpu.governor", std::string(best)));
}

std::optional<std::uint64_t> parameter(const Sysctl& all, std::string_view name) {
    const auto found = all.find(name);
    if (found == all.end()) return std::nullopt;
    std::uint64_t out = 0;
    const std::string& text = found->second;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
    return read.ec == std::errc() ? std::optional(out) : std::nullopt;
}

Faults balanced_memory(const Evidence& evidence) {
    const std::string name(kNumaBalancing.front());
    const auto on = parameter(*evidence.now->sysctl, name);
    if (on.value_or(0) == 0) return {};
    return fault("the kernel moves memory between NUMA nodes by itself (" + name + ' ' +
                     std::to_string(*on) + ')',
                 fixed(*evidence.now, "host.sysctl", std::string("0"), name));
}

/// Of all ports that were read: others have some too, so that the table is fuller than this.
std::uint64_t neighbours_of(const State& state, bool v6) {
    std::uint64_t out = 0;
    for (const Port& port : state.ports)
        if (port.neighbours)
            out += static_cast<std::uint64_t>(std::ranges::count_if(
                *port.neighbours,
                [&](const Neighbour& each) { return each.ip.v6 == v6 && !each.is_permanent(); }));
    return out;
}

/// Of the limit, from which on the kernel throws out what it still needs.
constexpr std::uint64_t kFullTenths = 8;

Faults full_tables(const Evidence& evidence) {
    Faults out;
    const Port& host = *find_port(*evidence.state, kHost);
    if (evidence.fabric_ports.front() != evidence.now) return out;  // told once
    for (const std::string_view each : kNeighbourLimits) {
        const std::string name(each);
        const auto limit = parameter(*host.sysctl, name);
        const std::uint64_t known = neighbours_of(*evidence.state, each == kNeighbourLimits.back());
        if (!limit || *limit == 0 || known * 10 < *limit * kFullTenths) continue;
        out.push_back({.text = "the ports know " + std::to_string(known) + " neighbours, and the " +
                               "kernel keeps at most " + std::to_string(*limit) + " (" + name + ')',
                       .fix = {fixed(host, "host.sysctl", std::to_string(*limit * 8), name)}});
    }
    return out;
}

/// Who has asked for CPUs is meant to keep them.
Faults moved_interrupts(const Evidence& evidence) {
    if (find_desired(evidence, "irq.affinity") == nullptr ||
        !*find_port(*evidence.state, kHost)->irqbalance)
        return {};
    return fault("irqbalance runs, and moves the interrupts that the profile has put on CPUs");
}

constexpr std::array kRowsTuning = {
    FindingRow{.id = "cpu-governor",
               .level = FindingLevel::note,
               .why = "A CPU that slows down while it waits takes time to come back: latencies "
                      "vary, and perftest says so.",
               .remedy = "host.cpu.governor performance",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kGovernors},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "programs poll all the time, and CPUs run at full speed",
                         .test = "cpupower frequency-info"},
               .run = slow_governor},
    FindingRow{.id = "numa-balancing",
               .level = FindingLevel::note,
               .why = "To see which node uses memory the kernel unmaps it now and then: programs "
                      "stop for that, and memory that is not registered moves away.",
               .remedy = "host.sysctl kernel.numa_balancing 0",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kSysctl, .named = kNumaBalancing},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "the host has one NUMA node"},
               .run = balanced_memory},
    FindingRow{
        .id = "neighbours-near-limit",
        .level = FindingLevel::note,
        .why = "A fabric with more hosts than the table of neighbours has room: the kernel "
               "forgets some to learn others, and connecting to these takes a second or "
               "fails with 110 (ETIMEDOUT).",
        .remedy = "host.sysctl of gc_thresh1, gc_thresh2 and gc_thresh3 for the whole fabric",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kSysctlAndNeighbours, .named = kNeighbourLimits},
        .examines = CheckTarget::port,
        .cause = {.ruled_out_by = "table_fulls in /proc/net/stat/arp_cache does not grow"},
        .run = full_tables},
    FindingRow{.id = "irqbalance-moves",
               .level = FindingLevel::note,
               .why = "What was put on the CPUs of the device's NUMA node is somewhere else after "
                      "ten seconds.",
               .remedy = "systemctl disable --now irqbalance, or IRQBALANCE_BANNED_CPULIST",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kMoved},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "irqbalance was told to leave these interrupts alone"},
               .run = moved_interrupts},
};

constexpr auto kAllTuning = each_of(kRowsTuning);

}  // namespace

const FindingGroup finding_group::tuning{
    .name = "tuning",
    .doc = "Whether processors, memory and tables of the host are set up for RDMA.",
    .rows = kAllTuning};

}  // namespace core
