// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>

#include "netlink/files/loaded_modules.hpp"
#include "netlink/system/codecs.hpp"
#include "tests/unit/own_root.hpp"

namespace owners_test {

using namespace core;

namespace {

Port port_of(const std::string& name, std::uint32_t index) {
    Port out(name);
    out.link = Link{.index = index};
    return out;
}

}  // namespace

TEST_CASE("owners: who manages a link stands in the daemon's file for it, where there is one") {
    const OwnRoot root;
    const auto write = [&](const std::string& path, const char* text) {
        std::ofstream(root.file(path)) << text;
        return root.file(path).native();
    };
    const std::string device =
        write("/run/NetworkManager/devices/7", "[device]\nmanaged=true\nnm-owned=false\n");
    write("/run/NetworkManager/devices/8", "[device]\nmanaged=false\n");
    write("/run/systemd/netif/links/8",
          "# This is private data. Do not parse.\nADMIN_STATE=configured\nOPER_STATE=routable\n"
          "NETWORK_FILE=/etc/systemd/network/10-rail.network\n");
    write("/run/systemd/netif/links/9", "ADMIN_STATE=unmanaged\nOPER_STATE=carrier\n");
    const std::string link = write("/run/systemd/netif/links/10", "ADMIN_STATE=configuring\n");
    netlink::Machine machine(root.path());
    State state;
    for (const std::uint32_t index : {7U, 8U, 9U, 10U, 70U})
        state.ports.push_back(port_of("p" + std::to_string(index), index));
    netlink::read_owners(machine, {}, state);
    using Owners = std::map<std::string, std::string>;
    std::vector<Owners> found;
    for (const Port& port : state.ports) {
        REQUIRE(port.owners);
        found.emplace_back(port.owners->begin(), port.owners->end());
    }
    CHECK(found ==
          std::vector<Owners>{{{"NetworkManager", device}},
                              {{"systemd-networkd", "/etc/systemd/network/10-rail.network"}},
                              {},
                              {{"systemd-networkd", link}},
                              {}});
    // Neither daemon ever ran.
    const OwnRoot empty;
    netlink::Machine bare(empty.path());
    netlink::read_owners(bare, {}, state);
    for (const Port& port : state.ports)
        CHECK(port.owners == decltype(port.owners){std::in_place});
}

TEST_CASE("modules: asking loads what is neither loaded nor built in, where there are modules") {
    const OwnRoot root;
    const netlink::Machine machine(root.path());
    CHECK_FALSE(netlink::would_load(machine, "netlink_diag"));
    std::ofstream(root.file("/proc/modules"))
        << "ib_core 1 0 - Live 0x0\nunix_diag 1 0 - Live 0x0\n";
    CHECK(netlink::would_load(machine, "netlink_diag"));
    CHECK_FALSE(netlink::would_load(machine, "unix_diag"));
}

}  // namespace owners_test
