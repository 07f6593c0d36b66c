// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/checks/growth.hpp"

// What the RDMA device counted between two readings: whether packets are lost, and whose fault it
// is that connections wait.

namespace core {
namespace {

constexpr std::array<Keys, 1> kCounters = {"rdma.counters"};
constexpr std::array<Keys, 1> kStatisticsToo = {"statistics"};
constexpr std::array<Meter, 2> kSequence = {Meter::out_of_sequence, Meter::sequence_naks};
constexpr std::array<Meter, 1> kTimeouts = {Meter::ack_timeouts};
constexpr std::array<Meter, 1> kExhausted = {Meter::retries_exhausted};
constexpr std::array<Meter, 1> kSendErrors = {Meter::send_errors};
constexpr std::array<Meter, 1> kRnr = {Meter::rnr_received};
constexpr std::array<Meter, 1> kNoReceive = {Meter::no_receive};
constexpr std::array<Meter, 1> kIcrc = {Meter::icrc_errors};
constexpr std::array<Meter, 1> kAccess = {Meter::remote_access};

/// One packet in so many: a stream of 100 Gb/s with 4 KiB packets waits thirty times a second
/// then, and go-back-N sends again all that was under way.
constexpr std::uint64_t kLossOfOneIn = 100'000;
/// A fault of the network that lasts makes more than one a minute; a peer that goes away makes a
/// few, once.
constexpr double kTimeoutsAMinute = 1;
constexpr double kMinute = 60;

/// Whether so many are few beside all packets that came; a lossy fabric has to bear them.
bool few(const Evidence& evidence, std::uint64_t lost) {
    if (!evidence.roce->lossless) return true;
    const auto packets = growth(evidence, Meter::roce_packets);
    return packets && packets->by / kLossOfOneIn >= lost;
}

Faults lost(const Evidence& evidence) {
    Faults out;
    for (const auto& [meter, what] :
         {std::pair(Meter::out_of_sequence, "packets were lost on the way to this host"),
          std::pair(Meter::sequence_naks, "packets were lost on the way to a peer")}) {
        const auto by = growth(evidence, meter);
        if (!by || by->by == 0) continue;
        out.push_back({.text = text(*by, evidence) + ": " + what, .slight = few(evidence, by->by)});
    }
    return out;
}

Faults timeouts(const Evidence& evidence) {
    const auto by = growth(evidence, Meter::ack_timeouts);
    if (!by) return {};
    const double minutes = std::max(1.0, evidence.seconds / kMinute);
    return grown(evidence, Meter::ack_timeouts, "nobody acknowledged what was sent in time",
                 static_cast<double>(by->by) < kTimeoutsAMinute * minutes);
}

Faults exhausted(const Evidence& evidence) {
    return grown(evidence, Meter::retries_exhausted, "connections were given up", false);
}

Faults not_sent(const Evidence& evidence) {
    return grown(evidence, Meter::send_errors, "the host itself dropped what the device sent",
                 false);
}

Faults rnr(const Evidence& evidence) {
    return grown(evidence, Meter::rnr_received,
                 "a peer had nowhere to put what it received; the network delivered it", true);
}

Faults starved(const Evidence& evidence) {
    return grown(evidence, Meter::no_receive,
                 "applications here had no receive request posted; the network delivered it", true);
}

Faults damaged(const Evidence& evidence) {
    return grown(evidence, Meter::icrc_errors,
                 "packets were damaged where no cable's checksum covers them", false);
}

Faults refused(const Evidence& evidence) {
    return grown(evidence, Meter::remote_access,
                 "a peer refused an access for its key, address or rights", true);
}

constexpr std::array<Ids, 3> kOfLoss = {"ack-timeouts", "retries-exhausted", "out-of-sequence"};
constexpr std::array<Ids, 2> kOfSequence = {"ack-timeouts", "retries-exhausted"};
constexpr std::array<Ids, 1> kOfTimeouts = {"retries-exhausted"};

constexpr std::array kRowsTransport = {
    FindingRow{
        .id = "icrc-errors",
        .why = "RDMA's own checksum covers the packet from memory to memory. What damages it "
               "although each cable's checksum is right is the memory of a switch or NIC.",
        .remedy = "another path, then another switch or NIC, to tell which one it is",
        .manual = "rocectl-doctor(8), COUNTERS",
        .needs = {.keys = kCounters, .before = true, .meters = kIcrc},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfLoss, .ruled_out_by = "peers by another path have them too"},
        .run = damaged},
    FindingRow{
        .id = "out-of-sequence",
        .why = "A packet that came before one that is missing: something on the way dropped "
               "that. RDMA sends it again, with all that came after it.",
        .remedy = "PFC and buffers of each switch on the way, from the host that loses "
                  "packets to the one that sends them",
        .manual = "rocectl-doctor(8), COUNTERS",
        .needs = {.keys = kCounters, .before = true, .meters = kSequence, .beside = kStatisticsToo},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfSequence,
                  .ruled_out_by = "the fabric sends packets of a flow by several paths",
                  .test = "rocectl doctor --window 60s, on both hosts"},
        .run = lost},
    FindingRow{.id = "ack-timeouts",
               .why =
                   "What was sent or its acknowledgement did not arrive in time: it was lost, or "
                   "the peer is gone. A peer that has ended looks the same.",
               .remedy = "the path to the peer; whether the peer's process is there",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.keys = kCounters, .before = true, .meters = kTimeouts},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfTimeouts,
                         .ruled_out_by = "a peer ended in that time",
                         .test = "rocectl doctor --window 60s, on both hosts"},
               .run = timeouts},
    FindingRow{.id = "retries-exhausted",
               .why = "A connection was broken since the peer did not answer any of the retries: "
                      "status 12, transport retry counter exceeded.",
               .remedy = "the path to the peer; whether the peer's process is there",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.keys = kCounters, .before = true, .meters = kExhausted},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "a peer ended in that time"},
               .run = exhausted},
    FindingRow{
        .id = "send-refused",
        .why = "A soft RoCE device sends through the host's own IP. What that drops, by a rule for "
               "output or for want of room, is not sent again since Linux 6.10: the queue pair "
               "ends at once, and the program sees status 5 (WR_FLUSH_ERR) without any retry "
               "(drivers/infiniband/sw/rxe/rxe_net.c rxe_send, rxe_req.c rxe_requester).",
        .remedy = "UDP 4791 let pass in every chain for output of the host",
        .manual = "rocectl-doctor(8), COUNTERS",
        .needs = {.keys = kCounters, .before = true, .meters = kSendErrors},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfSequence,
                  .ruled_out_by = "no chain for output drops anything; then the queueing "
                                  "discipline of the port is full",
                  .test = "tc -s qdisc show dev PORT; nft list ruleset",
                  .weight = Weight::stop},
        .run = not_sent},
    FindingRow{.id = "receiver-not-ready",
               .level = FindingLevel::note,
               .why =
                   "A peer's application posts receive requests slower than this host sends. The "
                   "packets arrived: the network is not at fault.",
               .remedy = "the application at the peer: its processors, and how many receive "
                         "requests it posts",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.keys = kCounters, .before = true, .meters = kRnr},
               .examines = CheckTarget::port,
               .run = rnr},
    FindingRow{.id = "receive-starved",
               .level = FindingLevel::note,
               .why = "Applications of this host post receive requests slower than peers send. The "
                      "packets arrived: the network is not at fault.",
               .remedy = "the application: its processors, and how many receive requests it posts",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.keys = kCounters, .before = true, .meters = kNoReceive},
               .examines = CheckTarget::port,
               .run = starved},
    FindingRow{.id = "remote-access",
               .level = FindingLevel::note,
               .why = "The key, address or rights of an access are not those of the memory at the "
                      "peer: a fault of the application, or memory that it gave back meanwhile.",
               .remedy = "the application",
               .manual = "rocectl-doctor(8), COUNTERS",
               .needs = {.keys = kCounters, .before = true, .meters = kAccess},
               .examines = CheckTarget::port,
               .run = refused},
};

constexpr auto kAllTransport = each_of(kRowsTransport);

}  // namespace

const FindingGroup finding_group::transport{
    .name = "transport",
    .doc = "What RDMA devices counted between two readings.",
    .rows = kAllTransport};

}  // namespace core
