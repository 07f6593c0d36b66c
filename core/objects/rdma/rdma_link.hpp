// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

struct Driver;
struct Port;
struct Unsupported;
struct ObjectRow;

/// The RDMA device on a port.
struct RdmaLink {
    std::string device;  ///< empty: the port has none
    std::uint32_t index = 0;
    std::string type{};                 ///< rxe or siw for a soft link, empty for a NIC's own
    std::string protocol{};             ///< roce, iw and so on; empty where it is not known
    std::vector<std::string> others{};  ///< further RDMA devices on the same port
    /// What namespaces do with RDMA devices, `shared` or `exclusive`, of a port that is in another
    /// network namespace than the first; empty in the first, and where it is not known.
    std::string netns{};
    /// Of a port without a device: those that are on no port of this network namespace.
    std::vector<std::string> elsewhere{};
    bool operator==(const RdmaLink&) const = default;
};

}  // namespace core

namespace core::rdma_link {

/// A driver that gives any network interface an RDMA device.
struct SoftDriver {
    std::string_view type;           ///< of the device, as rdma(8) has it
    std::string_view module;         ///< the kernel's
    std::string_view protocol;       ///< of the device, as RdmaLink has it
    std::uint32_t mtu_overhead = 0;  ///< what headers take of the MTU
};
/// drivers/infiniband/sw: rxe (rxe_param.h, RXE_MAX_HDR_LENGTH) and siw.
inline constexpr std::array kSoftDrivers = {
    SoftDriver{.type = "rxe", .module = "rdma_rxe", .protocol = "roce", .mtu_overhead = 80},
    SoftDriver{.type = "siw", .module = "siw", .protocol = "iw"}};
/// Of a device of this type; null where a NIC's own driver has it.
constexpr const SoftDriver* soft_driver(std::string_view type) {
    const auto* const found = std::ranges::find(kSoftDrivers, type, &SoftDriver::type);
    return found == kSoftDrivers.end() ? nullptr : found;
}

/// Whether RoCE can be had of the port's RDMA device, as far as that is known.
bool speaks_roce(const Port& port);

/// Gives the port the RDMA device, and what the kernel gives a device that has just come.
void add_device(Port& port, RdmaLink device);

/// What is said of an object that hangs on the RDMA device, where the port has none.
std::optional<Unsupported> no_device(const Driver& driver, const Port& port, std::string_view key);

/// Whether the port has an RDMA device, as far as that is known.
bool has_device(const Port& port);

/// Whether the object is one of the port's RDMA device, and says so where there is none.
bool hangs_on_device(const ObjectRow& other);

}  // namespace core::rdma_link
