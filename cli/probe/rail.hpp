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

namespace cli {

/// What of a host a probe sends by: an address, and the RDMA device that has it.
struct Rail {
    std::string port{};
    std::string device{};
    core::Ip address{};
    std::uint8_t prefix_length = 0;
    std::uint32_t gid_index = 0;
    std::array<std::uint8_t, 16> gid{};
    std::uint32_t mtu = 0;  ///< of the port
    std::string holders{};  ///< who has queue pairs there, for messages; empty where nobody has
};

/// A host has no rail there: nothing can be said of RDMA, and nothing fails.
class NoRail : public core::Error {
public:
    explicit NoRail(const std::string& text) : core::Error(core::Status::failed, text) {}
};

/// What is read of a host to find its rails.
core::State read_rails(core::Kernel& kernel);

/// The rail's port with what it counts.
core::Port read_counters(core::Kernel& kernel, const Rail& rail);

/// The rail that an address belongs to. Throws NoRail where no port has it, or its port has
/// no RDMA device, or that no RoCE v2 GID of it.
Rail rail_of(const core::State& state, const core::Ip& address);
/// The rail that rail_of finds; nothing where that throws, and then `lack` says why.
std::optional<Rail> rail_or_lack(const core::State& state, const core::Ip& address,
                                 std::string& unsupported_text);
/// All rails of a host, in the order of its ports.
std::vector<Rail> rails_in(const core::State& state);

/// The rail of the port with this name or, where `port` is empty, of the RDMA device: by the first
/// address that has a RoCE v2 GID and is not link-local. Throws NoRail where there is none.
Rail rail_named(const core::State& state, const std::string& port, const std::string& device);

}  // namespace cli
