// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::pcie {

namespace {

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("pcie.read_request", {.kind = number, .min = 128, .max = 4096},
            "Most bytes that the device asks memory for at once (MRRS): a power of two; 4096 for "
            "RDMA at 100 Gb/s and more. Lost at a reset of the device.",
            get_number<&Port::pcie, &Pcie::read_request>,
            set_number<&Port::pcie, &Pcie::read_request>),
    setting("pcie.relaxed_ordering", {.kind = flag},
            "The device may let its writes to memory pass each other. Lost at a reset of the "
            "device.",
            get_flag<&Port::pcie, &Pcie::relaxed_ordering>,
            set_flag<&Port::pcie, &Pcie::relaxed_ordering>),
    fact("pcie.payload", {.kind = number, .min = 128, .max = 4096},
         "Most bytes in one packet to or from the device (MPS); the same on the whole path.",
         get_number<&Port::pcie, &Pcie::payload>, set_number<&Port::pcie, &Pcie::payload>),
};

Reason refuses(const Driver& /*driver*/, const Port& /*now*/, const Port& then) {
    if (std::has_single_bit(then.pcie->read_request)) return std::nullopt;
    return "pcie.read_request takes 128, 256, 512, 1024, 2048 or 4096";
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (Reason reason = refuses(driver, now, then))
        return Refusal{.code = EINVAL, .text = "Invalid argument: " + *reason};
    now.pcie = then.pcie;
    return std::nullopt;
}

/// Four digits.
std::string hexadecimal(unsigned word) {
    std::array<char, 8> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), word, 16).ptr;
    std::string out(digits.data(), end);
    out.insert(0, 4 - std::min<std::size_t>(out.size(), 4), '0');
    return out;
}

/// setpci(8): the Device Control register of the PCI Express capability, VALUE:MASK.
Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    constexpr unsigned kReadRequest = 0x7000;
    constexpr unsigned kRelaxed = 0x0010;
    unsigned value = 0;
    unsigned mask = 0;
    if (now.pcie->read_request != then.pcie->read_request) {
        mask |= kReadRequest;
        value |= static_cast<unsigned>(std::bit_width(then.pcie->read_request / 128) - 1) << 12U;
    }
    if (now.pcie->relaxed_ordering != then.pcie->relaxed_ordering) {
        mask |= kRelaxed;
        if (then.pcie->relaxed_ordering) value |= kRelaxed;
    }
    std::string line = "setpci -s " + shell(now.link ? now.link->pci : std::string());
    line += " CAP_EXP+08.w=" + hexadecimal(value) + ":" + hexadecimal(mask);
    return {line};
}

constexpr std::array kConsults = {Object::link};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::pcie,
    .name = "pcie",
    .doc = "How the device reads from and writes to memory over PCI Express.",
    .topic = Topic::bus,
    .lives = Lives::hardware,
    .fields = kFields,
    .alike = true,
    .refuses = refuses,
    .play = play,
    .order = {.consults = kConsults},
    .words = {.unsupported = "the port is no PCI Express function", .spell = spell}};

}  // namespace core::pcie
