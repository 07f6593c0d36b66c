// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/checks/groups.hpp"
#include "core/checks/one_fault.hpp"

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

constexpr std::array kRowsMtu = {
    FindingRow{.id = "mtu-small",
               .why = "The RDMA MTU is the largest power of two that fits the port's MTU.",
               .remedy = "mtu 4200 or more, on the switches too",
               .manual = "rocectl-profile(5), SETTINGS",
               .needs = {.keys = kMtu},
               .look = mtu_too_small},
};

constexpr auto kAllMtu = each_of(kRowsMtu);

}  // namespace

const FindingGroup finding_group::mtu{
    .name = "mtu",
    .doc = "Whether packets of RDMA have the size they could have.",
    .rows = kAllMtu};

}  // namespace core
