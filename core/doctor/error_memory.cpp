// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/error_texts.hpp"

namespace core::error_text {
namespace {

/// Memory of GPUs that is registered with a NIC: ibv_reg_mr asks the peer-memory module of a
/// vendor's RDMA stack (ib_umem_get, drivers/infiniband/core/umem.c, pins pages of the process
/// alone, Linux 6.12), ibv_reg_dmabuf_mr takes a dma-buf of the GPU's driver (ib_umem_dmabuf_get,
/// umem_dmabuf.c).
constexpr std::array kMemory = {
    ErrorText{
        .name = "gpu-memory-not-pinned",
        .by = "a call of ibv_reg_mr: NCCL, UCX, Mooncake, perftest",
        .patterns = "ibv_reg_mr*bad address\n"
                    "ibv_reg_mr*efault\n"
                    "couldn't allocate mr*bad address\n"
                    "register memory*bad address\n"
                    "memory registration*bad address",
        .sample = "NCCL WARN Call to ibv_reg_mr_iova2 failed with error Bad address",
        .meaning = "The memory is a GPU's, and nothing gives it to the NIC: neither a peer-memory "
                   "module nor "
                   "dma-buf.",
        .candidates =
            "gpu-direct-absent\n"
            "GPU of NVIDIA: nvidia_peermem is not loaded (modprobe nvidia_peermem), or the "
            "program does not take dma-buf, which the open driver offers on Linux 5.12 and later\n"
            "GPU of AMD: RCCL took peer memory for there, and no client of it is: RCCL of 2026 "
            "looks better; or amdgpu was built without peer-to-peer DMA (CONFIG_PCI_P2PDMA)\n"
            "no GPU in the program: the address was unmapped before it was registered",
        .mistaken = "no limit of locked memory does this: that is ENOMEM, Cannot allocate memory"},
    ErrorText{.name = "gpu-memory-refused",
              .by = "a call of ibv_reg_mr: NCCL",
              .patterns = "ibv_reg_mr*invalid argument\n"
                          "ibv_reg_mr*einval",
              .sample = "NCCL WARN Call to ibv_reg_mr_iova2 failed with error Invalid argument",
              .meaning =
                  "The memory is a GPU's, and what gives it to the NIC as peer memory refuses this "
                  "kind: NCCL allocates by the GPU's virtual memory management.",
              .candidates = "a newer driver of the GPU, or dma-buf in place of nvidia_peermem\n"
                            "NCCL_CUMEM_ENABLE=0 tells: then NCCL allocates as before\n"
                            "gpu-direct-absent"},
    ErrorText{
        .name = "gpu-dma-buf-missing",
        .by = "NCCL, RCCL, NVSHMEM, UCX",
        .patterns = "ibv_reg_dmabuf_mr*not supported\n"
                    "ibv_reg_dmabuf_mr*failed\n"
                    "dma buf support required\n"
                    "dma buf supported required\n"
                    "dmabuf*not supported",
        .sample = "NCCL WARN Call to ibv_reg_dmabuf_mr failed with error Operation not supported",
        .meaning =
            "The kernel, the GPU's driver or the NIC's driver does not offer dma-buf for the "
            "GPU's memory.",
        .candidates =
            "gpu-direct-absent\n"
            "the GPU's driver: NVIDIA's open modules offer it, the closed ones do not\n"
            "the kernel: Linux 5.12 or later; for amdgpu CONFIG_PCI_P2PDMA, and before 7.1 "
            "CONFIG_DMABUF_MOVE_NOTIFY\n"
            "the NIC's driver: of rdma-core and kernel both; mlx5, irdma, bnxt_re and efa offer "
            "it\n"
            "nvidia_peermem instead, with the vendor's RDMA stack",
        .mistaken = "nothing of the fabric is at fault; NCCL goes on through host memory, slower"},
    ErrorText{
        .name = "gpu-direct-too-far",
        .by = "NCCL",
        .patterns = "gpu direct rdma disabled*distance",
        .sample = "NCCL INFO NET/IB : GPU Direct RDMA Disabled for GPU 0 / HCA 0 (distance 4 >= 4)",
        .meaning =
            "The NIC is further from the GPU than NCCL allows for direct access, so data goes "
            "through host memory.",
        .candidates =
            "each GPU is to use the NIC below its own PCIe switch: which NIC the process may use "
            "(NCCL_IB_HCA, the container, CUDA_VISIBLE_DEVICES)\n"
            "a virtual machine or container hides the real PCIe topology (NCCL_TOPO_FILE)\n"
            "gpu-far\n"
            "gpu-gdr-forbidden\n"
            "app-device-missing",
        .mistaken = "NCCL_NET_GDR_LEVEL=SYS allows it over any distance, and can be slower than "
                    "host memory"},
    ErrorText{
        .name = "gpu-direct-off",
        .by = "NCCL",
        .patterns = "gpu direct rdma disabled",
        .sample = "NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'",
        .meaning = "NCCL found neither a peer-memory module nor dma-buf for this NIC, so data goes "
                   "through host memory.",
        .candidates = "gpu-direct-absent\n"
                      "gpu-gdr-forbidden\n"
                      "GPU of NVIDIA: dma-buf takes its open modules and Linux 5.12 or later; else "
                      "nvidia_peermem is to be loaded (modprobe nvidia_peermem)\n"
                      "nvidia_peermem is loaded: NCCL before 2.23 looks for it in "
                      "/sys/kernel/mm/memory_peers alone, which newer ib_core lacks",
        .mistaken = "the line is of the devices alone, and says nothing of how far they are "
                    "apart"},
    ErrorText{.name = "gpu-direct-possible",
              .by = "NCCL",
              .patterns = "gpu direct rdma enabled\n"
                          "dma-buf is available on gpu device",
              .sample = "NCCL INFO DMA-BUF is available on GPU device 0",
              .meaning = "One side of GPUDirect RDMA is there, the NIC's or the GPU's: not that it "
                         "is used.",
              .candidates = "what is used: /GDRDMA at the end of the lines with via NET/IB\n"
                            "gpu-direct-absent\n"
                            "gpu-far\n"
                            "gpu-gdr-forbidden",
              .common = true},
    ErrorText{
        .name = "gpu-acs-guessed",
        .by = "NCCL",
        .patterns = "acs is enabled which would break gpu direct rdma\n"
                    "nccl_net_gdr_level 0 to disable acs",
        .sample = "NCCL INFO HINT: In many cases this error occurs when ACS is enabled which would "
                  "break GPU Direct RDMA protocol.",
        .meaning =
            "NCCL's guess at a local protection error (status 4), which the line before has.",
        .candidates = "gpu-acs\n"
                      "iommu-translating\n"
                      "the program: memory that was freed or registered anew while the NIC used it",
        .mistaken =
            "NCCL_NET_GDR_LEVEL=0 changes nothing of ACS: it turns GPUDirect RDMA off, which "
            "tells whether it is at fault"},
    ErrorText{
        .name = "gpu-data-direct-library",
        .by = "NCCL",
        .patterns = "failed to open mlx5dv symbols\n"
                    "direct-nic will be disabled",
        .sample = "NCCL INFO NET/IB : Failed to open mlx5dv symbols. Advance features like CX-8 "
                  "Direct-NIC will be disabled.",
        .meaning = "libmlx5 has not what data direct of ConnectX-8 takes.",
        .candidates = "rdma-core 54 or later, in the container that the program runs in\n"
                      "a host without functions of data direct (host.data_direct of a snapshot) "
                      "loses nothing"},
    ErrorText{
        .name = "gpu-dma-buf-refused",
        .by = "the kernel: NVIDIA's driver",
        .patterns = "dma-buf attach failed",
        .sample = "NVRM: dma-buf attach failed: topology not supported for mapping type FORCE_PCIE",
        .meaning =
            "NVIDIA's driver refused a NIC the GPU's memory for where the two are on the bus, "
            "or for what the NIC's driver can.",
        .candidates =
            "gpu-iommu-group\n"
            "gpu-topology-refused\n"
            "PCI topology not supported: a card on Grace, Ampere Altra or AmpereOne, and no switch "
            "that it shares with the NIC\n"
            "mapping type FORCE_PCIE: IOMMU groups that differ; before driver 595 "
            "NVreg_GrdmaPciTopoCheckOverride=1 of the module nvidia, where the platform's vendor "
            "says so\n"
            "MMIO without struct page: a newer driver of the NIC"},
    ErrorText{
        .name = "gpu-peers-apart",
        .by = "the kernel",
        .patterns = "acs redirect is set between the client and provider\n"
                    "host bridge not in p2pdma whitelist\n"
                    "is not in p2pdma whitelist",
        .sample = "mlx5_core 0000:19:00.0: ACS redirect is set between the client and provider "
                  "(0000:18:00.0)",
        .meaning = "The kernel does not let the two devices reach each other on the bus.",
        .candidates = "gpu-acs\n"
                      "gpu-far\n"
                      "the same switch for both; the command line that the kernel names beside"},
    ErrorText{
        .name = "peer-memory-other-stack",
        .by = "the kernel",
        .patterns = "unknown symbol ib_register_peer_memory_client\n"
                    "nvidia_peermem*unknown symbol\n"
                    "nvidia_peermem*invalid argument\n"
                    "nv_peer_mem*unknown symbol",
        .sample = "nvidia_peermem: Unknown symbol ib_register_peer_memory_client (err -2)",
        .meaning = "The module needs the peer-memory interface of a vendor's RDMA stack, and the "
                   "ib_core that "
                   "is loaded has none.",
        .candidates =
            "take dma-buf instead: NVIDIA's open modules and Linux 5.12 or later need no such "
            "module\n"
            "install the vendor's stack (DOCA-OFED) for the kernel that runs, and then build the "
            "GPU's driver again\n"
            "gpu-peermem-mismatch\n"
            "log-module-mismatch",
        .mistaken = "loading it by force cannot help: the kernel has no such function"},
};

}  // namespace

const std::span<const ErrorText> memory = kMemory;

}  // namespace core::error_text
