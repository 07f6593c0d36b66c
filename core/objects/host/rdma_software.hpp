// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

struct Port;

/// What stands under /dev/infiniband for a device of the kernel's, as a program finds it.
struct DeviceNode {
    std::string name;     ///< uverbs0, rdma_cm
    std::string mode;     ///< octal, such as 0666; empty: there is no node
    std::string owner;    ///< UID:GID
    std::string refused;  ///< why opening it failed; empty: it can be opened, or was not tried
    bool operator==(const DeviceNode&) const = default;
};

/// What of the RDMA stack is installed and in use on the host.
struct RdmaSoftware {
    /// `loaded`, `built in`, `on disk`, `blacklisted`, `not on disk`; `not loaded` where nothing
    /// tells what is on disk.
    std::map<std::string, std::string, std::less<>> modules{};
    /// By RDMA device the library that its provider is in, or `none`; `libibverbs` itself is among
    /// them.
    std::map<std::string, std::string, std::less<>> providers{};
    std::vector<DeviceNode> nodes{};
    bool operator==(const RdmaSoftware&) const = default;
};

}  // namespace core

namespace core::rdma_software {

/// Modules that every use of RDMA takes, and those that connecting by rdma_cm takes beside.
inline constexpr std::string_view kCore = "ib_core";
inline constexpr std::string_view kVerbs = "ib_uverbs";
inline constexpr std::string_view kCm = "rdma_cm";
inline constexpr std::string_view kUserCm = "rdma_ucm";
inline constexpr std::string_view kLibrary = "libibverbs";
inline constexpr std::string_view kNone = "none";

/// The module that makes the RDMA device of the port; empty where nobody can say.
std::string_view module_of(const Port& port);

/// Whether it is in the kernel; nothing where that was not read.
std::optional<bool> is_loaded(const RdmaSoftware& software, std::string_view module);

}  // namespace core::rdma_software
