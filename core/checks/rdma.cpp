// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/objects/rdma/parts.hpp"

namespace core {
namespace {

constexpr std::array<Keys, 1> kDevice = {"rdma.device"};
constexpr std::array<Keys, 1> kProtocol = {"rdma.protocol"};
constexpr std::array<Keys, 1> kEnable = {"rdma.enable_roce"};
constexpr std::array<Keys, 1> kOthers = {"rdma.others"};
constexpr std::array<Keys, 1> kNetns = {"host.rdma.netns_mode"};
constexpr std::array<Ids, 1> kIsEnabled = {"rdma-disabled"};

Faults disabled(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if (port.devlink->on || is_desired(evidence, "rdma.enable_roce", false)) return {};
    return fault("RoCE is switched off in the device (devlink)",
                 fixed(port, "rdma.enable_roce", true));
}

Faults no_device(const Evidence& evidence) {
    const RdmaLink& link = *evidence.now->rdma_link;
    if (!link.device.empty()) return {};
    if (link.netns == "exclusive")
        return {Fault{.text = "the port has no RDMA device in this network namespace, and each has "
                              "its own (exclusive)",
                      .remedy =
                          "in the namespace that has it: rdma dev set DEVICE netns NAME; soft "
                          "devices are to be moved since Linux 7.3"}};
    if (!link.elsewhere.empty()) {
        std::string names;
        for (const std::string& device : link.elsewhere)
            names += (names.empty() ? "" : ", ") + device;
        return {Fault{.text = "the port has no RDMA device: of " + names +
                              ", whose ports are in another network namespace, no GID is of it",
                      .remedy = "of a pod or container its definition: a network on a port that "
                                "has an RDMA device (macvlan, SR-IOV, host-device), and the device "
                                "with it"}};
    }
    return fault("the port has no RDMA device");
}

Faults iwarp(const Evidence& evidence) {
    const std::string& protocol = evidence.now->rdma_link->protocol;
    if (protocol.empty() || protocol == "roce") return {};
    return fault("the RDMA device speaks " + (protocol == "iw" ? "iWARP" : protocol) +
                 ", not RoCE");
}

Faults several_devices(const Evidence& evidence) {
    const std::vector<std::string>& others = evidence.now->rdma_link->others;
    if (others.empty()) return {};
    std::string names = evidence.now->rdma_link->device;
    for (const std::string& other : others)
        names.append(", ").append(other);
    return fault("the port has " + std::to_string(others.size() + 1) + " RDMA devices: " + names);
}

Faults exclusive(const Evidence& evidence) {
    const Port& host = *evidence.now;
    if (*host.rdma_system != "exclusive" ||
        is_desired(evidence, "host.rdma.netns_mode", std::string("exclusive")))
        return {};
    const char* const text = "each network namespace sees only its own RDMA devices (exclusive)";
    // From within another namespace the kernel answers EBUSY (device.c rdma_compatdev_set).
    if (std::ranges::any_of(evidence.state->ports, [](const Port& port) {
            return port.rdma_link && port.rdma_link->netns == "exclusive";
        }))
        return fault(text);
    return fault(text, fixed(host, "host.rdma.netns_mode", std::string("shared")));
}

constexpr std::array<Ids, 3> kOfNoDevice = {"rdma-not-active", "no-gid", "rdma-mtu"};
constexpr std::array<Ids, 1> kNoDevice = {"rdma-device-missing"};

constexpr std::array kRowsRdma = {
    FindingRow{.id = "rdma-netns-exclusive",
               .level = FindingLevel::note,
               .why =
                   "A container with a network namespace of its own does not see the device, and "
                   "the host does not see one that was moved.",
               .remedy = "host.rdma.netns_mode shared, while no other namespace exists",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kNetns},
               .examines = CheckTarget::host,
               .run = exclusive},
    FindingRow{.id = "rdma-disabled",
               .why = "The device was told not to do RoCE; its RDMA device does not come up.",
               .remedy = "rdma.enable_roce true",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kEnable},
               .examines = CheckTarget::port,
               .cause = {.explains = kNoDevice,
                         .ruled_out_by = "devlink dev param show names true for it",
                         .without = Lives::rdma_device,
                         .weight = Weight::stop},
               .run = disabled},
    FindingRow{
        .id = "rdma-device-missing",
        .why = "The driver of the NIC is there, and no RDMA device on the port: nothing can "
               "be opened.",
        .remedy = "modprobe of the RDMA driver; what the kernel's log says where it is loaded",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kDevice, .sound = kIsEnabled},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfNoDevice,
                  .ruled_out_by = "rdma link lists the device with this port",
                  .test = "rdma link; ls /sys/bus/auxiliary/devices",
                  .without = Lives::rdma_device,
                  .weight = Weight::stop},
        .run = no_device},
    FindingRow{.id = "rdma-iwarp",
               .why = "iWARP and RoCE do not talk to each other: the other end never answers.",
               .remedy = "rdma.enable_roce true where the NIC does both",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kProtocol},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfNoDevice,
                         .ruled_out_by = "ibv_devinfo shows GIDs of RoCE",
                         .weight = Weight::stop},
               .run = iwarp},
    FindingRow{.id = "rdma-devices",
               .level = FindingLevel::note,
               .why = "What opens the first device it finds may take the other one: a soft device "
                      "beside the NIC's own is slow and uses the CPU.",
               .remedy = "rdma link delete of the soft device",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kOthers},
               .examines = CheckTarget::port,
               .run = several_devices},
};

constexpr auto kAllRdma = each_of(kRowsRdma);

}  // namespace

const FindingGroup finding_group::rdma{
    .name = "rdma",
    .doc = "Whether ports have the RDMA device they should have.",
    .rows = kAllRdma};

}  // namespace core
