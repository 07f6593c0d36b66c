// SPDX-License-Identifier: Apache-2.0
#include "core/gpus/gpu_direct.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <iterator>
#include <optional>
#include <string>

#include "core/model/driver.hpp"

namespace core {

/// What a verdict is about, and what it follows from.
struct GpuDirectPair {
    const State& state;
    const GpuBus& bus;
    const Gpu& gpu;
    const Port* port = nullptr;  ///< null where it is not known by which the GPU is to send
    const Gpus& gpus;
    const GpuDirect* direct = nullptr;  ///< null where it was not read
};

namespace {

using Pair = GpuDirectPair;
using enum GpuDirectState;

bool is_nvidia(const Pair& pair) {
    return pair.gpu.driver == gpu_direct::kNvidia;
}

bool is_amd(const Pair& pair) {
    return pair.gpu.driver == gpu_direct::kAmd;
}

bool is_called(const Pair& pair, std::string_view name) {
    return pair.gpu.model.find(name) != std::string::npos;
}

const GpuDriver* driver_of_gpu(const Pair& pair) {
    if (pair.direct == nullptr) return nullptr;
    const auto found = std::ranges::find(pair.direct->drivers, pair.gpu.driver, &GpuDriver::name);
    return found == pair.direct->drivers.end() ? nullptr : &*found;
}

bool is_flavour(const Pair& pair, std::string_view flavour) {
    const GpuDriver* const driver = driver_of_gpu(pair);
    return is_nvidia(pair) && driver != nullptr && driver->flavour == flavour;
}

/// NVIDIA's open modules of this release or a later one; `580.95.05` is of 580.
bool is_open_since(const Pair& pair, unsigned release) {
    if (!is_flavour(pair, gpu_direct::kOpen)) return false;
    const std::string& version = driver_of_gpu(pair)->version;
    unsigned number = 0;
    std::from_chars(version.data(), version.data() + version.size(), number);
    return number >= release;
}

/// The first release with the open modules, and whose open modules give dma-bufs.
constexpr unsigned kGivesDmaBufs = 515;
/// The first that gives them for data direct (CUDA 12.8).
constexpr unsigned kGivesForDataDirect = 570;
/// The first that asks where on the bus the NIC is (open-gpu-kernel-modules,
/// kernel-open/nvidia/nv-dmabuf.c nv_grdma_pci_topology_supported).
constexpr unsigned kAsksWhere = 580;

bool answers(const Pair& pair, std::string_view answer) {
    return pair.port->dmabuf == answer;
}

bool takes_no_dmabuf(const Pair& pair) {
    return answers(pair, dmabuf::kNotByDriver) || answers(pair, dmabuf::kNotByKernel) ||
           answers(pair, dmabuf::kNotByLibrary);
}

/// What NVIDIA's modules register as (kernel-open/nvidia-peermem/nvidia-peermem.c).
constexpr std::array<std::string_view, 2> kNvidiaClients = {"nv_mem", "nv_mem_nc"};

bool has_nvidia_peers(const Pair& pair) {
    return pair.direct != nullptr &&
           (!pair.direct->peer_modules.empty() ||
            std::ranges::any_of(pair.direct->peer_clients, [](const std::string& client) {
                return std::ranges::find(kNvidiaClients, client) != kNvidiaClients.end();
            }));
}

bool has_peer_clients(const Pair& pair) {
    return pair.direct != nullptr && !pair.direct->peer_clients.empty();
}

bool is_option(const Pair& pair, std::string_view name, std::string_view answer) {
    if (pair.direct == nullptr || !pair.direct->kernel_options) return false;
    const auto found = pair.direct->kernel_options->find(name);
    return found != pair.direct->kernel_options->end() && found->second == answer;
}

/// From this release on the kernel always tells importers that a dma-buf moves, and has no option
/// for it.
constexpr Release kAlwaysNotifies = {7, 1};

bool notifies(const Pair& pair) {
    return is_option(pair, "DMABUF_MOVE_NOTIFY", "y") || is_since(pair.state.host, kAlwaysNotifies);
}

std::optional<PciDistance> distance_of(const Pair& pair) {
    return pair.bus.distance(pair.gpu, *pair.port);
}

/// Whether the root port's id begins so.
bool is_behind(const Pair& pair, std::string_view id) {
    const PciBridge* const root = pair.bus.root(pair.gpu);
    return root != nullptr && root->id.starts_with(id);
}

bool may_be_refused_here(const Pair& pair, std::string_view root) {
    const auto distance = distance_of(pair);
    return is_open_since(pair, kAsksWhere) && is_behind(pair, root) &&
           (!distance || *distance > PciDistance::pxb);
}

constexpr std::array<std::string_view, 3> kCoherent = {"GH200", "GB200", "GB300"};
constexpr std::string_view kGrace = "10de:22b";
constexpr std::string_view kAmpere = "1def:";

/// Whether a function of data direct beside the GPU is in a group that `is` says of both.
template <typename Is>
bool any_data_direct(const Pair& pair, const Is& is) {
    return is_nvidia(pair) && is_coherent(pair.gpu) &&
           std::ranges::any_of(pair.gpus.data_direct, [&](const DataDirect& function) {
               return pair.bus.share_bridge(pair.gpu, function) &&
                      is(pair.gpu.iommu_group, function.iommu_group);
           });
}

using Group = std::optional<std::uint32_t>;

bool differ(const Group& a, const Group& b) {
    return a && b && *a != *b;
}

bool share_switch(const Pair& pair) {
    return pair.bus.between(pair.gpu, *pair.port).has_value();
}

constexpr std::string_view kDmaBuf = "dma-buf";
constexpr std::string_view kDataDirect = "data direct";
constexpr std::string_view kPeerMemory = "peer memory";

// Sources: NVIDIA open-gpu-kernel-modules 595.45.04; NCCL 2.30 src/transport/net_ib/gdr.cc; RCCL of
// 2026; Linux 7.3 drivers/infiniband/core/umem_dmabuf.c, drivers/pci/p2pdma.c,
// drivers/gpu/drm/amd/amdgpu/amdgpu_dma_buf.c. Where both ways are there, NCCL takes dma-buf and
// RCCL peer memory.
constexpr std::array kVerdicts = {
    // What the GPU alone decides.
    GpuDirectVerdict{not_ready, "", "the GPU is given to a virtual machine",
                     "the GPU's own driver instead, where this host is to compute on it",
                     [](const Pair& pair) {
                         return pair.gpu.driver.find("vfio") != std::string::npos ||
                                pair.gpu.driver == "pci-pf-stub";
                     }},
    GpuDirectVerdict{
        not_ready, "", "no driver that computes has the GPU", "load the vendor's driver",
        [](const Pair& pair) { return pair.gpu.driver.empty() || pair.gpu.driver == "nouveau"; }},
    GpuDirectVerdict{not_applicable, "", "the GPU has no memory but the processor's",
                     "memory of the host, pinned (cudaHostAlloc)",
                     [](const Pair& pair) { return is_called(pair, "GB10"); }},
    GpuDirectVerdict{not_applicable, "", "it has ports of RoCE of its own", "",
                     [](const Pair& pair) { return pair.gpu.id.starts_with("1da3:"); }},
    GpuDirectVerdict{unknown, "", "what the GPU's driver gives NICs is not known here", "",
                     [](const Pair& pair) { return !is_nvidia(pair) && !is_amd(pair); }},
    GpuDirectVerdict{unknown, "", "no port with an RDMA device is known to be near", "",
                     [](const Pair& pair) { return pair.port == nullptr; }},
    // What the port alone decides; from here on there is one.
    GpuDirectVerdict{not_ready, "", "the port's RDMA device is made by software",
                     "a NIC that has RDMA",
                     [](const Pair& pair) {
                         return pair.port->rdma_link &&
                                rdma_link::soft_driver(pair.port->rdma_link->type) != nullptr;
                     }},
    GpuDirectVerdict{
        unknown, "", "NVIDIA does not support it on GeForce; it is likely not to work",
        "a GPU made for data centres or workstations",
        [](const Pair& pair) { return is_nvidia(pair) && is_called(pair, "GeForce"); }},
    GpuDirectVerdict{unknown, "", "the driver's version and peer memory were not read", "",
                     [](const Pair& pair) { return driver_of_gpu(pair) == nullptr; }},
    // Where on the bus NVIDIA's driver refuses.
    GpuDirectVerdict{
        not_ready, kDmaBuf,
        "NVIDIA's driver refuses it for a card on Grace that is not below one switch "
        "with the NIC",
        "a slot below the NIC's switch; NVreg_GrdmaPciTopoCheckOverride=1 of the module "
        "nvidia only where the platform's vendor says so",
        [](const Pair& pair) {
            return may_be_refused_here(pair, kGrace) && distance_of(pair) &&
                   !pair.gpu.model.empty() && !is_coherent(pair.gpu);
        }},
    GpuDirectVerdict{unknown, kDmaBuf,
                     "NVIDIA's driver may refuse it on this processor where the GPU is not below "
                     "one switch with the NIC",
                     "the kernel's log, for \"dma-buf attach failed\"",
                     [](const Pair& pair) {
                         return may_be_refused_here(pair, kAmpere) ||
                                (may_be_refused_here(pair, kGrace) && !is_coherent(pair.gpu));
                     }},
    GpuDirectVerdict{
        not_ready, kDataDirect,
        "the GPU and the NIC's function for data direct are in different IOMMU groups, "
        "so that NVIDIA's driver refuses it over PCI Express",
        "ACS as in rocectl-gpu(7), and the kernel that the platform's vendor names",
        [](const Pair& pair) { return any_data_direct(pair, differ); }},
    // NVIDIA.
    GpuDirectVerdict{ready, kDataDirect, "", "",
                     [](const Pair& pair) {
                         return is_open_since(pair, kGivesForDataDirect) &&
                                answers(pair, dmabuf::kYes) &&
                                any_data_direct(pair, std::equal_to<Group>());
                     }},
    GpuDirectVerdict{not_ready, "",
                     "the kernel was built without CONFIG_DMA_SHARED_BUFFER, and "
                     "nvidia_peermem is not loaded",
                     "a kernel with it",
                     [](const Pair& pair) {
                         return is_flavour(pair, gpu_direct::kOpen) &&
                                is_option(pair, "DMA_SHARED_BUFFER", "n") &&
                                !has_nvidia_peers(pair);
                     }},
    GpuDirectVerdict{ready, kDmaBuf, "", "",
                     [](const Pair& pair) {
                         return is_open_since(pair, kGivesDmaBufs) && answers(pair, dmabuf::kYes) &&
                                !is_option(pair, "DMA_SHARED_BUFFER", "n");
                     }},
    GpuDirectVerdict{ready, kPeerMemory, "", "",
                     [](const Pair& pair) {
                         return is_nvidia(pair) && has_nvidia_peers(pair) &&
                                driver_of(*pair.port).rdma_software.takes_peer_memory;
                     }},
    GpuDirectVerdict{unknown, kPeerMemory,
                     "nvidia_peermem is loaded, and whether this NIC takes its memory is not known",
                     "",
                     [](const Pair& pair) { return is_nvidia(pair) && has_nvidia_peers(pair); }},
    GpuDirectVerdict{not_ready, "",
                     "NVIDIA's proprietary modules give no dma-buf, and nvidia_peermem is not "
                     "loaded",
                     "NVIDIA's open modules; or the NIC vendor's RDMA stack, then the GPU's driver "
                     "installed anew, and modprobe nvidia_peermem",
                     [](const Pair& pair) { return is_flavour(pair, gpu_direct::kProprietary); }},
    // AMD's peer memory, before what dma-buf needs.
    GpuDirectVerdict{ready, kPeerMemory, "", "",
                     [](const Pair& pair) { return is_amd(pair) && has_peer_clients(pair); }},
    // Of either: what the NIC's side lacks.
    GpuDirectVerdict{
        not_ready, "", "the NIC's driver takes no dma-buf, and there is no peer memory",
        "a newer driver of the NIC, in the kernel and in rdma-core: of mlx5 Linux 5.12, "
        "of irdma 6.3, of bnxt_re 6.6",
        [](const Pair& pair) { return answers(pair, dmabuf::kNotByDriver); }},
    GpuDirectVerdict{not_ready, "", "the kernel takes no dma-buf, and there is no peer memory",
                     "Linux 5.12 or later, or the NIC vendor's RDMA stack",
                     [](const Pair& pair) { return answers(pair, dmabuf::kNotByKernel); }},
    GpuDirectVerdict{not_ready, "", "libibverbs takes no dma-buf, and there is no peer memory",
                     "rdma-core 34 or later",
                     [](const Pair& pair) { return takes_no_dmabuf(pair); }},
    GpuDirectVerdict{
        unknown, kDmaBuf, "whether these are NVIDIA's open modules of 515 or later was not read",
        "",
        [](const Pair& pair) { return is_nvidia(pair) && !is_open_since(pair, kGivesDmaBufs); }},
    GpuDirectVerdict{unknown, kDmaBuf, "the RDMA device did not tell whether it takes a dma-buf",
                     "run rocectl as root, with ib_uverbs and libibverbs",
                     [](const Pair& pair) { return is_nvidia(pair); }},
    // AMD by dma-buf: else amdgpu moves the memory to the host's, and nothing fails.
    GpuDirectVerdict{not_ready, kDmaBuf,
                     "the kernel was built without CONFIG_PCI_P2PDMA, so that amdgpu gives NICs "
                     "memory of the host",
                     "a kernel with it",
                     [](const Pair& pair) { return is_option(pair, "PCI_P2PDMA", "n"); }},
    GpuDirectVerdict{not_ready, kDmaBuf,
                     "the kernel was built without CONFIG_DMABUF_MOVE_NOTIFY, so that amdgpu gives "
                     "NICs memory of the host",
                     "a kernel with it, or Linux 7.1 or later",
                     [](const Pair& pair) {
                         return is_option(pair, "DMABUF_MOVE_NOTIFY", "n") &&
                                is_before(pair.state.host, kAlwaysNotifies);
                     }},
    GpuDirectVerdict{unknown, kDmaBuf, "no file tells how the kernel was built",
                     "/boot/config-RELEASE or /usr/lib/modules/RELEASE/config",
                     [](const Pair& pair) { return !pair.direct->kernel_options; }},
    GpuDirectVerdict{unknown, kDmaBuf, "the RDMA device did not tell whether it takes a dma-buf",
                     "run rocectl as root, with ib_uverbs and libibverbs",
                     [](const Pair& pair) { return !answers(pair, dmabuf::kYes); }},
    GpuDirectVerdict{unknown, kDmaBuf,
                     "whether the kernel lets GPU and NIC reach each other by way of the processor "
                     "is not known",
                     "the kernel's log, for \"not in P2PDMA whitelist\"",
                     [](const Pair& pair) { return !share_switch(pair); }},
    GpuDirectVerdict{ready, kDmaBuf, "", "", [](const Pair& pair) { return notifies(pair); }},
    GpuDirectVerdict{unknown, kDmaBuf, "which kernel this is was not read", "",
                     [](const Pair& /*pair*/) { return true; }},
};

}  // namespace

bool is_coherent(const Gpu& gpu) {
    return std::ranges::any_of(kCoherent, [&](std::string_view name) {
        return gpu.model.find(name) != std::string::npos;
    });
}

std::string_view text(GpuDirectState state) {
    constexpr std::array<std::string_view, 4> words = {"ready", "not ready", "unknown",
                                                       "not applicable"};
    return words.at(static_cast<std::size_t>(state));
}

std::span<const GpuDirectVerdict> gpu_direct_verdicts() {
    return kVerdicts;
}

const Port* gpu_direct_port(const GpuBus& bus, const Gpu& gpu,
                            const std::vector<const Port*>& ports) {
    std::vector<const Port*> rails;
    std::ranges::copy_if(ports, std::back_inserter(rails), [](const Port* port) {
        return port->rdma_link && !port->rdma_link->device.empty();
    });
    const std::vector<const Port*> nearest = nearest_ports(gpu, bus, rails).ports;
    return nearest.empty() ? nullptr : nearest.front();
}

const GpuDirectVerdict& gpu_direct_verdict(const State& state, const GpuBus& bus, const Gpu& gpu,
                                           const Port* port) {
    const Port& host = *find_port(state, kHost);
    const Pair pair{.state = state,
                    .bus = bus,
                    .gpu = gpu,
                    .port = port,
                    .gpus = *host.gpus,
                    .direct = host.gpu_direct ? &*host.gpu_direct : nullptr};
    return *std::ranges::find_if(kVerdicts,
                                 [&pair](const GpuDirectVerdict& row) { return row.fits(pair); });
}

}  // namespace core
