// SPDX-License-Identifier: Apache-2.0
// What the probe computes: histograms, perftest's figures, expectations, messages.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <sstream>

#include "cli/files/text_file.hpp"
#include "core/error.hpp"
#include "core/probe/expectation.hpp"
#include "core/probe/message.hpp"
#include "core/probe/parameters.hpp"
#include "core/probe/payload.hpp"
#include "core/probe/report.hpp"
#include "core/probe/schedule.hpp"
#include "verbs/wait.hpp"

namespace probe_test {

using namespace core::probe;

namespace {

/// What `ib_*_lat -U` printed: the times of its samples in microseconds, and its figures.
struct Printed {
    std::vector<double> samples{};
    std::vector<double> figures{};
};

Printed printed(const std::string& text) {
    Printed out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first;
        words >> first;
        double value = 0;
        if (first.ends_with(',') && words >> value) out.samples.push_back(value);
        if (first != "2") continue;
        while (words >> value)
            out.figures.push_back(value);
    }
    return out;
}

}  // namespace

TEST_CASE("probe: perftest's samples give perftest's figures") {
    for (const Operation operation : kOperations) {
        CAPTURE(name_of(operation));
        const Printed said = printed(cli::read_file(ROCECTL_SOURCE_DIR "/tests/probe/perftest-" +
                                                    std::string(name_of(operation)) + ".txt"));
        REQUIRE(said.samples.size() == 99);
        REQUIRE(said.figures.size() == 8);
        std::vector<std::uint64_t> times;
        const double halves = operation == Operation::read ? 1 : 2;
        for (const double sample : said.samples)
            times.push_back(static_cast<std::uint64_t>(std::llround(sample * 1000 * halves)));
        const PerftestLatency found = perftest_latency(operation, times);
        CHECK(found.iterations == 100);
        CHECK(std::abs(found.min - said.figures[1]) < 0.06);
        CHECK(std::abs(found.max - said.figures[2]) < 0.06);
        CHECK(std::abs(found.typical - said.figures[3]) < 0.06);
        CHECK(std::abs(found.average - said.figures[4]) < 0.06);
        CHECK(std::abs(found.percentile99 - said.figures[6]) < 0.06);
        CHECK(std::abs(found.percentile999 - said.figures[7]) < 0.06);
        // perftest rounds each distance to a whole microsecond; what is left is near.
        CHECK(std::abs(found.deviation - said.figures[5]) < 2);
    }
    CHECK(perftest_latency(Operation::send, {}).iterations == 0);
}

TEST_CASE("probe: a histogram tells each percentile to a thousandth") {
    std::mt19937_64 random(7);
    for (int round = 0; round < 20; ++round) {
        Histogram histogram;
        std::vector<std::uint64_t> all;
        std::lognormal_distribution<double> spread(4.0 + round * 0.5, 1.5);
        double sum = 0;
        for (int i = 0; i < 5000; ++i) {
            const auto time = static_cast<std::uint64_t>(spread(random));
            histogram.add(time);
            all.push_back(std::min(time, (std::uint64_t{1} << 34) - 1));
            sum += static_cast<double>(all.back());
        }
        std::ranges::sort(all);
        CHECK(histogram.count() == all.size());
        CHECK(histogram.min() == all.front());
        CHECK(histogram.max() == all.back());
        CHECK(histogram.mean() == doctest::Approx(sum / 5000.0));
        for (const double percent : {0.1, 1.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
            const auto place = static_cast<std::size_t>(std::ceil(5000 * percent / 100)) - 1;
            const auto exact = static_cast<double>(all[place]);
            const auto reported = static_cast<double>(histogram.percentile(percent));
            CHECK(reported >= exact);
            CHECK(reported <= exact * 1.001);
        }
        std::uint64_t counted = 0;
        for (const Histogram::Step& step : histogram.steps()) {
            CHECK(step.from < step.to);
            counted += step.count;
        }
        CHECK(counted == all.size());
    }
    CHECK(Histogram().percentile(50) == 0);
    CHECK(Histogram().deviation() == 0);
}

TEST_CASE("probe: what is drawn are the times between the outermost thousandths") {
    Histogram histogram;
    for (std::uint64_t i = 0; i < 100'000; ++i)
        histogram.add(1000 + i % 1000);
    const auto pieces = pieces_of(histogram, 10);
    REQUIRE(pieces.size() == 10);
    std::uint64_t drawn = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        drawn += pieces[i].count;
        if (i > 0) CHECK(pieces[i].from == pieces[i - 1].to);
    }
    CHECK(drawn >= 99'800);
    // As long as each other by a logarithm.
    for (const unsigned count : {1U, 2U, 7U, 24U}) {
        const auto drawn_by = pieces_of(histogram, count);
        const auto low = static_cast<double>(drawn_by.front().from);
        const auto high = static_cast<double>(drawn_by.back().to);
        REQUIRE(high > low);
        for (unsigned i = 0; i < count; ++i)
            CHECK(static_cast<double>(drawn_by[i].from) ==
                  doctest::Approx(low * std::pow(high / low, static_cast<double>(i) / count))
                      .epsilon(0.002));
    }
    CHECK(pieces_of(Histogram(), 10).empty());
}

TEST_CASE("probe: an operation has a name, and verbs are reported from the others") {
    for (const Operation one : kOperations) {
        CHECK(find_operation(name_of(one)) == one);
        CHECK(is_rdma_operation(one));
    }
    for (const char* other : {"tcp", "rpc", "tcp-rpc"}) {
        REQUIRE(find_operation(other));
        CHECK(name_of(*find_operation(other)) == other);
        CHECK_FALSE(is_rdma_operation(*find_operation(other)));
    }
    CHECK_FALSE(find_operation("udp"));
}

TEST_CASE("probe: bytes on the wire are those of a packet's headers") {
    // One packet of 4096 over IPv4: 82 bytes beside it, and for a write its address once more.
    CHECK(wire_bytes(Operation::send, 4096, 4096, false) == 4096 + 82);
    CHECK(wire_bytes(Operation::send, 4097, 4096, false) == 4097 + 2 * 82);
    CHECK(wire_bytes(Operation::write, 65536, 4096, false) == 65536 + 16 * 82 + 16);
    CHECK(wire_bytes(Operation::read, 65536, 1024, true) == 65536 + 64 * 102 + 8);
    CHECK(wire_bytes(Operation::read, 1, 1024, false) == 1 + 82 + 4);
}

TEST_CASE("probe: a bandwidth in the units of the field") {
    const Bandwidth one{.messages = 1000, .bytes = 65'536'000, .nanoseconds = 1'000'000'000};
    CHECK(one.gigabits() == doctest::Approx(0.524288));
    CHECK(one.mebibytes() == doctest::Approx(62.5));
    CHECK(one.million_messages() == doctest::Approx(0.001));
    CHECK(Bandwidth{}.gigabits() == 0);
}

TEST_CASE("probe: expectations are read, and judged by what was measured") {
    PathReport report;
    Trial& trial = report.trials.emplace_back();
    trial.operation = Operation::write;
    trial.latency.emplace();
    for (std::uint64_t i = 1; i <= 100; ++i)
        trial.latency->times.add(i * 100);
    const auto met = [&](const char* text) { return judge(parse_expectation(text), report).met; };
    CHECK(met("write.p50<5.1us"));
    CHECK(met("write.p50<=5.01us"));
    CHECK_FALSE(met("write.p50<5us"));
    CHECK(met("write.max>0.009ms"));
    CHECK_FALSE(met("write.min>100ns"));
    CHECK(met("write.p99.9<=0.00001s"));
    // What was not measured is not met.
    CHECK_FALSE(met("read.p99<1s"));
    CHECK_FALSE(met("write.bandwidth>1kb/s"));
    CHECK_FALSE(judge(parse_expectation("write.bandwidth>1kb/s"), report).measured);
    Trial& stream = report.trials.emplace_back();
    stream.operation = Operation::write;
    stream.bandwidth = Bandwidth{.messages = 10, .bytes = 1250, .nanoseconds = 1000};
    CHECK(met("write.bandwidth>=10Gb/s"));
    CHECK_FALSE(met("write.bandwidth>10Gb/s"));
    CHECK(met("write.messages>9.9M/s"));
    // Of several measurements the worst counts, whatever their order.
    Trial slower = report.trials.front();
    slower.latency->times.add(1'000'000);
    report.trials.insert(report.trials.begin(), slower);
    CHECK_FALSE(met("write.max<1ms"));
    CHECK(judge(parse_expectation("write.max<1ms"), report).measured == 1'000'000);
    CHECK_FALSE(met("tcp.p50<1s"));
    const Expectation slow = parse_expectation("write.p99<10us");
    CHECK(slow.value == doctest::Approx(10'000));
    CHECK(slow.unit == "us");
    CHECK(slow.factor == doctest::Approx(1000));
    for (const char* wrong :
         {"", "write.p99", "write.p98<1us", "write<1us", "wrte.p99<1us", "write.p99<1",
          "write.p99<us", "write.p99<1Gb/s", "write.bandwidth>1us", "write.p99<-1us",
          "write.p99<1us ", ".p99<1us", "write.<1us"})
        CHECK_THROWS_AS(parse_expectation(wrong), core::Error);
}

TEST_CASE("probe: messages come back as they were, and others are refused") {
    const Message message{.kind = "open",
                          .numbers = {{"depth", 2}, {"buffer", UINT64_MAX}},
                          .words = {{"gid", "::ffff:10.0.0.1"}, {"odd", "a\"\\\n\x01"}}};
    CHECK(parse_message(bytes_of(message)) == message);
    CHECK(number_in(message, "depth", 1, 2) == 2);
    CHECK_THROWS_AS(number_in(message, "depth", 3, 4), core::Error);
    CHECK_THROWS_AS(number_in(message, "depth", 0, 1), core::Error);
    CHECK_THROWS_AS(number_in(message, "size", 0, 1), core::Error);
    CHECK_THROWS_AS(word_in(message, "size"), core::Error);
    std::string many = R"({"kind":"a")";
    for (int i = 0; i < 170; ++i)
        many += ",\"" + std::to_string(i) + "\":1";
    for (const std::string& wrong :
         {std::string(), std::string("{}"), std::string("[]"), std::string("null"),
          std::string(R"({"kind":1})"), std::string(R"({"kind":"a","n":-1})"),
          std::string(R"({"kind":"a","n":1.5})"), std::string(R"({"kind":"a","n":[1]})"),
          std::string(R"({"kind":"a","n":1,"n":2})"), std::string(R"({"kind":"a"} x)"),
          std::string("GET / HTTP/1.1\r\n\r\n"), many + "}"})
        CHECK_THROWS_AS(parse_message(wrong), core::Error);
}

TEST_CASE("probe: a pattern shows what was moved, doubled or is of another message") {
    std::vector<std::uint8_t> bytes(70'000);
    fill_pattern(bytes, 3);
    CHECK_FALSE(first_wrong(bytes, 3));
    CHECK(first_wrong(bytes, 4));
    bytes[65'000] ^= 1U;
    CHECK(first_wrong(bytes, 3) == 65'000);
    fill_pattern(bytes, 3);
    // A packet of any RDMA MTU in the place of the one before.
    for (const std::size_t mtu : {256U, 1024U, 4096U}) {
        std::vector<std::uint8_t> moved = bytes;
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(mtu), mtu, moved.begin());
        CHECK(first_wrong(moved, 3));
    }
}

TEST_CASE("probe: rails of one network belong together, then those in one place") {
    const auto at = [](const char* text) { return *core::parse_prefix(text); };
    using Pairs = std::vector<RailPair>;
    CHECK(pair_rails({at("10.0.0.1/24"), at("10.0.1.1/24")},
                     {at("10.0.1.2/24"), at("10.0.0.2/24")}) == Pairs{{0, 1}, {1, 0}});
    // Each rail a network of its own at each host.
    CHECK(pair_rails({at("10.0.0.0/31"), at("10.0.0.2/31")},
                     {at("10.1.0.0/31"), at("10.1.0.2/31")}) == Pairs{{0, 0}, {1, 1}});
    // One of both kinds.
    CHECK(pair_rails({at("10.0.0.1/24"), at("10.5.0.1/24")},
                     {at("10.0.0.2/24"), at("10.7.0.2/24")}) == Pairs{{0, 0}, {1, 1}});
    // Where the peer has lost a rail, its second place may be the third one's.
    const Pairs left = pair_rails({at("10.0.0.1/24"), at("10.5.0.1/24"), at("10.6.0.1/24")},
                                  {at("10.0.0.2/24"), at("10.7.0.2/24")});
    CHECK(left == Pairs{{0, 0}});
    CHECK(core::probe::without_counterpart(left, 3, &RailPair::here) ==
          std::vector<std::size_t>{1, 2});
    CHECK(core::probe::without_counterpart(left, 2, &RailPair::there) ==
          std::vector<std::size_t>{1});
    CHECK(pair_rails({at("10.0.0.1/24")}, {at("fd00::1/64")}).empty());
    CHECK(pair_rails({}, {at("10.0.0.1/24")}).empty());
}

TEST_CASE("probe: each completion is measured with each size and each depth") {
    Parameters parameters;
    CHECK(combinations_of(parameters).size() == 1);
    CHECK_FALSE(uses_tcp(parameters));
    CHECK(needs_rdma(parameters));
    parameters.sizes = {64, 4096};
    parameters.depths = {1, 8, 32};
    parameters.completions = {"poll", "event"};
    const auto all = combinations_of(parameters);
    CHECK(all.size() == 12);
    std::set<std::string> seen;
    unsigned first = 0;
    for (const Parameters& one : all) {
        seen.insert(one.completion + ' ' + std::to_string(one.size) + ' ' +
                    std::to_string(one.depth));
        if (one.first_depth) ++first;
    }
    CHECK(seen.size() == 12);
    CHECK(first == 4);
    parameters.operations = {Operation::rpc, Operation::tcp_rpc, Operation::rpc};
    parameters.expectations = {parse_expectation("tcp.p50<1s")};
    CHECK(operations_of(parameters) ==
          std::vector{Operation::rpc, Operation::tcp_rpc, Operation::tcp});
    CHECK(uses_tcp(parameters));
    CHECK_FALSE(needs_rdma(parameters));
}

TEST_CASE("probe: what rdma_cm says has the meaning that explain gives it") {
    for (const auto& [text, begins] :
         {std::pair{"RDMA_CM_EVENT_ADDR_ERROR, error -110", "Nobody answered for the address"},
          std::pair{"RDMA_CM_EVENT_ADDR_ERROR, error -101", "There is no route"},
          std::pair{"RDMA_CM_EVENT_ADDR_ERROR, error -19", "The route to the address leads out"},
          std::pair{"rdma_resolve_addr: No such device", "The route to the address leads out"},
          std::pair{"RDMA_CM_EVENT_ROUTE_ERROR, error -22", "rdma_cm connects in RoCE v1"},
          std::pair{"RDMA_CM_EVENT_UNREACHABLE, error -110", "The address was resolved, and the"},
          std::pair{"rdma_connect: Connection timed out", "The address was resolved, and the"},
          std::pair{"RDMA_CM_EVENT_REJECTED, status 8", "The far host answered, and nobody"},
          std::pair{"RDMA_CM_EVENT_REJECTED, status 28", "The far program itself refused"},
          std::pair{"RDMA_CM_EVENT_CONNECT_ERROR, error -22", "The two ends agreed"},
          std::pair{"rdma_create_event_channel failed: No such device (19)",
                    "/dev/infiniband/rdma_cm is not there"}}) {
        CAPTURE(text);
        CHECK(meaning_of(text).starts_with(begins));
    }
    CHECK(meaning_of("nothing that anybody knows").empty());
}

TEST_CASE("probe: the longest packet that passes is found, whatever it is") {
    for (const bool ipv6 : {false, true}) {
        for (const std::uint32_t real : {0U, 575U, 1280U, 1499U, 1500U, 4159U, 8999U, 9000U}) {
            PathSearch search(9000, ipv6);
            int asked = 0;
            while (const auto size = search.next()) {
                REQUIRE(++asked < 20);
                search.tell(*size, *size <= real);
            }
            const std::uint32_t least = ipv6 ? 1280 : 576;
            CHECK(search.found() == (real < least ? 0 : real));
            if (real == 9000) CHECK(asked == 1);
        }
    }
    PathSearch narrow(100, false);
    CHECK(narrow.next() == 100);
    narrow.tell(100, false);
    CHECK_FALSE(narrow.next());
    CHECK(narrow.found() == 0);
}

TEST_CASE("probe: a path that cuts packets is reported, and whether RDMA goes through") {
    CHECK(longest_packet(4096, false) == 4160);
    CHECK(longest_packet(4096, true) == 4180);
    const PathMtu whole{.here = 9000, .peer = 9000, .out = 9000, .back = 9000, .needed = 4160};
    CHECK(carries_rdma(whole));
    CHECK(words_of(whole).empty());
    PathMtu cut = whole;
    cut.out = 1500;
    CHECK_FALSE(carries_rdma(cut));
    CHECK(words_of(cut) ==
          "IP packets over 1500 bytes vanish on the way from this host to the peer, though both "
          "ports say 9000; the RDMA MTU has packets of up to 4160: a switch port between the two "
          "has a smaller MTU\n");
    PathMtu enough = whole;
    enough.back = 8000;
    CHECK(carries_rdma(enough));
    CHECK(
        words_of(enough).starts_with("IP packets over 8000 bytes vanish on the way from the "
                                     "peer to this host, though both ports say 9000; RDMA,"));
    PathMtu nothing = whole;
    nothing.out = 0;
    CHECK_FALSE(carries_rdma(nothing));
    CHECK(words_of(nothing).starts_with("no UDP datagram arrives on the way from this host"));
    CHECK_FALSE(carries_rdma({.failure = "the kernel refuses"}));
    // What RDMA needs is not known where it does not connect: then that is the failure.
    PathMtu unknown = whole;
    unknown.needed = 0;
    CHECK(carries_rdma(unknown));
}

TEST_CASE("probe: flow labels are different source ports, and the bad ones are named") {
    std::vector<std::uint16_t> ports;
    for (unsigned pair = 0; pair < 64; ++pair) {
        CHECK(flow_label(pair) != 0);
        CHECK(source_port(flow_label(pair)) >= 0xC000);
        ports.push_back(source_port(flow_label(pair)));
    }
    std::ranges::sort(ports);
    CHECK(std::ranges::adjacent_find(ports) == ports.end());
    CHECK(source_port(0x12345) == (0xC000 | (0x2345 ^ 4)));
    std::vector<FlowPath> paths(4);
    for (unsigned i = 0; i < paths.size(); ++i) {
        paths[i].source_port = static_cast<std::uint16_t>(50'000 + i);
        for (int write = 0; write < 30; ++write)
            paths[i].times.add(5'000);
    }
    CHECK(words_of(paths).empty());
    paths[1].times.add(70'000'000);  // one may be a host that was busy
    CHECK(words_of(paths).empty());
    paths[1].times.add(70'000'000);
    paths[3].failure = "transport retry counter exceeded";
    CHECK(
        words_of(paths).starts_with("2 of 4 source ports lose packets: 50001, 50003\nthe others"));
    paths[0].failure = paths[2].failure = paths[3].failure;
    CHECK(words_of(paths).find("all of them") != std::string::npos);
}

TEST_CASE("probe: directions that differ are reported, and the worse one is what is judged") {
    for (const Direction one : kDirections)
        CHECK(find_direction(name_of(one)) == one);
    CHECK_FALSE(find_direction("back"));
    const auto carried = [](Direction direction, std::uint64_t bytes) {
        return Trial{.operation = Operation::write,
                     .direction = direction,
                     .bandwidth = Bandwidth{.messages = 1, .bytes = bytes, .nanoseconds = 8}};
    };
    PathReport report;
    report.trials = {carried(Direction::out, 10), carried(Direction::in, 9)};
    CHECK(direction_words(report.trials).empty());
    report.trials[1] = carried(Direction::in, 5);
    CHECK(direction_words(report.trials) ==
          "write: the directions differ: 10 Gb/s where this host posts, 5 Gb/s where the peer "
          "does\n");
    CHECK(judge(parse_expectation("write.bandwidth>4Gb/s"), report).met);
    CHECK_FALSE(judge(parse_expectation("write.bandwidth>6Gb/s"), report).met);
    CHECK(judge(parse_expectation("write.bandwidth>6Gb/s"), report).measured == 5e9);
    CHECK_FALSE(judge(parse_expectation("write.bandwidth<6Gb/s"), report).met);
    CHECK(judge(parse_expectation("write.bandwidth<11Gb/s"), report).met);
    // Together: of two that carry 10 each by themselves, 12 is less than they could.
    report.trials = {carried(Direction::out, 10), carried(Direction::in, 10),
                     carried(Direction::both, 7)};
    report.trials[2].back = Bandwidth{.messages = 1, .bytes = 5, .nanoseconds = 8};
    CHECK(report.trials[2].total_gigabits() == doctest::Approx(12));
    CHECK(direction_words(report.trials) ==
          "write: together the directions carry 12 Gb/s, in turn 10 Gb/s and 10 Gb/s\n");
    CHECK(judge(parse_expectation("write.bandwidth>9Gb/s"), report).met);
    report.trials[2].back->bytes = 12;
    CHECK(direction_words(report.trials).empty());
}
TEST_CASE("probe: what is slow is told apart from what does not come") {
    const auto over = [](std::uint64_t done) -> std::string {
        verbs::Wait wait(std::chrono::milliseconds(0), {});
        wait.count(done, 1000);
        try {
            wait.check();
        } catch (const verbs::TimeOver& error) {
            return error.what();
        }
        return {};
    };
    CHECK(over(0) == "nothing came in time");
    CHECK(over(834).starts_with("834 of 1000 messages came in time"));
}

}  // namespace probe_test
