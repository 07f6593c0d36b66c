// SPDX-License-Identifier: Apache-2.0
#include "core/probe/classes.hpp"

#include <algorithm>

#include "core/drivers/counters.hpp"
#include "core/model/bits.hpp"

namespace core::probe {
namespace {

using PriorityValues = PerPriority<std::uint64_t>;

/// Whether the port has one of them.
bool read_all(const Port& port, Meter meter, PriorityValues& out) {
    bool found = false;
    for (unsigned priority = 0; priority < kPriorities; ++priority)
        if (const auto one = count(port, meter, priority)) {
            out.at(priority) = one->value;
            found = true;
        }
    return found;
}

bool grow(const PriorityValues& before, const PriorityValues& after, PriorityValues& out) {
    for (unsigned i = 0; i < kPriorities; ++i) {
        if (after.at(i) < before.at(i)) return false;
        out.at(i) = after.at(i) - before.at(i);
    }
    return true;
}

bool grow(const ClassCounts::Way& before, const ClassCounts::Way& after, ClassCounts::Way& out) {
    return grow(before.bytes, after.bytes, out.bytes) &&
           grow(before.packets, after.packets, out.packets);
}

void take_away(PriorityValues& from, const PriorityValues& idle, double times) {
    for (unsigned i = 0; i < kPriorities; ++i) {
        const auto less = static_cast<std::uint64_t>(static_cast<double>(idle.at(i)) * times);
        from.at(i) -= std::min(from.at(i), less);
    }
}

void take_away(ClassCounts::Way& from, const ClassCounts::Way& idle, double times) {
    take_away(from.bytes, idle.bytes, times);
    take_away(from.packets, idle.packets, times);
}

/// The priority with the most; nothing below `least`.
std::optional<unsigned> most(const PriorityValues& values, std::uint64_t least) {
    const auto at = std::ranges::max_element(values);
    if (*at < std::max<std::uint64_t>(least, 1)) return std::nullopt;
    return static_cast<unsigned>(at - values.begin());
}

/// Some are counted before or after the others.
std::uint64_t enough_of(std::uint64_t number) {
    return number - number / 4;
}

/// Of packets that are `number` and do not travel with those of `back`; with them where no other
/// priority has as many.
std::optional<unsigned> notified_in(PriorityValues packets, std::optional<unsigned> back,
                                    std::uint64_t number) {
    if (back) packets.at(*back) = 0;
    const auto apart = most(packets, enough_of(number));
    return apart ? apart : back;
}

/// A CNP over IPv4 is 74 bytes long (InfiniBand Architecture, annex A17.9.3: BTH and 16 bytes, with
/// ICRC, in UDP), over IPv6 94; a VLAN tag is 4, and so is the frame's checksum, which some drivers
/// count.
constexpr std::uint64_t kShortestCnp = 74;
constexpr std::uint64_t kLongestCnp = 102;

/// The priority, other than `back`, whose packets all have the length of a CNP.
std::optional<unsigned> like_notified_in(const ClassCounts::Way& way,
                                         std::optional<unsigned> back) {
    for (unsigned i = 0; i < kPriorities; ++i) {
        const std::uint64_t packets = way.packets.at(i);
        const std::uint64_t bytes = way.bytes.at(i);
        if (packets == 0 || i == back || bytes % packets != 0) continue;
        if (bytes / packets >= kShortestCnp && bytes / packets <= kLongestCnp) return i;
    }
    return std::nullopt;
}

std::string priority_text(unsigned priority) {
    return "priority " + std::to_string(priority);
}

}  // namespace

ClassCounts class_counts(const Port& port) {
    ClassCounts out;
    const bool sent = read_all(port, Meter::tx_bytes, out.sent.bytes) &&
                      read_all(port, Meter::tx_packets, out.sent.packets);
    const bool received = read_all(port, Meter::rx_bytes, out.received.bytes) &&
                          read_all(port, Meter::rx_packets, out.received.packets);
    out.known = sent && received;
    if (const auto one = count(port, Meter::cnp_sent, 0)) out.notified = one->value;
    if (port.pfc) out.lossless = port.pfc->priorities;
    return out;
}

ClassCounts grown(const ClassCounts& before, const ClassCounts& after) {
    ClassCounts out{.lossless = after.lossless};
    out.known = before.known && after.known && grow(before.sent, after.sent, out.sent) &&
                grow(before.received, after.received, out.received);
    if (before.notified && after.notified && *after.notified >= *before.notified)
        out.notified = *after.notified - *before.notified;
    return out;
}

ClassCounts without(const ClassCounts& grown, const ClassCounts& idle, double times) {
    ClassCounts out = grown;
    take_away(out.sent, idle.sent, times);
    take_away(out.received, idle.received, times);
    return out;
}

ClassTrial travelled(Operation operation, std::uint8_t traffic_class, const ClassCounts& here,
                     const ClassCounts& peer, std::uint64_t wire_bytes) {
    ClassTrial out{.operation = operation, .traffic_class = traffic_class};
    const bool away = operation != Operation::read;
    const ClassCounts& sender = away ? here : peer;
    const ClassCounts& receiver = away ? peer : here;
    const std::uint64_t half = wire_bytes / 2;
    if (sender.known) {
        out.data.sent_in = most(sender.sent.bytes, half);
        out.back.received_in = most(sender.received.packets, 1);
    }
    if (receiver.known) {
        out.data.received_in = most(receiver.received.bytes, half);
        out.back.sent_in = most(receiver.sent.packets, 1);
    }
    out.notifications = receiver.notified;
    if (receiver.known) out.back_sent = receiver.sent.packets;
    if (sender.known) out.back_received = sender.received.packets;
    if (receiver.notified.value_or(0) != 0) {
        const std::uint64_t number = *receiver.notified;
        if (receiver.known)
            out.notified.sent_in = notified_in(receiver.sent.packets, out.back.sent_in, number);
        if (sender.known)
            out.notified.received_in =
                notified_in(sender.received.packets, out.back.received_in, number);
    }
    if (!receiver.notified) {
        if (receiver.known)
            out.notified.sent_in = like_notified_in(receiver.sent, out.back.sent_in);
        if (sender.known)
            out.notified.received_in = like_notified_in(sender.received, out.back.received_in);
        if (out.notified.sent_in)
            out.like_notifications = receiver.sent.packets.at(*out.notified.sent_in);
    }
    if (!here.known && !peer.known)
        out.unknown = "neither port counts by priority";
    else if (!out.data.sent_in && !out.data.received_in)
        out.unknown = "the ports did not count what was sent";
    return out;
}

std::vector<std::string> class_faults(const ClassTrial& trial, const ClassIntent& roce) {
    const bool away = trial.operation != Operation::read;
    const std::string sender = away ? "this host" : "the peer";
    const std::string receiver = away ? "the peer" : "this host";
    std::vector<std::string> out;
    const auto expect_in = [&out](std::optional<unsigned> seen, const std::string& text,
                                  unsigned meant) {
        if (seen && *seen != meant)
            out.push_back(text + priority_text(*seen) + ", not in " + priority_text(meant));
    };
    expect_in(trial.data.sent_in, sender + " sends data in ", roce.priority);
    expect_in(trial.data.received_in, receiver + " receives data in ", roce.priority);
    const std::string back = away ? "acknowledgements" : "requests";
    expect_in(trial.back.sent_in, receiver + " sends " + back + " in ", roce.priority);
    expect_in(trial.back.received_in, sender + " receives " + back + " in ", roce.priority);
    // Other packets may be more than they are, but where they belong there are at least as many.
    const std::uint64_t number = trial.notifications.value_or(0);
    const auto expect = [&](const std::optional<PriorityValues>& packets, const std::string& text) {
        if (!roce.cnp_priority || !packets || packets->at(*roce.cnp_priority) >= enough_of(number))
            return;
        out.push_back(text + std::to_string(number) + " CNPs, and " +
                      std::to_string(packets->at(*roce.cnp_priority)) + " packets in " +
                      priority_text(*roce.cnp_priority));
    };
    expect(trial.back_sent, receiver + " sent ");
    expect(trial.back_received, sender + " was sent ");
    // Two booleans of one bit each, compared, are what GCC 12.2 with -O2 compiles wrongly here: it
    // compares the second with nothing.
    const unsigned bit = bit_of(roce.priority);
    const bool here = (roce.lossless_here & bit) != 0;
    if (((unsigned{roce.lossless_here} ^ roce.lossless_there) & bit) != 0)
        out.push_back("PFC is on for " + priority_text(roce.priority) +
                      (here ? " here" : " at the peer") + ", and not " +
                      (here ? "at the peer" : "here"));
    return out;
}

}  // namespace core::probe
