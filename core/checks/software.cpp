// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/objects/host/parts.hpp"

// Whether modules, libraries and device files of RDMA are there.

namespace core {
namespace {

using rdma_software::is_loaded;
using rdma_software::kCm;
using rdma_software::kCore;
using rdma_software::kLibrary;
using rdma_software::kUserCm;
using rdma_software::kVerbs;
using rdma_software::module_of;

constexpr std::array<Keys, 1> kModules = {"host.rdma.modules"};
constexpr std::array<Keys, 2> kOwnModules = {"host.rdma.modules", "rdma.device"};
constexpr std::array<Keys, 2> kProviders = {"host.rdma.providers", "rdma.device"};
constexpr std::array<Keys, 1> kNodes = {"host.rdma.nodes"};

const RdmaSoftware& software_of(const Evidence& evidence) {
    return *find_port(*evidence.state, kHost)->rdma_software;
}

/// A module that is not in the kernel, with what brings it there; nothing where it is, or where
/// that is not known.
Faults not_loaded(const RdmaSoftware& software, std::string_view module) {
    if (is_loaded(software, module).value_or(true)) return {};
    const std::string name(module);
    const std::string& state = software.modules.find(module)->second;
    if (state == "not on disk")
        return {Fault{.text = "this kernel has no module " + name,
                      .remedy = "the package with the rest of the running kernel's modules "
                                "(kernel-modules-extra, linux-modules-extra), or the vendor's "
                                "driver built for this kernel; then modprobe " +
                                name}};
    if (state == "blacklisted")
        return {Fault{.text = "the module " + name + " is blacklisted and not loaded",
                      .remedy = "take it out of /etc/modprobe.d, or modprobe.blacklist= out of the "
                                "kernel's command line; then modprobe " +
                                name}};
    return {Fault{.text = "the module " + name + " is not loaded",
                  .remedy = "modprobe " + name + "; host.modules [\"" + name +
                            "\"] keeps it so, with /etc/modules-load.d for the next boot"}};
}

/// Who has an RDMA device has its driver, and what that needs. Since Linux 7.3 that is not
/// ib_uverbs: what drivers take of it is a module of its own (drivers/infiniband/core/Makefile,
/// ib_uverbs_support).
Faults no_module(const Evidence& evidence) {
    const Port& port = *evidence.now;
    Faults out;
    if (!port.rdma_link->device.empty()) return out;
    for (const std::string_view module : {kCore, module_of(port)})
        for (Fault& fault : not_loaded(software_of(evidence), module))
            out.push_back(std::move(fault));
    return out;
}

Faults no_verbs(const Evidence& evidence) {
    if (std::ranges::none_of(evidence.fabric_ports,
                             [](const Port* port) { return rdma_link::has_device(*port); }))
        return {};
    const RdmaSoftware& software = software_of(evidence);
    Faults out = not_loaded(software, kVerbs);
    // The first program that asks for devices has it loaded, where nothing is in the way.
    for (Fault& fault : out)
        fault.slight = software.modules.find(kVerbs)->second.starts_with("on disk");
    return out;
}

Faults no_user_cm(const Evidence& evidence) {
    Faults out;
    if (evidence.fabric_ports.empty()) return out;
    for (const std::string_view module : {kCm, kUserCm})
        for (Fault& fault : not_loaded(software_of(evidence), module))
            out.push_back(std::move(fault));
    return out;
}

Faults no_provider(const Evidence& evidence) {
    const auto& providers = software_of(evidence).providers;
    const auto library = providers.find(kLibrary);
    const auto own = providers.find(evidence.now->rdma_link->device);
    // Without libibverbs itself no program here uses verbs.
    if (library == providers.end() || library->second == rdma_software::kNone) return {};
    if (own == providers.end() || own->second != rdma_software::kNone) return {};
    return fault("libibverbs has no library for " + own->first + ": programs do not see it");
}

Faults no_nodes(const Evidence& evidence) {
    Faults out;
    for (const DeviceNode& node : software_of(evidence).nodes)
        if (node.mode.empty())
            out.push_back({.text = "the kernel has " + node.name +
                                   ", and there is no /dev/infiniband/" + node.name});
    return out;
}

Faults not_to_be_opened(const Evidence& evidence) {
    Faults out;
    for (const DeviceNode& node : software_of(evidence).nodes)
        if (!node.mode.empty() && !node.refused.empty())
            out.push_back({.text = "/dev/infiniband/" + node.name + " (mode " + node.mode +
                                   ", owner " + node.owner + "): " + node.refused});
    return out;
}

constexpr std::array<Ids, 2> kOfNoModule = {"rdma-device-missing", "rdma-disabled"};

constexpr std::array kRowsSoftware = {
    FindingRow{.id = "rdma-module-missing",
               .why = "Without ib_core and the RDMA driver of the NIC there is no RDMA device, "
                      "though the network works.",
               .remedy = "modprobe of the module",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kOwnModules},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfNoModule,
                         .ruled_out_by = "lsmod lists the module",
                         .test = "modprobe -n -v MODULE",
                         .weight = Weight::stop},
               .run = no_module},
    FindingRow{.id = "uverbs-missing",
               .why = "Programs open RDMA devices through ib_uverbs. Up to Linux 6.12 every RDMA "
                      "driver brings it; since 7.3 it comes when the first program asks for "
                      "devices, and /dev/infiniband with it: too late for a container that was "
                      "given that folder before.",
               .remedy = "modprobe ib_uverbs; a line of that name in /etc/modules-load.d for the "
                         "next boot",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kModules},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "ls /sys/class/infiniband_verbs",
                         .test = "modprobe -n -v ib_uverbs",
                         .weight = Weight::stop},
               .run = no_verbs},
    FindingRow{.id = "rdma-ucm-missing",
               .why = "rdma_cm is how most programs connect: without it rdma_create_event_channel "
                      "fails.",
               .remedy = "modprobe rdma_ucm",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kModules},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "no program here connects by rdma_cm",
                         .test = "ls /sys/class/misc/rdma_cm",
                         .weight = Weight::stop},
               .run = no_user_cm},
    FindingRow{.id = "verbs-provider-missing",
               .why = "libibverbs opens a device by a library for its driver; where that is "
                      "missing, as in an image without rdma-core, the device is not listed.",
               .remedy = "the package ibverbs-providers or rdma-core, or the vendor's",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kProviders},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "ibv_devices lists the device", .test = "ibv_devices"},
               .run = no_provider},
    FindingRow{.id = "no-device-nodes",
               .why = "Programs open devices under /dev/infiniband. A container sees the device in "
                      "sysfs, and has the file only where it was given.",
               .remedy = "of a container: --device=/dev/infiniband; of a host: systemctl restart "
                         "systemd-udevd, udevadm trigger",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kNodes},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "ls /dev/infiniband shows it", .weight = Weight::stop},
               .run = no_nodes},
    FindingRow{.id = "uverbs-permission",
               .why = "Programs of this user cannot open the device: ibv_open_device fails with "
                      "EACCES. The kernel makes these files for everybody.",
               .remedy = "a rule of udev: SUBSYSTEM==\"infiniband_verbs\", MODE=\"0666\"; of a "
                         "container: its cgroup's list of devices",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kNodes},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "ibv_devinfo works for this user",
                         .test = "ibv_devinfo",
                         .weight = Weight::stop},
               .run = not_to_be_opened},
};

constexpr auto kAllSoftware = each_of(kRowsSoftware);

}  // namespace

const FindingGroup finding_group::software{
    .name = "software",
    .doc = "Whether modules, libraries and device files of RDMA are there.",
    .rows = kAllSoftware};

}  // namespace core
