// SPDX-License-Identifier: Apache-2.0
#include <sys/utsname.h>

#include <algorithm>

#include "netlink/files/codecs.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

namespace gpu_direct = core::gpu_direct;

/// Where a vendor's ib_core has a folder for each client of peer memory: NVIDIA's and the one of
/// Ubuntu's kernels; AMD's; Broadcom's (RCCL's src/transport/net_ib/gdr_peermem.cc looks there).
constexpr std::array<const char*, 3> kClientFolders = {
    "/sys/kernel/mm/memory_peers", "/sys/kernel/memory_peers", "/sys/memory_peers"};

HostPath module_folder(const Machine& machine, std::string_view module) {
    return machine.file("/sys/module") / std::string(module);
}

std::vector<core::GpuDriver> drivers_in(const Machine& machine) {
    std::vector<core::GpuDriver> out;
    for (const std::string_view name : gpu_direct::kGpuModules) {
        const HostPath folder = module_folder(machine, name);
        if (!exists(folder)) continue;
        core::GpuDriver driver{.name = std::string(name),
                               .version = read_if_there(folder / "version").value_or("")};
        if (name == gpu_direct::kNvidia)
            if (const auto text = read_if_there(machine.file("/proc/driver/nvidia/version")))
                driver.flavour = flavour_in_version(*text);
        out.push_back(std::move(driver));
    }
    return out;
}

/// `uname -r`, of a captured tree its own.
std::string release_of_kernel(const Machine& machine) {
    if (auto release = read_if_there(machine.file("/proc/sys/kernel/osrelease"))) return *release;
    utsname names{};
    uname(&names);
    return names.release;
}

/// Where distributions keep the configuration: Debian and most; Fedora, and Debian from 7.3 on.
std::optional<core::GpuDirect::Options> kernel_options(const Machine& machine) {
    const std::string release = release_of_kernel(machine);
    for (const std::string& path :
         {"/boot/config-" + release, "/usr/lib/modules/" + release + "/config"}) {
        const std::string text = text_of(machine.file(path));
        if (!text.empty()) return kernel_options_in(text);
    }
    return std::nullopt;
}

}  // namespace

std::string_view flavour_in_version(std::string_view text) {
    return text.find("Open Kernel Module") == std::string_view::npos ? gpu_direct::kProprietary
                                                                     : gpu_direct::kOpen;
}

core::GpuDirect::Options kernel_options_in(std::string_view text) {
    constexpr std::string_view start = "CONFIG_";
    core::GpuDirect::Options out;
    for (const std::string_view name : gpu_direct::kKernelOptions)
        out.emplace(name, "n");
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.starts_with(start)) continue;
        line.remove_prefix(start.size());
        const std::size_t sign = line.find('=');
        const auto found = out.find(line.substr(0, sign));
        if (sign == std::string_view::npos || found == out.end()) continue;
        const std::string_view value = line.substr(sign + 1);
        if (value == "y" || value == "m") found->second = value;
    }
    return out;
}

bool has_gpu_driver(const Machine& machine) {
    return std::ranges::any_of(gpu_direct::kGpuModules, [&](std::string_view name) {
        return exists(module_folder(machine, name));
    });
}

void read_gpu_direct(Machine& machine, const Names& /*names*/, core::Port& itself) {
    core::GpuDirect found;
    found.drivers = drivers_in(machine);
    if (!found.drivers.empty()) {
        for (const std::string_view name : gpu_direct::kPeerModules)
            if (exists(module_folder(machine, name))) found.peer_modules.emplace(name);
        for (const char* const folder : kClientFolders)
            for (const std::string& name : names_in(machine.file(folder)))
                if (is_folder(machine.file(folder) / name)) found.peer_clients.insert(name);
        found.kernel_options = kernel_options(machine);
    }
    itself.gpu_direct = std::move(found);
}

}  // namespace netlink
