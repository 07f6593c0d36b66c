// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/pci_regs.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/views/gpus.hpp"
#include "cli/views/json.hpp"
#include "core/gpus/pci_distance.hpp"
#include "core/json/json.hpp"
#include "netlink/files/codecs.hpp"
#include "tests/unit/own_root.hpp"

namespace gpus_test {

using namespace core;

namespace {

/// A PCI bus below a root of its own.
class Bus {
public:
    /// A device at the end of a way such as pci0000:15/0000:15:01.0/0000:16:00.0.
    void add(const std::string& way, const std::string& vendor, const std::string& device,
             const std::string& kind = "0x060400") {
        const std::string path = "/sys/devices/" + way;
        const std::string pci = std::filesystem::path(way).filename().string();
        write(path + "/class", kind);
        write(path + "/vendor", vendor);
        write(path + "/device", device);
        write(path + "/subsystem_vendor", vendor);
        write(path + "/subsystem_device", "0x0144");
        write(path + "/numa_node", "1");
        std::filesystem::create_directory_symlink("../../../devices/" + way,
                                                  root_.file("/sys/bus/pci/devices/" + pci));
    }
    void bind(const std::string& way, const std::string& driver) {
        std::filesystem::create_directories(
            root_.file("/sys/bus/pci/drivers/" + driver + "/x").parent_path());
        std::filesystem::create_directory_symlink("/sys/bus/pci/drivers/" + driver,
                                                  root_.file("/sys/devices/" + way + "/driver"));
    }
    void write(const std::string& path, const std::string& text) {
        std::ofstream(root_.file(path)) << text << '\n';
    }
    void control(const std::string& way, unsigned acs) {
        std::ofstream out(root_.file("/sys/devices/" + way + "/config"), std::ios::binary);
        std::string space(4096, '\0');
        space[0x100] = PCI_EXT_CAP_ID_ACS;
        space[0x102] = 1;
        space[0x100 + PCI_ACS_CTRL] = static_cast<char>(acs);
        out << space;
    }
    [[nodiscard]] Gpus read() const {
        netlink::Machine machine(root_.path());
        Port host(kHost);
        netlink::read_gpus(machine, {}, host);
        return host.gpus.value();
    }
    [[nodiscard]] const OwnRoot& root() const { return root_; }

private:
    OwnRoot root_;
};

PciBridge bridge(const std::string& pci, const std::string& above,
                 const std::string& id = "1000:c030", const std::string& subsystem = "1000:0144") {
    return {.pci = pci, .above = above, .id = id, .subsystem = subsystem, .acs = "off"};
}

Gpu gpu(const std::string& above, std::optional<std::uint32_t> node = 0) {
    return {.pci = "0000:18:00.0",
            .above = above,
            .id = "10de:2330",
            .driver = "nvidia",
            .numa_node = node};
}

Port port(const std::string& above, std::optional<std::uint32_t> node = 0) {
    Port out("rail0");
    out.link = Link{.pci = "0000:19:00.0"};
    out.rdma_link = RdmaLink{.device = "mlx5_0"};
    out.speed = 400000;
    out.pcie_link.emplace().numa_node = node;
    out.pcie_path = PciePath{{.pci = "0000:19:00.0"}};
    if (!above.empty()) out.pcie_path->push_back({.pci = above, .hops = 1});
    return out;
}

/// A root port, a switch below it with two ports, and a switch below one of these.
Gpus machine() {
    return {.bridges = {bridge("root", ""), bridge("sw", "root"), bridge("down1", "sw"),
                        bridge("down2", "sw"), bridge("low", "down2", "10b5:9797"),
                        bridge("low1", "low"), bridge("other", "", "10de:22b1")}};
}

}  // namespace

TEST_CASE("gpus: read by sysfs and procfs, with the bridges above them and above RDMA devices") {
    Bus bus;
    const std::string root = "pci0000:15/0000:15:01.0";
    const std::string way = root + "/0000:16:00.0/0000:17:01.0/0000:18:00.0";
    bus.add(root, "0x8086", "0x352a");
    bus.add(root + "/0000:16:00.0", "0x1000", "0xc030");
    bus.add(root + "/0000:16:00.0/0000:17:01.0", "0x1000", "0xc030");
    bus.control(root + "/0000:16:00.0/0000:17:01.0", PCI_ACS_RR | PCI_ACS_UF);
    bus.add(way, "0x10de", "0x2330", "0x030200");
    bus.bind(way, "nvidia");
    bus.write("/sys/devices/" + way + "/current_link_width", "8");
    bus.write("/sys/devices/" + way + "/max_link_width", "16");
    bus.write("/sys/devices/" + way + "/resource",
              "0x00000000a0000000 0x00000000a0ffffff 0x0000000000040200\n"
              "0x0000200000000000 0x00002007ffffffff 0x000000000014220c\n"
              "0x0000000000000000 0x0000000000000000 0x0000000000000000");
    bus.write("/proc/driver/nvidia/gpus/0000:18:00.0/information",
              "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ:   \t\t 212\n"
              "Bus Location: \t 0000:18:00.0\nDevice Minor: \t 3\nGPU Excluded:\t No");
    bus.write("/proc/driver/nvidia/capabilities/gpu3/mig/gi1/access", "DeviceFileMinor: 30");
    bus.write("/proc/driver/nvidia/capabilities/gpu3/mig/gi2/access", "DeviceFileMinor: 31");
    // A switch of NVLink, AMD's NPU, and the display of the management controller.
    bus.add("pci0000:00/0000:00:05.0", "0x10de", "0x22a3", "0x068000");
    bus.add("pci0000:00/0000:00:06.0", "0x1002", "0x1502", "0x120000");
    bus.bind("pci0000:00/0000:00:06.0", "amdxdna");
    bus.add("pci0000:00/0000:00:07.0", "0x1a03", "0x2000", "0x030000");
    const std::string nic = root + "/0000:16:00.0/0000:17:02.0/0000:19:00.0";
    bus.add(root + "/0000:16:00.0/0000:17:02.0", "0x1000", "0xc030");
    bus.add(nic, "0x15b3", "0x1021", "0x020000");
    std::filesystem::create_directory_symlink(
        "/sys/devices/" + nic, bus.root().file("/sys/class/infiniband/mlx5_0/device"));
    const Gpus found = bus.read();
    REQUIRE(found.devices.size() == 1);
    CHECK(found.devices[0] == Gpu{.pci = "0000:18:00.0",
                                  .above = "0000:17:01.0",
                                  .id = "10de:2330",
                                  .driver = "nvidia",
                                  .model = "NVIDIA H100 80GB HBM3",
                                  .numa_node = 1,
                                  .width = 8,
                                  .max_width = 16,
                                  .bar = 32768,
                                  .instances = 2});
    REQUIRE(found.bridges.size() == 4);
    CHECK(found.bridges[0] ==
          PciBridge{.pci = "0000:15:01.0", .id = "8086:352a", .subsystem = "8086:0144"});
    CHECK(found.bridges[2] == PciBridge{.pci = "0000:17:01.0",
                                        .above = "0000:16:00.0",
                                        .id = "1000:c030",
                                        .subsystem = "1000:0144",
                                        .acs = "ReqRedir UpstreamFwd"});
    CHECK(found.bridges[3].pci == "0000:17:02.0");
}

TEST_CASE("gpus: AMD's accelerators by their class, and none where there is none") {
    Bus bus;
    CHECK(bus.read() == Gpus{});
    bus.add("pci0000:00/0000:00:08.0", "0x1002", "0x74a1", "0x120000");
    bus.bind("pci0000:00/0000:00:08.0", "amdgpu");
    bus.write("/sys/devices/pci0000:00/0000:00:08.0/mem_info_vram_total", "206141652992");
    const Gpus found = bus.read();
    REQUIRE(found.devices.size() == 1);
    CHECK(found.devices[0].memory == 196592);
    CHECK(found.devices[0].above.empty());
}

TEST_CASE("gpus: a region of less than a MiB, of ports, or cut short is none") {
    CHECK(netlink::largest_region("0x1000 0x1fff 0x200\n") == 0);
    CHECK(netlink::largest_region("0x0 0xfffffff 0x100\n") == 0);
    CHECK(netlink::largest_region("0x0 0xfffffff 0x200\n") == 256);
    CHECK(netlink::largest_region("0x0 0xffff") == 0);
    CHECK(netlink::largest_region("\n\n\n\n\n\n0x0 0xfffffff 0x200\n") == 0);  // the ROM
    CHECK(netlink::largest_region("0x0 0xffffffffffffffff 0x200\n") == 0);
}

TEST_CASE("gpu distance: by NCCL's names") {
    const Gpus gpus = machine();
    const GpuBus bus(gpus);
    CHECK(bus.distance(gpu("down1"), port("down2")) == PciDistance::pix);
    CHECK(bus.distance(gpu("low1"), port("down1")) == PciDistance::pxb);
    CHECK(bus.distance(gpu("down1"), port("low1")) == PciDistance::pxb);
    CHECK(bus.distance(gpu("down1"), port("root")) == PciDistance::phb);
    CHECK(bus.distance(gpu("root"), port("root")) == PciDistance::phb);  // functions of one slot
    CHECK(bus.distance(gpu("down1"), port("other")) == PciDistance::phb);
    CHECK(bus.distance(gpu("down1"), port("other", 1)) == PciDistance::sys);
    // The flat bus of a virtual machine, and nodes that nobody names.
    CHECK(bus.distance(gpu("", std::nullopt), port("", std::nullopt)) == PciDistance::phb);
    CHECK(bus.distance(gpu("", std::nullopt), port("", 0)) == PciDistance::sys);
    Port unknown = port("down1");
    unknown.pcie_path.reset();
    CHECK_FALSE(bus.distance(gpu("down1"), unknown));
    CHECK(bus.may_have_c2c(gpu("other")));
    CHECK_FALSE(bus.may_have_c2c(gpu("down1")));
}

TEST_CASE("gpu distance: the two levels of one switch of Broadcom are one") {
    Gpus gpus = {
        .bridges = {bridge("root", "", "8086:352a"), bridge("sw", "root"), bridge("down", "sw"),
                    bridge("inner", "down", "1000:c030", "1000:1144"), bridge("in1", "inner"),
                    bridge("in2", "inner"), bridge("down2", "sw")}};
    const GpuBus bus(gpus);
    CHECK(bus.distance(gpu("in1"), port("down2")) == PciDistance::pix);
    gpus.bridges[3].subsystem = "1000:0144";  // a switch of its own
    const GpuBus apart(gpus);
    CHECK(apart.distance(gpu("in1"), port("in2")) == PciDistance::pix);
    CHECK(apart.distance(gpu("in1"), port("down2")) == PciDistance::pxb);
}

TEST_CASE("gpu distance: bridges below the common one, on both sides") {
    const Gpus gpus = machine();
    const GpuBus bus(gpus);
    const auto between = bus.between(gpu("low1"), port("down1"));
    REQUIRE(between);
    std::string names;
    for (const PciBridge* one : *between)
        names += one->pci + ' ';
    CHECK(names == "low1 low down2 down1 ");
    CHECK_FALSE(bus.between(gpu("low1"), port("other")));
    CHECK(redirects_peers({.acs = "SrcValid CmpltRedir"}) == true);
    CHECK(redirects_peers({.acs = "SrcValid"}) == false);
    CHECK(redirects_peers({.acs = "none"}) == false);
    CHECK_FALSE(redirects_peers({}));
}

TEST_CASE("show --gpus: a row for each GPU, and what it is near to") {
    State state;
    Port fast = port("down2");
    Port slow = port("down1");
    slow.name = "storage0";
    slow.speed = 200000;
    Port host(kHost);
    CHECK(cli::gpus_text(state, {}).starts_with("unknown"));
    host.gpus = Gpus{};
    state.ports = {fast, slow, host};
    CHECK(cli::gpus_text(state, {}) == "no GPU\n");
    Gpus gpus = machine();
    gpus.devices = {gpu("low1"), gpu("other", 1)};
    gpus.devices[0].model = "NVIDIA H100 80GB HBM3";
    gpus.devices[1].pci = "0000:99:00.0";
    gpus.devices[1].driver.clear();
    state.ports[2].gpus = gpus;
    const std::string text = cli::gpus_text(state, {});
    CHECK(text.starts_with(
        "GPU           MODEL                  DRIVER  NUMA  NEAREST  rail0  storage0\n"
        "0000:18:00.0  NVIDIA H100 80GB HBM3  nvidia  0     rail0    PXB    PXB\n"
        "0000:99:00.0  10de:2330              -       1     rail0    SYS    SYS\n"));
    const auto json = Json::parse(cli::gpus_json({"show"}, state));
    CHECK(json["gpus"][0]["ports"]["storage0"] == "PXB");
    CHECK(json["gpus"][0]["nearest"] == Json({"rail0"}));
    CHECK(json["gpus"][1]["driver"].is_null());
}

}  // namespace gpus_test
