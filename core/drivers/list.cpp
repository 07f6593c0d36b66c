// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "core/drivers/families.hpp"
#include "core/model/letters.hpp"

namespace core {
namespace {

constexpr std::array kDrivers = {
#define CORE_ROW(name) &name::row,
    CORE_FAMILIES(CORE_ROW)
#undef CORE_ROW
};

}  // namespace

namespace {

constexpr std::array<std::string_view, 7> kDisruptions = {"none",   "queues", "unknown", "link",
                                                          "reload", "reset",  "reboot"};

}  // namespace

std::string_view word(Disruption disruption) {
    return kDisruptions.at(static_cast<std::size_t>(disruption));
}

std::optional<Disruption> disruption_named(std::string_view word) {
    const auto found = std::ranges::find(kDisruptions, word);
    const auto named = static_cast<Disruption>(found - kDisruptions.begin());
    if (found == kDisruptions.end() || named == Disruption::unknown) return std::nullopt;
    return named;
}

std::span<const Driver* const> drivers() {
    return kDrivers;
}

std::string_view title_of(const Driver& driver) {
    return driver.title.empty() ? driver.name : driver.title;
}

namespace {

template <typename Is>
const Driver* first_row(const Is& is) {
    const auto found =
        std::ranges::find_if(kDrivers, [&](const Driver* driver) { return is(*driver); });
    return found == kDrivers.end() ? nullptr : *found;
}

bool contains(std::span<const std::string_view> some, std::string_view one) {
    return std::ranges::find(some, one) != some.end();
}

}  // namespace

const Driver& driver_named(std::string_view name) {
    const Driver* const row = first_row(
        [&](const Driver& each) { return each.name == name || contains(each.also, name); });
    return row == nullptr ? generic::row : *row;
}

std::optional<Release> release_of(std::string_view kernel) {
    Release out;
    const char* const end = kernel.data() + kernel.size();
    const auto [dot, error] = std::from_chars(kernel.data(), end, out.major);
    if (error != std::errc() || dot == end || *dot != '.') return std::nullopt;
    if (std::from_chars(dot + 1, end, out.minor).ec != std::errc()) return std::nullopt;
    return out;
}

std::string text(const Release& release) {
    return std::to_string(release.major) + '.' + std::to_string(release.minor);
}

bool is_before(const Host& host, const Release& release) {
    const std::optional<Release> kernel = release_of(host.kernel);
    return kernel && *kernel < release;
}

bool is_since(const Host& host, const Release& release) {
    const std::optional<Release> kernel = release_of(host.kernel);
    return kernel && *kernel >= release;
}

const Driver& driver_of(const Port& port) {
    if (port.link && !port.link->kind.empty())
        if (const Driver* const row = first_row(
                [&](const Driver& each) { return contains(each.kinds, port.link->kind); }))
            return *row;
    if (!port.device) return generic::row;
    if (!port.device->pci_id.empty())
        if (const Driver* const row = first_row([&](const Driver& each) {
                return !each.of_driver.empty() && each.of_driver == port.device->driver &&
                       !contains(each.but_pci_ids, in_lower_case(port.device->pci_id));
            }))
            return *row;
    return driver_named(port.device->driver);
}

bool has_variants(std::string_view driver) {
    return !driver.empty() &&
           first_row([&](const Driver& each) { return each.of_driver == driver; }) != nullptr;
}

bool can_be_hosts(const Driver& driver) {
    return (driver.dcbx.host & Dcbx::host) != 0;
}

std::uint32_t rdma_mtu(const Driver& driver, std::string_view rdma_type, std::uint32_t mtu) {
    std::uint32_t overhead = driver.rdma_port.mtu_overhead.value_or(0);
    if (const auto* soft = rdma_link::soft_driver(rdma_type)) overhead = soft->mtu_overhead;
    for (const std::uint32_t payload : {4096U, 2048U, 1024U, 512U, 256U})
        if (mtu >= payload + overhead) return payload;
    return 0;
}

bool knows_rdma_mtu(const Driver& driver, std::string_view rdma_type) {
    return driver.rdma_port.mtu_overhead || rdma_link::soft_driver(rdma_type) != nullptr;
}

std::optional<unsigned> unlisted_priority(const Driver& driver, const Port& port, unsigned dscp) {
    const auto& of_four = driver.app.unlisted_of_four;
    constexpr std::uint8_t four = 4;
    const bool may_be_removed =
        driver.app.unlisted == Driver::App::Unlisted::by_eights_unless_removed;
    if (!of_four.empty() && port.ets && port.ets->capability == four) {
        const unsigned first = of_four[dscp % of_four.size()];
        if (may_be_removed && first != dscp % 8) return std::nullopt;
        return first;
    }
    switch (driver.app.unlisted) {
        case Driver::App::Unlisted::zero: return 0;
        case Driver::App::Unlisted::by_eights: return dscp / 8;
        case Driver::App::Unlisted::by_eights_unless_removed:
            return dscp / 8 == dscp % 8 ? std::optional(dscp / 8) : std::nullopt;
        case Driver::App::Unlisted::held: return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace core
