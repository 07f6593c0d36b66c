// SPDX-License-Identifier: Apache-2.0
#include "core/objects/dcb/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <numeric>

#include "core/model/access.hpp"
#include "core/model/bits.hpp"
#include "core/model/edit.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::buffer {

namespace {

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("buffer.of_priority", {.kind = list, .max = 7},
            "Receive buffer of each priority, from priority 0 to 7; a buffer that holds a lossless "
            "priority pauses all that are in it.",
            get_numbers<&Port::buffer, &Buffer::of_priority>,
            set_numbers<&Port::buffer, &Buffer::of_priority>),
    setting("buffer.size", {.kind = list, .max = kU32},
            "Size of each receive buffer, from buffer 0 to 7, in bytes; writing it takes the "
            "buffers out of the hands of the NIC's firmware.",
            get_numbers<&Port::buffer, &Buffer::size>, set_numbers<&Port::buffer, &Buffer::size>),
    fact("buffer.total", {.kind = number, .max = kU32},
         "What the sizes of the receive buffers may come to, in bytes.",
         get_number<&Port::buffer, &Buffer::total>, set_number<&Port::buffer, &Buffer::total>),
};

std::uint64_t sum(const PerPriority<std::uint32_t>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

/// The unit in which the NIC counts, by which everything it reports divides: 128 bytes, or 144 on
/// newer ones (SBCAM.cap_cell_size, which nothing reports). 0 where that does not tell which.
std::uint32_t cell_of(const Buffer& buffer) {
    std::uint32_t common = buffer.total;
    for (const std::uint32_t size : buffer.size)
        common = std::gcd(common, size);
    constexpr std::array<std::uint32_t, 2> cells = {128, 144};
    const auto divides = [&](std::uint32_t cell) { return common != 0 && common % cell == 0; };
    if (std::ranges::count_if(cells, divides) != 1) return 0;
    return *std::ranges::find_if(cells, divides);
}

constexpr std::uint32_t kLeastSpeed = 40000;
constexpr std::uint32_t kLeastMaxMtu = 9216;

/// What decides how much arrives after the pause. What is not known counts as the driver's least.
struct Wire {
    std::uint64_t speed = kLeastSpeed;  ///< Mb/s
    std::uint64_t mtu = 0;
    std::uint64_t max_mtu = kLeastMaxMtu;
    std::uint64_t cable = 0;  ///< m
};

Wire wire_of(const Port& port) {
    Wire wire;
    wire.speed = std::max(port.speed.value_or(0), kLeastSpeed);
    if (port.link) wire.mtu = port.link->mtu;
    if (port.link) wire.max_mtu = std::max(port.link->mtu_max, kLeastMaxMtu);
    if (port.pfc) wire.cable = port.pfc->delay;
    return wire;
}

/// The least a lossless buffer is to hold: what is on the way when the pause is sent, the largest
/// packet and a cell (calculate_xoff, update_xoff_threshold).
std::uint64_t least_lossless(const Wire& wire, const Buffer& buffer) {
    const std::uint64_t xoff =
        (301 + 216 * wire.cable / 100) * wire.speed / 1000 + 272 * wire.mtu / 100;
    return xoff + wire.max_mtu + std::max(cell_of(buffer), 128U);
}

/// Bit n: buffer n holds a lossless priority. While link-level pause is on, a mapping that is
/// written makes all of them lossless (fill_pfc_en).
unsigned lossless_buffers(const Port& port, const Buffer& buffer) {
    const bool all = port.pause && (port.pause->rx || port.pause->tx) &&
                     buffer.of_priority != port.buffer->of_priority;
    const unsigned priorities = all ? 0xffU : port.pfc ? port.pfc->priorities : 0U;
    unsigned buffers = 0;
    for (std::size_t priority = 0; priority < kPriorities; ++priority)
        if (((priorities >> priority) & 1U) != 0)
            buffers |= bit_of(buffer.of_priority.at(priority));
    return buffers;
}

Reason too_small(const Port& port, unsigned lossless, const PerPriority<std::uint32_t>& sizes) {
    const Wire wire = wire_of(port);
    const std::uint64_t least = least_lossless(wire, *port.buffer);
    for (std::size_t i = 0; i < kPriorities; ++i)
        if (((lossless >> i) & 1U) != 0 && sizes.at(i) < least)
            return "lossless buffer " + std::to_string(i) + " has " + std::to_string(sizes.at(i)) +
                   " bytes, expected at least " + std::to_string(least) + " for " +
                   std::to_string(wire.speed) + " Mb/s, MTU " + std::to_string(wire.mtu) + " and " +
                   std::to_string(wire.cable) + " m of cable";
    return std::nullopt;
}

/// Why one message would be refused: a new mapping is held against the sizes from before it.
Reason refuses_message(const Port& port, const Buffer& from, const Buffer& to) {
    const unsigned before = lossless_buffers(port, from);
    const unsigned after = lossless_buffers(port, to);
    if (before != after)
        if (Reason reason = too_small(port, after, from.size))
            return *reason +
                   " before a lossless priority moves into it; the sizes of before and "
                   "after do not fit side by side";
    return from.size == to.size ? std::nullopt : too_small(port, after, to.size);
}

Reason refuses_size(const Buffer& now, const Buffer& then) {
    const std::uint32_t cell = cell_of(now);
    for (std::size_t i = 0; i < kPriorities; ++i) {
        const std::uint32_t size = then.size.at(i);
        if (cell == 0 || size == now.size.at(i) || size % cell == 0) continue;
        return "buffer " + std::to_string(i) + ": " + std::to_string(size) +
               " bytes would be stored as " + std::to_string(size - size % cell) +
               ", expected a multiple of " + std::to_string(cell);
    }
    if (sum(then.size) > now.total)
        return "the buffers come to " + std::to_string(sum(then.size)) +
               " bytes, and the port has " + std::to_string(now.total);
    return std::nullopt;
}

/// ` prio-buffer 3:1 buffer-size 0:65536 1:65536`: what differs.
std::string sizes_words(const Buffer& from, const Buffer& to) {
    std::string out;
    const auto list = [&](const char* name, const auto& before, const auto& after) {
        if (before == after) return;
        out += std::string(" ") + name;
        for (std::size_t i = 0; i < kPriorities; ++i)
            if (before.at(i) != after.at(i))
                out += " " + std::to_string(i) + ":" + std::to_string(after.at(i));
    };
    list("prio-buffer", from.of_priority, to.of_priority);
    list("buffer-size", from.size, to.size);
    return out;
}

}  // namespace

std::vector<Buffer> edits(const Buffer& now, const Buffer& then) {
    if (now.of_priority == then.of_priority && now.size == then.size) return {};
    Buffer room = now;
    for (std::size_t i = 0; i < kPriorities; ++i)
        room.size.at(i) = std::max(now.size.at(i), then.size.at(i));
    const bool both = now.of_priority != then.of_priority && now.size != then.size;
    if (!both || sum(room.size) > now.total) return {then};
    std::vector<Buffer> edits;
    if (room.size != now.size) edits.push_back(room);
    room.of_priority = then.of_priority;
    edits.push_back(room);
    if (room.size != then.size) edits.push_back(then);
    return edits;
}

namespace {

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (!driver.buffer.checked) return std::nullopt;
    if (Reason reason = refuses_size(*now.buffer, *then.buffer)) return reason;
    if (Reason reason = too_small(now, lossless_buffers(now, *then.buffer), then.buffer->size))
        return reason;
    Buffer from = *now.buffer;
    for (const Buffer& to : edits(*now.buffer, *then.buffer)) {
        if (Reason reason = refuses_message(now, from, to)) return reason;
        from = to;
    }
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (!now.buffer) return std::nullopt;  // no op: answered with yes, and nothing is stored
    if (refuses(driver, now, then)) return Refusal{.code = EINVAL, .text = "Invalid argument"};
    now.buffer = then.buffer;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    Buffer from = *now.buffer;
    for (const Buffer& to : edits(*now.buffer, *then.buffer)) {
        lines.push_back("dcb buffer set dev " + shell(now.name) + sizes_words(from, to));
        from = to;
    }
    return lines;
}

/// mlx5 keeps to itself whether it was ever told of the buffers (manual_buffer in en_dcbnl.c, or in
/// newer kernels the register that names the owner). A lossless priority beside one that may drop
/// is nothing that rocectl writes, and what is read before firmware places the priorities.
bool by_firmware(const Driver& driver, const Port& port) {
    if (!driver.buffer.follows || !port.buffer || !port.pfc) return false;
    unsigned lossless = 0;
    unsigned lossy = 0;
    for (std::size_t priority = 0; priority < kPriorities; ++priority) {
        const bool pauses = ((unsigned{port.pfc->priorities} >> priority) & 1U) != 0;
        (pauses ? lossless : lossy) |= bit_of(port.buffer->of_priority.at(priority));
    }
    return (lossless & lossy) != 0;
}

constexpr std::array kConsults = {Object::link, Object::speed, Object::pause, Object::pfc};

/// Bit n: buffer n holds one of the priorities.
unsigned buffers_of(const Buffer& buffer, unsigned priorities) {
    unsigned buffers = 0;
    for (std::size_t priority = 0; priority < kPriorities; ++priority)
        if (((priorities >> priority) & 1U) != 0)
            buffers |= bit_of(buffer.of_priority.at(priority));
    return buffers;
}

/// The largest buffer that none of `taken` is, the first of several; nothing where all are.
std::optional<std::size_t> largest_beside(unsigned taken, const Buffer& buffer) {
    std::optional<std::size_t> out;
    for (std::size_t i = 0; i < kPriorities; ++i) {
        if (((taken >> i) & 1U) != 0) continue;
        if (!out || buffer.size.at(i) > buffer.size.at(*out)) out = i;
    }
    return out;
}

/// A unit that both of cells of 128 and of 144 bytes divide.
constexpr std::uint32_t kUnit = 1152;

/// A buffer apart for the lossless priorities, where one that may drop is in theirs and firmware
/// does not move them by itself. One without room gets half of theirs.
std::vector<std::pair<std::string_view, Value>> apart(const Driver& driver, const Port& now,
                                                      const Port& then) {
    if (driver.buffer.follows || !now.buffer || !then.pfc) return {};
    const unsigned lossless = then.pfc->priorities;
    const unsigned lossy = buffers_of(*now.buffer, ~lossless & 0xffU);
    if ((buffers_of(*now.buffer, lossless) & lossy) == 0) return {};
    const std::optional<std::size_t> own = largest_beside(lossy, *now.buffer);
    if (!own) return {};
    Buffer out = *now.buffer;
    std::size_t shared = *own;
    for (std::size_t priority = 0; priority < kPriorities; ++priority) {
        if (((lossless >> priority) & 1U) == 0) continue;
        shared = now.buffer->of_priority.at(priority);
        out.of_priority.at(priority) = static_cast<std::uint8_t>(*own);
    }
    const auto numbers = [](const auto& some) { return Numbers(some.begin(), some.end()); };
    std::vector<std::pair<std::string_view, Value>> desired = {
        {"buffer.of_priority", numbers(out.of_priority)}};
    if (out.size.at(*own) != 0 || shared == *own) return desired;
    const std::uint32_t half = out.size.at(shared) / 2 / kUnit * kUnit;
    out.size.at(*own) = half;
    out.size.at(shared) -= half;
    if (half != 0) desired.emplace_back("buffer.size", numbers(out.size));
    return desired;
}

}  // namespace

constinit const ObjectRow row = {
    .object = Object::buffer,
    .name = "buffer",
    .doc = "Receive buffers: which one a priority is in, and their sizes.",
    .topic = Topic::dcb,
    .lives = Lives::hardware,
    .fields = kFields,
    .alike = true,
    .refuses = refuses,
    .play = play,
    .order = {.consults = kConsults, .by_driver = kAllByDriver},
    .chosen_by = {.firmware = by_firmware, .others = Others::dcb_agent, .intent = apart},
    .words = {.spell = spell}};

}  // namespace core::buffer
