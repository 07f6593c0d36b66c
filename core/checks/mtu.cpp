// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/checks/checks.hpp"

namespace core {
namespace {

constexpr std::array<Keys, 2> kMtu = {"mtu", "rdma.default_mode"};

Faults mtu_too_small(const Evidence& evidence) {
    const Port& port = *evidence.now;
    constexpr std::uint32_t least = 1024;  // what an Ethernet MTU of 1500 gives
    const std::string_view type = port.rdma_link ? std::string_view(port.rdma_link->type) : "";
    const std::uint32_t payload = rdma_mtu(*evidence.driver, type, port.link->mtu);
    if (payload >= least) return {};
    return fault("MTU " + std::to_string(port.link->mtu) +
                 (payload == 0 ? " carries no RDMA MTU at all"
                               : " gives an RDMA MTU of " + std::to_string(payload)) +
                 "; 1500 gives 1024, 4200 and more give 4096");
}

/// Of an MTU that has room for the payload and not for the headers around it.
Faults mtu_without_headers(const Evidence& evidence) {
    const Port& port = *evidence.now;
    constexpr std::uint32_t payload = 4096;
    const std::string_view type = port.rdma_link ? std::string_view(port.rdma_link->type) : "";
    const auto gives = [&](std::uint32_t mtu) { return rdma_mtu(*evidence.driver, type, mtu); };
    const std::uint32_t mtu = port.link->mtu;
    if (mtu < payload || gives(mtu) >= payload) return {};
    std::uint32_t enough = mtu;
    while (gives(enough) < payload)
        ++enough;
    return fault("MTU " + std::to_string(mtu) + " gives an RDMA MTU of " +
                 std::to_string(gives(mtu)) + ", since the headers need room too; " +
                 std::to_string(enough) + " gives " + std::to_string(payload));
}

constexpr std::array kRowsMtu = {
    FindingRow{.id = "mtu-small",
               .why = "The RDMA MTU is the largest power of two that fits the port's MTU.",
               .remedy = "mtu 4200 or more, on the switches too",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kMtu},
               .run = mtu_too_small},
    FindingRow{.id = "mtu-headers",
               .level = FindingLevel::note,
               .why = "An RDMA MTU of 4096 is the payload alone; the port's MTU holds the headers "
                      "of RoCE too.",
               .remedy = "mtu 4200 or more, on the switches too",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kMtu},
               .run = mtu_without_headers},
};

constexpr auto kAllMtu = each_of(kRowsMtu);

}  // namespace

const FindingGroup finding_group::mtu{
    .name = "mtu",
    .doc = "Whether packets of RDMA have the size they could have.",
    .rows = kAllMtu};

}  // namespace core
