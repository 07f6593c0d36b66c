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
            "GPU of NVIDIA: nvidia_peermem is not loaded (modprobe nvidia_peermem), or the "
            "program does not take dma-buf, which the open driver offers on Linux 5.12 and later\n"
            "GPU of AMD: amdgpu was built without peer-to-peer DMA (CONFIG_HSA_AMD_P2P, "
            "CONFIG_PCI_P2PDMA)\n"
            "no GPU in the program: the address was unmapped before it was registered",
        .mistaken = "no limit of locked memory does this: that is ENOMEM, Cannot allocate memory"},
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
            "the kernel: CONFIG_DMABUF_MOVE_NOTIFY and CONFIG_PCI_P2PDMA\n"
            "the GPU's driver: NVIDIA's open modules offer it, the closed ones do not\n"
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
            "app-device-missing",
        .mistaken = "NCCL_NET_GDR_LEVEL=SYS allows it over any distance, and can be slower than "
                    "host memory"},
    ErrorText{.name = "gpu-direct-off",
              .by = "NCCL",
              .patterns = "gpu direct rdma disabled",
              .sample = "NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'",
              .meaning =
                  "NCCL found neither a peer-memory module nor dma-buf for this NIC, so data goes "
                  "through host memory.",
              .candidates =
                  "GPU of NVIDIA: nvidia_peermem is not loaded (modprobe nvidia_peermem)\n"
                  "dma-buf: NVIDIA's open modules, and a kernel with CONFIG_DMABUF_MOVE_NOTIFY and "
                  "CONFIG_PCI_P2PDMA\n"
                  "NCCL_DMABUF_ENABLE=0 or NCCL_NET_GDR_LEVEL=LOC in the environment or nccl.conf"},
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
            "log-module-mismatch",
        .mistaken = "loading it by force cannot help: the kernel has no such function"},
};

}  // namespace

const std::span<const ErrorText> memory = kMemory;

}  // namespace core::error_text
