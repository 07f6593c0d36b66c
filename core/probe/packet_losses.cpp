// SPDX-License-Identifier: Apache-2.0
#include "core/probe/packet_losses.hpp"

#include <algorithm>
#include <array>

#include "core/drivers/counters.hpp"

namespace core::probe {
namespace {

/// `text` has HERE for the end that counted it, and THERE for the other.
struct LossRow {
    Meter meter{};
    std::string_view name{};
    std::string_view text{};
};

constexpr std::array kRows = {
    LossRow{Meter::out_of_sequence, "out_of_sequence",
            "packets came to HERE before one that was lost on the way from THERE"},
    LossRow{Meter::sequence_naks, "sequence_naks",
            "times THERE asked again for what was lost on the way from HERE"},
    LossRow{Meter::ack_timeouts, "ack_timeouts",
            "times nothing came back in time to HERE: packets or their acknowledgements are lost"},
    LossRow{Meter::icrc_errors, "icrc_errors",
            "packets came to HERE damaged, and with a good checksum of the cable: a switch or a "
            "host damages them"},
    LossRow{Meter::crc_errors, "crc_errors", "frames were damaged on the cable to HERE"},
};

void replace(std::string& text, std::string_view what, std::string_view by) {
    if (const std::size_t at = text.find(what); at != std::string::npos)
        text.replace(at, what.size(), by);
}

}  // namespace

PacketLosses packet_losses(const Port& port) {
    PacketLosses out;
    for (const LossRow& row : kRows)
        if (const auto one = count(port, row.meter, 0)) out.emplace(row.name, one->value);
    return out;
}

std::vector<std::string_view> packet_loss_names() {
    std::vector<std::string_view> out;
    for (const LossRow& row : kRows)
        out.push_back(row.name);
    return out;
}

std::vector<PacketLoss> grown(const PacketLosses& before, const PacketLosses& after, bool here) {
    std::vector<PacketLoss> out;
    for (const auto& [name, value] : after) {
        const auto was = before.find(name);
        if (was == before.end() || value <= was->second) continue;
        out.push_back({.here = here, .name = name, .number = value - was->second});
    }
    return out;
}

std::string packet_loss_text(const PacketLoss& loss) {
    const auto* const row = std::ranges::find(kRows, loss.name, &LossRow::name);
    if (row == kRows.end()) return {};
    std::string text = std::to_string(loss.number) + ' ' + std::string(row->text);
    // THERE ends in HERE.
    replace(text, "THERE", loss.here ? "the peer" : "this host");
    replace(text, "HERE", loss.here ? "this host" : "the peer");
    return text;
}

}  // namespace core::probe
