// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <netlink/msg.h>

#include <cerrno>
#include <fstream>

#include "dcb/peer.hpp"
#include "netlink/ethtool/link_state.hpp"
#include "netlink/ethtool/standard_statistics.hpp"
#include "netlink/files/pcie_path.hpp"
#include "netlink/rdma/reporters.hpp"
#include "netlink/rdma/versions.hpp"
#include "netlink/system/rdma_limit.hpp"
#include "netlink/transport/socket.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"
#include "tests/unit/wire.hpp"

// What a device, the other end of its link and the bridges above it tell.

namespace device_evidence_test {

namespace {

namespace fs = std::filesystem;

netlink::Bytes first(const std::string& capture) {
    static std::map<std::string, std::vector<wire::Message>> kept;
    return kept.try_emplace(capture, wire::messages(capture)).first->second.front().payload;
}

std::vector<netlink::ReporterAnswer> reporters_in(const std::string& capture) {
    std::vector<netlink::ReporterAnswer> out;
    for (const wire::Message& message : wire::messages(capture))
        if (auto answer = netlink::decode_reporter(message.payload)) out.push_back(*answer);
    return out;
}

std::optional<core::Peer> peer_in(const std::string& capture) {
    return dcb::decode_peer(first(capture));
}

}  // namespace

TEST_CASE("reporters: what each says of its device, and after an error that nobody put right") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        const auto well = reporters_in(kernel + "devlink-reporters");
        REQUIRE(well.size() == 2);
        CHECK(well.front().device == netlink::DevlinkHandle{"platform", "0000:5e:00.0"});
        CHECK_FALSE(well.front().port.has_value());
        CHECK(well.front().reporter == core::Reporter{.name = "fw"});
        const auto ill = reporters_in(kernel + "devlink-reporters-ill");
        REQUIRE(ill.size() == 2);
        CHECK(ill.front().reporter == core::Reporter{.name = "fw", .healthy = false, .errors = 1});
        CHECK(ill.back().reporter.healthy);
    }
    wire::cut_short("6.12/devlink-reporters", netlink::decode_reporter);
}

TEST_CASE("versions: what is fixed, runs and is stored, and nothing else of the device") {
    for (const std::string kernel : {"6.1/", "6.12/"})
        CHECK(netlink::decode_versions(first(kernel + "devlink-info")) ==
              core::Versions{{"fixed fw.psid", "SIM_0001"},
                             {"running fw.version", "1.0"},
                             {"stored fw.version", "1.1"}});
    wire::cut_short("6.12/devlink-info", netlink::decode_versions);
}

TEST_CASE("reporters, versions: a port is found by its number of devlink, else by its device") {
    netlink::Message message = netlink::devlink_request(1, DEVLINK_CMD_PORT_NEW, {"pci", "3b"});
    message.put(DEVLINK_ATTR_PORT_INDEX, std::uint32_t{65535});
    message.put(DEVLINK_ATTR_PORT_NETDEV_IFINDEX, std::uint32_t{7});
    const auto* header = nlmsg_hdr(message.raw());
    const auto* start = static_cast<const std::byte*>(nlmsg_data(header));
    const auto known =
        netlink::decode_devlink_port({start, static_cast<std::size_t>(nlmsg_datalen(header))});
    REQUIRE(known.has_value());
    CHECK(*known == netlink::DevlinkPort{.device = {"pci", "3b"}, .number = 65535, .link = 7});

    const netlink::DevlinkPorts all{
        .family = 1, .devices = {{"pci", "3b"}, {"pci", "5e"}}, .ports = {*known}};
    core::Port port("p");
    CHECK_FALSE(netlink::place_of(all, port).has_value());
    port.link = core::Link{.index = 7, .pci = "5e"};
    CHECK(netlink::place_of(all, port)->number == 65535);
    port.link->index = 8;
    CHECK(netlink::place_of(all, port)->device.name == "5e");
    CHECK_FALSE(netlink::place_of(all, port)->number.has_value());
    port.link->pci = "af";
    CHECK_FALSE(netlink::place_of(all, port).has_value());
}

TEST_CASE("link_state: why there is no link, and how often the device saw it go") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        CHECK(netlink::decode_link_state(first(kernel + "ethtool-linkstate")) == core::LinkState{});
        CHECK(netlink::decode_link_state(first(kernel + "ethtool-linkstate-lost")) ==
              core::LinkState{.reason = "logical mismatch", .detail = "RS FEC is not locked"});
    }
    CHECK(netlink::decode_link_state(first("6.12/ethtool-linkstate-losses")).losses == 3);
    const wire::Message refused = wire::messages("6.1/ethtool-linkstate-losses").front();
    CHECK(netlink::error_in(refused.header, refused.payload)->code == EINVAL);
    wire::cut_short("6.12/ethtool-linkstate-lost", netlink::decode_link_state);
    CHECK(core::link_state::reason_word(4) == "no cable");
    CHECK(core::link_state::reason_word(200) == "state 200");
    CHECK(core::link_state::detail_word(4, 1) == "substate 1");
    CHECK(core::link_state::detail_word(10, 1) == "CMIS module is not ready");
    CHECK(core::link_state::detail_word(0, 0).empty());
}

TEST_CASE("statistics: what standards define has their names, whatever the driver") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        CHECK(netlink::decode_standard_statistics(first(kernel + "ethtool-statistics")) ==
              core::Statistics{{"eth-phy-SymbolErrorDuringCarrier", 7},
                               {"eth-mac-FrameCheckSequenceErrors", 5}});
        CHECK(netlink::decode_pause_statistics(first(kernel + "ethtool-pause-statistics")) ==
              core::Statistics{{"rx_pause_frames", 9}});
    }
    wire::cut_short("6.12/ethtool-statistics", netlink::decode_standard_statistics);
    wire::cut_short("6.12/ethtool-pause-statistics", netlink::decode_pause_statistics);
}

TEST_CASE("peer: what the other end announces is beside what the port has itself") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        CHECK_FALSE(peer_in(kernel + "dcb-peer-none").has_value());
        const auto peer = peer_in(kernel + "dcb-peer");
        REQUIRE(peer.has_value());
        CHECK(peer->pfc == 16);
        CHECK(peer->traffic_class == core::PerPriority<std::uint8_t>{0, 0, 0, 3});
        CHECK(peer->bandwidth == core::PerPriority<std::uint8_t>{40, 0, 0, 60});
        CHECK(peer->app == std::set<std::string>{"dgram 4791: 3"});
        CHECK(peer->version == "ieee");
    }
    wire::cut_short("6.12/dcb-peer", dcb::decode_peer);
}

TEST_CASE("peer: the older version of DCBX says the same in other words") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        const auto peer = peer_in(kernel + "dcb-peer-cee");
        REQUIRE(peer.has_value());
        CHECK(*peer == core::Peer{.version = "cee",
                                  .pfc = 16,
                                  .traffic_class = core::PerPriority<std::uint8_t>{0, 0, 0, 1},
                                  .bandwidth = core::PerPriority<std::uint8_t>{40, 60},
                                  .app = {"any 4791: 3"}});
        // Nothing was heard: the driver has zeroes.
        CHECK_FALSE(peer_in(kernel + "dcb-peer-cee-none").has_value());
        // The answer in the newer one has no more than the entry, which the asker must not take.
        const auto newer = peer_in(kernel + "dcb-peer-cee-in-ieee");
        REQUIRE(newer.has_value());
        CHECK_FALSE(newer->pfc.has_value());
        CHECK_FALSE(newer->traffic_class.has_value());
    }
    wire::cut_short("6.12/dcb-peer-cee", dcb::decode_peer);
    // A driver that hands on the mask of priorities: what is above 7 is no number.
    const netlink::Bytes bytes = first("6.12/dcb-peer-cee");
    std::vector<std::byte> masked(bytes.begin(), bytes.end());
    constexpr std::array entry = {std::byte{1}, std::byte{3}, std::byte{0xb7}, std::byte{0x12}};
    const auto at = std::ranges::search(masked, entry);
    REQUIRE_FALSE(at.empty());
    at.begin()[1] = std::byte{0x18};
    CHECK(dcb::decode_peer(masked)->app == std::set<std::string>{"any 4791: 3", "any 4791: 4"});
}

namespace {

void write_file(const OwnRoot& root, const fs::path& path, const std::string& text) {
    std::ofstream(root.file(path.string())) << text << '\n';
}

}  // namespace

TEST_CASE("pcie_path: from the device up to the processor, with what each reported") {
    const OwnRoot root;
    const fs::path top = "/sys/devices/pci0000:3a/0000:3a:00.0";
    const fs::path nic = top / "0000:3b:00.0";
    for (const fs::path& device : {top, nic}) {
        write_file(root, device / "current_link_speed", "8.0 GT/s PCIe");
        write_file(root, device / "current_link_width", "8");
        write_file(root, device / "max_link_speed", "16.0 GT/s PCIe");
        write_file(root, device / "max_link_width", "16");
        fs::create_directories(root.path() / "sys/bus/pci/devices");
        fs::create_symlink("../../.." / device.lexically_relative("/sys"),
                           root.path() / "sys/bus/pci/devices" / device.filename());
    }
    write_file(root, nic / "aer_dev_correctable", "RxErr 2\nBadTLP 1\nTOTAL_ERR_COR 3");
    write_file(root, nic / "aer_dev_nonfatal", "TOTAL_ERR_NONFATAL 0");
    write_file(root, nic / "aer_dev_fatal", "TOTAL_ERR_FATAL 1");

    netlink::Machine machine(root.path());
    core::Port port("p");
    port.link = core::Link{.pci = "0000:3b:00.0"};
    netlink::read_pcie_path(machine, port);
    REQUIRE(port.pcie_path);
    const core::PcieHop bridge{.pci = "0000:3a:00.0",
                               .hops = 1,
                               .speed = "8.0 GT/s PCIe",
                               .width = 8,
                               .max_speed = "16.0 GT/s PCIe",
                               .max_width = 16};
    core::PcieHop own = bridge;
    own.pci = "0000:3b:00.0";
    own.hops = 0;
    own.correctable = 3;
    own.nonfatal = 0;
    own.fatal = 1;
    CHECK(*port.pcie_path == core::PciePath{own, bridge});

    core::Port other("q");
    other.link = core::Link{.pci = "0000:3c:00.0"};
    netlink::read_pcie_path(machine, other);
    CHECK_FALSE(other.pcie_path);
}

TEST_CASE("processes: what a control group allows, in the group that is nearest to its limit") {
    const OwnRoot root;
    write_file(root, "/sys/fs/cgroup/pod/rdma.max", "rxe0 hca_handle=max hca_object=20");
    write_file(root, "/sys/fs/cgroup/pod/rdma.current", "rxe0 hca_handle=1 hca_object=19");
    write_file(root, "/sys/fs/cgroup/pod/job/rdma.max", "rxe0 hca_handle=10 hca_object=max");
    write_file(root, "/sys/fs/cgroup/pod/job/rdma.current", "rxe0 hca_handle=1 hca_object=19");
    const netlink::Machine machine(root.path());
    core::Process process;
    netlink::read_rdma_limit(machine, "1:cpu:/elsewhere\n0::/pod/job\n", process);
    CHECK(process.rdma_object == "hca_object of rxe0");
    CHECK(process.rdma_used == 19);
    CHECK(process.rdma_limit == 20);
    core::Process free;
    netlink::read_rdma_limit(machine, "0::/\n", free);
    CHECK(free.rdma_object.empty());
}

}  // namespace device_evidence_test
