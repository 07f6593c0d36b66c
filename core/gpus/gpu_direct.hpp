// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/gpus/pci_distance.hpp"
#include "core/model/state.hpp"

namespace core {

/// Whether a NIC can read and write the memory of a GPU by itself (GPUDirect RDMA), as far as the
/// kernel tells: that data arrives only a program can tell that computes on the GPU.
enum class GpuDirectState : std::uint8_t { ready, not_ready, unknown, not_applicable };

/// `not ready`.
std::string_view text(GpuDirectState state);

/// Whether the GPU reaches the memory of a Grace processor by NVLink-C2C: it is no card in a slot,
/// and it alone is reached by functions of data direct over PCI Express, for which NVIDIA's driver
/// wants one IOMMU group (open-gpu-kernel-modules 595.45.04, nv_grdma_pci_topology_supported).
/// Where the model was not read: no.
bool is_coherent(const Gpu& gpu);

struct GpuDirectPair;

/// One row of the table of what may be concluded.
struct GpuDirectVerdict {
    GpuDirectState state{};
    /// dma-buf, data direct or peer memory; empty: by none, or not known by which.
    std::string_view way{};
    std::string_view reason{};  ///< empty where it is ready
    std::string_view remedy{};  ///< empty where nothing is to be done, or nothing is known
    bool (*fits)(const GpuDirectPair&) = nullptr;
};

/// All rows. The first that fits decides; the last one fits always.
std::span<const GpuDirectVerdict> gpu_direct_verdicts();

/// The port that the GPU's verdict is about: of those with an RDMA device the first that it is
/// nearest to; null where the distance of none is known.
const Port* gpu_direct_port(const GpuBus& bus, const Gpu& gpu,
                            const std::vector<const Port*>& ports);

/// What is concluded of the GPU and the port; the port is null where it is not known by which one
/// the GPU is to send. `state` is the host's, `gpu` one of it and `bus` made of it.
const GpuDirectVerdict& gpu_direct_verdict(const State& state, const GpuBus& bus, const Gpu& gpu,
                                           const Port* port);

}  // namespace core
