// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/pci_regs.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/views/gpus.hpp"
#include "cli/views/json.hpp"
#include "core/checks/catalogue.hpp"
#include "core/checks/evidence.hpp"
#include "core/gpus/gpu_direct.hpp"
#include "core/gpus/pci_distance.hpp"
#include "core/json/json.hpp"
#include "netlink/files/codecs.hpp"
#include "tests/unit/own_root.hpp"
#include "verbs/dmabuf.hpp"

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
    [[nodiscard]] GpuDirect read_direct() const {
        netlink::Machine machine(root_.path());
        Port host(kHost);
        netlink::read_gpu_direct(machine, {}, host);
        return host.gpu_direct.value();
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
    CHECK(found.data_direct.empty());
}

TEST_CASE(
    "gpus: the function of ConnectX-8 behind the GPU's root port, with the bridges above it") {
    Bus bus;
    const std::string root = "pci0009:00/0009:00:00.0";
    bus.add(root, "0x10de", "0x22b1");
    bus.add(root + "/0009:01:00.0", "0x15b3", "0x197b");
    bus.add(root + "/0009:01:00.0/0009:02:01.0", "0x15b3", "0x197b");
    const std::string way = root + "/0009:01:00.0/0009:02:01.0/0009:03:00.0";
    bus.add(way, "0x15b3", "0x2100", "0x080100");
    bus.write("/sys/kernel/iommu_groups/7/type", "DMA");
    std::filesystem::create_directory_symlink(
        "/sys/kernel/iommu_groups/7", bus.root().file("/sys/devices/" + way + "/iommu_group"));
    CHECK(bus.read() == Gpus{});  // no GPU, and so of no use
    bus.add(root + "/0009:01:00.0/0009:02:02.0", "0x15b3", "0x197b");
    bus.add(root + "/0009:01:00.0/0009:02:02.0/0009:06:00.0", "0x10de", "0x31c2", "0x030200");
    const Gpus found = bus.read();
    REQUIRE(found.data_direct.size() == 1);
    CHECK(found.data_direct[0] ==
          DataDirect{.pci = "0009:03:00.0", .above = "0009:02:01.0", .iommu_group = 7});
    REQUIRE(found.bridges.size() == 4);
    CHECK(GpuBus(found).share_bridge(found.devices.at(0), found.data_direct[0]));
}

TEST_CASE(
    "gpu_direct: driver, peer memory and the kernel's configuration, where a driver is loaded") {
    Bus bus;
    bus.write("/sys/kernel/mm/memory_peers/nv_mem/version", "1.0");
    bus.write("/proc/sys/kernel/osrelease", "6.8.0-90-generic");
    bus.write("/boot/config-6.8.0-90-generic",
              "CONFIG_PCI_P2PDMA=y\n# CONFIG_DMABUF_MOVE_NOTIFY is not set\n"
              "CONFIG_DMA_SHARED_BUFFER=y\nCONFIG_HSA_AMD_P2P=\"y\"\n"
              "CONFIG_INFINIBAND_ON_DEMAND_PAGING=m");
    CHECK(bus.read_direct() == GpuDirect{});
    bus.write("/sys/module/nvidia/version", "580.95.05");
    bus.write("/proc/driver/nvidia/version",
              "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build\n"
              "GCC version:  gcc version 13.3.0");
    bus.write("/sys/module/nvidia_peermem/version", "580.95.05");
    CHECK(bus.read_direct() ==
          GpuDirect{.drivers = {{.name = "nvidia", .version = "580.95.05", .flavour = "open"}},
                    .peer_modules = {"nvidia_peermem"},
                    .peer_clients = {"nv_mem"},
                    .kernel_options = GpuDirect::Options{{"DMABUF_MOVE_NOTIFY", "n"},
                                                         {"DMA_SHARED_BUFFER", "y"},
                                                         {"HSA_AMD_P2P", "n"},
                                                         {"INFINIBAND_ON_DEMAND_PAGING", "m"},
                                                         {"PCI_P2PDMA", "y"}}});
}

TEST_CASE("gpu_direct: the proprietary flavour, AMD's driver, the other places, and none") {
    Bus bus;
    bus.write("/sys/module/nvidia/version", "550.54.15");
    bus.write("/proc/driver/nvidia/version",
              "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC "
              "2024");
    bus.write("/sys/module/amdgpu/refcnt", "0");
    bus.write("/sys/module/nv_peer_mem/version", "1.3");
    bus.write("/sys/kernel/memory_peers/amdkfd/version", "1.0");
    bus.write("/sys/memory_peers/version", "a file is no client");
    bus.write("/proc/sys/kernel/osrelease", "7.3.0");
    GpuDirect found = bus.read_direct();
    CHECK(
        found ==
        GpuDirect{.drivers = {{.name = "nvidia", .version = "550.54.15", .flavour = "proprietary"},
                              {.name = "amdgpu"}},
                  .peer_modules = {"nv_peer_mem"},
                  .peer_clients = {"amdkfd"},
                  .kernel_options = std::nullopt});
    bus.write("/usr/lib/modules/7.3.0/config", "CONFIG_PCI_P2PDMA=y");
    found = bus.read_direct();
    REQUIRE(found.kernel_options);
    CHECK(found.kernel_options->at("PCI_P2PDMA") == "y");
}

TEST_CASE("dmabuf: what the errno of a registration without a dma-buf says") {
    CHECK(verbs::answer_of(EBADF) == dmabuf::kYes);
    CHECK(verbs::answer_of(EOPNOTSUPP) == dmabuf::kNotByDriver);
    CHECK(verbs::answer_of(EPROTONOSUPPORT) == dmabuf::kNotByKernel);
    for (const int other : {0, EINVAL, EPERM, ENOMEM, ENOSYS})
        CHECK(verbs::answer_of(other).empty());
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

namespace {

/// A host on which NVIDIA's open modules, the NIC and the kernel all know dma-buf.
struct Machine {
    State state{.host = {.name = "node1", .kernel = "6.8.0"}};
    Machine() {
        Port host(kHost);
        host.gpus = machine();
        host.gpus->devices = {gpu("down1")};
        host.gpus->devices[0].model = "NVIDIA H100 80GB HBM3";
        host.gpu_direct =
            GpuDirect{.drivers = {{.name = "nvidia", .version = "580.95.05", .flavour = "open"},
                                  {.name = "amdgpu"}},
                      .kernel_options = GpuDirect::Options{{"DMABUF_MOVE_NOTIFY", "y"},
                                                           {"DMA_SHARED_BUFFER", "y"},
                                                           {"HSA_AMD_P2P", "y"},
                                                           {"INFINIBAND_ON_DEMAND_PAGING", "y"},
                                                           {"PCI_P2PDMA", "y"}}};
        Port nic = port("down2");
        nic.device = Device{.driver = "mlx5_core", .firmware = {}};
        nic.dmabuf = "yes";
        state.ports = {nic, host};
    }
    Port& nic() { return state.ports[0]; }
    Gpus& gpus() { return *state.ports[1].gpus; }
    Gpu& card() { return gpus().devices[0]; }
    GpuDirect& direct() { return *state.ports[1].gpu_direct; }
    GpuDriver& nvidia() { return direct().drivers[0]; }
    GpuDirect::Options& options() { return *direct().kernel_options; }
    void take_amd() { card().driver = "amdgpu"; }
    /// On Grace, with no switch between the two.
    void put_on_grace() {
        card().above = "other";
        nic() = [this] {
            Port far = nic();
            far.pcie_path = PciePath{{.pci = far.link->pci}, {.pci = "root", .hops = 1}};
            return far;
        }();
    }
    void add_data_direct(std::uint32_t group) {
        card().model = "NVIDIA GB300";
        card().iommu_group = 12;
        gpus().data_direct = {{.pci = "0009:03:00.0", .above = card().above, .iommu_group = group}};
    }
};

/// What is changed on that host, and what is concluded then.
struct Row {
    std::string verdict{};  ///< as `show --gpus` prints it
    std::string reason{};   ///< what it has in it
    std::function<void(Machine&)> change{};
};

const std::vector<Row> kRows = {
    {"not ready", "given to a virtual machine", [](Machine& m) { m.card().driver = "vfio-pci"; }},
    {"not ready", "no driver", [](Machine& m) { m.card().driver.clear(); }},
    {"not ready", "no driver", [](Machine& m) { m.card().driver = "nouveau"; }},
    {"not applicable", "no memory but", [](Machine& m) { m.card().model = "NVIDIA GB10"; }},
    {"not applicable", "RoCE of its own",
     [](Machine& m) {
         m.card().id = "1da3:1020";
         m.card().driver = "habanalabs";
     }},
    {"unknown", "not known here", [](Machine& m) { m.card().driver = "xe"; }},
    {"unknown", "no port", [](Machine& m) { m.nic().pcie_path.reset(); }},
    {"not ready", "made by software", [](Machine& m) { m.nic().rdma_link->type = "rxe"; }},
    {"not ready", "made by software", [](Machine& m) { m.nic().rdma_link->type = "siw"; }},
    {"unknown", "GeForce", [](Machine& m) { m.card().model = "NVIDIA GeForce RTX 4090"; }},
    {"unknown", "were not read", [](Machine& m) { m.state.ports[1].gpu_direct.reset(); }},
    {"not ready (dma-buf)", "a card on Grace", [](Machine& m) { m.put_on_grace(); }},
    {"unknown (dma-buf)", "may refuse it",
     [](Machine& m) {
         m.put_on_grace();
         m.card().model.clear();
     }},
    {"ready (dma-buf)", "",
     [](Machine& m) {
         m.put_on_grace();
         m.card().model = "NVIDIA GB200";
     }},
    {"ready (dma-buf)", "",
     [](Machine& m) {
         m.put_on_grace();
         m.nvidia().version = "570.172.08";
     }},
    {"unknown (dma-buf)", "may refuse it",
     [](Machine& m) {
         m.put_on_grace();
         m.gpus().bridges.back().id = "1def:e100";
     }},
    {"not ready (data direct)", "different IOMMU groups",
     [](Machine& m) { m.add_data_direct(13); }},
    {"ready (data direct)", "", [](Machine& m) { m.add_data_direct(12); }},
    // NVIDIA's driver compares the groups for coherent GPUs alone, and others go by dma-buf.
    {"ready (dma-buf)", "",
     [](Machine& m) {
         m.add_data_direct(13);
         m.card().model = "NVIDIA B300 SXM6 AC";
     }},
    {"ready (dma-buf)", "",
     [](Machine& m) {
         m.add_data_direct(12);
         m.nvidia().version = "565.57.01";
     }},
    {"ready (dma-buf)", "", [](Machine& /*m*/) {}},
    // NCCL takes dma-buf where both are there.
    {"ready (dma-buf)", "", [](Machine& m) { m.direct().peer_modules = {"nvidia_peermem"}; }},
    {"not ready", "CONFIG_DMA_SHARED_BUFFER",
     [](Machine& m) { m.options()["DMA_SHARED_BUFFER"] = "n"; }},
    {"ready (peer memory)", "",
     [](Machine& m) {
         m.direct().peer_modules = {"nvidia_peermem"};
         m.nvidia().flavour = "proprietary";
     }},
    {"ready (peer memory)", "",
     [](Machine& m) {
         m.direct().peer_modules = {"nvidia_peermem"};
         m.nic().dmabuf = "not by driver";
     }},
    {"ready (peer memory)", "",
     [](Machine& m) {
         m.direct().peer_clients = {"nv_mem"};
         m.nvidia().flavour = "proprietary";
     }},
    {"unknown (peer memory)", "whether this NIC takes",
     [](Machine& m) {
         m.direct().peer_modules = {"nvidia_peermem"};
         m.nvidia().flavour = "proprietary";
         m.nic().device->driver = "bnxt_en";
     }},
    {"not ready", "proprietary modules", [](Machine& m) { m.nvidia().flavour = "proprietary"; }},
    {"not ready", "NIC's driver", [](Machine& m) { m.nic().dmabuf = "not by driver"; }},
    {"not ready", "the kernel takes no", [](Machine& m) { m.nic().dmabuf = "not by kernel"; }},
    {"not ready", "libibverbs", [](Machine& m) { m.nic().dmabuf = "not by library"; }},
    {"unknown (dma-buf)", "did not tell", [](Machine& m) { m.nic().dmabuf.reset(); }},
    {"unknown (dma-buf)", "open modules of 515", [](Machine& m) { m.nvidia().flavour.clear(); }},
    {"unknown (dma-buf)", "open modules of 515", [](Machine& m) { m.nvidia().version = "510.47"; }},
    {"ready (dma-buf)", "", [](Machine& m) { m.take_amd(); }},
    {"ready (peer memory)", "",
     [](Machine& m) {
         m.take_amd();
         m.direct().peer_clients = {"amdkfd"};
         m.nic().dmabuf.reset();
     }},
    {"not ready", "NIC's driver",
     [](Machine& m) {
         m.take_amd();
         m.nic().dmabuf = "not by driver";
     }},
    {"not ready (dma-buf)", "CONFIG_PCI_P2PDMA",
     [](Machine& m) {
         m.take_amd();
         m.options()["PCI_P2PDMA"] = "n";
     }},
    {"not ready (dma-buf)", "CONFIG_DMABUF_MOVE_NOTIFY",
     [](Machine& m) {
         m.take_amd();
         m.options()["DMABUF_MOVE_NOTIFY"] = "n";
     }},
    {"ready (dma-buf)", "",
     [](Machine& m) {
         m.take_amd();
         m.options()["DMABUF_MOVE_NOTIFY"] = "n";
         m.state.host.kernel = "7.1.0";
     }},
    {"unknown (dma-buf)", "which kernel",
     [](Machine& m) {
         m.take_amd();
         m.options()["DMABUF_MOVE_NOTIFY"] = "n";
         m.state.host.kernel.clear();
     }},
    {"unknown (dma-buf)", "no file tells how",
     [](Machine& m) {
         m.take_amd();
         m.direct().kernel_options.reset();
     }},
    {"unknown (dma-buf)", "did not tell",
     [](Machine& m) {
         m.take_amd();
         m.nic().dmabuf.reset();
     }},
    {"unknown (dma-buf)", "by way of the processor",
     [](Machine& m) {
         m.take_amd();
         m.put_on_grace();
     }},
};

}  // namespace

TEST_CASE("gpu direct: the first row of the table that fits decides, and each decides somewhere") {
    std::set<const GpuDirectVerdict*> met;
    for (const Row& row : kRows) {
        Machine one;
        row.change(one);
        const GpuBus bus(one.gpus());
        const NearestPorts nearest = nearest_ports(one.card(), bus, {&one.nic()});
        const GpuDirectVerdict& found = gpu_direct_verdict(
            one.state, bus, one.card(), nearest.ports.empty() ? nullptr : nearest.ports.front());
        met.insert(&found);
        const std::string way = found.way.empty() ? "" : " (" + std::string(found.way) + ")";
        INFO(row.verdict, ": ", row.reason);
        CHECK(std::string(text(found.state)) + way == row.verdict);
        CHECK(found.reason.find(row.reason) != std::string_view::npos);
        CHECK((found.state == GpuDirectState::ready) == found.reason.empty());
        // The text and the document say the same.
        CHECK(cli::gpus_text(one.state, {}).find(std::string(row.verdict)) != std::string::npos);
        const auto json = Json::parse(cli::gpus_json({"show"}, one.state));
        CHECK(json["gpus"][0]["gpudirect"]["verdict"] == std::string(text(found.state)));
    }
    for (const GpuDirectVerdict& row : gpu_direct_verdicts())
        CHECK_MESSAGE(met.contains(&row), row.way, ": ", row.reason);
}

namespace {

/// The texts of what the check finds on the host.
std::vector<std::string> found_by(const char* check, const Machine& one) {
    std::vector<const Port*> ports;
    for (const Port& each : one.state.ports)
        if (each.name != kHost) ports.push_back(&each);
    const Evidence evidence{
        .now = find_port(one.state, kHost), .state = &one.state, .fabric_ports = ports};
    std::vector<std::string> out;
    for (const Fault& fault : find_finding(check)->run(evidence))
        out.push_back(fault.text);
    return out;
}

}  // namespace

TEST_CASE("gpu direct: it is absent where no port has it, and not where that is not known") {
    CHECK(found_by("gpu-direct-absent", Machine()).empty());
    for (const Row& row : kRows) {
        Machine one;
        row.change(one);
        INFO(row.verdict, ": ", row.reason);
        const bool is_here = !one.card().driver.empty() && one.card().driver != "nouveau" &&
                             one.card().driver != "vfio-pci";
        CHECK(found_by("gpu-direct-absent", one).empty() !=
              (is_here && row.verdict.starts_with("not ready")));
    }
    Machine two;
    two.nvidia().flavour = "proprietary";
    two.gpus().devices.push_back(two.card());
    CHECK(found_by("gpu-direct-absent", two) ==
          std::vector<std::string>{
              "no port reaches the memory of GPU 0000:18:00.0 (NVIDIA H100 80GB HBM3), and of 1 "
              "more, by itself: NVIDIA's proprietary modules give no dma-buf, and nvidia_peermem "
              "is not loaded"});
    two.state.ports.insert(two.state.ports.begin() + 1, two.nic());
    two.state.ports[1].name = "storage0";
    CHECK(found_by("gpu-direct-absent", two).size() == 1);
}

TEST_CASE("gpu direct: a verdict is about the nearest port with an RDMA device") {
    Machine one;
    const GpuBus bus(one.gpus());
    Port bare = one.nic();
    bare.rdma_link.reset();
    CHECK(gpu_direct_port(bus, one.card(), {&bare, &one.nic()}) == &one.nic());
    CHECK(gpu_direct_port(bus, one.card(), {&bare}) == nullptr);
}

TEST_CASE("gpu direct: variables of NCCL forbid what it would do, or change nothing") {
    const auto found = [](Machine one, const std::string& name, const std::string& value) {
        one.state.ports.back().environments.emplace();
        one.state.ports.back().nccl = Nccl{{name, value}};
        return found_by("gpu-gdr-forbidden", one).size();
    };
    const auto level = [&found](const Machine& one, const std::string& value) {
        return found(one, "NCCL_NET_GDR_LEVEL", value);
    };
    Machine one;
    for (const char* low : {"LOC", "0", "NVL"})
        CHECK(level(one, low) == 1);
    for (const char* enough : {"PIX", "1", "PXB", "PHB", "SYS", "", "pix"})
        CHECK(level(one, enough) == 0);
    one.card().above = "low1";  // PXB
    CHECK(level(one, "PIX") == 1);
    CHECK(level(one, "PXB") == 0);
    one.put_on_grace();  // PHB, or P2C by NVLink-C2C
    for (const char* low : {"PIX", "PXB", "2"})
        CHECK(level(one, low) == 1);
    for (const char* enough : {"P2C", "PHB", "3", "SYS"})
        CHECK(level(one, enough) == 0);
    one.gpus().bridges.back().id = "8086:352a";  // which NCCL would not use it over
    CHECK(level(one, "LOC") == 0);
    CHECK(found(one, "NCCL_DMABUF_ENABLE", "0") == 1);
    CHECK(found(one, "NCCL_DMABUF_ENABLE", "1") == 0);
    one.direct().peer_modules = {"nvidia_peermem"};
    CHECK(found(one, "NCCL_DMABUF_ENABLE", "0") == 0);
}

TEST_CASE("gpu direct: GPU and function of data direct are to be in one IOMMU group") {
    Machine one;
    one.add_data_direct(12);
    CHECK(found_by("gpu-iommu-group", one).empty());
    one.gpus().data_direct[0].iommu_group = 13;
    CHECK(found_by("gpu-iommu-group", one).size() == 1);
    one.card().model = "NVIDIA B300 SXM6 AC";  // which no function of data direct serves
    CHECK(found_by("gpu-iommu-group", one).empty());
    one.card().model = "AMD Instinct MI300X";
    CHECK(found_by("gpu-iommu-group", one).empty());
    one.card().model = "NVIDIA GB300";
    one.gpus().data_direct[0].above = "other";  // another GPU's
    CHECK(found_by("gpu-iommu-group", one).empty());
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
        "GPU           MODEL                  DRIVER  NUMA  NEAREST  GPUDIRECT  rail0  storage0\n"
        "0000:18:00.0  NVIDIA H100 80GB HBM3  nvidia  0     rail0    unknown    PXB    PXB\n"
        "0000:99:00.0  10de:2330              -       1     rail0    not ready  SYS    SYS\n"
        "\n"
        "0000:18:00.0 and rail0: the driver's version and peer memory were not read\n"
        "0000:99:00.0 and rail0: no driver that computes has the GPU; load the vendor's "
        "driver\n"));
    const auto json = Json::parse(cli::gpus_json({"show"}, state));
    CHECK(json["gpus"][0]["ports"]["storage0"] == "PXB");
    CHECK(json["gpus"][0]["nearest"] == Json({"rail0"}));
    CHECK(json["gpus"][1]["driver"].is_null());
    CHECK(json["gpus"][1]["gpudirect"] == Json{{"port", "rail0"},
                                               {"verdict", "not ready"},
                                               {"way", nullptr},
                                               {"reason", "no driver that computes has the GPU"},
                                               {"remedy", "load the vendor's driver"}});
}

}  // namespace gpus_test
