// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/plan/kernel.hpp"
#include "netlink/rdma/devlink.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// The parameter enable_roce in an answer to DEVLINK_CMD_PARAM_GET, in the first of its modes that
/// tells a value; nothing where it is another parameter.
std::optional<core::EnableRoce> decode_enable_roce(Bytes payload);
/// Fills whether the NIC of each port does RoCE. Lists the devlink devices first, so that only
/// these are asked.
void read_devlink(Machine& machine, const core::Scope& scope, core::State& state);
/// Sets the parameter and, where its mode asks for that, starts the driver anew.
void write_devlink(Machine& machine, const core::Port& now, const core::Port& then);

/// Puts the parameter that is in an answer to DEVLINK_CMD_PARAM_GET beside the others.
void decode_parameter(Bytes payload, core::Parameters& out);

/// Fills the parameters of each port's NIC, of all in one dump.
void read_parameters(Machine& machine, const core::Scope& scope, core::State& state);

/// One queue pair as RDMA_NLDEV_CMD_RES_QP_GET lists it (drivers/infiniband/core/nldev.c,
/// fill_res_qp_entry).
struct QueuePair {
    bool management = false;    ///< SMI or GSI: every port has them
    std::uint32_t process = 0;  ///< 0 where the kernel has it
    std::string kernel{};       ///< the module that has it, of the kernel's
};
std::vector<QueuePair> decode_queue_pairs(Bytes payload);

/// How many queue pairs the device counts (RDMA_NLDEV_CMD_RES_GET), also those of processes that
/// this one cannot see; nothing where it does not say.
std::optional<std::uint64_t> decode_queue_pair_count(Bytes payload);

/// Processes that hold identifiers of rdma_cm, in an answer to RDMA_NLDEV_CMD_RES_CM_ID_GET
/// (nldev.c, fill_res_cm_id_entry); the kernel's own are left out.
std::vector<std::uint32_t> decode_cm_id_holders(Bytes payload);

/// The visible processes that hold queue pairs or rdma_cm identifiers on any RDMA device.
std::set<std::uint32_t> rdma_users(Machine& machine);

/// Needs the port's RDMA device. A device that counts more pairs than it lists has pairs "not
/// visible".
void read_queue_pairs(Machine& machine, core::Port& port);

/// Decodes a port's answer to RDMA_NLDEV_CMD_STAT_GET (drivers/infiniband/core/nldev.c,
/// stat_get_doit_default_counter).
core::Counters decode_rdma_counters(Bytes payload);

/// Needs the port's RDMA device.
void read_rdma_counters(Machine& machine, core::Port& port);

/// Whether ib_uverbs is in the kernel, which has a class of its own for as long (uverbs_main.c
/// ib_uverbs_init, Linux 6.1 to 7.3). Up to 6.12 every RDMA driver takes it along; since 7.3
/// rdma_rxe, mlx5_ib, bnxt_re and irdma come without. Asking a device for it, as
/// RDMA_NLDEV_CMD_GET_CHARDEV and libibverbs do, loads it (device.c ib_get_client_nl_info): who
/// only reads looks here first.
bool has_verbs();

/// Why a device file of verbs, such as `uverbs0`, cannot be opened here: an errno; 0 where it can.
int refusal_of_node(const std::string& name);

/// rxe or siw, by what sysfs has of the device: `parent` is rxe's alone (rxe_verbs.c), and siw
/// describes its node (siw_main.c siw_device_create, siw-abi.h). Empty for other drivers.
std::string soft_type_in_sysfs(const Machine& machine, const std::string& device);

/// An answer to RDMA_NLDEV_CMD_PORT_GET.
struct RdmaPortAnswer {
    std::uint32_t port = 0;  ///< number of the port in its device, from 1
    std::uint32_t link = 0;  ///< index of the netdev, 0 where it is not in this namespace
    std::uint8_t state = 0;
    std::uint8_t physical_state = 0;
    bool operator==(const RdmaPortAnswer&) const = default;
};

std::optional<RdmaPortAnswer> decode_rdma_port(Bytes payload);

/// As rdma(8) prints them: ACTIVE, LINK_UP.
std::string rdma_state(std::uint8_t state);

std::string rdma_physical_state(std::uint8_t state);

/// The start of a request of RDMA netlink (RDMA_NLDEV_CMD_*).
Message rdma_message(int command);

/// An answer to RDMA_NLDEV_CMD_GET.
struct RdmaDevice {
    std::uint32_t index = 0;
    std::string name;
    std::string protocol{};                     ///< empty where the kernel has no word for it
    std::optional<bool> adaptive_moderation{};  ///< nothing before Linux 5.3
    bool operator==(const RdmaDevice&) const = default;
};

std::optional<RdmaDevice> decode_rdma_device(Bytes payload);

/// rxe or siw; empty for other drivers.
std::string decode_rdma_type(Bytes payload);

/// Whether this is the network namespace that the kernel began with: most files of net.core are its
/// alone (net/core/sysctl_net_core.c net_core_table, Linux 6.1 to 7.3). Also where nothing tells.
bool is_first_netns(const Machine& machine);

/// What devices of this network namespace are opened by under /dev/infiniband, where each namespace
/// has its own; nothing where they share them, or ib_uverbs is not loaded. The kernel's class shows
/// those of all (uverbs_main.c uverbs_class), and opening another's is EPERM (ib_uverbs_open).
std::optional<std::set<std::string>> own_verbs_nodes(Machine& machine);

/// Fills the RDMA device of each port and, where wanted, its state and GIDs.
void read_rdma_link(Machine& machine, const core::Scope& scope, core::State& state);

void write_rdma_link(Machine& machine, const core::Port& now, const core::Port& then);

void write_rdma_moderation(Machine& machine, const core::Port& now, const core::Port& then);

/// Takes the device's directories in configfs along, which are made by its name; the values in them
/// are the device's and stay (cma_enum_devices_by_ibdev in drivers/infiniband/core/cma_configfs.c).
void write_rdma_name(Machine& machine, const core::Port& now, const core::Port& then);

/// The GID table of one port of an RDMA device, without its empty entries
/// (Documentation/ABI/stable/sysfs-class-infiniband). RDMA netlink does not have it.
std::vector<core::Gid> read_gids(Machine& machine, const std::string& device, std::uint32_t port);

/// shared or exclusive, of an answer to RDMA_NLDEV_CMD_SYS_GET (drivers/infiniband/core/nldev.c: 1
/// is shared).
std::optional<std::string> decode_rdma_system(Bytes payload);

/// Whether network namespaces share the RDMA devices. Throws where there is no RDMA stack.
void read_rdma_system(Machine& machine, const std::set<std::string>& names, core::Port& itself);

void write_rdma_system(Machine& machine, const core::Port& now, const core::Port& then);

/// A reporter of a device or, where it has a number, of one of its ports.
struct ReporterAnswer {
    DevlinkHandle device;
    std::optional<std::uint32_t> port;
    core::Reporter reporter;
};
/// An answer to DEVLINK_CMD_HEALTH_REPORTER_GET.
std::optional<ReporterAnswer> decode_reporter(Bytes payload);

/// Fills the reporters of each port's device and of the port itself, of one dump for all, and the
/// reloads and versions, since all of them ask which devices and ports there are.
void read_reporters(Machine& machine, const core::Scope& scope, core::State& state);

/// An answer to DEVLINK_CMD_INFO_GET; serial numbers are not looked at.
core::Versions decode_versions(Bytes payload);

/// Gives the ports of the state the versions of their devices, each of which is asked once.
void fill_versions(Machine& machine, const DevlinkPorts& all, core::State& state);

}  // namespace netlink
