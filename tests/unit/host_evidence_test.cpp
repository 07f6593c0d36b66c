// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/capability.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <sys/utsname.h>

#include <filesystem>
#include <fstream>

#include "core/checks/catalogue.hpp"
#include "netlink/rdma/codecs.hpp"
#include "netlink/system/codecs.hpp"
#include "netlink/system/nft_rule.hpp"
#include "tests/unit/own_root.hpp"
#include "tests/unit/wire.hpp"

namespace host_evidence_test {

namespace fs = std::filesystem;

namespace {

constexpr int type_of(int message) {
    return NFNL_SUBSYS_NFTABLES << 8U | message;
}

/// What was made of a rule, in a line.
std::string line(const netlink::NftRule& rule) {
    std::string out = rule.chain + ": " + rule.protocol + ' ' + std::to_string(rule.port_first) +
                      '-' + std::to_string(rule.port_last) + ' ' + rule.verdict;
    if (!rule.beside.empty()) out += " if " + rule.beside;
    if (rule.names_roce()) out += ", names it";
    if (rule.may_be_roce()) out += ", may be it";
    return out;
}

std::vector<std::string> rules_in(const std::string& capture) {
    std::vector<std::string> out;
    for (const netlink::NftRule& rule :
         wire::decoded(capture, type_of(NFT_MSG_NEWRULE), netlink::decode_nft_rule))
        out.push_back(line(rule));
    return out;
}

std::optional<core::LogLine> logged(std::string_view record) {
    return netlink::decode_log_record(std::as_bytes(std::span(record)));
}

}  // namespace

TEST_CASE("firewall: what a rule of nftables means for UDP 4791") {
    CHECK(rules_in("6.18/nft-rules") ==
          std::vector<std::string>{
              "input:  0-65535 accept if interface",
              "input:  0-65535 accept if state of the connection",
              "input: tcp 4791-4791 accept, names it",
              "input: udp 4791-4791 drop, names it, may be it",
              "input: udp 4700-4800 accept if more, names it, may be it",
              "input: udp 0-65535 reject if a set, may be it",
              "input: udp 0-65535 accept if port, may be it",
              "input:  0-65535 jump, may be it",
              "more: udp 0-65535 accept if more, may be it",
              "output:  0-65535 drop, may be it",
              "input: udp 4791-4791 reject, names it, may be it",
          });
    CHECK(rules_in("6.18/nft-iptables-rules") ==
          std::vector<std::string>{"INPUT: udp 4791-4791 drop, names it, may be it",
                                   "INPUT: udp 4700-4800 reject, names it, may be it"});
}

TEST_CASE("firewall: chains that packets pass, and which of them drop by themselves") {
    std::vector<std::string> chains;
    for (const netlink::NftChain& chain :
         wire::decoded("6.18/nft-chains", type_of(NFT_MSG_NEWCHAIN), netlink::decode_nft_chain))
        chains.push_back(chain.family + ' ' + chain.table + ' ' + chain.name + ' ' + chain.hook +
                         (chain.drops ? " drops" : ""));
    CHECK(chains == std::vector<std::string>{"inet filter input input drops",
                                             "inet filter output output", "ip old input input"});
}

TEST_CASE("kernel_log: lines of the kernel that tell of a fault, and no program's") {
    const std::string hot =
        "mlx5_core 0000:1a:00.0: Port module event[error]: module 0, Cable error, High Temperature";
    CHECK(logged("4,812,98123456,-;" + hot + "\n SUBSYSTEM=pci\n") ==
          core::LogLine{.milliseconds = 98123, .kind = "overheating", .text = hot});
    CHECK_FALSE(logged("12,812,98123456,-;" + hot).has_value());  // facility 1: a program's
    CHECK_FALSE(logged("6,1,0,-;Linux version 6.12").has_value());
    for (const char* broken : {"", "4", "4,", "4,812", "4,812,x,-;", "4,812,9,-", "x,1,2,-;High"})
        CHECK_FALSE(logged(broken).has_value());
}

TEST_CASE("kernel_log: the words of drivers, each for its check") {
    const std::map<std::string, std::string> lines = {
        {"aer", "pcieport 0000:00:01.0: AER: Corrected error message received from 0000:01:00.0"},
        {"aer-fatal",
         "mlx5_core 0000:01:00.0: PCIe Bus Error: severity=Uncorrectable (Fatal), "
         "type=Transaction Layer, (Requester ID)"},
        {"slot-power",
         "mlx5_core 0000:01:00.0: mlx5_pcie_event:296:(pid 1): Detected insufficient "
         "power on the PCIe slot (27W)."},
        {"device-fatal",
         "mlx5_core 0000:01:00.0: poll_health:825:(pid 0): device's health compromised - reached "
         "miss count"},
        {"memory-keys",
         "mlx5_core 0000:01:00.0: mlx5_cmd_out_err:803:(pid 9): CREATE_MKEY(0x200) "
         "op_mod(0x0) failed, status limits exceeded(0x8), syndrome (0x59c8a4)"},
        {"gpu-peermem-mismatch",
         "nvidia_peermem: Unknown symbol ib_register_peer_memory_client (err -2)"},
        {"gpu-topology-refused",
         "NVRM: dma-buf attach failed: PCI topology not supported for dma-buf"},
        {"module-mismatch", "mlx5_ib: disagrees about version of symbol mlx5_core_create_mkey"},
        {"module-rejected", "Loading of unsigned module is rejected"},
        {"neighbours-full", "neighbour: arp_cache: neighbor table overflow!"},
        {"pause-storm", "bnxt_en 0000:3b:00.0 ens1f0np0: Pause Storm detected!"},
        {"overheating",
         "mlx5_core 0000:1a:00.0: Port module event[error]: module 0, Cable error, "
         "High Temperature"},
    };
    for (const auto& [kind, text] : lines)
        CHECK(core::kernel_log::kind_of(text) == kind);
    for (const char* refused :
         {"NVRM: dma-buf attach failed: topology not supported for mapping type FORCE_PCIE",
          "NVRM: dma-buf attach failed: importer unable to handle MMIO without struct page"})
        CHECK(core::kernel_log::kind_of(refused) == "gpu-topology-refused");
    CHECK(core::kernel_log::kind_of("nvidia_peermem: disagrees about version of symbol "
                                    "ib_register_peer_memory_client") == "gpu-peermem-mismatch");
    CHECK(core::kernel_log::kind_of("mlx5_core 0000:01:00.0: 252.048 Gb/s available") == "");
    for (const core::kernel_log::Kind& kind : core::kernel_log::kinds()) {
        INFO(kind.name);
        CHECK(lines.contains(std::string(kind.name)));
        // What tells of GPUs has a check of its own name, beside the others of GPUs.
        const std::string check = kind.name.starts_with("gpu-") ? "" : "log-";
        CHECK(core::find_finding(check + std::string(kind.name)) != nullptr);
    }
}

TEST_CASE("processes: which capabilities one has, and what is kept of an environment") {
    const std::string status = "Name:\ttrain\nCapPrm:\t0000000000000000\nCapEff:\t";
    CHECK(netlink::has_capability(status + "0000000000004000\n", CAP_IPC_LOCK));
    CHECK_FALSE(netlink::has_capability(status + "000001ffffffbfff\n", CAP_IPC_LOCK));
    CHECK_FALSE(netlink::has_capability("Name:\ttrain\n", CAP_IPC_LOCK));
    using core::environments::is_kept;
    for (const char* kept :
         {"NCCL_IB_TC=106", "UCX_IB_GID_INDEX=3", "UCX_NET_DEVICES=mlx5_0:1",
          "NVSHMEM_IB_GID_INDEX=3", "NCCL_NET_GDR_LEVEL=PXB", "NCCL_DMABUF_ENABLE=0"})
        CHECK(is_kept(kept));
    for (const char* secret :
         {"AWS_SECRET=x", "NCCL_IB_TC", "UCX_NET_DEVICES_X=1", "PATH=/bin", ""})
        CHECK_FALSE(is_kept(secret));
}

TEST_CASE("rdma_software: what keeps a module from being loaded") {
    CHECK(netlink::kept_from_loading("# blacklist mlx4_ib\nblacklist rdma-rxe\n"
                                     "install bnxt_re /bin/true\ninstall irdma /sbin/modprobe "
                                     "--ignore-install irdma\nblacklist\n") ==
          netlink::Names{"bnxt_re", "rdma_rxe"});
}

TEST_CASE("rdma_software: modules, libraries and device files of a captured tree") {
    const OwnRoot root;
    utsname names{};
    uname(&names);
    const auto write = [&](const fs::path& path, const std::string& text) {
        std::ofstream(root.file(path.string())) << text;
    };
    const fs::path modules = fs::path("lib/modules") / names.release;
    write("proc/modules", "ib_core 1 2 ib_uverbs, Live 0x0\n");
    write("proc/cmdline", "quiet modprobe.blacklist=irdma,siw\n");
    write(modules / "modules.builtin", "kernel/drivers/infiniband/core/ib_uverbs.ko\n");
    write(modules / "modules.dep",
          "kernel/a/mlx5_ib.ko.xz: kernel/b/ib-x.ko.xz\nkernel/a/irdma.ko:\nkernel/a/rdma-cm.ko:\n"
          "kernel/a/bnxt_re.ko:\n");
    write("etc/modprobe.d/bnxt.conf", "");
    write("usr/lib/modprobe.d/bnxt.conf", "blacklist bnxt_re\n");
    write("usr/lib/x86_64-linux-gnu/libibverbs.so.1", "");
    write("usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav34.so", "");
    write("sys/class/infiniband/rxe0/parent", "eth0\n");
    write("sys/class/infiniband/mlx5_0/device/x", "");
    fs::create_directories(root.path() / "sys/bus/pci/drivers/mlx5_core");
    fs::create_symlink("../../../../bus/pci/drivers/mlx5_core",
                       root.path() / "sys/class/infiniband/mlx5_0/device/driver");
    write("sys/module/irdma/parameters/dcqcn_enable", "N\n");
    write("sys/module/irdma/parameters/dcqcn_T", "55\n");
    write("sys/module/irdma/parameters/limits_sel", "3\n");
    write("sys/class/infiniband_verbs/uverbs0/ibdev", "rxe0\n");
    write("sys/class/infiniband_verbs/uverbs1/ibdev", "mlx5_0\n");
    write("sys/class/infiniband_verbs/abi_version", "6\n");
    write("dev/infiniband/uverbs0", "");
    fs::permissions(root.path() / "dev/infiniband/uverbs0", fs::perms(0640));

    netlink::Machine machine(root.path());
    core::Port host(core::kHost);
    netlink::read_rdma_software(machine, {}, host);
    REQUIRE(host.rdma_software);
    const core::RdmaSoftware& found = *host.rdma_software;
    std::map<std::string, std::string, std::less<>> expected = {
        {"ib_core", "loaded"},    {"ib_uverbs", "built in"},   {"mlx5_ib", "on disk"},
        {"irdma", "blacklisted"}, {"siw", "not on disk"},      {"rdma_cm", "on disk"},
        {"bnxt_re", "on disk"},   {"rdma_ucm", "not on disk"}, {"rdma_rxe", "not on disk"}};
    for (const core::Driver* driver : core::drivers())
        expected.emplace(driver->rdma_software.module, "not on disk");
    expected.erase("");
    CHECK(found.modules == expected);
    CHECK(found.parameters == std::map<std::string, std::string, std::less<>>{
                                  {"irdma dcqcn_T", "55"}, {"irdma dcqcn_enable", "N"}});
    const std::string libraries = "/usr/lib/x86_64-linux-gnu";
    CHECK(found.providers == std::map<std::string, std::string, std::less<>>{
                                 {"libibverbs", libraries + "/libibverbs.so.1"},
                                 {"rxe0", libraries + "/libibverbs/librxe-rdmav34.so"},
                                 {"mlx5_0", "none"}});
    REQUIRE(found.nodes.size() == 2);
    CHECK(found.nodes[0].name == "uverbs0");
    CHECK(found.nodes[0].mode == "0640");
    CHECK(found.nodes[0].refused.empty());
    CHECK(found.nodes[1].mode.empty());
    CHECK(found.nodes[1].refused.find("No such file") != std::string::npos);
}

}  // namespace host_evidence_test
