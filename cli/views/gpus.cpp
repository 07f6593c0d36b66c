// SPDX-License-Identifier: Apache-2.0
#include "cli/views/gpus.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "cli/views/json.hpp"
#include "core/gpus/gpu_direct.hpp"
#include "core/gpus/pci_distance.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

/// The ports of PCI functions with an RDMA device.
std::vector<const core::Port*> rails(const core::State& state) {
    std::vector<const core::Port*> out;
    for (const core::Port& port : state.ports)
        if (port.rdma_link && !port.rdma_link->device.empty() && port.link &&
            !port.link->pci.empty())
            out.push_back(&port);
    return out;
}

const core::Gpus* gpus_of(const core::State& state) {
    const core::Port* host = core::find_port(state, core::kHost);
    return host == nullptr || !host->gpus ? nullptr : &*host->gpus;
}

std::string distance_text(const core::GpuBus& bus, const core::Gpu& gpu, const core::Port& port) {
    const auto distance = bus.distance(gpu, port);
    if (!distance) return "unknown";
    const bool c2c = *distance == core::PciDistance::phb && bus.may_have_c2c(gpu);
    return std::string(core::text(*distance)) + (c2c ? " (P2C by C2C)" : "");
}

std::string or_dash(const std::string& text) {
    return text.empty() ? "-" : text;
}

std::string names_of(const std::vector<const core::Port*>& ports) {
    std::string out;
    for (const core::Port* port : ports)
        out += (out.empty() ? "" : ", ") + port->name;
    return or_dash(out);
}

/// What is concluded of a GPU and the port that it is nearest to, which is null where that is not
/// known.
struct ShownVerdict {
    const core::Port* port = nullptr;
    const core::GpuDirectVerdict* verdict = nullptr;
};

ShownVerdict verdict_of(const core::State& state, const core::GpuBus& bus, const core::Gpu& gpu,
                        const std::vector<const core::Port*>& ports) {
    const core::Port* const port = core::gpu_direct_port(bus, gpu, ports);
    return {.port = port, .verdict = &core::gpu_direct_verdict(state, bus, gpu, port)};
}

/// `ready (dma-buf)`.
std::string verdict_words(const core::GpuDirectVerdict& verdict) {
    const std::string way =
        verdict.way.empty() ? std::string() : " (" + std::string(verdict.way) + ')';
    return std::string(core::text(verdict.state)) + way;
}

/// A line that says why; empty where nothing is in the way.
std::string why(const core::Gpu& gpu, const ShownVerdict& shown) {
    const core::GpuDirectVerdict& verdict = *shown.verdict;
    if (verdict.reason.empty()) return {};
    std::string out = gpu.pci;
    if (shown.port != nullptr) out += " and " + shown.port->name;
    out.append(": ").append(verdict.reason);
    if (!verdict.remedy.empty()) out.append("; ").append(verdict.remedy);
    return out + '\n';
}

}  // namespace

core::Objects shown_of_gpus() {
    core::Objects out = core::inventory();
    for (const char* key : {"host.gpus", "host.gpu.drivers", "pcie.path", "pcie.numa_node", "speed",
                            "rdma.device", "rdma.dmabuf"})
        out.insert(core::object_of(key));
    return out;
}

std::string gpus_text(const core::State& state, const Style& style) {
    const core::Gpus* gpus = gpus_of(state);
    if (gpus == nullptr) return "unknown: this state does not record host.gpus\n";
    if (gpus->devices.empty()) return "no GPU\n";
    const core::GpuBus bus(*gpus);
    const std::vector<const core::Port*> ports = rails(state);
    std::vector<Row> rows{{"GPU", "MODEL", "DRIVER", "NUMA", "NEAREST", "GPUDIRECT"}};
    for (const core::Port* port : ports)
        rows.front().push_back(port->name);
    std::string reasons;
    for (const core::Gpu& gpu : gpus->devices) {
        const core::NearestPorts nearest = core::nearest_ports(gpu, bus, ports);
        const ShownVerdict shown = verdict_of(state, bus, gpu, ports);
        reasons += why(gpu, shown);
        Row row{style.bold(gpu.pci),     gpu.model.empty() ? gpu.id : gpu.model,
                or_dash(gpu.driver),     gpu.numa_node ? std::to_string(*gpu.numa_node) : "-",
                names_of(nearest.ports), verdict_words(*shown.verdict)};
        for (const core::Port* port : ports)
            row.push_back(distance_text(bus, gpu, *port));
        rows.push_back(std::move(row));
    }
    return figures(rows, 1, style.width) + (reasons.empty() ? "" : "\n") + reasons +
           "\nPIX: below one switch. PXB: below switches that are connected. PHB: by way of a host "
           "bridge.\nSYS: by way of another NUMA node. NEAREST: of those within PXB the "
           "fastest.\nGPUDIRECT: "
           "whether that one reaches the GPU's memory by itself, and how.\n";
}

std::string gpus_json(const Heading& heading, const core::State& state) {
    using core::Json;
    const core::Gpus* gpus = gpus_of(state);
    if (gpus == nullptr) return document(heading, {{"gpus", nullptr}});
    const core::GpuBus bus(*gpus);
    const std::vector<const core::Port*> ports = rails(state);
    const auto or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    Json out = Json::array();
    for (const core::Gpu& gpu : gpus->devices) {
        Json one = {{"pci", gpu.pci}, {"id", gpu.id}};
        one["driver"] = or_null(gpu.driver);
        one["model"] = or_null(gpu.model);
        one["numa_node"] = gpu.numa_node ? Json(*gpu.numa_node) : Json();
        Json distances = Json::object();
        for (const core::Port* port : ports) {
            const auto distance = bus.distance(gpu, *port);
            distances[port->name] = distance ? Json(std::string(core::text(*distance))) : Json();
        }
        one["ports"] = std::move(distances);
        const std::vector<const core::Port*> nearest = core::nearest_ports(gpu, bus, ports).ports;
        one["nearest"] = Json::array();
        for (const core::Port* port : nearest)
            one["nearest"].push_back(port->name);
        const ShownVerdict shown = verdict_of(state, bus, gpu, ports);
        const core::GpuDirectVerdict& verdict = *shown.verdict;
        one["gpudirect"] = {{"port", shown.port == nullptr ? Json() : Json(shown.port->name)},
                            {"verdict", std::string(core::text(verdict.state))},
                            {"way", or_null(std::string(verdict.way))},
                            {"reason", or_null(std::string(verdict.reason))},
                            {"remedy", or_null(std::string(verdict.remedy))}};
        out.push_back(std::move(one));
    }
    return document(heading, {{"gpus", std::move(out)}});
}

}  // namespace cli
