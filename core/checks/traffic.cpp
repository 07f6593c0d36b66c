// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/checks/growth.hpp"

// What ports counted between two readings: damage on the cable, packets without a buffer, and in
// which priority RoCE is.

namespace core {
namespace {

constexpr std::array<Keys, 1> kPortCounters = {"statistics"};
constexpr std::array<Keys, 2> kEitherCounters = {"statistics", "rdma.counters"};
constexpr std::array<Meter, 2> kBytesOfRoce = {Meter::roce_tx_bytes, Meter::roce_rx_bytes};
constexpr std::array<Meter, 1> kCrc = {Meter::crc_errors};
constexpr std::array<Meter, 1> kSymbols = {Meter::symbol_errors};
constexpr std::array<Meter, 1> kFec = {Meter::fec_uncorrectable};
constexpr std::array<Meter, 1> kDiscards = {Meter::rx_discards};

/// Bytes a second from which a priority tells where RoCE is.
constexpr double kBusy = 1'000'000;
/// The lossless priority has at least one of so many bytes of RoCE.
constexpr std::uint64_t kShareOfTenth = 10;

Faults crc(const Evidence& evidence) {
    return grown(evidence, Meter::crc_errors, "frames were damaged on the cable");
}

Faults symbols(const Evidence& evidence) {
    return grown(evidence, Meter::symbol_errors, "the signal on the cable is bad", true);
}

Faults fec(const Evidence& evidence) {
    return grown(evidence, Meter::fec_uncorrectable,
                 "the cable damages more than error correction can repair");
}

Faults discards(const Evidence& evidence) {
    return grown(evidence, Meter::rx_discards,
                 "packets of RoCE came and found no buffer, where PFC should have held them");
}

/// The priority that grew most, of those that RoCE is not meant to have.
std::string busiest(const Evidence& evidence, Meter meter) {
    std::uint64_t most = 0;
    std::string out = "none";
    for (unsigned priority = 0; priority < kPriorities; ++priority) {
        const auto by = growth(evidence, meter, priority);
        if (priority == evidence.roce->priority || !by || by->by <= most) continue;
        most = by->by;
        out = std::to_string(priority);
    }
    return out;
}

Faults elsewhere(const Evidence& evidence) {
    struct Direction {
        Meter carried;
        Meter priority;
        const char* verb;
    };
    Faults out;
    if (!evidence.roce->lossless || evidence.seconds <= 0) return out;
    for (const Direction& way : {Direction{Meter::roce_tx_bytes, Meter::tx_bytes, "sent"},
                                 Direction{Meter::roce_rx_bytes, Meter::rx_bytes, "received"}}) {
        const auto carried = growth(evidence, way.carried);
        const auto meant = growth(evidence, way.priority);
        if (!carried || !meant || rate(evidence, carried->by) < kBusy ||
            meant->by >= carried->by / kShareOfTenth)
            continue;
        out.push_back({.text = "RDMA " + std::string(way.verb) + ' ' + std::to_string(carried->by) +
                               " bytes, of which priority " +
                               std::to_string(evidence.roce->priority) + " has " +
                               std::to_string(meant->by) + "; most is in priority " +
                               busiest(evidence, way.priority)});
    }
    return out;
}

constexpr std::array<Ids, 3> kOfDamage = {"out-of-sequence", "ack-timeouts", "retries-exhausted"};
constexpr std::array<Ids, 4> kOfCrc = {"symbol-errors", "out-of-sequence", "ack-timeouts",
                                       "retries-exhausted"};
constexpr std::array<Ids, 5> kOfFec = {"crc-errors", "symbol-errors", "out-of-sequence",
                                       "ack-timeouts", "retries-exhausted"};
constexpr std::array<Ids, 5> kOfElsewhere = {"rx-discards", "out-of-sequence", "ack-timeouts",
                                             "retries-exhausted", "ecn-no-marks"};

constexpr std::array kRowsTraffic = {
    FindingRow{
        .id = "fec-uncorrectable",
        .why = "A block that error correction cannot fix takes with it the packets in it.",
        .remedy = "the module, its fibre and both their ends; link.fec the same at the switch",
        .manual = "rocectl-doctor(8), COUNTERS",
        .needs = {.keys = kPortCounters, .before = true, .meters = kFec},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfFec,
                  .ruled_out_by = "the link came up in that time, when it trains",
                  .test = "ethtool -I --show-fec PORT, a minute apart"},
        .run = fec},
    FindingRow{.id = "crc-errors",
               .why = "A frame whose checksum is wrong is dropped without a word, whatever its "
                      "priority is.",
               .remedy = "the cable or module, and both its ends cleaned",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.keys = kPortCounters, .before = true, .meters = kCrc},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfCrc,
                         .ruled_out_by = "the link came up in that time, when it trains",
                         .test = "the cable in another port: the errors go with it, or stay"},
               .run = crc},
    FindingRow{.id = "symbol-errors",
               .level = FindingLevel::note,
               .why = "The port reads what the other end has not sent. Error correction fixes some "
                      "of it; what is left is dropped as damaged frames.",
               .remedy = "the cable or module, and both its ends cleaned",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.keys = kPortCounters, .before = true, .meters = kSymbols},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "the link came up in that time, when it trains",
                         .test = "ethtool --groups eth-phy -S PORT, a minute apart"},
               .run = symbols},
    FindingRow{.id = "traffic-in-other-priority",
               .why =
                   "RoCE that is not in the lossless priority is dropped where buffers overflow, "
                   "whatever PFC is set to.",
               .remedy = "what gives packets their priority: type of service, trust, the map, the "
                         "VLAN's tag",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.keys = kPortCounters, .before = true, .meters = kBytesOfRoce},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfElsewhere,
                         .ruled_out_by = "that traffic is meant to be lossy",
                         .test = "ethtool -S PORT, which priority counts bytes"},
               .run = elsewhere},
    FindingRow{.id = "rx-discards",
               .why =
                   "In a lossless priority no packet is dropped by the host: PFC is not at work, "
                   "or the buffer has too little room for what arrives after a pause.",
               .remedy = "pfc.priorities, buffer.size and pfc.delay",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.before = true, .meters = kDiscards, .beside = kEitherCounters},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfDamage, .ruled_out_by = "the fabric is meant to be lossy"},
               .run = discards},
};

constexpr auto kAllTraffic = each_of(kRowsTraffic);

}  // namespace

const FindingGroup finding_group::traffic{
    .name = "traffic",
    .doc = "What was damaged or dropped between two readings, and in which priority RoCE was.",
    .rows = kAllTraffic};

}  // namespace core
