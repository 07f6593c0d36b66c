// SPDX-License-Identifier: Apache-2.0
// Who is probed by whom, and when: lists of hosts, rounds, and what is under way together.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "core/error.hpp"
#include "core/probe/hosts.hpp"
#include "core/probe/schedule.hpp"

namespace mesh_schedule_test {

using namespace core::probe;

namespace {

using Names = std::vector<std::string>;

std::string said_of(std::string_view list) {
    try {
        expand_hosts(list);
    } catch (const core::Error& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("mesh: lists of hosts are read as Slurm writes them") {
    CHECK(expand_hosts("node[01-03,7],gpu-1") ==
          Names{"node01", "node02", "node03", "node7", "gpu-1"});
    CHECK(expand_hosts("n[8-11]") == Names{"n8", "n9", "n10", "n11"});
    CHECK(expand_hosts("n[098-101]x") == Names{"n098x", "n099x", "n100x", "n101x"});
    CHECK(expand_hosts("r[1-2]n[1-2]") == Names{"r1n1", "r1n2", "r2n1", "r2n2"});
    CHECK(expand_hosts("a:18517,10.0.0.1") == Names{"a:18517", "10.0.0.1"});
    CHECK(expand_hosts("[fd00::1]:18517,fd00::2,[fd00::3]") ==
          Names{"[fd00::1]:18517", "fd00::2", "[fd00::3]"});
    CHECK(expand_hosts("n[1-2]:7") == Names{"n1:7", "n2:7"});
    CHECK(expand_hosts("n[1-4096]").size() == kMostHosts);
}

TEST_CASE("mesh: a list that is none is refused in words") {
    for (const char* list : {"",
                             ",",
                             "a,",
                             "a,,b",
                             "n[",
                             "n[1-",
                             "n[]",
                             "n[2-1]",
                             "n[a-b]",
                             "n[1-]",
                             "n[-1]",
                             "n[1--2]",
                             "n[1,]",
                             "n]",
                             "a b",
                             "<b>",
                             "a;b",
                             "n[1-4097]",
                             "n[0-99][0-99]",
                             "n[1-18446744073709551615]",
                             "n[99999999999999999999]",
                             "x[fd00::1]",
                             "[fd00::<]"}) {
        CAPTURE(list);
        CHECK(said_of(list).starts_with("found '"));
    }
    CHECK(said_of("n[2-1]") ==
          "found 'n[2-1]', expected hosts such as node[01-03,7],gpu-1: '2-1' goes backwards");
}

TEST_CASE("mesh: a file of hosts has lists, blanks and comments") {
    CHECK(hosts_in("# all of them\na b\t n[1-2], c # not d\n\r\n\ne\r\n") ==
          Names{"a", "b", "n1", "n2", "c", "e"});
    CHECK(hosts_in("").empty());
    CHECK_THROWS_WITH_AS(hosts_in("a\nb[\n"),
                         "line 2: found 'b[', expected hosts such as node[01-03,7],gpu-1: ']' is "
                         "missing",
                         core::Error);
    CHECK(without_doubles({"b", "a", "b"}) == Names{"b", "a"});
}

TEST_CASE("mesh: each pair is in one round, and no host twice in a round") {
    for (const std::size_t hosts : {2U, 3U, 4U, 5U, 8U, 9U, 127U, 128U}) {
        CAPTURE(hosts);
        std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
        const auto rounds = rounds_of(hosts);
        CHECK(rounds.size() == hosts - 1 + hosts % 2);
        for (const auto& round : rounds) {
            std::set<std::uint32_t> busy;
            for (const HostPair& pair : round) {
                REQUIRE(pair.one < hosts);
                REQUIRE(pair.other < hosts);
                CHECK(busy.insert(pair.one).second);
                CHECK(busy.insert(pair.other).second);
                CHECK(seen.insert(std::minmax(pair.one, pair.other)).second);
            }
            CHECK(round.size() == hosts / 2);
        }
        CHECK(seen.size() == hosts * (hosts - 1) / 2);
    }
    CHECK(rounds_of(0).empty());
    CHECK(rounds_of(1).empty());
}

namespace {

/// A mesh on paper: each pair takes one step of time; one takes so many.
struct Played {
    std::size_t steps = 0;
    std::size_t pairs = 0;
    std::size_t most = 0;
    bool twice = false;
};

Played play(std::size_t hosts, std::size_t at_once, std::size_t longest = 1) {
    Played out;
    Agenda agenda(hosts, at_once);
    std::vector<std::pair<HostPair, std::size_t>> running;
    while (!agenda.is_over()) {
        while (const auto pair = agenda.next()) {
            for (const auto& each : running)
                out.twice = out.twice || each.first.one == pair->one ||
                            each.first.one == pair->other || each.first.other == pair->one ||
                            each.first.other == pair->other;
            running.emplace_back(*pair, out.steps + (out.pairs == 0 ? longest : 1));
            ++out.pairs;
        }
        out.most = std::max(out.most, running.size());
        ++out.steps;
        std::erase_if(running, [&](const auto& each) {
            if (each.second > out.steps) return false;
            agenda.end(each.first);
            return true;
        });
    }
    return out;
}

}  // namespace

TEST_CASE("mesh: a bound of pairs at once holds, and the time is what was estimated") {
    for (const std::size_t hosts : {2U, 7U, 16U, 33U})
        for (const std::size_t at_once : {1U, 3U, 8U, 64U}) {
            CAPTURE(hosts);
            CAPTURE(at_once);
            const Played played = play(hosts, at_once);
            const MeshCost cost = cost_of(hosts, at_once, 1, 0.5);
            CHECK(played.pairs == cost.pairs);
            CHECK(played.most <= cost.at_once);
            CHECK(played.steps <= cost.steps);
            CHECK_FALSE(played.twice);
            CHECK(cost.seconds == doctest::Approx(static_cast<double>(cost.steps)));
        }
}

TEST_CASE("mesh: 1,024 hosts are 1,023 rounds of 512 pairs") {
    const MeshCost all = cost_of(1024, 1024, 2, 0.25);
    CHECK(all.pairs == 523'776);
    CHECK(all.rounds == 1023);
    CHECK(all.steps == 1023);
    CHECK(all.at_once == 512);
    CHECK(all.measurements == 2'095'104);
    CHECK(all.seconds == doctest::Approx(1023));
    CHECK(cost_of(1024, 16, 1, 0.25).steps == 32'736);
    const auto start = std::chrono::steady_clock::now();
    Agenda agenda(1024, 512);
    std::size_t rounds = 0;
    for (; !agenda.is_over(); ++rounds) {
        std::vector<HostPair> running;
        while (const auto pair = agenda.next())
            running.push_back(*pair);
        CHECK(running.size() == 512);
        for (const HostPair& pair : running)
            agenda.end(pair);
    }
    CHECK(rounds == 1023);
    CHECK(agenda.taken() == agenda.pairs());
    // Unoptimised and sanitized too: a mesh of this size is not held up by its schedule.
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("mesh: a pair that takes long holds up its own hosts alone") {
    const Played played = play(16, 8, 6);
    CHECK(played.pairs == 120);
    CHECK(played.steps <= 15 + 6);
    CHECK_FALSE(played.twice);
}

TEST_CASE("mesh: a host that is dropped is in no further pair") {
    Agenda agenda(6, 3);
    const auto first = agenda.next();
    REQUIRE(first);
    agenda.drop(first->one);
    agenda.end(*first);
    std::size_t others = 0;
    while (!agenda.is_over()) {
        const auto pair = agenda.next();
        REQUIRE(pair);
        CHECK(pair->one != first->one);
        CHECK(pair->other != first->one);
        agenda.end(*pair);
        ++others;
    }
    CHECK(others == 10);
    CHECK(agenda.taken() == 15);
}

}  // namespace mesh_schedule_test
