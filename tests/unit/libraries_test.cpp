// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "core/plan/contradictions.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/profiles.hpp"

namespace libraries_test {

using namespace core;
using Lines = std::vector<std::string>;

// What libraries that open queue pairs themselves are reported, as it follows from the intent.

namespace {

/// Two rails with an RDMA device each, not in the order of their names.
State two_rails() {
    State state;
    for (const auto& [name, pci, device] : {std::tuple("ens2", "0000:5e:00.0", "mlx5_0"),
                                            std::tuple("ens1", "0000:3b:00.0", "mlx5_1")}) {
        Port port = hosts::port("mlx5_core", name);
        port.link->pci = pci;
        port.rdma_link = RdmaLink{.device = device};
        state.ports.push_back(std::move(port));
    }
    return state;
}

DesiredState resolved(const std::string& profile) {
    return resolve(load_profile({.name = "main.json", .text = profile}, nullptr), {}, two_rails());
}

/// `host.nccl NCCL_IB_TC=106`, each that is desired of the host.
Lines of_host(const DesiredState& desired_values) {
    Lines out;
    for (const Desired& desired : desired_values.desired_values)
        if (desired.port == kHost)
            out.push_back(std::string(desired.field->key) + ' ' + desired.element + '=' +
                          text(*desired.value));
    std::ranges::sort(out);
    return out;
}

const std::string kPorts = R"("ports": [{"match": {"name": "ens*"}}])";

}  // namespace

TEST_CASE("libraries: class, level and devices follow from the intent") {
    CHECK(of_host(resolved(R"({"format": 1, "roce": {"libraries": ["ucx", "nccl"]}, )" + kPorts +
                           "}")) ==
          Lines{"host.nccl NCCL_IB_HCA==mlx5_1:1,mlx5_0:1", "host.nccl NCCL_IB_SL=3",
                "host.nccl NCCL_IB_TC=106", "host.ucx UCX_IB_SL=3",
                "host.ucx UCX_IB_TRAFFIC_CLASS=106", "host.ucx UCX_NET_DEVICES=mlx5_1:1,mlx5_0:1"});
    CHECK(
        of_host(resolved(
            R"({"format": 1, "roce": {"libraries": ["ucx"], "dscp": 24, "priority": 4, "ecn": false}, )" +
            kPorts + "}")) == Lines{"host.ucx UCX_IB_SL=4", "host.ucx UCX_IB_TRAFFIC_CLASS=96",
                                    "host.ucx UCX_NET_DEVICES=mlx5_1:1,mlx5_0:1"});
    CHECK(of_host(resolved(R"({"format": 1, "roce": {"libraries": []}, )" + kPorts + "}")).empty());
}

TEST_CASE("libraries: only ports whose intent names the library are its devices") {
    const DesiredState desired_values =
        resolved(R"({"format": 1, "roce": {"libraries": ["ucx"]}, "ports": [
        {"match": {"name": "ens1"}}, {"match": {"name": "ens2"}, "roce": {"libraries": []}}]})");
    CHECK(of_host(desired_values).back() == "host.ucx UCX_NET_DEVICES=mlx5_1:1");
    CHECK(desired_values.findings.empty());
}

TEST_CASE("libraries: a device that is made or renamed counts by the name it will have") {
    const DesiredState desired_values =
        resolved(R"({"format": 1, "roce": {"libraries": ["ucx"]}, "ports": [
        {"match": {"name": "ens1"}, "rdma.name": "roce_a"}]})");
    CHECK(of_host(desired_values).back() == "host.ucx UCX_NET_DEVICES=roce_a:1");
}

TEST_CASE("libraries: what is stated wins, and of two intents neither does") {
    CHECK(of_host(resolved(R"({"format": 1, "roce": {"libraries": ["nccl"]},
        "host": {"nccl": {"NCCL_IB_HCA": "mlx5_7"}}, )" +
                           kPorts + "}"))
              .front() == "host.nccl NCCL_IB_HCA=mlx5_7");
    const std::string two = R"({"format": 1, "roce": {"libraries": ["nccl"]}, "ports": [
        {"match": {"name": "ens1"}, "roce": {"dscp": 26, "ecn": false}},
        {"match": {"name": "ens2"}, "roce": {"dscp": 26}}])";
    const DesiredState desired_values = resolved(two + "}");
    const auto conflict = std::ranges::find_if(
        desired_values.findings, [](const Finding& finding) { return finding.id == "conflict"; });
    REQUIRE(conflict != desired_values.findings.end());
    CHECK(conflict->key == "host.nccl");
    CHECK(conflict->element == "NCCL_IB_TC");
    CHECK(
        conflict->text ==
        "derived from roce.dscp (main.json:2) states 104, but derived from roce.dscp (main.json:3) "
        "states 106");
    for (const Finding& finding :
         resolved(two + R"(, "host": {"nccl": {"NCCL_IB_TC": 104}}})").findings)
        CHECK_FALSE(finding.id == "conflict");
}

TEST_CASE("libraries: host.optional holds for what follows, too") {
    for (const Desired& desired : resolved(R"({"format": 1, "roce": {"libraries": ["nccl", "ucx"]},
        "host": {"optional": ["ucx"]}, )" + kPorts +
                                           "}")
                                      .desired_values)
        if (desired.port == kHost) CHECK(desired.optional == (desired.field->key == "host.ucx"));
}

TEST_CASE("libraries: names are checked, and each stands once") {
    CHECK(profiles::problems(R"({"format": 1, "roce": {"libraries": ["mpi"]}})") ==
          Lines{"main.json:1:38: /roce/libraries/0: found 'mpi', expected one of nccl, ucx"});
    CHECK(profiles::problems(R"({"format": 1, "roce": {"libraries": ["ucx", "ucx"]}})") ==
          Lines{"main.json:1:45: /roce/libraries/1: found 'ucx' again, expected each once"});
    CHECK(profiles::problems(R"({"format": 1, "roce": {"libraries": "ucx"}})") ==
          Lines{"main.json:1:37: /roce/libraries: found 'ucx', expected a list of one of nccl, "
                "ucx"});
}

TEST_CASE("libraries: a class in a lossy priority is wrong in the files alone") {
    CHECK(profiles::problems(
              R"({"format": 1, "roce": {}, "host": {"nccl": {"NCCL_IB_TC": "0"}},
 "ports": [{"match": {"driver": "mlx5_core"}}]})") ==
          Lines{"main.json:1:45: /host/nccl/NCCL_IB_TC: host.nccl NCCL_IB_TC: NCCL_IB_TC 0 is DSCP "
                "0, which is mapped to "
                "priority 0, and that is not lossless; state roce.libraries [\"nccl\"], from which "
                "it follows, or NCCL_IB_TC of the RoCE DSCP times 4 plus 2"});
    for (const char* fine : {"106", "0x6a", "-1"})
        CHECK(profiles::problems(R"({"format": 1, "roce": {}, "host": {"nccl": {"NCCL_IB_TC": ")" +
                                 std::string(fine) +
                                 R"("}}, "ports": [{"match": {"driver": "mlx5_core"}}]})")
                  .empty());
}

// Also where somebody else wrote it, as long as the file is read for something.
TEST_CASE("libraries: a class in a lossy priority that stands in the file is found") {
    State state = two_rails();
    Port host(kHost);
    host.ucx = Ucx{{"UCX_IB_TRAFFIC_CLASS", "4"}, {"UCX_LOG_LEVEL", "warn"}};
    state.ports.push_back(host);
    StateFile kernel(state);
    const auto found = [&](const std::string& of_host) {
        const DesiredState desired_values =
            resolved(R"({"format": 1, "roce": {}, "host": {)" + of_host + "}, " + kPorts + "}");
        const Plan plan = hosts::plan(kernel, desired_values);
        Lines out;
        for (const Finding& finding : contradictions(desired_values, plan))
            out.push_back(finding.port + ' ' + std::string(finding.id.row().id));
        return out;
    };
    CHECK(found(R"("ucx": {"UCX_LOG_LEVEL": "info"})") ==
          Lines{"ens1 ucx-lossy", "ens2 ucx-lossy"});
    CHECK(found(R"("ucx": {"UCX_IB_TRAFFIC_CLASS": "106"})").empty());
}

TEST_CASE("libraries: the file is not read where nothing of it is desired") {
    const DesiredState desired_values = resolved(R"({"format": 1, "roce": {}, )" + kPorts + "}");
    const Scope scope = scope_of(desired_values, two_rails());
    CHECK_FALSE(scope.objects.contains(Object::nccl));
    CHECK_FALSE(scope.objects.contains(Object::ucx));
}

}  // namespace libraries_test
