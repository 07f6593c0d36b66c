// SPDX-License-Identifier: Apache-2.0
#include "cli/run/prefetched_host.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <memory>

#include "core/plan/state_file.hpp"

namespace prefetched_host_test {

namespace {

using core::Object;

constexpr const char* kPort = "t0";

/// A host whose one port has an RDMA device, and whose other has none.
core::State of_host_and_ports() {
    core::State out;
    out.ports = {core::Port(core::kHost), core::Port(kPort), core::Port("t1")};
    for (core::Port& port : out.ports)
        if (port.name != core::kHost) port.link.emplace();
    out.ports.at(1).rdma_link.emplace().device = "rxe0";
    return out;
}

/// What a host reads of the objects for which its answers are as said.
core::State read(cli::Prefetched reported, std::optional<std::vector<std::string>> ports = {}) {
    const core::Scope scope{.ports = std::move(ports), .objects = reported.objects};
    auto host = std::make_unique<core::StateFile>(of_host_and_ports());
    return cli::PrefetchedHost(std::move(host), std::move(reported)).read(scope);
}

const core::Refusal kNoAnswer = {.code = ETIMEDOUT, .text = "there was no answer in time"};

/// What was refused of the object, where the port was read.
std::optional<core::Refusal> refused(const core::State& state, const std::string& port,
                                     Object object) {
    const core::Port* read = find_port(state, port);
    if (read == nullptr || !read->refused.contains(object)) return std::nullopt;
    return read->refused.at(object);
}

/// One of the host and one of its ports: their names differ, and where they are reported.
constexpr std::array<std::pair<Object, bool>, 2> kBoth = {
    {{Object::rdma_software, true}, {Object::active_mtu, false}}};

}  // namespace

TEST_CASE(
    "told host: what nobody answered is refused, where it would be reported and nowhere else") {
    for (const auto& [object, of_host] : kBoth) {
        INFO(core::row_of(object).name);
        // Whether another has answered, of another object, changes nothing of it.
        for (const core::State& others : {core::State{}, of_host_and_ports()}) {
            const core::State state =
                read({.objects = {object}, .silent = {{object, kNoAnswer}}, .state = others});
            const std::string there = of_host ? std::string(core::kHost) : kPort;
            for (const core::Port& port : of_host_and_ports().ports)
                CHECK(refused(state, port.name, object) ==
                      (port.name == there ? std::optional(kNoAnswer) : std::nullopt));
        }
    }
}

TEST_CASE("told host: a port that is not there stays so, whichever object is silent") {
    for (const core::ObjectRow* row : core::objects()) {
        if (row->lives == core::Lives::host) continue;
        INFO(row->name);
        const core::State state = read({.objects = {row->object, Object::vlan},
                                        .silent = {{row->object, kNoAnswer}},
                                        .state = {}},
                                       std::vector<std::string>{"nosuch"});
        const core::Port* port = find_port(state, "nosuch");
        REQUIRE(port != nullptr);
        CHECK(core::is_not_there(*port));
    }
}

TEST_CASE("told host: who answered and told nothing is not said to be silent") {
    for (const auto& [object, of_host] : kBoth) {
        INFO(core::row_of(object).name);
        for (const core::State& reported : {core::State{}, of_host_and_ports()}) {
            const core::State state = read({.objects = {object}, .silent = {}, .state = reported});
            for (const core::Port& port : state.ports)
                CHECK(port.refused.empty());
        }
    }
}

TEST_CASE("told host: what was reported is there, and so is what was refused") {
    core::State reported = of_host_and_ports();
    reported.ports.front().rdma_software.emplace().modules = {{"rdma_rxe", ""}};
    reported.ports.at(1).refused[Object::active_mtu] = {.code = EACCES, .text = "no"};
    const core::State state = read(
        {.objects = {Object::rdma_software, Object::active_mtu}, .silent = {}, .state = reported});
    CHECK(find_port(state, std::string(core::kHost))->rdma_software ==
          reported.ports.front().rdma_software);
    const auto why = refused(state, kPort, Object::active_mtu);
    REQUIRE(why);
    CHECK(why->code == EACCES);
}

}  // namespace prefetched_host_test
