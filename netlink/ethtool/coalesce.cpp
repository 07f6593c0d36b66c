// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include <cerrno>

#include "core/model/object.hpp"
#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
namespace {

struct Numbers {
    int adaptive, cqe, usecs, frames;
};
constexpr Numbers kRx = {ETHTOOL_A_COALESCE_USE_ADAPTIVE_RX, ETHTOOL_A_COALESCE_USE_CQE_MODE_RX,
                         ETHTOOL_A_COALESCE_RX_USECS, ETHTOOL_A_COALESCE_RX_MAX_FRAMES};
constexpr Numbers kTx = {ETHTOOL_A_COALESCE_USE_ADAPTIVE_TX, ETHTOOL_A_COALESCE_USE_CQE_MODE_TX,
                         ETHTOOL_A_COALESCE_TX_USECS, ETHTOOL_A_COALESCE_TX_MAX_FRAMES};

core::Coalescing side_of(const Attributes& attributes, const Numbers& types) {
    const auto on = [&](int type) {
        const auto byte = attributes.value<std::uint8_t>(type);
        return byte ? std::optional(*byte != 0) : std::nullopt;
    };
    core::Coalescing side{.adaptive = on(types.adaptive), .cqe = on(types.cqe)};
    const auto usecs = attributes.value<std::uint32_t>(types.usecs);
    const auto frames = attributes.value<std::uint32_t>(types.frames);
    if (side.adaptive.value_or(false)) {
        side.idle_usecs = usecs;
        side.idle_frames = frames;
    } else {
        side.usecs = usecs;
        side.frames = frames;
    }
    return side;
}

/// Puts what differs into a message, and counts it.
class Changes {
public:
    Changes(Machine& machine, const std::string& port)
        : request_(ethtool_message(machine, ETHTOOL_MSG_COALESCE_SET, ETHTOOL_A_COALESCE_HEADER,
                                   port)) {}
    template <typename Sent, typename Value>
    void put(int type, const std::optional<Value>& before, const std::optional<Value>& after) {
        if (!after || before == after) return;
        request_.put(type, static_cast<Sent>(*after));
        any_ = true;
    }
    bool send(Machine& machine) {
        if (any_) machine.generic().change(request_);
        return any_;
    }

private:
    Message request_;
    bool any_ = false;
};

void put_how(Changes& changes, const Numbers& types, const core::Coalescing& now,
             const core::Coalescing& then) {
    changes.put<std::uint8_t>(types.adaptive, now.adaptive, then.adaptive);
    changes.put<std::uint8_t>(types.cqe, now.cqe, then.cqe);
}

void put_numbers(Changes& changes, const Numbers& types, const core::Coalescing& now,
                 const core::Coalescing& then) {
    changes.put<std::uint32_t>(types.usecs, now.usecs, then.usecs);
    changes.put<std::uint32_t>(types.frames, now.frames, then.frames);
}

}  // namespace

core::Coalesce decode_coalesce(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    return {.rx = side_of(attributes, kRx), .tx = side_of(attributes, kTx)};
}

void read_coalesce(Machine& machine, core::Port& port) {
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_COALESCE_GET, ETHTOOL_A_COALESCE_HEADER, port.name);
    port.coalesce.reset();
    machine.generic().get(
        request, [&](const Reply& reply) { port.coalesce = decode_coalesce(reply.payload); });
    if (!port.coalesce) throw KernelError(EBADMSG, "coalescing is not in the answer");
}

void write_coalesce(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.coalesce || !then.coalesce) throw KernelError(EOPNOTSUPP);
    core::State alone{.host = {}, .ports = {now}};
    core::Port& wanted = alone.ports.front();
    const auto play = core::row_of(core::Object::coalesce).play;
    if (const auto no = play(core::driver_of(now), alone, wanted, then).refusal)
        throw KernelError(no->code, no->text);
    const core::Coalesce& after = *wanted.coalesce;
    core::Port current = now;
    Changes how(machine, now.name);
    put_how(how, kRx, now.coalesce->rx, after.rx);
    put_how(how, kTx, now.coalesce->tx, after.tx);
    if (how.send(machine)) read_coalesce(machine, current);
    Changes numbers(machine, now.name);
    put_numbers(numbers, kRx, current.coalesce->rx, after.rx);
    put_numbers(numbers, kTx, current.coalesce->tx, after.tx);
    numbers.send(machine);
}

}  // namespace netlink
