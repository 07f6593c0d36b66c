// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "cli/files/lifetime.hpp"
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

TEST_CASE("provenance: what ends with its caller is known by namespaces, cgroups and logind") {
    namespace fs = std::filesystem;
    using End = cli::Lifetime::End;
    const OwnRoot root;
    CHECK(cli::lifetime_of_left_behind(root.path()).end == End::surely);  // nothing can be told
    fs::create_directories(root.path() / "proc/self/ns");
    std::ofstream(root.path() / "proc/self/ns/pid") << "another one";
    const cli::Lifetime apart = cli::lifetime_of_left_behind(root.path());
    CHECK(apart.end == End::surely);
    CHECK(apart.in.find("PID namespace") != std::string::npos);
    CHECK_FALSE(apart.of_systemd);
    fs::remove(root.path() / "proc/self/ns/pid");
    fs::create_symlink("pid:[4026531836]", root.path() / "proc/self/ns/pid");
    const auto in = [&root](const char* cgroup) {
        std::ofstream(root.file("/proc/self/cgroup")) << cgroup << '\n';
        return cli::lifetime_of_left_behind(root.path());
    };
    CHECK(in("0::/").end == End::none);
    CHECK(in("0::/system.slice/nightly.service").end == End::may);
    for (const char* container :
         {"0::/system.slice/docker-1f2e.scope", "4:memory:/docker/1f2e\n0::/",
          "0::/kubepods.slice/kubepods-besteffort.slice/cri-containerd-1f2e.scope",
          "0::/machine.slice/libpod-1f2e.scope/container"}) {
        CAPTURE(container);
        CHECK(in(container).end == End::surely);
        CHECK_FALSE(in(container).of_systemd);
    }
    CHECK(in("0::/system.slice/docker.service").end == End::may);
    CHECK(in("0::/system.slice/run-r1.scope").end == End::none);
    const char* session = "0::/user.slice/user-1000.slice/session-4.scope";
    CHECK(in(session).end == End::none);
    std::ofstream(root.file("/etc/systemd/logind.conf")) << "[Login]\n#KillUserProcesses=no\n";
    CHECK(in(session).end == End::none);
    std::ofstream(root.file("/usr/lib/systemd/logind.conf.d/50-kill.conf"))
        << "[Login]\nKillUserProcesses = yes\n";
    CHECK(in(session).end == End::surely);
    CHECK(in(session).of_systemd);
    CHECK(in("0::/user.slice/user-0.slice/session-5.scope").end == End::none);
    std::ofstream(root.file("/etc/systemd/logind.conf.d/50-kill.conf")) << "KillUserProcesses=no\n";
    CHECK(in(session).end == End::none);
}

TEST_CASE("provenance: a session came to the third word of SSH_CONNECTION, without its zone") {
    CHECK(cli::address_in_connection("192.0.2.7 51044 10.0.0.5 22") == "10.0.0.5");
    CHECK(cli::address_in_connection("fe80::7%eno1 51044 fe80::5%eno1 22") == "fe80::5");
    CHECK(cli::address_in_connection("192.0.2.7 51044") == "");
    CHECK(cli::address_in_connection("") == "");
}

TEST_CASE("provenance: the digest is that of FIPS 180-4") {
    CHECK(cli::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace provenance_test
