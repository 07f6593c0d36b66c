// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/model/state.hpp"
#include "netlink/transport/descriptor.hpp"
#include "netlink/transport/host_path.hpp"
#include "netlink/transport/socket.hpp"

namespace netlink {

/// Files by path (HostPath::string), opened for reading before the process was sealed.
using KeptFiles = std::map<std::string, Descriptor>;

/// Elements to read of an object of the host; empty: all that can be listed.
using Names = std::set<std::string>;

/// The sockets and files of this machine. Each socket is opened when first used, so that a plan
/// pays only for what its profile names.
class Machine {
public:
    explicit Machine(Root root, KeptFiles kept = {})
        : root_(std::move(root)), kept_(std::move(kept)) {}

    Socket& route();
    Socket& generic();
    /// The family id of ethtool in generic netlink. Throws KernelError where there is none.
    std::uint16_t ethtool_family();
    /// The RDMA netlink socket; null where no RDMA stack is loaded. Does not load one, because
    /// reading changes nothing.
    Socket* rdma();
    /// The same, but loads ib_core if needed (the kernel does, when the socket is opened).
    Socket& rdma_loaded();
    /// The family id of devlink in generic netlink; nothing where the kernel has none.
    std::optional<std::uint16_t> devlink_family();
    /// A socket for ioctl SIOCETHTOOL.
    int control();

    /// A file under `--root`. `path` is absolute.
    [[nodiscard]] HostPath file(const std::filesystem::path& path) const { return {root_, path}; }
    [[nodiscard]] bool rooted() const { return root_.is_given(); }
    /// The descriptor of a kept file; -1 where it is not open.
    [[nodiscard]] int kept(const HostPath& path) const;

private:
    std::optional<std::uint16_t> family(std::string_view name);

    Root root_;
    KeptFiles kept_;
    std::optional<Socket> route_;
    std::optional<Socket> generic_;
    std::optional<Socket> rdma_;
    std::optional<std::uint16_t> ethtool_family_;
    std::optional<std::uint16_t> devlink_family_;
};

/// Whether the kernel has the netlink protocol, by the text of /proc/net/netlink
/// (net/netlink/af_netlink.c netlink_native_seq_show, Linux 7.3). Opening a socket of a missing
/// protocol would load its module (netlink_create).
bool has_protocol(std::istream& sockets, int protocol);

/// Whether the port is one end of a veth pair, which has no device behind it.
[[nodiscard]] inline bool is_veth(const core::Port& port) {
    return port.link && port.link->kind == "veth";
}

}  // namespace netlink
