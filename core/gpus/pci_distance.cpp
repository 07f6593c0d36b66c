// SPDX-License-Identifier: Apache-2.0
#include "core/gpus/pci_distance.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace core {

namespace {

using Bridges = std::vector<const PciBridge*>;

/// Root ports of Grace, and of Vera (rdma-core 61, rdma_topo).
constexpr std::array<std::string_view, 5> kC2cRoots = {"10de:22b1", "10de:22b2", "10de:22b8",
                                                       "10de:2f95", "10de:2f96"};

/// A switch of Broadcom that shows itself as switches below a switch: by the id of either, and by
/// the first digit of its subsystem's device (NCCL 2.30, src/graph/topo.cc getBcmGen).
struct TwoLevelSwitch {
    std::string_view id;
    std::string_view upper;
    std::string_view lower;
};
constexpr std::array kTwoLevel = {TwoLevelSwitch{"1000:c010", "1000:a", "1000:a"},
                                  TwoLevelSwitch{"1000:c030", "1000:0", "1000:1"}};

bool is_within(const PciBridge& lower, const PciBridge& upper) {
    return std::ranges::any_of(kTwoLevel, [&](const TwoLevelSwitch& known) {
        return lower.id == known.id && upper.id == known.id &&
               lower.subsystem.starts_with(known.lower) && upper.subsystem.starts_with(known.upper);
    });
}

/// The switches: a device has a port of its switch above it and then the switch's own; what has one
/// bridge alone is below the host bridge.
Bridges switches(const Bridges& above) {
    Bridges out;
    for (std::size_t i = 1; i < above.size(); i += 2)
        out.push_back(above[i]);
    // From the processor on; one that took another in takes no more, and is taken in by none.
    for (std::size_t upper = out.size(); upper-- > 1;) {
        if (!is_within(*out[upper - 1], *out[upper])) continue;
        out.erase(out.begin() + static_cast<std::ptrdiff_t>(upper) - 1);
        --upper;
    }
    return out;
}

/// The place in `list` of the first that is in `other` too.
std::size_t first_common(const Bridges& list, const Bridges& other) {
    const auto found = std::ranges::find_if(list, [&](const PciBridge* bridge) {
        return std::ranges::find(other, bridge) != other.end();
    });
    return static_cast<std::size_t>(found - list.begin());
}

}  // namespace

std::string_view text(PciDistance distance) {
    constexpr std::array<std::string_view, 4> names = {"PIX", "PXB", "PHB", "SYS"};
    return names.at(static_cast<std::size_t>(distance));
}

GpuBus::GpuBus(const Gpus& gpus) {
    for (const PciBridge& bridge : gpus.bridges)
        bridges_.emplace(bridge.pci, &bridge);
}

Bridges GpuBus::above(const std::string& nearest) const {
    Bridges out;
    for (auto at = bridges_.find(nearest); at != bridges_.end() && out.size() < bridges_.size();
         at = bridges_.find(at->second->above))
        out.push_back(at->second);
    return out;
}

Bridges GpuBus::above(const Port& port) const {
    const auto nearest = std::ranges::find(*port.pcie_path, 1U, &PcieHop::hops);
    return nearest == port.pcie_path->end() ? Bridges{} : above(nearest->pci);
}

std::optional<PciDistance> GpuBus::distance(const Gpu& gpu, const Port& port) const {
    if (!port.pcie_path || port.pcie_path->empty()) return std::nullopt;
    const Bridges of_gpu = switches(above(gpu.above));
    const Bridges of_port = switches(above(port));
    const std::size_t up = first_common(of_gpu, of_port);
    if (up < of_gpu.size())
        return up == 0 && of_port.front() == of_gpu.front() ? PciDistance::pix : PciDistance::pxb;
    if (!port.pcie_link) return std::nullopt;
    return gpu.numa_node == port.pcie_link->numa_node ? PciDistance::phb : PciDistance::sys;
}

const PciBridge* GpuBus::root(const Gpu& gpu) const {
    const Bridges bridges = above(gpu.above);
    return bridges.empty() ? nullptr : bridges.back();
}

bool GpuBus::share_bridge(const Gpu& gpu, const DataDirect& function) const {
    const Bridges of_gpu = above(gpu.above);
    return first_common(of_gpu, above(function.above)) < of_gpu.size();
}

bool GpuBus::may_have_c2c(const Gpu& gpu) const {
    const PciBridge* const bridge = root(gpu);
    return bridge != nullptr && std::ranges::find(kC2cRoots, bridge->id) != kC2cRoots.end();
}

std::optional<Bridges> GpuBus::between(const Gpu& gpu, const Port& port) const {
    if (!port.pcie_path) return std::nullopt;
    const Bridges of_gpu = above(gpu.above);
    const Bridges of_port = above(port);
    const std::size_t up = first_common(of_gpu, of_port);
    if (up == of_gpu.size()) return std::nullopt;
    const std::size_t other = first_common(of_port, of_gpu);
    Bridges out(of_gpu.begin(), of_gpu.begin() + static_cast<std::ptrdiff_t>(up));
    out.insert(out.end(), of_port.begin(), of_port.begin() + static_cast<std::ptrdiff_t>(other));
    return out;
}

NearestPorts nearest_ports(const Gpu& gpu, const GpuBus& bus,
                           const std::vector<const Port*>& ports) {
    NearestPorts out;
    // Whether it is beyond a switch, how fast it is, how near: the first that differs decides.
    using Rank = std::tuple<bool, std::int64_t, PciDistance>;
    std::optional<Rank> best;
    for (const Port* port : ports) {
        const std::optional<PciDistance> distance = bus.distance(gpu, *port);
        if (!distance) continue;
        const Rank rank{*distance > PciDistance::pxb,
                        -std::int64_t{speed::known(*port).value_or(0)}, *distance};
        if (!best || rank < *best) {
            out.ports.clear();
            out.distance = distance;
            best = rank;
        }
        if (rank == *best) out.ports.push_back(port);
    }
    return out;
}

std::optional<bool> redirects_peers(const PciBridge& bridge) {
    if (bridge.acs.empty()) return std::nullopt;
    constexpr std::array<std::string_view, 3> redirecting = {"ReqRedir", "CmpltRedir",
                                                             "EgressCtrl"};
    return std::ranges::any_of(redirecting, [&](std::string_view name) {
        return bridge.acs.find(name) != std::string::npos;
    });
}

}  // namespace core
