// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "core/model/field.hpp"
#include "core/profile/keys.hpp"
#include "tests/unit/profiles.hpp"

// What people type, and what they are reported where it will not do.

namespace typed_test {

using namespace core;
using profiles::entry;

namespace {

DesiredState resolved(const std::string& settings, const std::vector<Port>& ports,
                      const std::string& match = R"("name": "*")") {
    return resolve(profiles::load(entry(settings, match)), {}, profiles::host(ports));
}

/// The last line of what is wrong, behind its place and pointer.
std::string problem(const std::string& settings) {
    const std::vector<std::string> lines = profiles::problems(entry(settings));
    if (lines.empty()) return {};
    const std::string& line = lines.back();
    const std::size_t at = line.find("found");
    return at == std::string::npos ? line : line.substr(at);
}

Port function(const std::string& name, const std::string& what) {
    Port port = profiles::port(name);
    port.link->function = what;
    return port;
}

}  // namespace

TEST_CASE("typed: ethtool's name of an offload is the kernel's") {
    const DesiredState desired_values = resolved(
        R"("features": { "rx-checksumming": true, "gro": false })", {profiles::port("ens1")});
    CHECK(profiles::desired(desired_values, "ens1", "features", "rx-checksum") == "on");
    CHECK(profiles::desired(desired_values, "ens1", "features", "rx-gro") == "off");
    CHECK(problem(R"("features": { "gro": true, "rx-gro": true })") ==
          "found 'gro' beside 'rx-gro', which is the same; expected one of them");
    CHECK(
        problem(R"("features": { "sg": true })") ==
        "found 'sg', which is ethtool's name for several, expected those of tx-scatter-gather and "
        "tx-scatter-gather-fraglist that are meant");
}

TEST_CASE("typed: a default route is one to all addresses of the gateway's family") {
    const DesiredState desired_values = resolved(
        R"("routes": [{ "to": "default", "via": "10.0.0.1" }, { "to": "default", "via": "fd00::1" }])",
        {profiles::port("ens1")});
    CHECK(profiles::find(desired_values, "ens1", "routes", "0.0.0.0/0 main 0") != nullptr);
    CHECK(profiles::find(desired_values, "ens1", "routes", "::/0 main 1024") != nullptr);
    CHECK(problem(R"("rules": [{ "from": "all", "table": 100 }])").empty());
}

TEST_CASE("typed: a MAC address may have dashes and capitals") {
    const DesiredState desired_values =
        resolved(R"("neighbours": [{ "ip": "10.0.0.2", "mac": "0C-42-A1-00-00-01" }])",
                 {profiles::port("ens1")});
    const Desired* desired = profiles::find(desired_values, "ens1", "neighbours", "10.0.0.2");
    REQUIRE(desired != nullptr);
    CHECK(std::get<std::string>(std::get<Record>(*desired->value).at("mac")) ==
          "0c:42:a1:00:00:01");
    Port port = profiles::port("ens1");
    port.link->mac = "0c:42:a1:00:00:01";
    CHECK(resolved(R"("mtu": 9000)", {port}, R"("mac": "0C-42-A1-00-00-01")").ports.size() == 1);
}

TEST_CASE("typed: an RDMA device and a PCI address may be patterns") {
    Port port = profiles::port("ens1", "mlx5_core", "0000:3b:00.0");
    port.rdma_link = RdmaLink{.device = "mlx5_0"};
    CHECK(resolved(R"("mtu": 9000)", {port}, R"("rdma": "mlx5_*")").ports.size() == 1);
    CHECK(resolved(R"("mtu": 9000)", {port}, R"("pci": "3b:00.*")").ports.size() == 1);
    CHECK(resolved(R"("mtu": 9000)", {port}, R"("rdma": "bnxt_*")").ports.empty());
}

TEST_CASE("typed: a match means physical functions unless it says otherwise") {
    const std::vector<Port> ports = {function("ens1", "pf"), function("ens1v0", "vf"),
                                     function("ens1s0", "sf"), function("ens1r0", "rep"),
                                     function("virt0", "")};
    using Names = std::vector<std::string>;
    CHECK(resolved(R"("mtu": 9000)", ports).ports == Names{"ens1", "virt0"});
    CHECK(resolved(R"("mtu": 9000)", ports, R"("function": "vf")").ports == Names{"ens1v0"});
    CHECK(resolved(R"("mtu": 9000)", ports, R"("function": ["pf", "rep"])").ports ==
          Names{"ens1", "ens1r0"});
    const DesiredState none = resolved(R"("mtu": 9000)", ports, R"("name": "ens1v0")");
    REQUIRE(none.findings.size() == 1);
    CHECK(none.findings.front().remedy == R"(ens1v0 would, if match had "function": "vf")");
    CHECK(profiles::problems(entry(R"("mtu": 9000)", R"("function": "port")"))
              .back()
              .ends_with("found 'port', expected one of pf, vf, sf, rep"));
}

TEST_CASE("typed: a number or a flag in quotes is reported from one that is out of range") {
    CHECK(problem(R"("mtu": "9000")") ==
          R"(found the text "9000", expected a number without quotes, 68..65535)");
    CHECK(problem(R"("pause.rx": "false")") ==
          R"(found the text "false", expected true or false without quotes)");
    CHECK(problem(R"("mtu": 9)") == "found 9, expected 68..65535");
    CHECK(problem(R"("mtu": "large")") == "found 'large', expected 68..65535");
    CHECK(problem(R"("pfc.priorities": ["3"])") ==
          R"(found the text "3", expected a number without quotes, 0..7)");
}

TEST_CASE("typed: no sentence ends before it says what would be accepted") {
    CHECK(unknown_key("x", {}) == "found unknown key 'x', expected none");
    for (const Field& field : fields()) {
        CAPTURE(field.key);
        const std::string what = admits(field.shape);
        CHECK_FALSE(what.empty());
        CHECK_FALSE(what.ends_with(' '));
        CHECK(what.find("one of  ") == std::string::npos);
        CHECK(what.find("one of or") == std::string::npos);
    }
    CHECK(admits({.kind = Shape::Kind::word, .min = 1, .max = 7}) == "1..7");
}

}  // namespace typed_test
