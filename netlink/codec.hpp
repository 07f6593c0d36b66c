// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <optional>
#include <span>

#include "core/plan/kernel.hpp"
#include "netlink/transport/error.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// How one object is read from this machine and written to it. cli/run/codecs.cpp lists all codecs.
struct Codec {
    core::Object object;
    /// The objects that `read` fills. Empty where another codec's read fills the object, or the
    /// read of the links that every scope starts with.
    std::span<const core::Object> fills{};
    /// Reads the object for all ports of `state`, which all are in scope; for an object of the
    /// host, `state` holds the host alone. A refusal for one port is recorded in the port, not
    /// thrown.
    void (*read)(Machine& machine, const core::Scope& scope, core::State& state) = nullptr;
    /// Sends the change from `now` to `then`; null for facts. Throws KernelError.
    void (*write)(Machine& machine, const core::Port& now, const core::Port& then) = nullptr;
    bool opens_devices = false;  ///< needs RDMA devices that can be opened
    bool asks_firmware = false;  ///< calls the NIC's firmware: only where a command is told to
    /// Capabilities that reading needs (bit CAP_… of each). No sealed process has them, so a child
    /// with only these reads the object before.
    std::uint64_t needs_rights = 0;
};

/// Codec::fills of a codec that fills only its own object.
template <core::Object object>
inline constexpr std::array<core::Object, 1> kOnly = {object};

/// Codec::read with one exchange per port.
template <core::Object object, auto Exchange>
void each_port(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    for (core::Port& port : state.ports)
        attempt(port, {object}, [&] { return Exchange(machine, port); });
}

/// Remembers that a veth's driver refused an object, to save asking all the others: they share one
/// table of functions and have no device (drivers/net/veth.c veth_ethtool_ops). A host may have a
/// thousand of them.
class PairsRefuse {
public:
    /// Runs the exchange. For a veth, EOPNOTSUPP of an earlier one is recorded instead.
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

/// Codec::read with one exchange per port that the port's driver answers.
template <core::Object object, auto Exchange>
void each_driver(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    PairsRefuse pairs;
    for (core::Port& port : state.ports)
        pairs.ask(port, {object}, [&] { return Exchange(machine, port); });
}

/// Codec::read for an object of the host; `state` holds the host alone.
template <core::Object object, auto Exchange>
void ask_host(Machine& machine, const core::Scope& scope, core::State& state) {
    const auto named = scope.elements.find(object);
    const Names names = named == scope.elements.end() ? Names{} : named->second;
    core::Port& itself = state.ports.front();
    attempt(itself, {object}, [&] { Exchange(machine, names, itself); });
}

/// A codec that asks each port.
template <core::Object object, auto Exchange>
constexpr Codec of_ports(decltype(Codec::write) write = nullptr) {
    return {.object = object,
            .fills = kOnly<object>,
            .read = each_port<object, Exchange>,
            .write = write};
}

/// A codec that asks each port's driver.
template <core::Object object, auto Exchange>
constexpr Codec of_drivers(decltype(Codec::write) write = nullptr) {
    return {.object = object,
            .fills = kOnly<object>,
            .read = each_driver<object, Exchange>,
            .write = write};
}

/// A codec for an object of the host.
template <core::Object object, auto Exchange>
constexpr Codec of_host(decltype(Codec::write) write = nullptr) {
    return {.object = object,
            .fills = kOnly<object>,
            .read = ask_host<object, Exchange>,
            .write = write};
}

}  // namespace netlink
