// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/checks/catalogue.hpp"
#include "core/checks/evidence.hpp"
#include "core/model/bits.hpp"
#include "core/model/driver.hpp"
#include "core/model/object.hpp"

// What the checks of several groups share.

namespace core {

using Keys = std::string_view;

/// A single fault with this text and no fix. examine blames a desired value of the row's keys for
/// it: the first stated one, else the first derived.
[[nodiscard]] inline Faults fault(std::string text) {
    return {Fault{.text = std::move(text)}};
}

/// Whether PFC is on for the priority. False for numbers above 7, which a kernel may report.
[[nodiscard]] inline bool is_lossless(const Port& port, unsigned priority) {
    return port.pfc && (port.pfc->priorities & bit_of(priority)) != 0;
}

using Ids = std::string_view;

/// The value that a setting of the port should have, for Fault::fix.
[[nodiscard]] inline Desired fixed(const Port& port, std::string_view key, Value value,
                                   std::string element = "") {
    return {.port = port.name,
            .field = find_field(key),
            .element = std::move(element),
            .value = std::move(value)};
}

/// One fault and the value that fixes it.
[[nodiscard]] inline Faults fault(std::string text, Desired fix) {
    return {Fault{.text = std::move(text), .fix = {std::move(fix)}}};
}

/// `the other ports of its kind`, with the fabric where the host has several.
std::string siblings_words(const HostFabrics& fabrics, const HostFabric& fabric);
std::string siblings_words(const Evidence& evidence);

/// The value that most other ports of its fabric with the same driver have, if at least three
/// agree; an empty one if not. A port that differs from its siblings was probably not meant to.
template <typename Get>
auto usual(const Evidence& evidence, Get get) -> decltype(get(std::declval<const Port&>())) {
    using Held = decltype(get(std::declval<const Port&>()));
    std::vector<std::pair<Held, unsigned>> votes;
    for (const Port* port : evidence.host_fabric->ports) {
        if (port == evidence.now || !port->device || !evidence.now->device ||
            port->device->driver != evidence.now->device->driver)
            continue;
        const Held held = get(*port);
        if (!held) continue;
        const auto known = std::ranges::find(votes, held, &std::pair<Held, unsigned>::first);
        if (known == votes.end())
            votes.emplace_back(held, 1);
        else
            ++known->second;
    }
    constexpr unsigned enough = 3;
    const auto most = std::ranges::max_element(votes, {}, &std::pair<Held, unsigned>::second);
    return most == votes.end() || most->second < enough ? Held{} : most->first;
}

/// Whether the profile asks for this value.
[[nodiscard]] inline bool is_desired(const Evidence& evidence, std::string_view key,
                                     const Value& value) {
    const Desired* desired = find_desired(evidence, key);
    return desired != nullptr && desired->value == value;
}

/// `3, 4` for a bit mask of priorities; `none` for an empty one.
std::string priorities_text(std::uint8_t priorities);

/// Whether VLANs on the port or on its bond set the priority in their tags (egress_priority).
bool has_tags(const HostIndex& index, const Port& port);
/// The priorities in those tags for packets with this ToS, as a bit mask.
std::uint8_t tagged_priorities(const HostIndex& index, const Port& port, unsigned tos);

/// What sends by the RDMA device of the port under examination, the port first:
/// HostIndex::senders_by without netdevs that are examined as ports of the fabric themselves. Where
/// its bond is such a port, that leaves out the bond and the VLANs on it.
std::vector<const Port*> senders_of(const Evidence& evidence);

/// The port's addresses at which other hosts can reach it.
std::vector<Address> reachable_addresses(const Port& port);

/// `RoCE is meant to have priority 3`, worded by how certain that is: a guess is called one.
std::string intended(const EffectiveIntent& roce);

/// Faults where PFC is on, but not for the priority of RoCE (opposed_pfc), or where RoCE's DSCP is
/// mapped to another priority (opposed_map). One of the two settings was changed: where neither the
/// profile nor other ports tell which, the fault offers both fixes.
Faults opposed_pfc(const Evidence& evidence, Desired fix);
Faults opposed_map(const Evidence& evidence, unsigned priority);

/// An environment variable of an RDMA library, and who sets it.
struct StatedVariable {
    std::string who{};  ///< `train (1234)`, or a file
    std::string name{};
    std::string value{};
    /// Whether it stands in a file; else a program has it. A program may call itself by a path.
    bool of_file = false;
};

/// The variables in the environment of running programs and in the libraries' host-wide
/// configuration files. The host's environments must have been read.
std::vector<StatedVariable> stated_variables(const Evidence& evidence);

/// Who is to be started anew, since a variable is read at the start: a program, or what reads the
/// file.
std::string to_start_anew(const StatedVariable& variable);

/// The rate of one lane in GT/s, from `32.0 GT/s PCIe` (drivers/pci/probe.c pci_speed_string); 0
/// where not known.
double pcie_transfers(std::string_view speed);

/// The capacity of a PCI Express link in Gb/s, as the kernel computes it (include/linux/pci.h
/// PCIE_SPEED2MBS_ENC): 8 of 10 bits up to 5 GT/s, 128 of 130 up to 32, all at 64.
double pcie_capacity(std::string_view speed, std::uint32_t width);

/// The capacity in Gb/s of the links of the other functions on the port's cable; 0 without one.
double pcie_capacity_beside(const Evidence& evidence);

/// `32.0 GT/s PCIe x16`
std::string pcie_words(std::string_view speed, std::uint32_t width);

}  // namespace core
