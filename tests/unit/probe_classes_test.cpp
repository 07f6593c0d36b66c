// SPDX-License-Identifier: Apache-2.0
// In which priority packets travelled, by what two ports counted.
#include <doctest/doctest.h>

#include <string>

#include "core/checks/effective_intent.hpp"
#include "core/model/field.hpp"
#include "core/probe/classes.hpp"
#include "core/probe/packet_losses.hpp"
#include "verbs/probe/messages.hpp"

namespace probe_classes_test {

using core::Port;
using core::probe::ClassCounts;
using core::probe::ClassTrial;
using core::probe::Operation;

namespace {

constexpr std::uint64_t kBytes = 1'000'000;
constexpr std::uint64_t kPackets = 250;

void add(ClassCounts::Way& way, unsigned priority, std::uint64_t bytes, std::uint64_t packets) {
    way.bytes.at(priority) += bytes;
    way.packets.at(priority) += packets;
}

/// A host that sends data in the one priority, and gets its answers in the other.
ClassCounts sender(unsigned data, unsigned back) {
    ClassCounts out{.known = true};
    add(out.sent, data, kBytes, kPackets);
    add(out.received, back, kPackets * 78, kPackets);
    return out;
}
ClassCounts receiver(unsigned data, unsigned back) {
    const ClassCounts other = sender(data, back);
    return {.known = true, .sent = other.received, .received = other.sent};
}

/// A port of a driver, with all names of its counters by priority.
Port port_of(const std::string& driver, const std::string& before, const std::string& after) {
    Port port("p0");
    port.device = core::Device{.driver = driver, .firmware = {}};
    port.statistics.emplace();
    for (unsigned i = 0; i < core::kPriorities; ++i)
        for (const char* way : {"rx", "tx"})
            for (const char* what : {"bytes", "packets"}) {
                const std::string number = std::to_string(i);
                const std::string name = before == "prio"
                                             ? std::string(way) + "_prio" + number + '_' + what
                                             : std::string(way) + '_' + what + after + number;
                (*port.statistics)[name] = i;
            }
    return port;
}

}  // namespace

TEST_CASE("probe: classes are read where the driver counts by priority") {
    for (const Port& port : {port_of("mlx5_core", "prio", ""), port_of("bnxt_en", "", "_pri")}) {
        INFO(port.device->driver);
        const ClassCounts counts = core::probe::class_counts(port);
        REQUIRE(counts.known);
        CHECK(counts.sent.bytes.at(7) == 7);
        CHECK(counts.received.packets.at(3) == 3);
        CHECK_FALSE(counts.notified);
        Port less = port;
        std::erase_if(*less.statistics,
                      [](const auto& one) { return one.first.starts_with("rx"); });
        CHECK_FALSE(core::probe::class_counts(less).known);
    }
    Port ice("p0");
    ice.device = core::Device{.driver = "ice", .firmware = {}};
    ice.statistics = core::Counters{{"tx_priority_3_xoff.nic", 1}};
    ice.rdma_counters = core::Counters{{"cnpSent", 7}};
    ice.pfc = core::Pfc{.priorities = 8};
    const ClassCounts counts = core::probe::class_counts(ice);
    CHECK_FALSE(counts.known);
    CHECK(counts.notified == 7);
    CHECK(counts.lossless == 8);
}

TEST_CASE(
    "probe: what was counted is less than what comes by itself, and nothing where it began anew") {
    ClassCounts before{.known = true};
    add(before.sent, 3, 500, 5);
    ClassCounts after = before;
    add(after.sent, 3, 1000, 10);
    add(after.sent, 0, 90, 3);
    after.notified = 4;
    ClassCounts got = core::probe::grown(before, after);
    CHECK(got.sent.bytes.at(3) == 1000);
    CHECK_FALSE(got.notified);
    ClassCounts idle{.known = true};
    add(idle.sent, 3, 100, 1);
    add(idle.sent, 0, 90, 3);
    got = core::probe::without(got, idle, 2);
    CHECK(got.sent.bytes.at(3) == 800);
    CHECK(got.sent.packets.at(3) == 8);
    CHECK(got.sent.packets.at(0) == 0);
    CHECK_FALSE(core::probe::grown(after, before).known);
}

TEST_CASE("probe: data and what goes back are reported by who sent them") {
    ClassTrial got =
        core::probe::travelled(Operation::write, 106, sender(3, 5), receiver(4, 6), kBytes);
    CHECK(got.unknown == "");
    CHECK(got.data.sent_in == 3);
    CHECK(got.data.received_in == 4);
    CHECK(got.back.sent_in == 6);
    CHECK(got.back.received_in == 5);
    // Of a read the peer is who sends.
    got = core::probe::travelled(Operation::read, 106, receiver(4, 6), sender(3, 5), kBytes);
    CHECK(got.data.sent_in == 3);
    CHECK(got.data.received_in == 4);
    CHECK(got.back.sent_in == 6);
    CHECK(
        core::probe::class_faults(got, {.priority = 3, .lossless_here = 8, .lossless_there = 8}) ==
        std::vector<std::string>{"this host receives data in priority 4, not in priority 3",
                                 "this host sends requests in priority 6, not in priority 3",
                                 "the peer receives requests in priority 5, not in priority 3"});
}

TEST_CASE("probe: of too few bytes nothing is said") {
    const ClassTrial got =
        core::probe::travelled(Operation::write, 106, sender(3, 3), receiver(3, 3), 2 * kBytes + 2);
    CHECK(got.unknown == "the ports did not count what was sent");
    const ClassTrial none = core::probe::travelled(Operation::write, 106, {}, {}, kBytes);
    CHECK(none.unknown == "neither port counts by priority");
    // One that counts is enough.
    const ClassTrial one = core::probe::travelled(Operation::write, 106, sender(3, 3), {}, kBytes);
    CHECK(one.unknown == "");
    CHECK(one.data.sent_in == 3);
    CHECK_FALSE(one.data.received_in);
    CHECK(core::probe::class_faults(one, {.priority = 3, .lossless_here = 8, .lossless_there = 8})
              .empty());
}

TEST_CASE("probe: notifications are reported by their number, else by their length") {
    const auto with = [](std::optional<std::uint64_t> counted, unsigned priority,
                         std::uint64_t bytes) {
        ClassCounts here = sender(3, 3);
        ClassCounts peer = receiver(3, 3);
        add(here.received, priority, 40 * bytes, 40);
        add(peer.sent, priority, 40 * bytes, 40);
        add(peer.sent, 0, 700, 9);  // the probe's own messages
        add(here.received, 0, 700, 9);
        peer.notified = counted;
        return core::probe::travelled(Operation::write, 106, here, peer, kBytes);
    };
    CHECK(with(0, 6, 74).notifications == 0);
    CHECK_FALSE(with(0, 6, 74).notified.sent_in);
    CHECK(with(40, 6, 78).notified.sent_in == 6);
    CHECK(with(40, 6, 78).notified.received_in == 6);
    // In the class of the acknowledgements, where no other has so many.
    CHECK(with(40, 3, 78).notified.sent_in == 3);
    CHECK(with({}, 6, 74).notified.sent_in == 6);
    CHECK(with({}, 6, 74).like_notifications == 40);
    CHECK_FALSE(with({}, 6, 60).like_notifications);
    CHECK_FALSE(with({}, 6, 74).notifications);
    // A profile that says where they are to travel makes the wrong priority a fault, where they are
    // counted; what only looks like them makes none.
    const auto faults = [](const ClassTrial& trial, std::optional<unsigned> cnp) {
        return core::probe::class_faults(
            trial, {.priority = 3, .cnp_priority = cnp, .lossless_here = 8, .lossless_there = 8});
    };
    CHECK(faults(with(40, 6, 78), 6).empty());
    CHECK(faults(with(40, 0, 78), {}).empty());
    CHECK(faults(with({}, 5, 74), 6).empty());
    CHECK(faults(with(40, 5, 78), 6) ==
          std::vector<std::string>{"the peer sent 40 CNPs, and 0 packets in priority 6",
                                   "this host was sent 40 CNPs, and 0 packets in priority 6"});
    // What else travels may be more than they are: here 9 packets of the probe itself.
    ClassTrial few = with(2, 6, 78);
    ClassCounts peer = receiver(3, 3);
    add(peer.sent, 6, 156, 2);
    add(peer.sent, 0, 700, 9);
    peer.notified = 2;
    few = core::probe::travelled(Operation::write, 106, sender(3, 3), peer, kBytes);
    CHECK(few.back_sent->at(6) == 2);
    CHECK(faults(few, 6) ==
          std::vector<std::string>{"this host was sent 2 CNPs, and 0 packets in priority 6"});
    few.back_received.reset();
    CHECK(faults(few, 6).empty());
}

TEST_CASE("probe: where notifications are to travel says a profile, or nobody") {
    const core::Desired desired{
        .port = "sim0", .field = core::find_field("ecn.cnp_priority"), .value = std::uint64_t{6}};
    REQUIRE(desired.field != nullptr);
    CHECK(core::effective_intent({}, std::vector{desired}).cnp_priority == 6);
    CHECK_FALSE(core::effective_intent({}, {}).cnp_priority);
}

TEST_CASE("probe: PFC at one end only is a fault") {
    const ClassTrial well =
        core::probe::travelled(Operation::write, 106, sender(3, 3), receiver(3, 3), kBytes);
    CHECK(core::probe::class_faults(well, {.priority = 3, .lossless_here = 8, .lossless_there = 8})
              .empty());
    CHECK(core::probe::class_faults(well, {.priority = 3, .lossless_here = 0, .lossless_there = 0})
              .empty());
    CHECK(
        core::probe::class_faults(well, {.priority = 3, .lossless_here = 8, .lossless_there = 0}) ==
        std::vector<std::string>{"PFC is on for priority 3 here, and not at the peer"});
    CHECK(
        core::probe::class_faults(well, {.priority = 3, .lossless_here = 0, .lossless_there = 8}) ==
        std::vector<std::string>{"PFC is on for priority 3 at the peer, and not here"});
}

TEST_CASE("probe: what a port counted comes over the channel as it is") {
    ClassCounts counts = sender(3, 5);
    counts.notified = 17;
    counts.lossless = 8;
    core::probe::Message message{.kind = "counters"};
    verbs::put_counts(message, counts);
    const ClassCounts got =
        verbs::counts_in(core::probe::parse_message(core::probe::bytes_of(message)));
    CHECK(got.known);
    CHECK(got.sent.bytes == counts.sent.bytes);
    CHECK(got.received.packets == counts.received.packets);
    CHECK(got.notified == 17);
    CHECK(got.lossless == 8);
    core::probe::Message none{.kind = "counters"};
    verbs::put_counts(none, {});
    CHECK_FALSE(verbs::counts_in(none).known);
    message.numbers.erase("rx_packets7");
    CHECK_THROWS(verbs::counts_in(message));
    message.numbers["lossless"] = 256;
    CHECK_THROWS(verbs::counts_in(message));
}

TEST_CASE("probe: what is lost is reported with its way, by who counted it") {
    Port port("p0");
    port.device = core::Device{.driver = "mlx5_core", .firmware = {}};
    port.statistics = core::Counters{{"rx_crc_errors_phy", 5}};
    port.rdma_counters = core::Counters{{"out_of_sequence", 7}, {"packet_seq_err", 1}};
    const core::probe::PacketLosses before = core::probe::packet_losses(port);
    CHECK(before == core::probe::PacketLosses{
                        {"crc_errors", 5}, {"out_of_sequence", 7}, {"sequence_naks", 1}});
    (*port.rdma_counters)["out_of_sequence"] = 19;
    (*port.statistics)["rx_crc_errors_phy"] = 4;  // it began anew
    const auto here = core::probe::grown(before, core::probe::packet_losses(port), true);
    REQUIRE(here.size() == 1);
    CHECK(core::probe::packet_loss_text(here[0]) ==
          "12 packets came to this host before one that was lost on the way from the peer");
    CHECK(core::probe::packet_loss_text({.here = false, .name = "sequence_naks", .number = 2}) ==
          "2 times this host asked again for what was lost on the way from the peer");
    for (const std::string_view name : core::probe::packet_loss_names()) {
        INFO(name);
        const std::string text =
            core::probe::packet_loss_text({.name = std::string(name), .number = 1});
        CHECK(text.find("HERE") == std::string::npos);
        CHECK(text.find("this host") != std::string::npos);
    }
    core::probe::Message message{.kind = "counters", .numbers = {{"stranger", 1}}, .words = {}};
    verbs::put_packet_losses(message, before);
    CHECK(verbs::packet_losses_in(message) == before);
    CHECK(core::probe::packet_loss_text({.name = "stranger", .number = 1}) == "");
}

}  // namespace probe_classes_test
