// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/model/ip.hpp"
#include "core/model/state.hpp"
#include "core/plan/kernel.hpp"

namespace verbs {

/// An address of a host and the RDMA device that has it: one end of a path.
struct Rail {
    std::string port{};
    std::string device{};
    core::Ip address{};
    std::uint8_t prefix_length = 0;
    std::uint32_t gid_index = 0;
    std::array<std::uint8_t, 16> gid{};
    std::uint32_t mtu = 0;  ///< of the port
    std::string holders{};  ///< processes with queue pairs there, as text; empty where none
};

/// The host has no rail there: the probe knows nothing about RDMA, and nothing fails.
class NoRail : public core::Error {
public:
    explicit NoRail(const std::string& text) : core::Error(core::Status::failed, text) {}
};

/// Reads what is needed to find the rails of a host.
core::State read_rails(core::Kernel& kernel);

/// Reads the rail's port with its counters.
core::Port read_counters(core::Kernel& kernel, const Rail& rail);

/// The rail with this address. Throws NoRail where no port has it, its port has no RDMA device, or
/// the device has no RoCE v2 GID for it.
Rail rail_of(const core::State& state, const core::Ip& address);
/// As rail_of; nothing where that throws, and `unsupported_text` then says why.
std::optional<Rail> rail_or_lack(const core::State& state, const core::Ip& address,
                                 std::string& unsupported_text);
/// All rails of a host, in the order of its ports.
std::vector<Rail> rails_in(const core::State& state);

/// The rail of the port with this name or, where `port` is empty, of the RDMA device: its first
/// address that has a RoCE v2 GID and is not link-local. Throws NoRail where there is none.
Rail rail_named(const core::State& state, const std::string& port, const std::string& device);

}  // namespace verbs
