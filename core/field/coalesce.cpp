// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"

// For how long the port waits before it interrupts.

namespace core {
namespace {

template <auto Side, auto Member>
Got get_idle(const Port& port) {
    if (!port.coalesce) return std::nullopt;
    const std::optional<std::uint32_t>& number = (*port.coalesce).*Side.*Member;
    return number ? Got(one(std::uint64_t{*number})) : std::nullopt;
}

/// There is none while the driver chooses it.
template <auto Side, auto Member, auto Idle>
Got get_count(const Port& port) {
    if (!port.coalesce) return std::nullopt;
    const Coalescing& side = (*port.coalesce).*Side;
    if (side.*Member) return one(std::uint64_t{*(side.*Member)});
    return side.*Idle ? Got(Elements{}) : std::nullopt;
}

template <auto Side, auto Member>
void set_count(Port& port, const Elements& elements) {
    auto& member = part_of<&Port::coalesce>(port).*Side.*Member;
    member.reset();
    if (!elements.empty()) member = static_cast<std::uint32_t>(plain<std::uint64_t>(elements));
}

template <auto Side, auto Member>
Got get_switch(const Port& port) {
    if (!port.coalesce) return std::nullopt;
    const std::optional<bool> on = (*port.coalesce).*Side.*Member;
    return on ? Got(one(*on)) : std::nullopt;
}

template <auto Side, auto Member>
void set_switch(Port& port, const Elements& elements) {
    auto& member = part_of<&Port::coalesce>(port).*Side.*Member;
    member.reset();
    if (!elements.empty()) member = plain<bool>(elements);
}

using enum Shape::Kind;
using enum Object;

template <auto Side, auto Member, auto Idle>
constexpr Field count(std::string_view key, std::string_view doc) {
    return setting(key, coalesce, {.kind = number, .max = kU32}, doc, get_count<Side, Member, Idle>,
                   set_count<Side, Member>);
}

template <auto Side, auto Member>
constexpr Field idle(std::string_view key, std::string_view doc) {
    return fact(key, coalesce, {.kind = number, .max = kU32}, doc, get_idle<Side, Member>,
                set_count<Side, Member>);
}

template <auto Side, auto Member>
constexpr Field on_off(std::string_view key, std::string_view doc) {
    return setting(key, coalesce, {.kind = flag}, doc, get_switch<Side, Member>,
                   set_switch<Side, Member>);
}

const std::array kRows = {
    on_off<&Coalesce::rx, &Coalescing::adaptive>(
        "coalesce.adaptive_rx",
        "The driver chooses how long it waits before it interrupts for what it received."),
    on_off<&Coalesce::tx, &Coalescing::adaptive>(
        "coalesce.adaptive_tx",
        "The driver chooses how long it waits before it interrupts for what it sent."),
    on_off<&Coalesce::rx, &Coalescing::cqe>(
        "coalesce.cqe_mode_rx",
        "The time starts again with every packet received, instead of with the first."),
    on_off<&Coalesce::tx, &Coalescing::cqe>(
        "coalesce.cqe_mode_tx",
        "The time starts again with every packet sent, instead of with the first."),
    // Before what is absent where they are there.
    idle<&Coalesce::rx, &Coalescing::idle_usecs>(
        "coalesce.rx_usecs_idle", "What counts again when coalesce.adaptive_rx goes off."),
    idle<&Coalesce::rx, &Coalescing::idle_frames>(
        "coalesce.rx_frames_idle", "What counts again when coalesce.adaptive_rx goes off."),
    idle<&Coalesce::tx, &Coalescing::idle_usecs>(
        "coalesce.tx_usecs_idle", "What counts again when coalesce.adaptive_tx goes off."),
    idle<&Coalesce::tx, &Coalescing::idle_frames>(
        "coalesce.tx_frames_idle", "What counts again when coalesce.adaptive_tx goes off."),
    count<&Coalesce::rx, &Coalescing::usecs, &Coalescing::idle_usecs>(
        "coalesce.rx_usecs",
        "Microseconds until the port interrupts for what it received; absent while "
        "coalesce.adaptive_rx is on."),
    count<&Coalesce::rx, &Coalescing::frames, &Coalescing::idle_frames>(
        "coalesce.rx_frames",
        "Packets received until the port interrupts; absent while coalesce.adaptive_rx is on."),
    count<&Coalesce::tx, &Coalescing::usecs, &Coalescing::idle_usecs>(
        "coalesce.tx_usecs",
        "Microseconds until the port interrupts for what it sent; absent while "
        "coalesce.adaptive_tx is on."),
    count<&Coalesce::tx, &Coalescing::frames, &Coalescing::idle_frames>(
        "coalesce.tx_frames",
        "Packets sent until the port interrupts; absent while coalesce.adaptive_tx is on."),
};

}  // namespace

std::span<const Field> coalesce_fields() {
    return kRows;
}

}  // namespace core
