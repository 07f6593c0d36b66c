// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/model/back_end.hpp"

namespace core {

/// The vendor's own driver (MLNX_OFED and DOCA, mlx5 en_ecn.c and en_sysfs.c); only of a PF
/// writable.
inline constexpr std::array kMlx5EcnFiles = {
    ValueFile{"ecn.notify", "roce_np/enable/*"},
    ValueFile{"ecn.react", "roce_rp/enable/*"},
    ValueFile{"ecn.cnp_dscp", "roce_np/cnp_dscp"},
    ValueFile{"ecn.cnp_priority", "roce_np/cnp_802p_prio"},
    ValueFile{"ecn.min_time_between_cnps", "roce_np/min_time_between_cnps"},
    ValueFile{"dcqcn.clamp_tgt_rate", "roce_rp/clamp_tgt_rate"},
    ValueFile{"dcqcn.clamp_tgt_rate_after_time_inc", "roce_rp/clamp_tgt_rate_after_time_inc"},
    ValueFile{"dcqcn.rpg_time_reset", "roce_rp/rpg_time_reset"},
    ValueFile{"dcqcn.rpg_byte_reset", "roce_rp/rpg_byte_reset"},
    ValueFile{"dcqcn.rpg_threshold", "roce_rp/rpg_threshold"},
    ValueFile{"dcqcn.rpg_max_rate", "roce_rp/rpg_max_rate"},
    ValueFile{"dcqcn.rpg_ai_rate", "roce_rp/rpg_ai_rate"},
    ValueFile{"dcqcn.rpg_hai_rate", "roce_rp/rpg_hai_rate"},
    ValueFile{"dcqcn.rpg_gd", "roce_rp/rpg_gd"},
    ValueFile{"dcqcn.rpg_min_dec_fac", "roce_rp/rpg_min_dec_fac"},
    ValueFile{"dcqcn.rpg_min_rate", "roce_rp/rpg_min_rate"},
    ValueFile{"dcqcn.rate_to_set_on_first_cnp", "roce_rp/rate_to_set_on_first_cnp"},
    ValueFile{"dcqcn.dce_tcp_g", "roce_rp/dce_tcp_g"},
    ValueFile{"dcqcn.dce_tcp_rtt", "roce_rp/dce_tcp_rtt"},
    ValueFile{"dcqcn.rate_reduce_monitor_period", "roce_rp/rate_reduce_monitor_period"},
    ValueFile{"dcqcn.initial_alpha_value", "roce_rp/initial_alpha_value"},
};

/// drivers/infiniband/hw/mlx5/cong.c. Writing np_cnp_prio makes the priority a fixed one
/// (np_cnp_prio_mode 0); with 1 a CNP gets the priority of the packet it answers.
inline constexpr std::string_view kMlx5Mask =
    "the kernel's driver leaves it to the firmware, which has it on for the priorities in "
    "ROCE_CC_PRIO_MASK_P1 of its stored configuration (mlxconfig): all of them, where nobody "
    "changed that";
inline constexpr std::array kMlx5CcParams = {
    ValueFile{.key = "ecn.notify", .name = {}, .firmware = kMlx5Mask},
    ValueFile{.key = "ecn.react", .name = {}, .firmware = kMlx5Mask},
    ValueFile{"ecn.cnp_dscp", "np_cnp_dscp"},
    ValueFile{.key = "ecn.cnp_priority", .name = "np_cnp_prio", .off = "np_cnp_prio_mode"},
    ValueFile{"ecn.min_time_between_cnps", "np_min_time_between_cnps"},
    ValueFile{"dcqcn.clamp_tgt_rate", "rp_clamp_tgt_rate"},
    ValueFile{"dcqcn.clamp_tgt_rate_after_time_inc", "rp_clamp_tgt_rate_ati"},
    ValueFile{"dcqcn.rpg_time_reset", "rp_time_reset"},
    ValueFile{"dcqcn.rpg_byte_reset", "rp_byte_reset"},
    ValueFile{"dcqcn.rpg_threshold", "rp_threshold"},
    ValueFile{"dcqcn.rpg_max_rate", "rp_max_rate"},
    ValueFile{"dcqcn.rpg_ai_rate", "rp_ai_rate"},
    ValueFile{"dcqcn.rpg_hai_rate", "rp_hai_rate"},
    ValueFile{"dcqcn.rpg_gd", "rp_gd"},
    ValueFile{"dcqcn.rpg_min_dec_fac", "rp_min_dec_fac"},
    ValueFile{"dcqcn.rpg_min_rate", "rp_min_rate"},
    ValueFile{"dcqcn.rate_to_set_on_first_cnp", "rp_rate_to_set_on_first_cnp"},
    ValueFile{"dcqcn.dce_tcp_g", "rp_dce_tcp_g"},
    ValueFile{"dcqcn.dce_tcp_rtt", "rp_dce_tcp_rtt"},
    ValueFile{"dcqcn.rate_reduce_monitor_period", "rp_rate_reduce_monitor_period"},
    ValueFile{"dcqcn.initial_alpha_value", "rp_initial_alpha_value"},
};

/// The vendor's mlx5_ib: "Global tclass=106", and after it rules by address, which are left alone;
/// kstrtoint, in which what is negative is none (traffic_class_show and tclass_parse_tclass).
inline constexpr std::array kMlx5TcFiles = {ValueFile{.key = "rdma.traffic_class",
                                                      .name = "traffic_class",
                                                      .prefix = "Global tclass=",
                                                      .none = "-1"}};
inline constexpr std::array kMlx5TrafficClass = {
    FileBackEnd{.name = "sysfs",
                .folder = "/sys/class/infiniband/{rdma}/tc/1",
                .root = "/sys/class/infiniband",
                .files = kMlx5TcFiles}};

inline constexpr std::array kMlx5Congestion = {
    FileBackEnd{.name = "sysfs",
                .folder = "/sys/class/net/{port}/ecn",
                .root = "/sys/class/net",
                .files = kMlx5EcnFiles},
    FileBackEnd{.name = "debugfs",
                .folder = "/sys/kernel/debug/mlx5/{pci}/cc_params",
                .root = "/sys/kernel/debug",
                .files = kMlx5CcParams},
};

/// The vendor's own bnxt_re (configfs.c): every number is parsed with "%x", nothing reaches the
/// device before `apply`, and only `apply` tells what the device holds.
inline constexpr std::array kBnxtConfigfsFiles = {
    ValueFile{"ecn.notify", "ecn_enable"},
    ValueFile{"ecn.react", "ecn_enable"},
    ValueFile{.key = "ecn.cnp_dscp", .name = "cnp_dscp", .may_hide = true},
    ValueFile{.key = "ecn.cnp_priority", .name = "cnp_prio", .may_hide = true},
    ValueFile{"dcqcn.g", "g"},
    ValueFile{"dcqcn.init_cr", "init_cr"},
    ValueFile{"dcqcn.init_tr", "init_tr"},
    ValueFile{"dcqcn.inact_th", "inact_th"},
};

/// drivers/infiniband/hw/bnxt_re/debugfs.c, since Linux 6.16. Mode 0400, though it takes writes
/// of root; what the firmware refuses is not told, only read back.
inline constexpr std::array kBnxtCcConfig = {
    ValueFile{"ecn.notify", "enable_cc"},         ValueFile{"ecn.react", "enable_cc"},
    ValueFile{"ecn.cnp_dscp", "alt_vlan_dscp"},   ValueFile{"ecn.cnp_priority", "alt_vlan_pcp"},
    ValueFile{"dcqcn.g", "run_avg_weight_g"},     ValueFile{"dcqcn.init_cr", "init_cr"},
    ValueFile{"dcqcn.init_tr", "init_tr"},        ValueFile{"dcqcn.rtt", "rtt"},
    ValueFile{"dcqcn.inact_th", "inactivity_cp"},
};

inline constexpr std::array kBnxtCongestion = {
    FileBackEnd{.name = "configfs",
                .folder = "/sys/kernel/config/bnxt_re/{rdma}/ports/1/cc",
                .root = "/sys/kernel/config/bnxt_re",
                .made = true,
                .hexadecimal = true,
                .commit = "apply",
                .files = kBnxtConfigfsFiles},
    FileBackEnd{.name = "debugfs",
                .folder = "/sys/kernel/debug/bnxt_re/{pci}/cc_config",
                .root = "/sys/kernel/debug",
                .files = kBnxtCcConfig},
};

}  // namespace core
