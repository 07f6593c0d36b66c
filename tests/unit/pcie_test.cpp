// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "netlink/files/codecs.hpp"
#include "netlink/files/pcie.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"

namespace pcie_test {

using namespace core;

namespace {

/// Configuration space of an Intel 82574L as QEMU's q35 machine shows it, read through ports 0xcf8
/// and 0xcfc: power management at 0xc8, MSI at 0xd0, PCI Express at 0xe0, MSI-X at 0xa0.
std::vector<std::byte> e1000e() {
    std::vector<std::byte> space(256);
    const auto put = [&](std::size_t at, std::initializer_list<unsigned> bytes) {
        for (const unsigned byte : bytes)
            space.at(at++) = static_cast<std::byte>(byte);
    };
    put(0x00, {0x86, 0x80, 0xd3, 0x10, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x02});
    put(0x18, {0x01});
    put(0x2c, {0x86, 0x80, 0x00, 0x00});
    put(0x34, {0xc8});
    put(0x3d, {0x01});
    put(0xa0, {0x11, 0x00, 0x04, 0x00, 0x03, 0x00, 0x00, 0x00, 0x03, 0x20});
    put(0xc8, {0x01, 0xd0, 0x22, 0x00});
    put(0xd0, {0x05, 0xe0, 0x80, 0x00});
    put(0xe0, {0x10, 0xa0, 0x91, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x11, 0x04});
    put(0xf2, {0x11});
    return space;
}

using Root = OwnRoot;

constexpr auto kConfig = "/sys/bus/pci/devices/0000:3b:00.0/config";

void put(const Root& root, const std::vector<std::byte>& space, std::size_t length) {
    std::ofstream out(root.file(kConfig), std::ios::binary);
    for (std::size_t i = 0; i < length; ++i)
        out.put(std::to_integer<char>(space.at(i)));
}

std::string get(const Root& root) {
    std::ifstream in(root.file(kConfig), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Port port_at(const std::string& pci) {
    Port port = hosts::port("mlx5_core");
    port.link->pci = pci;
    port.pcie.reset();
    return port;
}

}  // namespace

TEST_CASE("pcie: the register is found in what a device shows, and decoded") {
    const std::vector<std::byte> space = e1000e();
    CHECK(netlink::express_capability(space) == 0xe0);
    CHECK(netlink::decode_device_control(0x0000) ==
          Pcie{.read_request = 128, .payload = 128, .relaxed_ordering = false});
    CHECK(netlink::decode_device_control(0x2950) ==
          Pcie{.read_request = 512, .payload = 512, .relaxed_ordering = true});
    CHECK(netlink::encode_device_control(
              0x2950, {.read_request = 4096, .relaxed_ordering = false}) == 0x5940);
}

TEST_CASE("pcie: a list that does not end, or that is cut short, is reported") {
    std::vector<std::byte> space = e1000e();
    space.at(0xd1) = std::byte{0xc8};  // MSI back to power management
    CHECK_FALSE(netlink::express_capability(space));
    space.at(0x06) = std::byte{0x00};  // no list
    CHECK_FALSE(netlink::express_capability(space));
    const std::vector<std::byte> whole = e1000e();
    for (std::size_t length = 0; length < 0xe0; ++length) {
        const std::vector<std::byte> part(whole.begin(),
                                          whole.begin() + static_cast<std::ptrdiff_t>(length));
        CHECK_THROWS_AS(static_cast<void>(netlink::express_capability(part)), netlink::KernelError);
    }
}

TEST_CASE("pcie: what differs is written into the register, and every other byte stays") {
    const Root root;
    put(root, e1000e(), 256);
    netlink::Machine host(root.path());
    Port now = port_at("0000:3b:00.0");
    netlink::read_pcie(host, now);
    REQUIRE(now.pcie);
    CHECK(now.pcie->read_request == 128);
    Port then = now;
    then.pcie->read_request = 4096;
    then.pcie->relaxed_ordering = true;
    std::string expected = get(root);
    netlink::write_pcie(host, now, then);
    expected.at(0xe8) = 0x10;
    expected.at(0xe9) = 0x50;
    CHECK(get(root) == expected);
    netlink::read_pcie(host, now);
    CHECK(now.pcie == then.pcie);
}

TEST_CASE(
    "pcie: who is not root reads 64 bytes, and is reported so; no function is no capability") {
    const Root root;
    put(root, e1000e(), 64);
    netlink::Machine host(root.path());
    Port port = port_at("0000:3b:00.0");
    try {
        netlink::read_pcie(host, port);
        FAIL("read");
    } catch (const netlink::KernelError& error) {
        CHECK(error.code == EACCES);
        CHECK(std::string(error.what()).find("64 bytes") != std::string::npos);
    }
    Port elsewhere = port_at("../../0000:3b:00.0");
    netlink::read_pcie(host, elsewhere);
    CHECK_FALSE(elsewhere.pcie);
    Port gone = port_at("0000:ff:00.0");
    netlink::read_pcie(host, gone);
    CHECK_FALSE(gone.pcie);
}

TEST_CASE("pcie: setpci changes the bits of the setting alone, and no other size is taken") {
    StateFile kernel(hosts::host("mlx5_core"));
    const auto lines = [&](std::vector<Desired> some) {
        return commands(hosts::plan(kernel, hosts::desired_values(std::move(some))));
    };
    CHECK(lines({hosts::desired("pcie.read_request", std::uint64_t{4096})}) ==
          Commands{"setpci -s 0000:3b:00.0 CAP_EXP+08.w=5000:7000"});
    CHECK(lines({hosts::desired("pcie.relaxed_ordering", false)}) ==
          Commands{"setpci -s 0000:3b:00.0 CAP_EXP+08.w=0000:0010"});
    const Plan odd = hosts::plan(
        kernel, hosts::desired_values({hosts::desired("pcie.read_request", std::uint64_t{300})}));
    REQUIRE(odd.findings.size() == 1);
    CHECK(odd.findings[0].text.ends_with(
        "pcie.read_request takes 128, 256, 512, 1024, 2048 or 4096"));
}

TEST_CASE("pcie: what was opened before the seal is read from there, for every kind of function") {
    const Root root;
    put(root, e1000e(), 256);
    // A port of the function, one of a virtual bus upon it, and one that has none.
    const std::string bus = "../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/";
    for (const auto& [port, way] :
         {std::pair{"ens1f0", bus + "net/ens1f0"}, std::pair{"en2", bus + "mlx5_core.sf.4/net/en2"},
          std::pair{"lo", std::string("../../devices/virtual/net/lo")}})
        std::filesystem::create_symlink(way, root.file(std::string("/sys/class/net/") + port));
    netlink::KeptFiles kept = netlink::open_config_spaces(root.path());
    REQUIRE(kept.size() == 1);
    CHECK(kept.begin()->first == root.file(kConfig));
    std::filesystem::rename(root.file(kConfig), root.file("/elsewhere"));
    netlink::Machine host(root.path(), std::move(kept));
    Port port = port_at("0000:3b:00.0");
    netlink::read_pcie(host, port);
    CHECK(port.pcie.has_value());
}

TEST_CASE("pcie: of what stands among the virtual devices no link is followed") {
    const Root root;
    put(root, e1000e(), 256);
    // In no kernel does one lead to a function: here it tells whether it was asked.
    for (const char* port : {"ens1f0", "vlan7"})
        std::filesystem::create_symlink(
            std::string("../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/net/") + port,
            root.file(std::string("/sys/class/net/") + port));
    CHECK(netlink::open_config_spaces(root.path()).size() == 1);
    std::filesystem::remove(root.file("/sys/class/net/ens1f0"));
    CHECK(netlink::open_config_spaces(root.path()).size() == 1);
    std::filesystem::create_directories(root.file("/sys/devices/virtual/net/vlan7"));
    CHECK(netlink::open_config_spaces(root.path()).empty());
}

}  // namespace pcie_test
