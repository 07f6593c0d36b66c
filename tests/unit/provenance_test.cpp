// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>

#include "cli/files/provenance.hpp"
#include "tests/unit/own_root.hpp"

namespace provenance_test {

TEST_CASE("provenance: a service is reported from a session and a scope") {
    const OwnRoot root;
    const auto in = [&root](const char* cgroup) {
        std::ofstream(root.file("/proc/self/cgroup")) << cgroup << '\n';
        return cli::own_service(root.path());
    };
    CHECK(in("0::/system.slice/nightly.service") == "nightly.service");
    CHECK(in("0::/system.slice/nightly.service/worker") == "nightly.service");
    CHECK(in("4:memory:/x.service\n1:name=systemd:/system.slice/a.service\n0::/") == "a.service");
    CHECK(in("0::/user.slice/user-1000.slice/session-4.scope").empty());
    CHECK(in("0::/system.slice/run-r1.scope").empty());
    CHECK(in("0::/").empty());
    CHECK(cli::own_service(root.path() / "nowhere").empty());
}

TEST_CASE("provenance: the digest is that of FIPS 180-4") {
    CHECK(cli::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace provenance_test
