// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace core {

/// The RDMA device on a port.
struct Rdma {
    std::string device;  ///< empty: the port has none
    std::uint32_t index = 0;
    std::string type{};                 ///< rxe or siw for a soft link, empty for a NIC's own
    std::vector<std::string> others{};  ///< further RDMA devices on the same port
    bool operator==(const Rdma&) const = default;
};

struct Gid {
    std::uint32_t index = 0;
    std::string gid;   ///< as sysfs prints it
    std::string type;  ///< "RoCE v2" or "IB/RoCE v1"
    std::string port;  ///< the netdev it belongs to
    bool operator==(const Gid&) const = default;
};

struct RdmaPort {
    std::string state;             ///< ACTIVE, DOWN, … (enum ib_port_state)
    std::string physical_state;    ///< LINK_UP, DISABLED, …
    std::uint32_t active_mtu = 0;  ///< bytes, 0 where not asked of verbs
    std::uint32_t max_mtu = 0;
    std::vector<Gid> gids;
    bool operator==(const RdmaPort&) const = default;
};

/// Queue pairs on the RDMA device by who has them, those of the management datagrams (SMI, GSI)
/// left out: `ib_write_bw (1234)`, `nvme_rdma (kernel)`, `not visible`.
using QueuePairs = std::map<std::string, std::uint64_t, std::less<>>;

/// devlink's parameter enable_roce of the port's NIC.
struct EnableRoce {
    enum class Mode : std::uint8_t { runtime, driverinit, permanent };  // devlink_param_cmode
    bool on = false;               ///< as it will be: nobody tells what the NIC was started with
    Mode mode = Mode::driverinit;  ///< when a change takes effect
    bool operator==(const EnableRoce&) const = default;
};

/// What the vendor's driver forces on every connection of the RDMA device.
struct TrafficClass {
    std::optional<std::uint32_t> tos{};  ///< nothing: it leaves the class as it is asked for
    bool operator==(const TrafficClass&) const = default;
};

/// rdma_cm's configfs directory of a device: default_roce_mode and default_roce_tos can be
/// read only inside it (Documentation/ABI/testing/configfs-rdma_cm).
struct CmDefaults {
    std::string mode;  ///< "RoCE v2" or "IB/RoCE v1"
    std::uint8_t tos = 0;
    bool operator==(const CmDefaults&) const = default;
};

}  // namespace core
