// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <array>
#include <bit>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::ring {

namespace {

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("ring.rx", {.kind = number, .min = 1, .max = kU32},
            "Descriptors in each receive ring: how many packets wait for the kernel before one is "
            "dropped.",
            get_reported<&Port::ring, &Ring::rx>, set_reported<&Port::ring, &Ring::rx>),
    fact("ring.rx_max", {.kind = number, .max = kU32},
         "Most descriptors that a receive ring takes.", get_number<&Port::ring, &Ring::rx_max>,
         set_number<&Port::ring, &Ring::rx_max>),
    setting("ring.tx", {.kind = number, .min = 1, .max = kU32},
            "Descriptors in each transmit ring.", get_reported<&Port::ring, &Ring::tx>,
            set_reported<&Port::ring, &Ring::tx>),
    fact("ring.tx_max", {.kind = number, .max = kU32},
         "Most descriptors that a transmit ring takes.", get_number<&Port::ring, &Ring::tx_max>,
         set_number<&Port::ring, &Ring::tx_max>),
};

using Size = std::optional<std::uint32_t>;

/// What the driver makes of a size it takes: it rounds up.
std::uint32_t stored(const Driver& driver, std::uint32_t size) {
    if (driver.ring.power_of_two) return std::bit_ceil(size);
    const std::uint32_t step = driver.ring.multiple;
    return (size + step - 1) / step * step;
}

std::string takes(const Driver& driver) {
    if (driver.ring.power_of_two) return "powers of two";
    return "multiples of " + std::to_string(driver.ring.multiple);
}

/// The kernel checks the largest size (net/ethtool/rings.c), the driver the smallest.
Reason outside(const char* key, Size size, std::uint32_t min, std::uint32_t max) {
    if (size && *size >= min && *size <= max) return std::nullopt;
    return "the port takes " + std::to_string(min) + ".." + std::to_string(max) + " for " + key;
}

Reason out_of_range(const Driver& driver, const Ring& now, const Ring& then) {
    if (now.rx != then.rx)
        if (Reason reason = outside("ring.rx", then.rx, driver.ring.rx_min, now.rx_max))
            return reason;
    if (now.tx == then.tx) return std::nullopt;
    return outside("ring.tx", then.tx, driver.ring.tx_min, now.tx_max);
}

Reason rounded(const Driver& driver, const char* key, Size now, Size then) {
    if (!then || now == then || stored(driver, *then) == *then) return std::nullopt;
    return std::string(driver.name) + " takes " + takes(driver) + " for " + key +
           (driver.ring.rounds ? ", and would make it " : ", the next one is ") +
           std::to_string(stored(driver, *then));
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (Reason reason = out_of_range(driver, *now.ring, *then.ring)) return reason;
    if (Reason reason = rounded(driver, "ring.rx", now.ring->rx, then.ring->rx)) return reason;
    return rounded(driver, "ring.tx", now.ring->tx, then.ring->tx);
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (Reason reason = out_of_range(driver, *now.ring, *then.ring))
        return Refusal{.code = EINVAL, .text = "Invalid argument: " + *reason};
    if (!driver.ring.rounds && refuses(driver, now, then))
        return Refusal{.code = EINVAL, .text = "Invalid argument"};
    if (now.ring->rx != then.ring->rx) now.ring->rx = stored(driver, then.ring->rx.value_or(0));
    if (now.ring->tx != then.ring->tx) now.ring->tx = stored(driver, then.ring->tx.value_or(0));
    return std::nullopt;
}

/// drivers/net/ethernet/broadcom/bnxt/bnxt_ethtool.c bnxt_set_ringparam, Linux 7.3.
Reason remarks(const Driver& driver, const Host& /*host*/, const Port& now, const Port& then) {
    const std::uint32_t least = driver.ring.tx_min_segmenting;
    if (now.ring->tx == then.ring->tx || then.ring->tx.value_or(least) >= least || !now.features)
        return std::nullopt;
    const auto on = now.features->active.find("tx-udp-segmentation");
    if (on == now.features->active.end() || !on->second) return std::nullopt;
    return "while tx-udp-segmentation is on, " + std::string(driver.name) +
           " of Linux 7 takes fewer than " + std::to_string(least) +
           " for ring.tx only on NICs that segment UDP themselves: the write may be refused";
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    std::string line = "ethtool --set-ring " + shell(now.name);
    const auto part = [&](const char* name, Size before, Size after) {
        if (after && before != after) line += std::string(" ") + name + std::to_string(*after);
    };
    part("rx ", now.ring->rx, then.ring->rx);
    part("tx ", now.ring->tx, then.ring->tx);
    return {line};
}

constexpr std::array kAtBoot = {
    AtBoot{"ring.rx", BootProgram::link_file, "Link.RxBufferSize"},
    AtBoot{"ring.tx", BootProgram::link_file, "Link.TxBufferSize"},
    AtBoot{"ring.rx", BootProgram::network_manager, "ethtool.ring-rx"},
    AtBoot{"ring.tx", BootProgram::network_manager, "ethtool.ring-tx"},
};

}  // namespace

constinit const ObjectRow row = {.object = Object::ring,
                                 .name = "ring",
                                 .doc = "Sizes of the receive and transmit rings.",
                                 .topic = Topic::queues,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .alike = true,
                                 .disruption = Disruption::queues,
                                 .refuses = refuses,
                                 .play = play,
                                 .order = {.by_driver = kAllByDriver},
                                 .words = {.remarks = remarks, .spell = spell},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::ring
