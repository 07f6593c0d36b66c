// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <netlink/msg.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "dcb/codecs.hpp"
#include "netlink/ethtool/codecs.hpp"
#include "netlink/ethtool/module.hpp"
#include "netlink/files/codecs.hpp"
#include "netlink/rdma/codecs.hpp"
#include "netlink/system/codecs.hpp"
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

KERNELS_TEST_CASE(
    "reporters: what each says of its device, and after an error that nobody put right") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        const auto well = reporters_in(kernel + "devlink-reporters");
        REQUIRE(well.size() == 2);
        CHECK(well.front().device.name == "0000:5e:00.0");
        CHECK_FALSE(well.front().port.has_value());
        CHECK(well.front().reporter == core::Reporter{.name = "fw"});
        const auto ill = reporters_in(kernel + "devlink-reporters-ill");
        REQUIRE(ill.size() == 2);
        CHECK(ill.front().reporter == core::Reporter{.name = "fw", .healthy = false, .errors = 1});
        CHECK(ill.back().reporter.healthy);
    }
}

KERNELS_TEST_CASE("versions: what is fixed, runs and is stored, and nothing else of the device") {
    for (const std::string kernel : {"6.1/", "6.12/"})
        CHECK(netlink::decode_versions(first(kernel + "devlink-info")) ==
              core::Versions{{"fixed fw.psid", "SIM_0001"},
                             {"running fw.version", "1.0"},
                             {"stored fw.version", "1.1"}});
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

    const netlink::DevlinkPorts all{.family = 1,
                                    .devices = {{.handle = {"pci", "3b"}, .reloads = {}},
                                                {.handle = {"pci", "5e"}, .reloads = {}}},
                                    .ports = {*known}};
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

KERNELS_TEST_CASE("link_state: why there is no link, and how often the device saw it go") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        CHECK(netlink::decode_link_state(first(kernel + "ethtool-linkstate")) == core::LinkState{});
        CHECK(netlink::decode_link_state(first(kernel + "ethtool-linkstate-lost")) ==
              core::LinkState{.reason = "logical mismatch", .detail = "RS FEC is not locked"});
    }
    CHECK(netlink::decode_link_state(first("6.12/ethtool-linkstate-losses")).losses == 3);
    CHECK(core::link_state::reason_word(4) == "no cable");
    CHECK(core::link_state::reason_word(200) == "state 200");
    CHECK(core::link_state::detail_word(4, 1) == "substate 1");
    CHECK(core::link_state::detail_word(10, 1) == "CMIS module is not ready");
    CHECK(core::link_state::detail_word(0, 0).empty());
}

TEST_CASE("link_state: Linux 6.1 refuses to be asked how often the device saw the link go") {
    const wire::Message refused = wire::messages("6.1/ethtool-linkstate-losses").front();
    const auto error = netlink::error_in(refused.header, refused.payload);
    REQUIRE(error.has_value());
    CHECK(error->code == EINVAL);
}

namespace {

using core::Level;
using netlink::ModulePlace;

/// A capture of what was asked from there on.
struct Half {
    std::string capture;
    ModulePlace start;
};

netlink::ModuleMemory memory_of(const std::string& kernel, const std::vector<Half>& halves) {
    netlink::ModuleMemory out;
    for (const Half& half : halves)
        out.put(half.start,
                netlink::decode_module_bytes(first(kernel + "/ethtool-module-" + half.capture)));
    return out;
}

const std::vector<Half> kQsfp28Halves = {
    {"qsfp28-lower", {0, 0}}, {"qsfp28-upper", {0, 128}}, {"qsfp28-page-3", {3, 128}}};
const std::vector<Half> kCmisHalves = {{"cmis-lower", {0, 0}},
                                       {"cmis-upper", {0, 128}},
                                       {"cmis-page-1", {1, 128}},
                                       {"cmis-page-2", {2, 128}},
                                       {"cmis-page-11h", {0x11, 128}}};
const std::vector<Half> kSfpHalves = {{"sfp-lower", {0, 0}}, {"sfp-diagnostics", {0, 0, 0x51}}};

/// The memory with another byte.
netlink::ModuleMemory with(netlink::ModuleMemory memory, ModulePlace at, unsigned value) {
    const std::array byte = {static_cast<std::byte>(value)};
    memory.put(at, byte);
    return memory;
}

std::vector<core::ModuleReading> readings_in(const netlink::ModuleMemory& memory,
                                             const std::string& what) {
    std::vector<core::ModuleReading> out;
    for (const core::ModuleReading& each : netlink::transceiver_of(memory).readings)
        if (each.what == what) out.push_back(each);
    return out;
}

core::ModuleReading lit(const std::string& what, unsigned lane, const std::string& value) {
    return {.what = what, .lane = static_cast<std::uint8_t>(lane), .value = value};
}

const core::ModuleReading kSignalLost = {.what = "rx_los", .lane = 2, .latched = Level::raised};

}  // namespace

TEST_CASE("transceiver: each power that a module can tell is the nearest hundredth of a dBm") {
    std::vector<int> wrong;
    for (int tenths = 1; tenths <= 0xffff; ++tenths) {
        const long long nearest = std::llround(1000 * std::log10(tenths / 10000.0));
        std::ostringstream expected;
        expected << (nearest < 0 ? "-" : "") << std::llabs(nearest) / 100 << '.'
                 << std::setfill('0') << std::setw(2) << std::llabs(nearest) % 100 << " dBm";
        if (netlink::power_text(tenths) != expected.str()) wrong.push_back(tenths);
    }
    CHECK(wrong == std::vector<int>{});
    CHECK(netlink::power_text(0) == "0 mW");
}

KERNELS_TEST_CASE(
    "transceiver: what a module of four lanes measures, and one that gets too little light") {
    for (const std::string kernel : {"6.1", "6.12"}) {
        const auto memory = memory_of(kernel, kQsfp28Halves);
        CHECK(netlink::module_measures(memory));
        core::Transceiver expected{.type = "QSFP28", .vendor = "Optics Inc", .part = "SIM-SR4"};
        expected.readings = {lit("temperature", 0, "41.50 C"), lit("voltage", 0, "3.30 V")};
        for (unsigned lane = 1; lane <= 4; ++lane)
            expected.readings.push_back(lit("rx_power", lane, "-0.97 dBm"));
        for (unsigned lane = 1; lane <= 4; ++lane)
            expected.readings.push_back(lit("tx_bias", lane, "7.00 mA"));
        for (unsigned lane = 1; lane <= 4; ++lane)
            expected.readings.push_back(lit("tx_power", lane, "0.00 dBm"));
        expected.readings[3] = {.what = "rx_power",
                                .lane = 2,
                                .value = "-26.99 dBm",
                                .level = Level::low_alarm,
                                .latched = Level::low_alarm};
        expected.readings.push_back(kSignalLost);
        CHECK(netlink::transceiver_of(memory) == expected);
        const wire::Message refused = wire::messages(kernel + "/ethtool-module-none").front();
        const auto error = netlink::error_in(refused.header, refused.payload);
        REQUIRE(error.has_value());
        CHECK(error->code == EOPNOTSUPP);
    }
}

TEST_CASE("transceiver: of QSFP-DD and OSFP only the lanes that carry data are looked at") {
    for (const std::string kernel : {"6.1", "6.12"}) {
        const auto memory = memory_of(kernel, kCmisHalves);
        const auto power = readings_in(memory, "rx_power");
        REQUIRE(power.size() == 7);  // the seventh lane is dark
        CHECK(power.front() == lit("rx_power", 1, "-0.97 dBm"));
        CHECK(power.back() == core::ModuleReading{.what = "rx_power",
                                                  .lane = 8,
                                                  .value = "-26.99 dBm",
                                                  .level = Level::low_alarm,
                                                  .latched = Level::low_alarm});
        CHECK(readings_in(memory, "tx_bias").front() == lit("tx_bias", 1, "7.00 mA"));
        CHECK(readings_in(memory, "tx_power").back() == lit("tx_power", 8, "0.00 dBm"));
        // Too warm for a time, and no more.
        CHECK(readings_in(memory, "temperature").front() ==
              core::ModuleReading{
                  .what = "temperature", .value = "41.50 C", .latched = Level::high_warning});
        CHECK(readings_in(memory, "rx_los").front().lane == 8);
        const auto all = netlink::transceiver_of(memory);
        CHECK(all.type == "QSFP-DD");
        CHECK(all.vendor == "Optics Inc");
        CHECK(all.part == "SIM-SR4");
        CHECK(readings_in(with(memory, {1, 160}, 0x0f), "tx_bias").front().value == "14.00 mA");
        CHECK(readings_in(with(memory, {1, 160}, 0x03), "rx_power").empty());
        CHECK(netlink::transceiver_of(with(memory, {0, 2}, 0x80)).readings.empty());
    }
}

TEST_CASE("transceiver: an SFP says what is, at a second address and only where it has one") {
    for (const std::string kernel : {"6.1", "6.12"}) {
        const auto memory = memory_of(kernel, kSfpHalves);
        const auto all = netlink::transceiver_of(memory);
        CHECK(all.type == "SFP");
        CHECK(all.vendor == "Optics Inc");
        REQUIRE(all.readings.size() == 6);
        CHECK(all.readings[2] == core::ModuleReading{.what = "rx_power",
                                                     .lane = 1,
                                                     .value = "-26.99 dBm",
                                                     .level = Level::low_alarm,
                                                     .latched = Level::low_alarm});
        CHECK(all.readings[5] ==
              core::ModuleReading{
                  .what = "rx_los", .lane = 1, .level = Level::raised, .latched = Level::raised});
        CHECK(netlink::transceiver_of(with(memory, {0, 92}, 0)).readings.empty());
        // Values that have to be calibrated are left out; the flags are the module's own.
        const auto raw = netlink::transceiver_of(with(memory, {0, 92}, 0x58)).readings;
        REQUIRE(raw.size() == 2);
        CHECK(raw[0] == core::ModuleReading{.what = "rx_power",
                                            .lane = 1,
                                            .level = Level::low_alarm,
                                            .latched = Level::low_alarm});
    }
}

TEST_CASE("transceiver: every limit and flag is where its standard has it") {
    struct Row {
        const std::vector<Half>* halves;
        ModulePlace value;
        unsigned upper;  ///< byte of the value
        std::string what;
        Level level;
    };
    // 75 C, 70 C, 0 C and -5 C are the limits that the modules of the lab have.
    const auto celsius = [](const std::vector<Half>& halves, ModulePlace at) {
        return std::vector<Row>{{&halves, at, 76, "temperature", Level::high_alarm},
                                {&halves, at, 72, "temperature", Level::high_warning},
                                {&halves, at, 0xff, "temperature", Level::low_warning},
                                {&halves, at, 0xf0, "temperature", Level::low_alarm}};
    };
    for (const auto& rows : {celsius(kQsfp28Halves, {0, 22}), celsius(kCmisHalves, {0, 14}),
                             celsius(kSfpHalves, {0, 96, 0x51})})
        for (const Row& row : rows) {
            INFO(row.value.offset, " ", row.upper);
            const auto memory = with(memory_of("6.12", *row.halves), row.value, row.upper);
            CHECK(readings_in(memory, row.what).front().level == row.level);
        }
    struct Flag {
        const std::vector<Half>* halves;
        ModulePlace at;
        unsigned bits;
        std::string what;
        unsigned lane;
        Level level;
    };
    const std::vector<Flag> flags = {
        {&kQsfp28Halves, {0, 6}, 0x40, "temperature", 0, Level::low_alarm},
        {&kQsfp28Halves, {0, 7}, 0x10, "voltage", 0, Level::low_warning},
        {&kQsfp28Halves, {0, 10}, 0x02, "rx_power", 4, Level::high_warning},
        {&kQsfp28Halves, {0, 11}, 0x80, "tx_bias", 1, Level::high_alarm},
        {&kQsfp28Halves, {0, 14}, 0x40, "tx_power", 3, Level::low_alarm},
        {&kQsfp28Halves, {0, 3}, 0x80, "tx_los", 4, Level::raised},
        {&kQsfp28Halves, {0, 4}, 0x01, "tx_fault", 1, Level::raised},
        {&kQsfp28Halves, {0, 5}, 0x04, "rx_lol", 3, Level::raised},
        {&kCmisHalves, {0, 9}, 0x20, "voltage", 0, Level::low_alarm},
        {&kCmisHalves, {0x11, 139}, 0x04, "tx_power", 3, Level::high_alarm},
        {&kCmisHalves, {0x11, 146}, 0x80, "tx_bias", 8, Level::low_warning},
        {&kCmisHalves, {0x11, 151}, 0x01, "rx_power", 1, Level::high_warning},
        {&kCmisHalves, {0x11, 135}, 0x10, "tx_fault", 5, Level::raised},
        {&kCmisHalves, {0x11, 148}, 0x02, "rx_lol", 2, Level::raised},
        {&kSfpHalves, {0, 112, 0x51}, 0x10, "voltage", 0, Level::low_alarm},
        {&kSfpHalves, {0, 116, 0x51}, 0x08, "tx_bias", 1, Level::high_warning},
        {&kSfpHalves, {0, 110, 0x51}, 0x04, "tx_fault", 1, Level::raised},
    };
    for (const Flag& flag : flags) {
        INFO(flag.what, ' ', flag.lane, " at ", flag.at.offset);
        const auto found =
            readings_in(with(memory_of("6.12", *flag.halves), flag.at, flag.bits), flag.what);
        CHECK(std::ranges::any_of(found, [&](const core::ModuleReading& each) {
            return each.lane == flag.lane && each.latched == flag.level;
        }));
    }
}

TEST_CASE("transceiver: copper measures nothing, and what is not known is only named") {
    const auto memory = memory_of("6.12", kQsfp28Halves);
    const auto copper = with(memory, {0, 2}, 4);  // flat memory
    CHECK_FALSE(netlink::module_measures(copper));
    CHECK(netlink::transceiver_of(copper) ==
          core::Transceiver{.type = "QSFP28", .vendor = "Optics Inc", .part = "SIM-SR4"});
    CHECK_FALSE(netlink::module_measures(with(memory, {0, 2}, 1)));  // not ready
    CHECK(netlink::transceiver_of(with(memory, {0, 0}, 0x7f)) ==
          core::Transceiver{.type = "type 127"});
    CHECK(netlink::transceiver_of({}) == core::Transceiver{.type = "type 0"});
    // A transmitter that is switched off sends nothing, which is no fault.
    CHECK(readings_in(with(memory, {0, 86}, 0x0e), "tx_power").size() == 1);
    CHECK(readings_in(with(memory, {0, 86}, 0x0e), "rx_power").size() == 4);
    // Without limits the flags say what is.
    const auto without_limits = memory_of("6.12", {kQsfp28Halves[0], kQsfp28Halves[1]});
    CHECK(readings_in(without_limits, "rx_power")[1].level == Level::low_alarm);
    CHECK(readings_in(without_limits, "rx_power")[0].level == Level::normal);
    CHECK(readings_in(with(with(memory, {0, 36}, 0), {0, 37}, 0), "rx_power")[1].value == "0 mW");
}

KERNELS_TEST_CASE("statistics: what standards define has their names, whatever the driver") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        CHECK(netlink::decode_standard_statistics(first(kernel + "ethtool-statistics")) ==
              core::Statistics{{"eth-phy-SymbolErrorDuringCarrier", 7},
                               {"eth-mac-FrameCheckSequenceErrors", 5}});
        CHECK(netlink::decode_pause_statistics(first(kernel + "ethtool-pause-statistics")) ==
              core::Statistics{{"rx_pause_frames", 9}});
    }
    // As a kernel of 7.2 answers for mlx5: a nest (1 << 15 | ETHTOOL_A_PAUSE_STATS) with
    // ETHTOOL_A_PAUSE_STAT_TX_PAUSE_STORM_EVENTS.
    constexpr std::array<unsigned char, 20> storm = {22, 1, 0,  0, 16, 0, 5, 128, 12, 0,
                                                     4,  0, 37, 0, 0,  0, 0, 0,   0,  0};
    CHECK(netlink::decode_pause_statistics(std::as_bytes(std::span(storm))) ==
          core::Statistics{{"tx_pause_storm_events", 37}});
}

KERNELS_TEST_CASE("peer: what the other end advertises is beside what the port has itself") {
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
}

KERNELS_TEST_CASE("peer: the older version of DCBX says the same in other words") {
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
