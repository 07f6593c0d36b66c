// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "netlink/files/codecs.hpp"
#include "netlink/files/pcie.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// Devices of one maker that compute: GPUs and accelerators.
struct GpuMaker {
    std::string_view vendor;
    std::string_view class_prefix;   ///< of the file `class`: 0xCCSSPP
    std::string_view not_of_driver;  ///< of those, what this driver has is none
};
/// Linux include/linux/pci_ids.h. AMD's NPUs have the class of its Instinct accelerators
/// (drivers/accel/amdxdna, Linux 7.3); NVIDIA's switches are of class 0x0680.
constexpr std::array kMakers = {GpuMaker{"0x10de", "0x03", ""}, GpuMaker{"0x1002", "0x03", ""},
                                GpuMaker{"0x1002", "0x12", "amdxdna"},
                                GpuMaker{"0x1da3", "0x12", ""}};

constexpr std::uint64_t kMebi = std::uint64_t{1024} * 1024;

std::string attribute_of(const HostPath& device, const char* name) {
    return read_if_there(device / name).value_or("");
}

std::optional<std::uint32_t> number_told(const std::string& text) {
    if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
    return number_in(text);
}

std::optional<std::uint64_t> mebibytes_told(const std::string& text) {
    std::uint64_t bytes = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), bytes);
    if (read.ec != std::errc()) return std::nullopt;
    return bytes / kMebi;
}

/// `10de:2330` of the files that hold `0x10de` and `0x2330`.
std::string vendor_and_device(const HostPath& device, const char* vendor, const char* number) {
    const std::string first = attribute_of(device, vendor), second = attribute_of(device, number);
    if (!first.starts_with("0x") || !second.starts_with("0x")) return {};
    return first.substr(2) + ':' + second.substr(2);
}

/// 0 where the device has no link of its own: the kernel says 255 of a capability without a width,
/// as of a GPU on the root bus (include/linux/pci.h PCIE_LNK_WIDTH_UNKNOWN, Linux 7.3).
std::uint32_t lanes_of(const HostPath& device, const char* name) {
    constexpr std::uint32_t most = 32;
    const std::uint32_t lanes = number_in(attribute_of(device, name));
    return lanes > most ? 0 : lanes;
}

bool is_gpu(const HostPath& device) {
    const std::string kind = attribute_of(device, "class");
    if (std::ranges::none_of(
            kMakers, [&](const GpuMaker& maker) { return kind.starts_with(maker.class_prefix); }))
        return false;
    const std::string vendor = attribute_of(device, "vendor");
    return std::ranges::any_of(kMakers, [&](const GpuMaker& maker) {
        if (vendor != maker.vendor || !kind.starts_with(maker.class_prefix)) return false;
        return maker.not_of_driver.empty() ||
               link_text(device / "driver").filename() != maker.not_of_driver;
    });
}

class Bus {
public:
    explicit Bus(const Machine& machine)
        : machine_(machine), devices_(machine.file("/sys/bus/pci/devices")) {}

    [[nodiscard]] const HostPath& devices() const { return devices_; }

    /// Reads all bridges above the device, each once; the PCI address of the nearest.
    std::string read_above(const HostPath& device) {
        const auto folder = resolved(device);
        if (!folder) return {};
        const HostPath above = folder->parent_path();
        std::string pci = above.filename();
        if (functions_in(pci).empty() || !exists(devices_ / pci)) return {};
        if (bridges_.contains(pci)) return pci;
        core::PciBridge& bridge = bridges_[pci];
        bridge = {.pci = pci,
                  .id = vendor_and_device(above, "vendor", "device"),
                  .subsystem = vendor_and_device(above, "subsystem_vendor", "subsystem_device"),
                  .acs = acs_of(pci)};
        bridge.above = read_above(above);
        return pci;
    }

    [[nodiscard]] std::vector<core::PciBridge> bridges() const {
        std::vector<core::PciBridge> out;
        for (const auto& [pci, bridge] : bridges_)
            out.push_back(bridge);
        return out;
    }

private:
    /// Empty where the configuration space is not shown as far as that.
    [[nodiscard]] std::string acs_of(const std::string& pci) const {
        try {
            const auto space =
                open_config_space(machine_, devices_ / pci / "config", O_RDONLY, kExtendedSpace);
            if (!space) return {};
            const auto control = acs_control(space->bytes);
            return control ? acs_text(*control) : "none";
        } catch (const KernelError&) {
            return {};
        }
    }

    const Machine& machine_;
    HostPath devices_;
    std::map<std::string, core::PciBridge> bridges_{};
};

void add_nvidia(const Machine& machine, core::Gpu& gpu) {
    const HostPath folder = machine.file("/proc/driver/nvidia");
    const auto text = read_if_there(folder / "gpus" / gpu.pci / "information");
    if (!text) return;
    const GpuInformation information = decode_gpu_information(*text);
    gpu.model = information.model;
    const HostPath capabilities = folder / "capabilities";
    if (information.minor.empty() || !exists(capabilities)) return;
    gpu.instances = 0;
    for (const std::string& name : names_in(capabilities / ("gpu" + information.minor) / "mig"))
        if (name.starts_with("gi")) ++*gpu.instances;
}

core::Gpu gpu_at(const Machine& machine, const HostPath& device, std::string above) {
    core::Gpu gpu{.pci = device.filename(),
                  .above = std::move(above),
                  .id = vendor_and_device(device, "vendor", "device"),
                  .driver = link_text(device / "driver").filename(),
                  .is_virtual = exists(device / "physfn"),
                  .numa_node = number_told(attribute_of(device, "numa_node")),
                  .iommu_group = number_told(link_text(device / "iommu_group").filename()),
                  .speed = attribute_of(device, "current_link_speed"),
                  .width = lanes_of(device, "current_link_width"),
                  .max_speed = attribute_of(device, "max_link_speed"),
                  .max_width = lanes_of(device, "max_link_width"),
                  .bar = largest_region(text_of(device / "resource")),
                  .memory = mebibytes_told(attribute_of(device, "mem_info_vram_total"))};
    if (gpu.driver == "nvidia") add_nvidia(machine, gpu);
    return gpu;
}

/// NVIDIA's (Mellanox) function of ConnectX-8 for data direct has no RDMA device and no netdev
/// (drivers/infiniband/hw/mlx5/data_direct.c mlx5_data_direct_pci_table, Linux 6.12).
bool is_data_direct(const HostPath& device) {
    return attribute_of(device, "vendor") == "0x15b3" && attribute_of(device, "device") == "0x2100";
}

}  // namespace

GpuInformation decode_gpu_information(std::string_view text) {
    GpuInformation out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        std::string_view value = line.substr(colon + 1);
        value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
        const std::string_view name = line.substr(0, colon);
        if (name == "Model") out.model = value;
        if (name == "Device Minor") out.minor = value;
    }
    return out;
}

std::uint64_t largest_region(std::string_view resource) {
    constexpr std::uint64_t memory = 0x200;  // IORESOURCE_MEM, include/linux/ioport.h
    constexpr int bars = 6;
    std::uint64_t out = 0;
    for (int line = 0; line < bars && !resource.empty(); ++line) {
        std::array<std::uint64_t, 3> numbers{};
        const char* at = resource.data();
        const char* const end = at + std::min(resource.find('\n'), resource.size());
        for (std::uint64_t& number : numbers) {
            if (end - at < 2) break;
            const auto read = std::from_chars(at + 2, end, number, 16);  // behind 0x
            at = read.ptr == end ? end : read.ptr + 1;
        }
        const auto [first, last, flags] = numbers;
        if ((flags & memory) != 0 && last > first) out = std::max(out, (last - first + 1) / kMebi);
        resource.remove_prefix(
            std::min(static_cast<std::size_t>(end - resource.data()) + 1, resource.size()));
    }
    return out;
}

void read_gpus(Machine& machine, const Names& /*names*/, core::Port& itself) {
    Bus bus(machine);
    core::Gpus found;
    std::vector<std::string> names = names_in(bus.devices());
    std::ranges::sort(names);
    for (const std::string& name : names) {
        const HostPath device = bus.devices() / name;
        if (is_gpu(device))
            found.devices.push_back(gpu_at(machine, device, bus.read_above(device)));
    }
    if (!found.devices.empty()) {
        const HostPath rdma = machine.file("/sys/class/infiniband");
        for (const std::string& device : names_in(rdma))
            bus.read_above(rdma / device / "device");
        for (const std::string& name : names) {
            const HostPath device = bus.devices() / name;
            if (!is_data_direct(device)) continue;
            found.data_direct.push_back(
                {.pci = name,
                 .above = bus.read_above(device),
                 .iommu_group = number_told(link_text(device / "iommu_group").filename())});
        }
        found.bridges = bus.bridges();
    }
    itself.gpus = std::move(found);
}

}  // namespace netlink
