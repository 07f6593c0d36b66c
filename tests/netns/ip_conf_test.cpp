// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>

#include "netlink/files/text_file.hpp"
#include "tests/netns/sandbox.hpp"

namespace ip_conf_test {

using core::Object;

namespace {

std::string sysctl(const std::string& path) {
    return sandbox::run("cat /proc/sys/net/" + path);
}

/// How often this process has called read(2), as /proc/self/io counts.
long reads() {
    std::ifstream file("/proc/self/io");
    std::string key;
    long count = 0;
    while (file >> key >> count)
        if (key == "syscr:") return count;
    return 0;
}

long reads_of(const std::vector<std::string>& ports) {
    netlink::Live host = sandbox::live();
    const core::Scope scope{.ports = ports, .objects = {Object::ipv4}};
    const long before = reads();
    CHECK(host.read(scope).ports.size() == ports.size());
    return reads() - before;
}

}  // namespace

TEST_CASE("ip: what is the host's is read once, however many ports there are") {
    const sandbox::Pair first("c0");
    const sandbox::Pair second("d0", "peer1");
    const long one = reads_of({"c0"});
    const long more = reads_of({"c0", "d0"}) - one;
    CHECK(more > 0);
    CHECK(more * 2 <= one);
}

TEST_CASE("ip: the larger of the port's and the host's value is read, its own is written") {
    const sandbox::Pair pair("c0");
    sandbox::run("echo 1 >/proc/sys/net/ipv4/conf/all/arp_ignore");
    sandbox::run("echo 0 >/proc/sys/net/ipv4/conf/c0/rp_filter");
    const core::Port port = sandbox::read("c0", {Object::ipv4});
    REQUIRE(port.ipv4.has_value());
    CHECK(port.ipv4->arp_ignore == core::Joint{.own = 0, .all = 1});
    CHECK(port.ipv4->arp_ignore.in_force() == 1);

    CHECK_FALSE(sandbox::write("c0", "ip.rp_filter", std::uint64_t{2}).has_value());
    CHECK_FALSE(sandbox::write("c0", "ip.accept_local", true).has_value());
    CHECK_FALSE(sandbox::write("c0", "ip.arp_announce", std::uint64_t{2}).has_value());
    CHECK(sysctl("ipv4/conf/c0/rp_filter") == "2\n");
    CHECK(sysctl("ipv4/conf/c0/accept_local") == "1\n");
    CHECK(sysctl("ipv4/conf/c0/arp_announce") == "2\n");
    CHECK(sysctl("ipv4/conf/c0/arp_ignore") == "0\n");
    CHECK(sysctl("ipv4/conf/all/rp_filter") != "2\n");
    // Whatever number somebody wrote there, it is read, and can be written back.
    for (const char* odd : {"-1", "-2147483648", "1000"}) {
        sandbox::run("echo " + std::string(odd) + " >/proc/sys/net/ipv4/conf/c0/arp_ignore");
        sandbox::run("echo -1 >/proc/sys/net/ipv4/conf/all/arp_ignore");
        const core::Port held = sandbox::read("c0", {Object::ipv4});
        REQUIRE(held.ipv4.has_value());
        CHECK(held.refused.empty());
        const std::int32_t own = held.ipv4->arp_ignore.own;
        CHECK(std::to_string(own) == odd);
        CHECK(held.ipv4->arp_ignore.all == -1);
        CHECK_FALSE(sandbox::write("c0", "ip.own.arp_ignore", std::uint64_t{1}).has_value());
        CHECK(sysctl("ipv4/conf/c0/arp_ignore") == "1\n");
        const std::uint64_t was = static_cast<std::uint32_t>(own);
        CHECK_FALSE(sandbox::write("c0", "ip.own.arp_ignore", was).has_value());
        CHECK(sysctl("ipv4/conf/c0/arp_ignore") == std::string(odd) + '\n');
    }
    sandbox::run("echo 0 >/proc/sys/net/ipv4/conf/c0/arp_ignore");
    sandbox::run("echo 0 >/proc/sys/net/ipv4/conf/all/arp_ignore");
}

TEST_CASE("ip: how IPv6 addresses are made, as ip shows it") {
    const sandbox::Pair pair("c0");
    CHECK_FALSE(sandbox::write("c0", "ip.addr_gen_mode", std::string("none")).has_value());
    CHECK(sandbox::ip("-d link show dev c0").at(0).at("inet6_addr_gen_mode") == "none");
    const core::Port port = sandbox::read("c0", {Object::ipv6});
    CHECK(port.ipv6 == core::Ipv6{.addr_gen_mode = 1});
    // Without a secret there is nothing to make it from.
    const auto no = sandbox::write("c0", "ip.addr_gen_mode", std::string("stable_secret"));
    REQUIRE(no.has_value());
    CHECK(no->code == EINVAL);
}

TEST_CASE("ip: a port without IPv6 says so") {
    const sandbox::Pair pair("c0");
    sandbox::run("ip link set dev c0 mtu 1000");  // below IPV6_MIN_MTU
    const core::Port port = sandbox::read("c0", {Object::ipv6});
    CHECK_FALSE(port.ipv6.has_value());
    REQUIRE(port.refused.contains(Object::ipv6));
    CHECK(port.refused.at(Object::ipv6).code == EOPNOTSUPP);
}

TEST_CASE("sysctl: a list of several pages is written, read and brought back whole") {
    const std::string file = "/proc/sys/net/ipv4/ip_local_reserved_ports";
    const std::string before = netlink::read_text_file(file);
    std::string ports = "2";
    for (int i = 2; i < 3000; ++i)
        ports += "," + std::to_string(2 * i);
    netlink::write_text_file(file, ports);
    CHECK(netlink::read_text_file(file) == ports);
    CHECK(sandbox::run("dd if=" + file + " bs=1M status=none") == ports + '\n');
    netlink::write_text_file(file, before + '\n');
    CHECK(netlink::read_text_file(file) == before);
}

}  // namespace ip_conf_test
