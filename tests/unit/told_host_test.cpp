// SPDX-License-Identifier: Apache-2.0
#include "cli/run/told_host.hpp"

#include <doctest/doctest.h>

#include <cerrno>

#include "core/plan/state_file.hpp"

namespace told_host_test {

namespace {

using core::Object;

constexpr const char* kPort = "t0";

core::State of_host_and_port() {
    core::State out;
    out.ports = {core::Port(core::kHost), core::Port(kPort)};
    return out;
}

/// What a host reads of the objects for which its answers are as said.
core::State read(cli::ToldBefore told) {
    const core::Scope scope{.ports = std::nullopt, .objects = told.objects};
    auto host = std::make_unique<core::StateFile>(of_host_and_port());
    return cli::ToldHost(std::move(host), std::move(told)).read(scope);
}

/// What was refused of the object, where the port was read.
std::optional<core::Refusal> refused(const core::State& state, const std::string& port,
                                     Object object) {
    const core::Port* read = find_port(state, port);
    if (read == nullptr || !read->refused.contains(object)) return std::nullopt;
    return read->refused.at(object);
}

/// One of the host and one of its ports: their names differ, and where they are told.
constexpr std::array<std::pair<Object, bool>, 2> kBoth = {
    {{Object::rdma_software, true}, {Object::active_mtu, false}}};

}  // namespace

TEST_CASE("told host: what nobody answered is refused, where it would be told and nowhere else") {
    for (const auto& [object, of_host] : kBoth) {
        INFO(core::row_of(object).name);
        // Whether another has answered, of another object, changes nothing of it.
        for (const core::State& others : {core::State{}, of_host_and_port()}) {
            const core::State state =
                read({.objects = {object}, .silent = {object}, .state = others});
            const auto why = refused(state, of_host ? std::string(core::kHost) : kPort, object);
            REQUIRE(why);
            CHECK(why->code == ETIMEDOUT);
            CHECK(!refused(state, of_host ? kPort : std::string(core::kHost), object));
        }
    }
}

TEST_CASE("told host: who answered and told nothing is not said to be silent") {
    for (const auto& [object, of_host] : kBoth) {
        INFO(core::row_of(object).name);
        for (const core::State& told : {core::State{}, of_host_and_port()}) {
            const core::State state = read({.objects = {object}, .silent = {}, .state = told});
            for (const core::Port& port : state.ports)
                CHECK(port.refused.empty());
        }
    }
}

TEST_CASE("told host: what was told is there, and so is what was refused") {
    core::State told = of_host_and_port();
    told.ports.front().rdma_software.emplace().modules = {{"rdma_rxe", ""}};
    told.ports.back().refused[Object::active_mtu] = {.code = EACCES, .text = "no"};
    const core::State state =
        read({.objects = {Object::rdma_software, Object::active_mtu}, .silent = {}, .state = told});
    CHECK(find_port(state, std::string(core::kHost))->rdma_software ==
          told.ports.front().rdma_software);
    const auto why = refused(state, kPort, Object::active_mtu);
    REQUIRE(why);
    CHECK(why->code == EACCES);
}

}  // namespace told_host_test
