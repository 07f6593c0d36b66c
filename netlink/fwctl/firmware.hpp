// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/objects/rdma/parts.hpp"
#include "netlink/transport/attributes.hpp"

// What fwctl hands on to a NIC's firmware and back, by the layouts that vendors publish.

namespace netlink {

/// A request, and how many bytes its answer may have.
struct FirmwareRequest {
    std::string_view name{};  ///< as the vendor calls it
    std::vector<std::byte> bytes{};
    std::uint32_t answer = 0;
};

// mlx5: 32-bit words with the upper byte first (include/linux/mlx5/mlx5_ifc.h, Linux 7.3).

/// Parts of congestion control, by their number as cong_protocol (drivers/infiniband/hw/mlx5/cong.c
/// enum mlx5_ib_cong_node_type, Linux 7.3).
enum class CongestionPoint : std::uint8_t { reaction = 1, notification = 2 };

/// QUERY_CONG_STATUS for a priority 0..7 (struct mlx5_ifc_query_cong_status_in_bits).
FirmwareRequest cong_status_request(CongestionPoint point, unsigned priority);
/// QUERY_CONG_PARAMS (struct mlx5_ifc_query_cong_params_in_bits).
FirmwareRequest cong_params_request(CongestionPoint point);
/// A read of the register ROCE_ACCL by ACCESS_REG, with the number and the size that NVIDIA
/// publishes (mstflint 4.36, tools_layouts/adb/prm/hca/ext/register_access_table.adb, node
/// roce_accl_reg_ext).
FirmwareRequest roce_accl_request();
/// Items of stored configuration, of the class of a physical port, by their numbers (mstflint 4.36,
/// mlxconfig/mlxconfig_dbs/mlxconfig_host.db, nv_roce_cc and nv_roce_cc_ecn).
enum class StoredItem : std::uint16_t { roce_cc = 0x107, roce_cc_ecn = 0x108 };
/// A read of an item by the register MNVDA, as it is for the NIC's next start, of a port from 1
/// (drivers/net/ethernet/mellanox/mlx5/core/lib/nv_param.c struct mlx5_ifc_mnvda_reg_bits, Linux
/// 7.3, and the same table of registers, node configuration_item_type_class_physical_port_ext).
FirmwareRequest stored_request(StoredItem item, unsigned port);

/// Why the firmware refused, as `bad parameter (status 0x3, syndrome 0x1c4)`; empty where it
/// answered. What is too short for a status is a refusal (struct mlx5_ifc_mbox_out_hdr_bits,
/// drivers/fwctl/mlx5/main.c; cmd.c cmd_status_str).
std::string decode_mlx5_refusal(Bytes answer);
/// Whether the point is on for the priority that was asked of; nothing where the answer is too
/// short.
std::optional<bool> decode_cong_status(Bytes answer);
/// The numbers of the point, by the names that the driver's debugfs has for them; none where the
/// answer is too short.
core::Fwctl::Numbers decode_cong_params(Bytes answer, CongestionPoint point);
/// Those that the NIC has a choice of, by NVIDIA's names.
core::Fwctl::Switches decode_roce_accl(Bytes answer);
/// The values of the item, by mlxconfig's names with `_P` and the port; none beyond the length
/// that the answer tells.
core::Fwctl::Numbers decode_stored(Bytes answer, StoredItem item, unsigned port);

// bnxt (HWRM): the lower byte first (include/linux/bnxt/hsi.h, Linux 7.3).

/// HWRM_QUEUE_PRI2COS_QCFG for what is sent, as the driver asks it (struct
/// hwrm_queue_pri2cos_qcfg_input; bnxt_dcb.c bnxt_hwrm_queue_pri2cos_qcfg).
FirmwareRequest pri2cos_request();
/// HWRM_QUEUE_COS2BW_QCFG (struct hwrm_queue_cos2bw_qcfg_input; bnxt_dcb.c
/// bnxt_hwrm_queue_cos2bw_qcfg).
FirmwareRequest cos2bw_request();

/// Why the firmware refused, as `error 2`; empty where it answered. What is too short for its
/// header is a refusal (struct output).
std::string decode_hwrm_refusal(Bytes answer);
/// The CoS queue of each priority (struct hwrm_queue_pri2cos_qcfg_output); none where the answer is
/// too short.
core::Fwctl::Numbers decode_pri2cos(Bytes answer);

/// How the queues take their turns, by their numbers.
struct CosQueues {
    core::Fwctl::Texts algorithm{};  ///< strict or ets
    core::Fwctl::Numbers share{};    ///< in percent, of those with ets
    bool operator==(const CosQueues&) const = default;
};
/// Those of the queues that a priority is sent by (struct hwrm_queue_cos2bw_qcfg_output): the
/// answer has eight in any case, and does not tell which there are.
CosQueues decode_cos2bw(Bytes answer, const core::Fwctl::Numbers& of_priorities);

}  // namespace netlink
