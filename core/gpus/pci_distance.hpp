// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/state.hpp"

namespace core {

/// How far a GPU and a NIC are apart on the PCI bus, under NCCL's names and from near to far: below
/// one switch; below switches that are connected; by way of a host bridge; by way of another NUMA
/// node (NCCL 2.30, src/graph/topo.h PATH_PIX to PATH_SYS).
enum class PciDistance : std::uint8_t { pix, pxb, phb, sys };

/// `PIX`.
std::string_view text(PciDistance distance);

/// What of the host tells where its GPUs are: the bridges by their address. Points into `gpus`.
class GpuBus {
public:
    explicit GpuBus(const Gpus& gpus);

    /// As NCCL finds it (src/graph/xml.cc ncclTopoGetXmlFromSys, topo.cc
    /// ncclTopoFlattenBcmSwitches, paths.cc ncclTopoSetPaths). Nothing where the port is no PCI
    /// function, or its path was not read.
    [[nodiscard]] std::optional<PciDistance> distance(const Gpu& gpu, const Port& port) const;

    /// The bridge above the GPU that is nearest to the processor; null where there is none.
    [[nodiscard]] const PciBridge* root(const Gpu& gpu) const;

    /// Whether the GPU and the function are behind one bridge.
    [[nodiscard]] bool share_bridge(const Gpu& gpu, const DataDirect& function) const;

    /// Whether the GPU may reach the processor by a link of its own (NVLink-C2C), for which NCCL
    /// calls PHB P2C: its root port is one of Grace or Vera. No file of the kernel says more.
    [[nodiscard]] bool may_have_c2c(const Gpu& gpu) const;

    /// The bridges between the two below the first that both are behind; nothing where none is.
    [[nodiscard]] std::optional<std::vector<const PciBridge*>> between(const Gpu& gpu,
                                                                       const Port& port) const;

private:
    /// The bridges above, the nearest first.
    [[nodiscard]] std::vector<const PciBridge*> above(const std::string& nearest) const;
    [[nodiscard]] std::vector<const PciBridge*> above(const Port& port) const;

    std::map<std::string_view, const PciBridge*> bridges_{};
};

/// What a GPU is likely to send by, of the ports given: NCCL takes those that the path to has the
/// most bandwidth, and of these the nearest (src/graph/topo.cc ncclTopoGetLocal); of several it
/// takes one by the GPU's number. How much a host bridge lets pass is not known here, so a port
/// beyond one counts only where none is within PXB, and of the others the fastest.
struct NearestPorts {
    std::vector<const Port*> ports{};
    std::optional<PciDistance> distance{};  ///< nothing where none of the ports' is known
};
NearestPorts nearest_ports(const Gpu& gpu, const GpuBus& bus,
                           const std::vector<const Port*>& ports);

/// Whether a bridge with these controls (PciBridge::acs) sends up to the root what devices below it
/// ask of each other; nothing where they were not read.
std::optional<bool> redirects_peers(const PciBridge& bridge);

}  // namespace core
