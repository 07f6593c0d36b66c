// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <optional>
#include <span>

#include "core/plan/kernel.hpp"
#include "netlink/transport/error.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// How an object is read from this machine and written to it. The list of all codecs is
/// cli/run/codecs.cpp.
struct Codec {
    core::Object object;
    /// What `read` fills; empty where the object is filled by another codec's read, or by the read
    /// of the links that every scope begins with.
    std::span<const core::Object> fills{};
    /// One exchange with the kernel for the ports of `state` (all of them are in scope; what fills
    /// the host's objects gets the host alone). A refusal of one object of one port is recorded in
    /// the port, not thrown.
    void (*read)(Machine& machine, const core::Scope& scope, core::State& state) = nullptr;
    /// Sends the object from what is there now to what it should be; null for facts. Throws
    /// KernelError.
    void (*write)(Machine& machine, const core::Port& now, const core::Port& then) = nullptr;
    bool opens_devices = false;  ///< reads only where RDMA devices can be opened
    /// The capabilities that reading needs (bit CAP_… of each): no sealed process has them, and a
    /// child that has these alone is asked before.
    std::uint64_t needs_rights = 0;
};

/// A list of one object.
template <core::Object object>
inline constexpr std::array<core::Object, 1> kOnly = {object};

/// Codec::read of an object that each port is asked for by itself: one exchange a port.
template <core::Object object, auto Exchange>
void each_port(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    for (core::Port& port : state.ports)
        attempt(port, {object}, [&] { return Exchange(machine, port); });
}

/// What the driver of one end of a veth refuses it refuses of all: it has one table of functions
/// and no device (drivers/net/veth.c veth_ethtool_ops). A host may have a thousand of them.
class PairsRefuse {
public:
    /// Runs the exchange, or gives the port the refusal that another one had.
    template <typename Exchange>
    void ask(core::Port& port, const core::Objects& objects, const Exchange& exchange) {
        const bool pair = is_veth(port);
        if (pair && known_) {
            for (const core::Object object : objects)
                port.refused[object] = *known_;
            return;
        }
        attempt(port, objects, exchange);
        const auto refused = port.refused.find(*objects.begin());
        if (pair && refused != port.refused.end() && refused->second.code == EOPNOTSUPP)
            known_ = refused->second;
    }

private:
    std::optional<core::Refusal> known_{};
};

/// One exchange a port with its driver.
template <core::Object object, auto Exchange>
void each_driver(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    PairsRefuse pairs;
    for (core::Port& port : state.ports)
        pairs.ask(port, {object}, [&] { return Exchange(machine, port); });
}

/// Codec::read of an object of the host's; `state` holds the host and nothing else.
template <core::Object object, auto Exchange>
void ask_host(Machine& machine, const core::Scope& scope, core::State& state) {
    const auto named = scope.elements.find(object);
    const Names names = named == scope.elements.end() ? Names{} : named->second;
    core::Port& itself = state.ports.front();
    attempt(itself, {object}, [&] { Exchange(machine, names, itself); });
}

/// The codec of an object of which each port is asked by itself.
template <core::Object object, auto Exchange>
constexpr Codec of_ports(decltype(Codec::write) write = nullptr) {
    return {.object = object,
            .fills = kOnly<object>,
            .read = each_port<object, Exchange>,
            .write = write};
}

/// The codec of an object that each port's driver answers for.
template <core::Object object, auto Exchange>
constexpr Codec of_drivers(decltype(Codec::write) write = nullptr) {
    return {.object = object,
            .fills = kOnly<object>,
            .read = each_driver<object, Exchange>,
            .write = write};
}

/// The codec of an object of the host's.
template <core::Object object, auto Exchange>
constexpr Codec of_host(decltype(Codec::write) write = nullptr) {
    return {.object = object,
            .fills = kOnly<object>,
            .read = ask_host<object, Exchange>,
            .write = write};
}

}  // namespace netlink
