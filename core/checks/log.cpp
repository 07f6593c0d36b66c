// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"

// What the kernel itself has said since the host was started.

namespace core {
namespace {

constexpr std::array<Keys, 1> kLog = {"host.kernel_log"};

/// The last line of the kind, and when it was.
Faults logged(const Evidence& evidence, std::string_view kind) {
    const LogLine* last = nullptr;
    std::size_t lines = 0;
    for (const LogLine& line : *evidence.now->kernel_log) {
        if (line.kind != kind) continue;
        ++lines;
        if (last == nullptr || last->milliseconds <= line.milliseconds) last = &line;
    }
    if (last == nullptr) return {};
    constexpr std::uint64_t second = 1000;
    return fault("the kernel's log, " + std::to_string(last->milliseconds / second) +
                 " s after the start" + (lines > 1 ? ", the last of several" : "") + ": " +
                 last->text);
}

constexpr FindingRow line_of(std::string_view id, FindingLevel level, std::string_view why,
                             std::string_view remedy, std::string_view ruled_out_by,
                             Faults (*run)(const Evidence&), std::span<const Ids> explains = {}) {
    return {.id = id,
            .level = level,
            .why = why,
            .remedy = remedy,
            .manual = "rocectl-doctor(8), HOST",
            .needs = {.keys = kLog},
            .examines = CheckTarget::host,
            .cause = {.explains = explains,
                      .ruled_out_by = ruled_out_by,
                      .test = "dmesg --level emerg,alert,crit,err,warn"},
            .run = run};
}

using enum FindingLevel;

/// What the line tells of is counted by the device too.
constexpr std::array<Ids, 2> kOfDeviceLine = {"device-unhealthy", "device-recovered"};
constexpr std::array<Ids, 1> kOfNeighbourLine = {"neighbours-near-limit"};
constexpr std::array<Ids, 1> kOfPeermemLine = {"gpu-direct-absent"};
constexpr std::array<Ids, 1> kOfTopologyLine = {"gpu-direct-absent"};
constexpr std::array<Ids, 2> kOfBusLine = {"pcie-fatal-errors", "pcie-errors"};

constexpr std::array kRowsLog = {
    line_of(
        "log-device-fatal", failure,
        "The driver lost the device: what uses it fails until it is recovered.",
        "devlink health of the device; its firmware, and the vendor's support",
        "the line is of before the last recovery, and devlink health is healthy",
        [](const Evidence& evidence) { return logged(evidence, "device-fatal"); }, kOfDeviceLine),
    line_of("log-overheating", failure,
            "A module or device that is too hot slows down or switches itself off.",
            "air: fans, blanks, dust; another module or cable",
            "ethtool -m shows its temperature "
            "below the warning",
            [](const Evidence& evidence) { return logged(evidence, "overheating"); }),
    line_of(
        "log-aer-fatal", failure,
        "PCI Express lost what the device sent: transfers fail, or the device resets.",
        "the device in another slot or with another riser; its firmware",
        "the line is of another device than a NIC",
        [](const Evidence& evidence) { return logged(evidence, "aer-fatal"); }, kOfBusLine),
    line_of(
        "log-aer", note,
        "PCI Express repeats what was garbled on its way: slow, and a sign of worse to come.",
        "the device in another slot or with another riser",
        "aer_dev_correctable of the device does not grow",
        [](const Evidence& evidence) { return logged(evidence, "aer"); }, kOfBusLine),
    line_of("log-slot-power", note,
            "The slot offers less power than the device asks for. Some run at full speed "
            "nevertheless, some at a fraction.",
            "the slot's power in the firmware's setup; the device's extra cable",
            "a bandwidth test reaches the speed of the port",
            [](const Evidence& evidence) { return logged(evidence, "slot-power"); }),
    line_of("log-memory-keys", failure,
            "The device has no memory keys left: ibv_reg_mr fails though memory is there.",
            "end what registers without end (rdma resource show mr); more keys in the firmware",
            "rdma resource show lists few of them",
            [](const Evidence& evidence) { return logged(evidence, "memory-keys"); }),
    line_of("log-module-mismatch", failure,
            "A module was built for another kernel or beside another stack, as where the vendor's "
            "and the distribution's are mixed: it is not loaded.",
            "one stack: the vendor's installed anew for this kernel, or removed",
            "lsmod lists the module",
            [](const Evidence& evidence) { return logged(evidence, "module-mismatch"); }),
    line_of(
        "gpu-peermem-mismatch", failure,
        "nvidia_peermem was built beside another ib_core, or beside one without peer memory, and "
        "is "
        "not loaded: GPUDirect RDMA is left to dma-buf.",
        "the NIC vendor's RDMA stack for this kernel, and then the GPU's driver built anew; or, "
        "with NVIDIA's open modules, which need it not, no nvidia_peermem",
        "rocectl show --gpus says ready, by dma-buf",
        [](const Evidence& evidence) { return logged(evidence, "gpu-peermem-mismatch"); },
        kOfPeermemLine),
    line_of(
        "gpu-topology-refused", failure,
        "NVIDIA's driver refused a NIC the GPU's memory for where the two are on the bus: what "
        "asked for it went on through memory of the host, or ended.",
        "by the line: the NIC below one switch with the GPU; ACS so that the IOMMU groups are "
        "equal "
        "(rocectl-gpu(7)); a newer driver of the NIC. Before driver 595 some platforms need "
        "NVreg_GrdmaPciTopoCheckOverride=1 of the module nvidia",
        "the line is of before the driver was loaded anew",
        [](const Evidence& evidence) { return logged(evidence, "gpu-topology-refused"); },
        kOfTopologyLine),
    line_of("log-module-rejected", failure,
            "Secure Boot takes only modules that are signed with a key it knows.",
            "the key of who built the module enrolled (mokutil --import), or Secure Boot off",
            "lsmod lists the module",
            [](const Evidence& evidence) { return logged(evidence, "module-rejected"); }),
    line_of(
        "log-neighbours-full", failure,
        "The table of neighbours is full: new addresses are not resolved, and connecting "
        "fails with 110 (ETIMEDOUT).",
        "host.sysctl net.ipv4.neigh.default.gc_thresh3 above the number of neighbours",
        "table_fulls in /proc/net/stat/arp_cache does not grow",
        [](const Evidence& evidence) { return logged(evidence, "neighbours-full"); },
        kOfNeighbourLine),
    line_of("log-pause-storm", failure,
            "The NIC paused its sender for so long that the driver took it for a storm: a receiver "
            "that does not keep up, or hangs.",
            "what keeps this host from receiving: PCIe, IOMMU, memory, a hanging device",
            "the line is of a time when the host was starting or under a debugger",
            [](const Evidence& evidence) { return logged(evidence, "pause-storm"); }),
};

constexpr auto kAllLog = each_of(kRowsLog);

}  // namespace

const FindingGroup finding_group::log{
    .name = "log",
    .doc = "What the kernel itself has said since the host was started.",
    .rows = kAllLog};

}  // namespace core
