// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::channels {

namespace {

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("channels.combined", {.kind = number, .max = kU32},
            "Channels that receive and transmit, each with an interrupt of its own.",
            get_reported<&Port::channels, &Channels::combined>,
            set_reported<&Port::channels, &Channels::combined>),
    fact("channels.combined_max", {.kind = number, .max = kU32},
         "Most combined channels that the port has.",
         get_number<&Port::channels, &Channels::combined_max>,
         set_number<&Port::channels, &Channels::combined_max>),
    setting("channels.rx", {.kind = number, .max = kU32},
            "Channels that only receive, beside the combined ones.",
            get_reported<&Port::channels, &Channels::rx>,
            set_reported<&Port::channels, &Channels::rx>),
    fact("channels.rx_max", {.kind = number, .max = kU32},
         "Most receive-only channels that the port has.",
         get_number<&Port::channels, &Channels::rx_max>,
         set_number<&Port::channels, &Channels::rx_max>),
    setting("channels.tx", {.kind = number, .max = kU32},
            "Channels that only transmit, beside the combined ones.",
            get_reported<&Port::channels, &Channels::tx>,
            set_reported<&Port::channels, &Channels::tx>),
    fact("channels.tx_max", {.kind = number, .max = kU32},
         "Most transmit-only channels that the port has.",
         get_number<&Port::channels, &Channels::tx_max>,
         set_number<&Port::channels, &Channels::tx_max>),
};

using Count = std::optional<std::uint32_t>;

Reason too_many(const char* key, Count count, std::uint32_t max) {
    if (count.value_or(0) <= max) return std::nullopt;
    return std::string(key) + " is at most " + std::to_string(max) + " on this port";
}

/// Why these numbers do not go together (net/ethtool/channels.c; the driver's row).
Reason no_such_mix(const Driver& driver, const Channels& then) {
    const std::string name(driver.name);
    const bool combined = then.combined.value_or(0) > 0;
    const bool rx = then.rx.value_or(0) > 0;
    const bool tx = then.tx.value_or(0) > 0;
    if (!combined && !(rx && tx)) return "no channel would be left to receive or to transmit";
    if (driver.channels.combined_alone && combined && (rx || tx))
        return name + " has either combined channels or separate ones";
    if (driver.channels.one_sided && rx && tx)
        return name + " has channels that only receive or channels that only transmit, not both";
    return std::nullopt;
}

/// The NIC's own RDMA driver holds interrupts of these; a soft device does not.
bool held_by_rdma(const Driver& driver, const Port& port) {
    return driver.channels.need_no_rdma && port.rdma_link && !port.rdma_link->device.empty() &&
           port.rdma_link->type.empty();
}

Reason illegal_count(const Driver& driver, const Channels& then) {
    if (Reason reason = too_many("channels.combined", then.combined, then.combined_max))
        return reason;
    if (Reason reason = too_many("channels.rx", then.rx, then.rx_max)) return reason;
    if (Reason reason = too_many("channels.tx", then.tx, then.tx_max)) return reason;
    return no_such_mix(driver, then);
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (held_by_rdma(driver, now))
        return std::string(driver.name) + " keeps its channels while " + now.rdma_link->device +
               " is there; unload the NIC's RDMA driver first";
    return illegal_count(driver, *then.channels);
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (held_by_rdma(driver, now)) return Refusal{.code = EBUSY, .text = "Device or resource busy"};
    if (Reason reason = illegal_count(driver, *then.channels))
        return Refusal{.code = EINVAL, .text = "Invalid argument: " + *reason};
    now.channels = then.channels;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    std::string line = "ethtool --set-channels " + shell(now.name);
    const auto part = [&](const char* name, Count before, Count after) {
        if (after && before != after) line += std::string(" ") + name + std::to_string(*after);
    };
    part("rx ", now.channels->rx, then.channels->rx);
    part("tx ", now.channels->tx, then.channels->tx);
    part("combined ", now.channels->combined, then.channels->combined);
    return {line};
}

constexpr std::array kConsults = {Object::rdma_link};

constexpr std::array kAtBoot = {
    AtBoot{"channels.rx", BootProgram::link_file, "Link.RxChannels"},
    AtBoot{"channels.tx", BootProgram::link_file, "Link.TxChannels"},
    AtBoot{"channels.combined", BootProgram::link_file, "Link.CombinedChannels"},
    AtBoot{"channels.rx", BootProgram::network_manager, "ethtool.channels-rx"},
    AtBoot{"channels.tx", BootProgram::network_manager, "ethtool.channels-tx"},
    AtBoot{"channels.combined", BootProgram::network_manager, "ethtool.channels-combined"},
};

}  // namespace

constinit const ObjectRow row = {.object = Object::channels,
                                 .name = "channels",
                                 .doc = "How many queues the port has.",
                                 .topic = Topic::queues,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .alike = true,
                                 .disruption = Disruption::queues,
                                 .refuses = refuses,
                                 .play = play,
                                 .order = {.consults = kConsults, .by_driver = kAllByDriver},
                                 .words = {.spell = spell},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::channels
