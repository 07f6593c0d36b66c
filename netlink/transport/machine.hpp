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
#include "netlink/transport/socket.hpp"

namespace netlink {

/// Files that were opened for reading while that was still allowed, by where they are.
using KeptFiles = std::map<std::filesystem::path, Descriptor>;

/// Which elements of an object of the host are read; all that can be listed where none is named.
using Names = std::set<std::string>;

/// The channels to this machine. Each is opened when it is first needed, so that a plan pays
/// only for what its profile names.
class Machine {
public:
    explicit Machine(std::filesystem::path root, KeptFiles kept = {})
        : root_(std::move(root)), kept_(std::move(kept)) {}

    Socket& route();
    Socket& generic();
    /// Generic netlink's number for the ethtool family. Throws KernelError where there is none.
    std::uint16_t ethtool_family();
    /// The socket of RDMA netlink; null where no RDMA stack is loaded. Does not load one: reading
    /// changes nothing.
    Socket* rdma();
    /// Loads ib_core where need be (the kernel does, when the socket is opened).
    Socket& rdma_loaded();
    /// Generic netlink's number for the devlink family; nothing where this kernel has none.
    std::optional<std::uint16_t> devlink_family();
    /// A socket that SIOCETHTOOL can be asked on.
    int control();

    /// Where a file is, `--root` taken into account. `path` is absolute.
    [[nodiscard]] std::filesystem::path file(const std::filesystem::path& path) const;
    [[nodiscard]] bool rooted() const { return root_ != "/"; }
    /// The file that is open for reading already; -1 where none is.
    [[nodiscard]] int kept(const std::filesystem::path& path) const;

private:
    std::optional<std::uint16_t> family(std::string_view name);

    std::filesystem::path root_;
    KeptFiles kept_;
    std::optional<Socket> route_;
    std::optional<Socket> generic_;
    std::optional<Socket> rdma_;
    std::optional<std::uint16_t> ethtool_family_;
    std::optional<std::uint16_t> devlink_family_;
};

/// Whether the kernel has the protocol of netlink, by the text of /proc/net/netlink
/// (net/netlink/af_netlink.c netlink_native_seq_show, Linux 7.3). A socket of one that it has not
/// would load the module for it (netlink_create).
bool has_protocol(std::istream& sockets, int protocol);

/// One end of a pair that the kernel itself makes; no device is behind it.
[[nodiscard]] inline bool is_veth(const core::Port& port) {
    return port.link && port.link->kind == "veth";
}

}  // namespace netlink
