// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string_view>

#include "core/checks/checks.hpp"
#include "core/gpus/pci_distance.hpp"
#include "core/model/shell.hpp"

// Whether GPUs and the NICs beside them reach each other on the bus.

namespace core {
namespace {

constexpr std::array<Keys, 1> kGpus = {"host.gpus"};
constexpr std::array<Keys, 4> kWay = {"host.gpus", "host.gpu_bridges", "host.gpu_acs", "pcie.path"};
constexpr std::array<Keys, 2> kGpusAndBridges = {"host.gpus", "host.gpu_bridges"};
/// What the distance of a port follows from, and which ports are the fastest.
constexpr std::array<Keys, 3> kPlace = {"pcie.path", "pcie.numa_node", "speed"};

const Gpus& gpus_of(const Evidence& evidence) {
    return *find_port(*evidence.state, kHost)->gpus;
}

std::string name_of(const Gpu& gpu) {
    return "GPU " + gpu.pci + (gpu.model.empty() ? "" : " (" + gpu.model + ")");
}

/// Whether programs of this host compute on it, and NICs reach its memory over the bus: one that is
/// given to a virtual machine is not this host's, what nobody has a driver for is reported as that,
/// and one on the root bus is the processor's own (GB10, an APU) or a virtual machine's flat bus
/// tells nothing of it.
bool is_used_here(const Gpu& gpu) {
    return (gpu.driver == "nvidia" || gpu.driver == "amdgpu") && !gpu.above.empty() &&
           gpu.model.find("GB10") == std::string::npos;
}

using Bridges = std::vector<const PciBridge*>;

/// `gpu` and what it is likely to send by.
struct Rails {
    const Gpu* gpu = nullptr;
    NearestPorts nearest{};
};

std::vector<Rails> rails_of(const Evidence& evidence, const GpuBus& bus) {
    const std::vector<const Port*> ports(evidence.fabric_ports.begin(),
                                         evidence.fabric_ports.end());
    std::vector<Rails> out;
    for (const Gpu& gpu : gpus_of(evidence).devices)
        if (is_used_here(gpu))
            out.push_back({.gpu = &gpu, .nearest = nearest_ports(gpu, bus, ports)});
    return out;
}

/// The bridges that redirect what GPUs and the ports that they are to send by write to each other.
std::set<std::string> redirecting_bridges(const GpuBus& bus, const Rails& rails) {
    std::set<std::string> out;
    for (const Port* port : rails.nearest.ports)
        for (const PciBridge* bridge : bus.between(*rails.gpu, *port).value_or(Bridges{}))
            if (redirects_peers(*bridge) == true) out.insert(bridge->pci);
    return out;
}

std::string joined(const std::set<std::string>& names, const char* by) {
    std::string out;
    for (const std::string& name : names)
        out.append(out.empty() ? "" : by).append(name);
    return out;
}

Faults redirected(const Evidence& evidence) {
    const GpuBus bus(gpus_of(evidence));
    const std::vector<Rails> all = rails_of(evidence, bus);
    // The kernel takes one list: each port's remedy has the bridges of all.
    std::set<std::string> of_all;
    for (const Rails& rails : all)
        of_all.merge(redirecting_bridges(bus, rails));
    Faults out;
    for (const Rails& rails : all) {
        if (std::ranges::find(rails.nearest.ports, evidence.now) == rails.nearest.ports.end())
            continue;
        const std::set<std::string> bridges =
            redirecting_bridges(bus, {.gpu = rails.gpu, .nearest = {.ports = {evidence.now}}});
        if (bridges.empty()) continue;
        out.push_back({.text = "what " + name_of(*rails.gpu) +
                               " and the port write to each other goes up to the processor: ACS "
                               "redirects it at " +
                               joined(bridges, ", "),
                       .remedy = "\"pci=disable_acs_redir=" + joined(of_all, ";") +
                                 "\" on the kernel's command line, unless the host gives these "
                                 "devices to virtual machines",
                       .names = {{"BRIDGE", shell(*bridges.begin())}}});
    }
    return out;
}

Faults far_from_rails(const Evidence& evidence) {
    const GpuBus bus(gpus_of(evidence));
    Faults out;
    for (const Rails& rails : rails_of(evidence, bus)) {
        // Where the place of one port is not known, that one may be near.
        const bool all_known = std::ranges::all_of(evidence.fabric_ports, [&](const Port* port) {
            return bus.distance(*rails.gpu, *port).has_value();
        });
        if (!all_known || !rails.nearest.distance || *rails.nearest.distance <= PciDistance::pxb ||
            bus.may_have_c2c(*rails.gpu))
            continue;
        out.push_back({.text = name_of(*rails.gpu) +
                               " has no port within PXB: " + rails.nearest.ports.front()->name +
                               " is " + std::string(text(*rails.nearest.distance))});
    }
    return out;
}

Faults without_driver(const Evidence& evidence) {
    Faults out;
    for (const Gpu& gpu : gpus_of(evidence).devices) {
        if (gpu.is_virtual || (!gpu.driver.empty() && gpu.driver != "nouveau")) continue;
        out.push_back({.text = "GPU " + gpu.pci + " (" + gpu.id + ") has " +
                               (gpu.driver.empty() ? "no driver"
                                                   : "the driver nouveau, which computes nothing"),
                       .names = {{"GPU", shell(gpu.pci)}}});
    }
    return out;
}

Faults small_window(const Evidence& evidence) {
    constexpr std::uint64_t small = 256;
    Faults out;
    for (const Gpu& gpu : gpus_of(evidence).devices) {
        if (!is_used_here(gpu) || gpu.bar == 0) continue;
        const bool part = gpu.memory && gpu.bar < *gpu.memory;
        if (gpu.bar > small && !part) continue;
        out.push_back({.text = name_of(gpu) + " shows " + std::to_string(gpu.bar) + " MiB" +
                               (gpu.memory ? " of " + std::to_string(*gpu.memory) : "") +
                               " of its memory to other devices",
                       .names = {{"GPU", shell(gpu.pci)}}});
    }
    return out;
}

/// An idle GPU lowers the speed of its lanes, and keeps their number.
Faults narrow(const Evidence& evidence) {
    Faults out;
    for (const Gpu& gpu : gpus_of(evidence).devices)
        if (is_used_here(gpu) && gpu.width != 0 && gpu.width < gpu.max_width)
            out.push_back({.text = "the PCI Express link of " + name_of(gpu) + " has " +
                                   std::to_string(gpu.width) + " lanes, the GPU can use " +
                                   std::to_string(gpu.max_width),
                           .names = {{"GPU", shell(gpu.pci)}}});
    return out;
}

constexpr std::array kRowsGpus = {
    FindingRow{.id = "gpu-no-driver",
               .level = FindingLevel::note,
               .why = "No program can use the GPU, and nothing registers its memory for RDMA.",
               .remedy = "load the vendor's driver",
               .manual = "rocectl-gpu(7), DRIVERS",
               .needs = {.keys = kGpus},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "the host does not compute on it",
                         .test = "lspci -k -s GPU, and dmesg: why the driver did not take it"},
               .run = without_driver},
    FindingRow{
        .id = "gpu-acs",
        .level = FindingLevel::note,
        .why = "GPUDirect RDMA is then as slow as the way through the processor, and on some "
               "machines it ends with a local protection error.",
        .remedy = "\"pci=disable_acs_redir=BRIDGE\" on the kernel's command line",
        .manual = "rocectl-gpu(7), ACS",
        .needs = {.keys = kWay, .beside = kPlace},
        .examines = CheckTarget::port,
        .cause = {.ruled_out_by = "the host gives the GPU or the NIC to virtual machines, which "
                                  "needs the redirection",
                  .test = "lspci -vv -s BRIDGE, ACSCtl: ReqRedir, CmpltRedir and EgressCtrl"},
        .run = redirected},
    FindingRow{
        .id = "gpu-far",
        .level = FindingLevel::note,
        .why = "NCCL uses GPUDirect RDMA up to PXB unless told otherwise: beyond, data goes "
               "through the memory of the host, at about half the bandwidth.",
        .remedy = "another slot for the NIC; in a virtual machine a topology file "
                  "(NCCL_TOPO_FILE)",
        .manual = "rocectl-gpu(7), DISTANCE",
        .needs = {.keys = kGpusAndBridges, .beside = kPlace},
        .examines = CheckTarget::host,
        .cause = {.ruled_out_by = "the host's processors have no switch of PCI Express between "
                                  "GPUs and NICs, and the job is measured with NCCL_NET_GDR_LEVEL",
                  .test = "rocectl show --gpus; nvidia-smi topo -m"},
        .run = far_from_rails},
    FindingRow{.id = "gpu-bar-small",
               .level = FindingLevel::note,
               .why =
                   "Memory beyond it cannot be registered for RDMA: ibv_reg_mr fails, or the job "
                   "copies through the host.",
               .remedy = "resizable BAR, or above 4G decoding, in the firmware setup",
               .manual = "rocectl-gpu(7), DRIVERS",
               .needs = {.keys = kGpus},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "jobs register less than that",
                         .test = "lspci -vv -s GPU, the regions and Physical Resizable BAR"},
               .run = small_window},
    FindingRow{
        .id = "gpu-narrow",
        .level = FindingLevel::note,
        .why = "What the NIC takes from the GPU's memory cannot come faster than over that link.",
        .remedy = "seat the card anew, another slot, or the slot's lanes in the firmware setup",
        .manual = "rocectl-gpu(7), DRIVERS",
        .needs = {.keys = kGpus},
        .examines = CheckTarget::host,
        .cause = {.ruled_out_by = "the machine is built so",
                  .test = "lspci -vv -s GPU, LnkCap and LnkSta"},
        .run = narrow},
};

constexpr auto kAllGpus = each_of(kRowsGpus);

}  // namespace

const FindingGroup finding_group::gpus{
    .name = "gpus",
    .doc = "Whether GPUs and the NICs beside them reach each other on the bus.",
    .rows = kAllGpus};

}  // namespace core
