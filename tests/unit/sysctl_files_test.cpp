// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>

#include "netlink/files/codecs.hpp"
#include "netlink/files/text_file.hpp"
#include "tests/unit/own_root.hpp"

namespace sysctl_files_test {

TEST_CASE("sysctl: a parameter of several pages is read whole, and what is no parameter is not") {
    const OwnRoot root;
    const std::string name = "net.ipv4.ip_local_reserved_ports";
    const auto file = root.file("/proc/sys/net/ipv4/ip_local_reserved_ports");
    std::string ports;
    for (int i = 1; i < 3000; ++i)
        ports += (i > 1 ? "," : "") + std::to_string(2 * i);
    std::ofstream(file) << ports << '\n';
    netlink::Machine machine(root.path());
    core::Port host{std::string(core::kHost)};
    netlink::read_sysctl(machine, {name}, host);
    CHECK(host.sysctl == core::Sysctl{{name, ports}});
    std::ofstream(file) << std::string(std::size_t{2} << 20U, '1');
    CHECK_THROWS_WITH(netlink::read_text_file(file), doctest::Contains("more than a value"));
}

}  // namespace sysctl_files_test
