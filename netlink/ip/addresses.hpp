// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/plan/kernel.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// An RTM_NEWADDR message.
struct AddressAnswer {
    std::uint32_t index = 0;  ///< of the link
    std::uint32_t flags = 0;  ///< IFA_F_*
    core::Address address;
    std::string label{};  ///< IPv4 only
    std::string
        beyond{};  ///< what else it has that no setting holds, in the words of ip-address(8)
    bool operator==(const AddressAnswer&) const = default;
};

std::optional<AddressAnswer> decode_address(Bytes payload);

/// The bytes of an attribute as an address, and the other way round.
std::optional<core::Ip> ip_of(Bytes bytes);
Bytes bytes_of(const core::Ip& ip);

/// The IPv4 and IPv6 addresses of one link, in one dump that the kernel filters; of every link
/// where `index` is 0.
std::vector<AddressAnswer> dump_addresses(Machine& machine, std::uint32_t index);

/// Fills `addresses` and `addresses_beyond` in one dump; the ports' indexes must have been read.
void read_addresses(Machine& machine, const core::Scope& scope, core::State& state);
void write_addresses(Machine& machine, const core::Port& now, const core::Port& then);

}  // namespace netlink
