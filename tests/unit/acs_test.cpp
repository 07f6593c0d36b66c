// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/pci_regs.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "netlink/files/codecs.hpp"
#include "netlink/files/pcie.hpp"
#include "netlink/transport/error.hpp"
#include "tests/unit/own_root.hpp"

namespace acs_test {

namespace {

constexpr std::size_t kWhole = 4096;
using Space = std::array<std::byte, kWhole>;

void put(Space& space, std::size_t at, std::uint32_t value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        space[at + i] = static_cast<std::byte>(value >> (8 * i));
}

/// A bridge with AER at 0x100, and ACS behind it with that control register.
Space bridge(std::uint16_t control) {
    Space space{};
    put(space, 0x100, PCI_EXT_CAP_ID_ERR | 1U << 16U | 0x148U << 20U, 4);
    put(space, 0x148, PCI_EXT_CAP_ID_ACS | 1U << 16U, 4);
    put(space, 0x148 + PCI_ACS_CTRL, control, 2);
    return space;
}

std::optional<bool> redirects(const Space& space, std::size_t size = kWhole) {
    const auto control = netlink::acs_control(netlink::ConfigSpace(space).first(size));
    if (!control) return std::nullopt;
    return netlink::redirects_peers(*control);
}

}  // namespace

TEST_CASE("acs: requests or completions of peers that go up to the root") {
    CHECK(redirects(bridge(0)) == false);
    CHECK(redirects(bridge(PCI_ACS_SV | PCI_ACS_UF)) == false);
    CHECK(redirects(bridge(PCI_ACS_RR)) == true);
    CHECK(redirects(bridge(PCI_ACS_SV | PCI_ACS_CR)) == true);
    CHECK(redirects(bridge(PCI_ACS_EC)) == true);
    CHECK(netlink::acs_text(0) == "off");
    CHECK(netlink::acs_text(0x7f) ==
          "SrcValid TransBlk ReqRedir CmpltRedir UpstreamFwd EgressCtrl DirectTrans");
    CHECK_FALSE(redirects(Space{}).has_value());
    CHECK_FALSE(redirects(bridge(PCI_ACS_RR), PCI_CFG_SPACE_SIZE).has_value());
    Space loop{};
    put(loop, 0x100, PCI_EXT_CAP_ID_ERR | 1U << 16U | 0x100U << 20U, 4);
    CHECK_FALSE(redirects(loop).has_value());
    for (const std::size_t size : {std::size_t{0}, std::size_t{64}, std::size_t{0x14a}})
        CHECK_THROWS_AS(redirects(bridge(PCI_ACS_RR), size), netlink::KernelError);
}

TEST_CASE("acs: every bridge between a port and the root is looked at") {
    const OwnRoot root;
    const std::string way = "/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/0000:3c:00.0";
    const auto config = [&root](const std::string& folder, const Space& space) {
        std::ofstream file(root.file(folder + "/config"), std::ios::binary);
        for (const std::byte byte : space)
            file.put(static_cast<char>(byte));
    };
    config("/sys/devices/pci0000:3a/0000:3a:00.0", bridge(0));
    config("/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0", bridge(PCI_ACS_RR));
    config(way, bridge(PCI_ACS_RR));  // of the port itself, which redirects nothing of others
    std::ofstream(root.file(way + "/current_link_speed")) << "32.0 GT/s PCIe\n";
    for (const std::string below : {"", "/0000:3b:00.0", "/0000:3b:00.0/0000:3c:00.0"}) {
        const std::string path = "/sys/devices/pci0000:3a/0000:3a:00.0" + below;
        std::filesystem::create_directory_symlink(
            "../../.." + path.substr(4),
            root.file("/sys/bus/pci/devices/" + std::filesystem::path(path).filename().string()));
    }
    netlink::Machine machine(root.path());
    core::Port port("ens1f0");
    port.link = core::Link{.pci = "0000:3c:00.0"};
    netlink::read_acs(machine, port);
    CHECK(port.acs == core::Acs{.redirects = true, .bridges = {"0000:3b:00.0"}});
    config("/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0", bridge(PCI_ACS_SV));
    netlink::read_acs(machine, port);
    CHECK(port.acs == core::Acs{});
}

}  // namespace acs_test
