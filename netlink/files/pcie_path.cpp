// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <charconv>

#include "core/model/back_end.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// No processor has a bus that is as deep.
constexpr unsigned kDeepest = 32;

/// `TOTAL_ERR_COR 3` of the last line (drivers/pci/pcie/aer.c aer_stats_dev_attr).
std::optional<std::uint64_t> total(const HostPath& path) {
    const auto text = read_if_there(path);
    const std::size_t at = text ? text->rfind(' ') : std::string::npos;
    std::uint64_t out = 0;
    if (at == std::string::npos) return std::nullopt;
    const char* const end = text->data() + text->size();
    if (std::from_chars(text->data() + at + 1, end, out).ec != std::errc()) return std::nullopt;
    return out;
}

core::PcieHop hop_at(const HostPath& device, unsigned hops) {
    return {.pci = device.filename(),
            .hops = hops,
            .speed = read_if_there(device / "current_link_speed").value_or(""),
            .width = number_in(read_if_there(device / "current_link_width").value_or("")),
            .max_speed = read_if_there(device / "max_link_speed").value_or(""),
            .max_width = number_in(read_if_there(device / "max_link_width").value_or("")),
            .correctable = total(device / "aer_dev_correctable"),
            .nonfatal = total(device / "aer_dev_nonfatal"),
            .fatal = total(device / "aer_dev_fatal")};
}

}  // namespace

// A device's folder lies in that of the bridge above it; the topmost bridge's in pci0000:00, which
// is no device of the bus.
void read_pcie_path(Machine& machine, core::Port& port) {
    const auto path = core::path_of("/sys/bus/pci/devices/{pci}", port);
    if (!path) return;
    std::optional<HostPath> device = resolved(machine.file(*path));
    if (!device || !exists(*device / "current_link_speed")) return;
    core::PciePath found;
    const HostPath devices = machine.file("/sys/bus/pci/devices");
    for (unsigned hops = 0; hops < kDeepest; ++hops, device = device->parent_path()) {
        if (!exists(devices / device->filename())) break;
        found.push_back(hop_at(*device, hops));
    }
    port.pcie_path = std::move(found);
}

}  // namespace netlink
