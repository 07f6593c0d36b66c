// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/codecs.hpp"

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

template <std::size_t N>
std::string name_of(const std::array<std::string_view, N>& names, std::uint8_t number) {
    return number < N ? std::string(names[number]) : std::to_string(number);
}

}  // namespace

std::optional<RdmaPortAnswer> decode_rdma_port(Bytes payload) {
    const Attributes attributes(payload);
    const auto port = attributes.value<std::uint32_t>(RDMA_NLDEV_ATTR_PORT_INDEX);
    if (!port) return std::nullopt;
    const auto byte = [&](int type) { return attributes.value<std::uint8_t>(type).value_or(0); };
    return RdmaPortAnswer{
        .port = *port,
        .link = attributes.value<std::uint32_t>(RDMA_NLDEV_ATTR_NDEV_INDEX).value_or(0),
        .state = byte(RDMA_NLDEV_ATTR_PORT_STATE),
        .physical_state = byte(RDMA_NLDEV_ATTR_PORT_PHYS_STATE)};
}

std::string rdma_state(std::uint8_t state) {
    static constexpr std::array<std::string_view, 6> kNames = {"NOP",   "DOWN",   "INIT",
                                                               "ARMED", "ACTIVE", "ACTIVE_DEFER"};
    return name_of(kNames, state);
}

std::string rdma_physical_state(std::uint8_t state) {
    static constexpr std::array<std::string_view, 8> kNames = {
        "NOP",     "SLEEP", "POLLING", "DISABLED", "ARMED", "LINK_UP", "LINK_ERROR_RECOVER",
        "PHY_TEST"};
    return name_of(kNames, state);
}

namespace {

/// An empty entry reads as zero, or with EINVAL for its type and netdev.
std::string read_entry(const HostPath& path) {
    try {
        return read_text_file(path);
    } catch (const KernelError& error) {
        if (error.code == EINVAL || error.code == ENOENT) return {};
        throw;
    }
}

bool is_empty(const std::string& gid) {
    return gid.find_first_not_of("0:") == std::string::npos;
}

}  // namespace

std::vector<core::Gid> read_gids(Machine& machine, const std::string& device, std::uint32_t port) {
    if (device.empty() || device.front() == '.' || device.find('/') != std::string::npos)
        throw KernelError(EINVAL, "'" + device + "' is no name of an RDMA device");
    const HostPath folder =
        machine.file("/sys/class/infiniband") / device / "ports" / std::to_string(port);
    std::vector<core::Gid> gids;
    int failure = 0;
    for (const std::string& number : names_in(folder / "gids", &failure)) {
        std::uint32_t index = 0;
        const char* const end = number.data() + number.size();
        const auto read = std::from_chars(number.data(), end, index);
        if (read.ec != std::errc() || read.ptr != end) continue;  // no entry
        core::Gid gid;
        gid.gid = read_entry(folder / "gids" / number);
        if (is_empty(gid.gid)) continue;
        gid.index = index;
        gid.type = read_entry(folder / "gid_attrs" / "types" / number);
        gid.port = read_entry(folder / "gid_attrs" / "ndevs" / number);
        gids.push_back(std::move(gid));
    }
    if (failure != 0) throw KernelError(failure, (folder / "gids").string());
    std::ranges::sort(gids, {}, &core::Gid::index);
    return gids;
}

}  // namespace netlink
