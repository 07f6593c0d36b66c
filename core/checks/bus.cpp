// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/checks/growth.hpp"
#include "core/model/cpus.hpp"

namespace core {
namespace {

constexpr std::array<Keys, 4> kPcie = {"pcie.link_speed", "pcie.link_width", "pcie.link_speed_max",
                                       "pcie.link_width_max"};
constexpr std::array<Keys, 3> kPcieAndSpeed = {"pcie.link_speed", "pcie.link_width", "speed"};
constexpr std::array<Keys, 1> kIommu = {"pcie.iommu"};
constexpr std::array<Keys, 2> kReadRequest = {"pcie.read_request", "speed"};
constexpr std::array<Keys, 2> kIrq = {"irq.local", "irq.interrupts"};
constexpr std::array<Ids, 1> kBusIsFast = {"pcie-slow"};
constexpr std::array<Keys, 1> kBusCounters = {"statistics"};
constexpr std::array<Meter, 1> kBusCongested = {Meter::bus_congested};

Faults slow(const Evidence& evidence) {
    const Port& port = *evidence.now;
    constexpr double thousand = 1000;
    const PcieLink& bus = *port.pcie_link;
    const double own = pcie_capacity(bus.speed, bus.width);
    const double beside = pcie_capacity_beside(evidence);
    const double carried = own + beside;
    const double needed = *port.speed / thousand;
    if (own <= 0 || carried >= needed) return {};
    return fault("the PCI Express link is " + pcie_words(bus.speed, bus.width) + ", about " +
                 std::to_string(static_cast<unsigned>(carried)) + " Gb/s" +
                 (beside > 0 ? " with the other functions on its cable" : "") + ", the port has " +
                 std::to_string(static_cast<unsigned>(needed)) + " Gb/s");
}

Faults degraded(const Evidence& evidence) {
    const PcieLink& bus = *evidence.now->pcie_link;
    const bool slower = pcie_transfers(bus.speed) < pcie_transfers(bus.max_speed);
    if (!slower && bus.width >= bus.max_width) return {};
    // A NIC with several links has its lanes on all of them.
    std::uint32_t lanes = 0;
    for (const Port* other : evidence.index->on_one_cable(*evidence.now))
        lanes = std::max(lanes, other->pcie_link->width);
    if (!slower && lanes != 0 && bus.width >= lanes) return {};
    if (lanes > bus.width)
        return fault("the PCI Express link is " + pcie_words(bus.speed, bus.width) +
                     ", another function on its cable has x" + std::to_string(lanes));
    return fault("the PCI Express link is " + pcie_words(bus.speed, bus.width) +
                 ", the device can do " + pcie_words(bus.max_speed, bus.max_width));
}

Faults translated(const Evidence& evidence) {
    const std::string& mode = evidence.now->pcie_link->iommu;
    if (!mode.starts_with("DMA")) return {};
    return fault("the IOMMU translates what the device reads and writes (" + mode + ")");
}

Faults small_reads(const Evidence& evidence) {
    const Port& port = *evidence.now;
    constexpr std::uint32_t fast = 100'000;
    constexpr std::uint32_t most = 4096;
    const std::uint32_t size = port.pcie->read_request;
    if (*port.speed < fast || size >= most ||
        is_desired(evidence, "pcie.read_request", std::uint64_t{size}))
        return {};
    return fault("the device asks memory for at most " + std::to_string(size) + " bytes at once",
                 fixed(port, "pcie.read_request", std::uint64_t{most}));
}

Faults congested(const Evidence& evidence) {
    return grown(evidence, Meter::bus_congested,
                 "PCI Express became too narrow for what the device had to move", true);
}

Faults far_interrupts(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const Interrupts& irq = *port.interrupts;
    std::size_t away = 0;
    for (const auto& [number, cpus] : irq.affinity)
        if (!cpus.empty() && !std::ranges::includes(irq.local, cpus)) ++away;
    if (irq.local.empty() || away == 0 || find_desired(evidence, "irq.affinity") != nullptr)
        return {};
    return fault(std::to_string(away) + " of " + std::to_string(irq.affinity.size()) +
                     " interrupts of the device may be handled away from its NUMA node (CPUs " +
                     text(irq.local) + ")",
                 fixed(port, "irq.affinity", std::string("local")));
}

constexpr std::array<Ids, 3> kOfSlowBus = {"pcie-degraded", "pfc-tx-storm", "rx-discards"};

constexpr std::array<Ids, 2> kOfCongestedBus = {"pfc-tx-storm", "rx-discards"};

constexpr std::array kRowsBus = {
    FindingRow{
        .id = "pcie-slow",
        .why = "The device cannot hand on what arrives at the speed of its link: its buffers "
               "fill, and it stops the fabric with PFC.",
        .remedy = "seat the card anew, another slot, or the slot's lanes in the firmware setup",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kPcieAndSpeed},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfSlowBus,
                  .ruled_out_by = "a loopback bandwidth test at the speed of the port",
                  .test = "lspci -vv, LnkCap and LnkSta of the device and of each bridge above"},
        .run = slow},
    FindingRow{
        .id = "pcie-degraded",
        .level = FindingLevel::note,
        .why = "The link to the device came up slower than the device can do. Some machines "
               "are built so.",
        .remedy = "seat the card anew, another slot, or the slot's lanes in the firmware setup",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kPcie, .sound = kBusIsFast},
        .examines = CheckTarget::port,
        .run = degraded},
    FindingRow{.id = "iommu-translating",
               .level = FindingLevel::note,
               .why =
                   "Each access of the device to memory is looked up; what is not in the IOMMU's "
                   "cache waits.",
               .remedy = "iommu=pt on the kernel's command line, unless devices are handed to "
                         "virtual machines",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kIommu},
               .examines = CheckTarget::port,
               .run = translated},
    FindingRow{
        .id = "pcie-congested",
        .why = "What the device cannot hand on to memory, or fetch from it, waits in its buffers, "
               "and when they are full it stops the fabric with PFC.",
        .remedy = "pcie.read_request 4096, the NIC and the memory or GPU it works with on one "
                  "NUMA node or switch of PCI Express, no IOMMU between them",
        .manual = "rocectl-doctor(8), COUNTERS",
        .needs = {.keys = kBusCounters, .before = true, .meters = kBusCongested},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfCongestedBus,
                  .ruled_out_by = "a test of bandwidth at the speed of the port, in which the "
                                  "counters stand still",
                  .test = "ethtool -S PORT, whether pci_bw_*_high is above pci_bw_*_low: then it "
                          "is so now"},
        .run = congested},
    FindingRow{.id = "read-request-small",
               .level = FindingLevel::note,
               .why = "At 100 Gb/s and more, reads of memory in small pieces do not keep the link "
                      "busy.",
               .remedy = "pcie.read_request 4096",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kReadRequest},
               .examines = CheckTarget::port,
               .run = small_reads},
    FindingRow{.id = "irq-remote",
               .level = FindingLevel::note,
               .why =
                   "An interrupt that is handled on another NUMA node costs each completion that "
                   "is waited for a way through the other node's memory.",
               .remedy = "irq.affinity local",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kIrq},
               .examines = CheckTarget::port,
               .run = far_interrupts},
};

constexpr auto kAllBus = each_of(kRowsBus);

}  // namespace

const FindingGroup finding_group::bus{
    .name = "bus", .doc = "Whether the device gets to memory and to CPUs.", .rows = kAllBus};

}  // namespace core
