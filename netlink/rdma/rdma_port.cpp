// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/rdma_port.hpp"

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include "netlink/files/cm_directory.hpp"
#include "netlink/files/ecn.hpp"
#include "netlink/files/gids.hpp"

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

}  // namespace netlink
