// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "core/checks/checks.hpp"
#include "core/gpus/gpu_direct.hpp"
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

constexpr std::array<Keys, 3> kDirect = {"host.gpus", "host.gpu_bridges", "host.gpu.drivers"};
/// What a verdict of a GPU and a port follows from beside.
constexpr std::array<Keys, 7> kOfVerdict = {"host.gpu.peer_modules",
                                            "host.gpu.kernel_options",
                                            "host.data_direct",
                                            "rdma.dmabuf",
                                            "pcie.path",
                                            "pcie.numa_node",
                                            "speed"};
constexpr std::array<Keys, 3> kIommuGroups = {"host.gpus", "host.gpu_bridges", "host.data_direct"};
constexpr std::array<Keys, 3> kVariables = {"host.gpus", "host.gpu_bridges", "host.environments"};
constexpr std::array<Keys, 6> kOfVariables = {
    "host.nccl", "host.gpu.peer_modules", "host.gpu.peer_clients",
    "pcie.path", "pcie.numa_node",        "speed"};
constexpr std::array<Ids, 1> kOfIommuGroups = {"gpu-direct-absent"};

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

/// Of a GPU that no port reaches by itself, what is in the way of the port that it is nearest to;
/// null where one may, or there is none.
const GpuDirectVerdict* in_the_way(const Evidence& evidence, const GpuBus& bus,
                                   const Rails& rails) {
    const auto verdict = [&](const Port* port) {
        return &gpu_direct_verdict(*evidence.state, bus, *rails.gpu, port);
    };
    std::vector<const Port*> ports;
    for (const Port* port : evidence.fabric_ports)
        if (rdma_link::has_device(*port)) ports.push_back(port);
    if (ports.empty() || std::ranges::any_of(ports, [&](const Port* port) {
            return verdict(port)->state != GpuDirectState::not_ready;
        }))
        return nullptr;
    const Port* const port = gpu_direct_port(bus, *rails.gpu, ports);
    return verdict(port == nullptr ? ports.front() : port);
}

Faults without_direct(const Evidence& evidence) {
    const GpuBus bus(gpus_of(evidence));
    std::map<const GpuDirectVerdict*, std::vector<const Gpu*>> by_verdict;
    for (const Rails& rails : rails_of(evidence, bus))
        if (const GpuDirectVerdict* verdict = in_the_way(evidence, bus, rails))
            by_verdict[verdict].push_back(rails.gpu);
    Faults out;
    for (const auto& [verdict, gpus] : by_verdict)
        out.push_back(
            {.text =
                 "no port reaches the memory of " + name_of(*gpus.front()) +
                 (gpus.size() > 1 ? ", and of " + std::to_string(gpus.size() - 1) + " more," : "") +
                 " by itself: " + std::string(verdict->reason),
             .remedy = std::string(verdict->remedy)});
    return out;
}

Faults apart_in_groups(const Evidence& evidence) {
    const Gpus& gpus = gpus_of(evidence);
    const GpuBus bus(gpus);
    Faults out;
    for (const Gpu& gpu : gpus.devices)
        for (const DataDirect& function : gpus.data_direct) {
            if (!is_used_here(gpu) || !is_coherent(gpu) || !bus.share_bridge(gpu, function) ||
                !gpu.iommu_group || !function.iommu_group ||
                *gpu.iommu_group == *function.iommu_group)
                continue;
            out.push_back({.text = name_of(gpu) + " is in IOMMU group " +
                                   std::to_string(*gpu.iommu_group) + ", the function " +
                                   function.pci + " by which the NIC is to reach it in " +
                                   std::to_string(*function.iommu_group),
                           .names = {{"GPU", shell(gpu.pci)}}});
        }
    return out;
}

/// A level of NCCL_NET_GDR_LEVEL, by name or as older versions have it by a digit: the furthest
/// distance at which GPUDirect RDMA is used (NCCL 2.30, src/graph/paths.cc ncclGetLevel and
/// ncclTopoCheckGdr; topo.cc topoPathTypeStr).
struct GdrLevel {
    std::string_view name{};
    std::string_view digit{};  ///< empty: none
    int up_to = 0;             ///< a PciDistance; -1: none
    bool with_c2c = false;
};
constexpr std::array kGdrLevels = {GdrLevel{"LOC", "0", -1},
                                   GdrLevel{"NVL", "", -1},
                                   GdrLevel{"NVB", "", -1},
                                   GdrLevel{"C2C", "", -1},
                                   GdrLevel{"PIX", "1", static_cast<int>(PciDistance::pix)},
                                   GdrLevel{"PXB", "2", static_cast<int>(PciDistance::pxb)},
                                   GdrLevel{"P2C", "", static_cast<int>(PciDistance::pxb), true},
                                   GdrLevel{"PXN", "", static_cast<int>(PciDistance::pxb), true},
                                   GdrLevel{"PHB", "3", static_cast<int>(PciDistance::phb), true},
                                   GdrLevel{"SYS", "4", static_cast<int>(PciDistance::sys), true}};

/// How NCCL would use GPUDirect RDMA unless told otherwise, and does not by this level; empty where
/// it is left as it is.
std::string kept_by_level(const GpuBus& bus, const Rails& rails, const std::string& value) {
    const auto level = std::ranges::find_if(kGdrLevels, [&value](const GdrLevel& one) {
        return value == one.name || (!value.empty() && value == one.digit);
    });
    if (level == kGdrLevels.end() || !rails.nearest.distance) return {};
    const PciDistance distance = *rails.nearest.distance;
    if (distance <= PciDistance::pxb)
        return static_cast<int>(distance) > level->up_to ? std::string(text(distance)) : "";
    const bool c2c = distance == PciDistance::phb && bus.may_have_c2c(*rails.gpu);
    return c2c && !level->with_c2c ? "P2C" : "";
}

Faults forbidden(const Evidence& evidence) {
    const GpuBus bus(gpus_of(evidence));
    const std::vector<Rails> all = rails_of(evidence, bus);
    const Port& host = *find_port(*evidence.state, kHost);
    const bool has_peer_memory = !host.gpu_direct || !host.gpu_direct->peer_modules.empty() ||
                                 !host.gpu_direct->peer_clients.empty();
    Faults out;
    for (const StatedVariable& one : stated_variables(evidence)) {
        std::string what;
        if (one.name == "NCCL_NET_GDR_LEVEL")
            for (const Rails& rails : all)
                if (const std::string distance = kept_by_level(bus, rails, one.value);
                    what.empty() && !distance.empty())
                    what = "is below " + distance + ", the distance of " + name_of(*rails.gpu) +
                           " and " + rails.nearest.ports.front()->name;
        if (one.name == "NCCL_DMABUF_ENABLE" && one.value == "0" && !all.empty() &&
            !has_peer_memory)
            what = "forbids dma-buf, and there is no peer memory";
        if (what.empty()) continue;
        std::string text = one.who;
        text.append(": ").append(one.name).append(" ").append(one.value).append(" ").append(what);
        out.push_back({.text = std::move(text),
                       .remedy = "unset " + one.name + " for " + to_start_anew(one)});
    }
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
    FindingRow{
        .id = "gpu-iommu-group",
        .why =
            "NVIDIA's driver gives the GPU's memory over PCI Express only to what is in the "
            "GPU's own IOMMU group: data direct is refused, and NCCL goes on without it or ends.",
        .remedy = "ACS of the bridges between the two as in rocectl-gpu(7), and the kernel that "
                  "the platform's vendor names",
        .manual = "rocectl-gpu(7), GPUDIRECT",
        .needs = {.keys = kIommuGroups},
        .examines = CheckTarget::host,
        .cause = {.explains = kOfIommuGroups,
                  .ruled_out_by =
                      "jobs go by NVLink-C2C alone (NCCL_IB_DATA_DIRECT=0), or the module nvidia "
                      "was told NVreg_GrdmaPciTopoCheckOverride=1",
                  .test = "readlink /sys/bus/pci/devices/GPU/iommu_group"},
        .run = apart_in_groups},
    FindingRow{
        .id = "gpu-direct-absent",
        .level = FindingLevel::note,
        .why = "What NICs send from the memory of GPUs goes through memory of the host: about half "
               "the bandwidth, and more work for the processor.",
        .remedy = "what rocectl show --gpus says",
        .manual = "rocectl-gpu(7), GPUDIRECT",
        .needs = {.keys = kDirect, .beside = kOfVerdict},
        .examines = CheckTarget::host,
        .cause = {.ruled_out_by = "NCCL_DEBUG=INFO shows /GDRDMA behind via NET/IB",
                  .test = "rocectl show --gpus"},
        .run = without_direct},
    FindingRow{
        .id = "gpu-gdr-forbidden",
        .why = "NCCL could use GPUDirect RDMA here and is told not to: data goes through memory of "
               "the host, at about half the bandwidth.",
        .remedy = "the variable unset",
        .manual = "rocectl-gpu(7), GPUDIRECT",
        .needs = {.keys = kVariables, .beside = kOfVariables},
        .examines = CheckTarget::host,
        .cause = {.ruled_out_by = "somebody measured that it is faster so, or works around a fault",
                  .test = "NCCL_DEBUG=INFO: /GDRDMA is missing behind via NET/IB"},
        .run = forbidden},
};

constexpr auto kAllGpus = each_of(kRowsGpus);

}  // namespace

const FindingGroup finding_group::gpus{
    .name = "gpus",
    .doc = "Whether GPUs and the NICs beside them reach each other on the bus.",
    .rows = kAllGpus};

}  // namespace core
