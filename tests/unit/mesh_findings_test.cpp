// SPDX-License-Identifier: Apache-2.0
// What a mesh found: what travels, what is compared, and whom it points at.
#include <doctest/doctest.h>

#include <functional>

#include "core/error.hpp"
#include "core/probe/mesh_findings.hpp"

namespace mesh_findings_test {

using namespace core::probe;
using Hosts = std::vector<std::uint32_t>;
using Where = MeshFinding::Where;

namespace {

/// A mesh in which each pair has the value that is given, of latency in nanoseconds or of
/// bandwidth, a little scattered.
Mesh mesh_of(std::uint32_t hosts, const std::function<double(std::uint32_t, std::uint32_t)>& value,
             bool bandwidth = false) {
    Mesh out;
    for (std::uint32_t host = 0; host < hosts; ++host)
        out.hosts.push_back({.name = "n" + std::to_string(host), .rails = 1});
    for (std::uint32_t from = 0; from < hosts; ++from)
        for (std::uint32_t to = 0; to < hosts; ++to) {
            if (from == to) continue;
            const double scatter = 1 + ((from * 7 + to * 13) % 11) / 100.0;
            const auto found = static_cast<std::uint64_t>(value(from, to) * scatter);
            MeshTrial trial{.operation = Operation::write};
            (bandwidth ? trial.bandwidth : trial.p50) = found;
            out.results.push_back({.from = from, .to = to, .trials = {trial}});
        }
    return out;
}

struct Said {
    Where where{};
    Hosts hosts{};
    bool sends = false;
    bool receives = false;
    bool operator==(const Said&) const = default;
};

std::vector<Said> said(const Mesh& mesh) {
    std::vector<Said> out;
    for (const MeshFinding& one : findings_of(mesh))
        out.push_back({one.where, one.hosts, one.sends, one.receives});
    return out;
}

bool either(std::uint32_t a, std::uint32_t b, std::uint32_t host) {
    return a == host || b == host;
}

}  // namespace

TEST_CASE("mesh: where all is alike nothing stands out") {
    for (const std::uint32_t hosts : {2U, 3U, 4U, 5U, 8U, 64U}) {
        CAPTURE(hosts);
        CHECK(said(mesh_of(hosts, [](auto, auto) { return 3000; })).empty());
        CHECK(said(mesh_of(
                       hosts, [](auto, auto) { return 97e9; }, true))
                  .empty());
    }
    CHECK(said({}).empty());
}

TEST_CASE("mesh: two leaves that are farther from each other than from themselves are no fault") {
    CHECK(said(mesh_of(16, [](auto a, auto b) { return a / 8 == b / 8 ? 2000 : 2900; })).empty());
}

TEST_CASE("mesh: a host that is slow as a whole is named, and its pairs are not") {
    for (const std::uint32_t hosts : {4U, 5U, 8U, 33U}) {
        CAPTURE(hosts);
        const auto slow = [](auto a, auto b) { return either(a, b, 2) ? 9000 : 3000; };
        CHECK(said(mesh_of(hosts, slow)) == std::vector<Said>{{Where::host, {2}, true, true}});
    }
    const auto two = [](auto a, auto b) {
        return either(a, b, 2) || either(a, b, 5) ? 9000 : 3000;
    };
    CHECK(said(mesh_of(9, two)) ==
          std::vector<Said>{{Where::host, {2}, true, true}, {Where::host, {5}, true, true}});
}

TEST_CASE("mesh: a host that only sends slowly is reported from one that only receives slowly") {
    const auto sends = [](auto a, auto) { return a == 3 ? 9e9 : 97e9; };
    const auto receives = [](auto, auto b) { return b == 3 ? 9e9 : 97e9; };
    CHECK(said(mesh_of(8, sends, true)) == std::vector<Said>{{Where::host, {3}, true, false}});
    CHECK(said(mesh_of(8, receives, true)) == std::vector<Said>{{Where::host, {3}, false, true}});
}

TEST_CASE("mesh: hosts that are slow to others and not among themselves are a leaf") {
    const auto leaf = [](auto a, auto b) { return (a < 4) == (b < 4) ? 3000 : 9000; };
    CHECK(said(mesh_of(16, leaf)) == std::vector<Said>{{Where::leaf, {0, 1, 2, 3}, true, true}});
    const auto upwards = [](auto a, auto b) { return a < 4 && b >= 4 ? 20e9 : 97e9; };
    CHECK(said(mesh_of(16, upwards, true)) ==
          std::vector<Said>{{Where::leaf, {0, 1, 2, 3}, true, false}});
}

TEST_CASE("mesh: single pairs are named, the worst first") {
    const auto odd = [](auto a, auto b) {
        if (a == 1 && b == 4) return 12000;
        return a == 6 && b == 2 ? 40000 : 3000;
    };
    const Mesh mesh = mesh_of(8, odd);
    CHECK(said(mesh) == std::vector<Said>{{Where::pair, {6, 2}}, {Where::pair, {1, 4}}});
    const MeshFinding worst = findings_of(mesh).front();
    CHECK(worst.value >= 40000);
    CHECK(worst.usual < 3500);
}

TEST_CASE("mesh: what fails and what is lost points at hosts too") {
    Mesh mesh = mesh_of(6, [](auto, auto) { return 3000; });
    for (MeshResult& result : mesh.results) {
        result.lost = either(result.from, result.to, 1) ? 40 : 0;
        if (!either(result.from, result.to, 4)) continue;
        result.trials.clear();
        result.failure = "the peer says nothing";
    }
    mesh.results[0].failure = "one alone";
    CHECK(said(mesh) ==
          std::vector<Said>{{Where::host, {4}, true, true}, {Where::host, {1}, true, true}});
    CHECK(count_of(mesh).failed == 11);
    CHECK_FALSE(is_well(mesh));
}

TEST_CASE("mesh: each rail is looked at by itself, and the worst stands in the matrix") {
    Mesh mesh = mesh_of(6, [](auto, auto) { return 3000; });
    Mesh other = mesh_of(6, [](auto a, auto b) { return either(a, b, 5) ? 9000 : 3000; });
    for (MeshResult& result : other.results) {
        result.rail = 1;
        mesh.results.push_back(result);
    }
    const auto found = findings_of(mesh);
    REQUIRE(found.size() == 1);
    CHECK(found[0].rail == 1);
    CHECK(found[0].hosts == Hosts{5});
    const Measure p50{.of = Measure::Of::p50, .operation = Operation::write};
    CHECK(grid_of(mesh, p50).at(0, 5).value_or(0) >= 9000);
    CHECK(grid_of(mesh, p50, 0).at(0, 5).value_or(0) < 4000);
    CHECK_FALSE(grid_of(mesh, p50).at(3, 3).has_value());
}

TEST_CASE("mesh: what is skipped is no failure, and nothing measured is not well") {
    Mesh mesh = mesh_of(3, [](auto, auto) { return 3000; });
    CHECK(is_well(mesh));
    mesh.results[0] = {.from = 0, .to = 1, .skipped = "n1 has no RDMA device"};
    CHECK(is_well(mesh));
    CHECK(count_of(mesh).skipped == 1);
    mesh.hosts.push_back({.name = "n3", .unreachable = "no answer in 5 s"});
    CHECK_FALSE(is_well(mesh));
    mesh.hosts.pop_back();
    mesh.interrupted = true;
    CHECK_FALSE(is_well(mesh));
    mesh.interrupted = false;
    for (MeshResult& result : mesh.results)
        result.skipped = "no RDMA";
    CHECK_FALSE(is_well(mesh));
}

TEST_CASE("mesh: a result is the same after it travelled") {
    MeshResult result{.trials = {{.operation = Operation::send, .p50 = 3000, .p99 = 4000},
                                 {.operation = Operation::read, .bandwidth = 97'000'000'000}},
                      .lost = 3,
                      .unmet = {"write.p50<1us: measured 3 us", "b"},
                      .failure = "it ended",
                      .fallback = "eth0: has no RDMA device"};
    CHECK(result_in(parse_message(bytes_of(message_of(result)))) == result);
    CHECK(result_in(message_of({.skipped = "no RDMA"})).skipped == "no RDMA");
    result.failure.assign(200'000, 'x');
    result.unmet.assign(200, std::string(5000, 'y'));
    result.trials.assign(200, {.p50 = 1, .p99 = 1, .bandwidth = 1});
    const MeshResult long_one = result_in(parse_message(bytes_of(message_of(result))));
    CHECK(long_one.failure.size() < 1100);
    CHECK(bytes_of(message_of(result)).size() < 65536);
    CHECK_THROWS_AS(result_in({.kind = "done"}), core::Error);
    CHECK_THROWS_AS(result_in({.kind = "measured", .words = {{"trial.0.operation", "fly"}}}),
                    core::Error);
}

TEST_CASE("mesh: of a report stays what a matrix takes") {
    PathReport report;
    Latency latency;
    for (std::uint64_t time = 1; time <= 100; ++time)
        latency.times.add(time * 10);
    report.trials.push_back({.operation = Operation::write, .latency = latency});
    report.trials.push_back(
        {.operation = Operation::write,
         .bandwidth = Bandwidth{.messages = 1, .bytes = 1000, .nanoseconds = 1000}});
    report.outcomes.push_back(judge(parse_expectation("write.p50<0.25us"), report));
    report.outcomes.push_back(judge(parse_expectation("write.p50<1us"), report));
    const MeshResult result = result_of(report);
    CHECK(result.trials ==
          std::vector<MeshTrial>{
              {.operation = Operation::write, .p50 = 500, .p99 = 990, .bandwidth = 8'000'000'000}});
    CHECK(result.unmet == std::vector<std::string>{"write.p50<0.25us: measured 0.5 us"});
    CHECK(result.fails());

    // What is expected and was left out is not met.
    report.fallback = "eth0: has no RDMA device";
    report.outcomes.push_back(judge(parse_expectation("rpc.p50<1us"), report));
    const MeshResult fallen = result_of(report);
    CHECK(fallen.fallback == report.fallback);
    CHECK(fallen.unmet == std::vector<std::string>{"write.p50<0.25us: measured 0.5 us",
                                                   "rpc.p50<1us: not measured"});
}

}  // namespace mesh_findings_test
