// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "core/drivers/families.hpp"

namespace core {
namespace {

constexpr std::array kDrivers = {
#define CORE_ROW(name) &name::row,
    CORE_FAMILIES(CORE_ROW)
#undef CORE_ROW
};

}  // namespace

namespace {

constexpr std::array<std::string_view, 6> kDisruptions = {"none",   "queues", "link",
                                                          "reload", "reset",  "reboot"};

}  // namespace

std::string_view word(Disruption disruption) {
    return kDisruptions.at(static_cast<std::size_t>(disruption));
}

std::optional<Disruption> disruption_named(std::string_view word) {
    const auto found = std::ranges::find(kDisruptions, word);
    if (found == kDisruptions.end()) return std::nullopt;
    return static_cast<Disruption>(found - kDisruptions.begin());
}

std::span<const Driver* const> drivers() {
    return kDrivers;
}

const Driver& driver_named(std::string_view name) {
    const auto found =
        std::ranges::find(kDrivers, name, [](const Driver* driver) { return driver->name; });
    return found == kDrivers.end() ? generic::row : **found;
}

std::optional<Release> release_of(std::string_view kernel) {
    Release out;
    const char* const end = kernel.data() + kernel.size();
    const auto [dot, error] = std::from_chars(kernel.data(), end, out.major);
    if (error != std::errc() || dot == end || *dot != '.') return std::nullopt;
    if (std::from_chars(dot + 1, end, out.minor).ec != std::errc()) return std::nullopt;
    return out;
}

const Driver& driver_of(const Port& port) {
    return port.device ? driver_named(port.device->driver) : generic::row;
}

std::uint32_t rdma_mtu(const Driver& driver, std::string_view rdma_type, std::uint32_t mtu) {
    std::uint32_t overhead = driver.rdma_port.mtu_overhead;
    if (const auto* soft = rdma_link::soft_driver(rdma_type)) overhead = soft->mtu_overhead;
    for (const std::uint32_t payload : {4096U, 2048U, 1024U, 512U, 256U})
        if (mtu >= payload + overhead) return payload;
    return 0;
}

}  // namespace core
