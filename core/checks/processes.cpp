// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/checks/checks.hpp"
#include "core/model/letters.hpp"
#include "core/model/shell.hpp"
#include "core/model/tos.hpp"
#include "core/model/words.hpp"
#include "core/objects/link/parts.hpp"
#include "core/objects/rdma/parts.hpp"

// RDMA settings in the environments of programs.

namespace core {
namespace {

/// What a variable tells a library.
enum class Tells : std::uint8_t { devices, traffic_class, gid_index, queue_pairs, off };

struct LibraryVariable {
    std::string_view name{};
    Tells tells{};
};

/// NCCL (src/transport/net_ib.cc and its manual, environment variables; RCCL reads the same), UCX
/// (src/uct/ib/base/ib_iface.c, and its FAQ for UCX_TLS; NIXL's backend is UCX and reads the same:
/// its user guide, UCX), NVSHMEM (its manual, environment variables), Mooncake
/// (mooncake-transfer-engine/src/config.cpp and its documentation, MC_TE_FILTERS), UCCL (its
/// README: as those of NCCL).
constexpr std::array kLibraryVariables = {
    LibraryVariable{"NCCL_IB_HCA", Tells::devices},
    LibraryVariable{"UCX_NET_DEVICES", Tells::devices},
    LibraryVariable{"UCCL_IB_HCA", Tells::devices},
    LibraryVariable{"NVSHMEM_HCA_LIST", Tells::devices},
    LibraryVariable{"MC_TE_FILTERS", Tells::devices},
    LibraryVariable{"NCCL_IB_TC", Tells::traffic_class},
    LibraryVariable{"NCCL_IB_FIFO_TC", Tells::traffic_class},
    LibraryVariable{"UCX_IB_TRAFFIC_CLASS", Tells::traffic_class},
    LibraryVariable{"NVSHMEM_IB_TRAFFIC_CLASS", Tells::traffic_class},
    LibraryVariable{"MC_IB_TC", Tells::traffic_class},
    LibraryVariable{"UCCL_IB_TC", Tells::traffic_class},
    LibraryVariable{"NCCL_IB_GID_INDEX", Tells::gid_index},
    LibraryVariable{"UCX_IB_GID_INDEX", Tells::gid_index},
    LibraryVariable{"NVSHMEM_IB_GID_INDEX", Tells::gid_index},
    LibraryVariable{"MC_GID_INDEX", Tells::gid_index},
    LibraryVariable{"UCCL_IB_GID_INDEX", Tells::gid_index},
    LibraryVariable{"NCCL_IB_QPS_PER_CONNECTION", Tells::queue_pairs},
    LibraryVariable{"NCCL_IB_DISABLE", Tells::off},
    LibraryVariable{"NCCL_NET", Tells::off},
    LibraryVariable{"UCX_TLS", Tells::off},
    LibraryVariable{"NVSHMEM_REMOTE_TRANSPORT", Tells::off},
    LibraryVariable{"MC_FORCE_TCP", Tells::off}};

bool tells(const StatedVariable& stated, Tells what) {
    const auto found = std::ranges::find(kLibraryVariables, stated.name, &LibraryVariable::name);
    return found != kLibraryVariables.end() && found->tells == what;
}

/// The library that reads the variable, by what its name starts with.
std::string_view library_of(std::string_view name) {
    return name.substr(0, name.find('_'));
}

/// The variable's number; nothing for auto and -1, which leave it to the library. NCCL, and
/// UCCL as it, read hexadecimal and octal too (src/misc/param.cc: strtoll, base 0).
std::optional<unsigned> stated_number(const StatedVariable& stated) {
    std::string_view digits = stated.value;
    int base = 10;
    if (library_of(stated.name).ends_with("CCL") && digits.starts_with('0') && digits.size() > 1) {
        const bool hexadecimal = digits[1] == 'x' || digits[1] == 'X';
        base = hexadecimal ? 16 : 8;
        digits.remove_prefix(hexadecimal ? 2 : 1);
    }
    unsigned number = 0;
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number, base);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return number;
}

/// A list of devices: `=mlx5_0:1,mlx5_1` or `^mlx5_2` (NCCL, src/misc/socket.cc parseStringList);
/// UCX has no prefix character.
struct Devices {
    bool whole = false;  ///< names must match whole; else they are prefixes
    bool not_these = false;
    std::vector<std::string> names{};
};

Devices devices_in(const StatedVariable& stated) {
    Devices out{.whole = stated.name == "UCX_NET_DEVICES" || stated.name == "MC_TE_FILTERS"};
    std::string_view rest = stated.value;
    for (; rest.starts_with('^') || rest.starts_with('='); rest.remove_prefix(1))
        (rest.front() == '^' ? out.not_these : out.whole) = true;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string_view one = rest.substr(0, end);
        if (!one.empty()) out.names.emplace_back(one.substr(0, one.find(':')));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
}

/// Whether the list names the device, for use or for exclusion.
bool names(const Devices& devices, const std::string& device) {
    return std::ranges::any_of(devices.names, [&](const std::string& name) {
        return devices.whole ? device == name : device.starts_with(name);
    });
}

/// Whether the library that reads the variable uses the device in this program, as far as what is
/// stated beside it tells.
bool uses(const std::vector<StatedVariable>& all, const StatedVariable& stated,
          const std::string& device) {
    return std::ranges::none_of(all, [&](const StatedVariable& one) {
        if (one.who != stated.who || library_of(one.name) != library_of(stated.name) ||
            !tells(one, Tells::devices) || one.value == "all")
            return false;
        const Devices devices = devices_in(one);
        return names(devices, device) == devices.not_these;
    });
}

constexpr std::array<Keys, 1> kProcesses = {"host.processes"};
constexpr std::array<Keys, 2> kTrafficClasses = {"host.environments", "dscp.map"};
constexpr std::array<Keys, 2> kGidIndices = {"host.environments", "rdma.gids"};
constexpr std::array<Keys, 2> kNamedDevices = {"host.environments", "host.rdma.providers"};
constexpr std::array<Keys, 3> kDevicesUsed = {"host.environments", "rdma.device",
                                              "pcie.link_width"};
constexpr std::array<Keys, 2> kFiles = {"host.nccl", "host.ucx"};
constexpr std::array<Keys, 3> kFilesAndForced = {"host.nccl", "host.ucx", "rdma.traffic_class"};
constexpr std::array<Ids, 3> kIsActive = {"rdma-device-missing", "port-down", "rdma-not-active"};

constexpr std::string_view kLastingLimit =
    "of a service LimitMEMLOCK=infinity, of a user memlock unlimited in /etc/security/limits.d, of "
    "a container --ulimit memlock=-1";
constexpr std::uint64_t kEnough = std::uint64_t{128} << 20U;

Fault little_memory_of(const Process& process) {
    const std::string id = std::to_string(process.id);
    std::string text = process.name + " (" + id + ") may lock ";
    text += process.memlock + " bytes in memory";
    return {
        .text = std::move(text),
        .command = with_reason("prlimit --pid " + id + " --memlock=unlimited",
                               "until it ends; from its start on: " + std::string(kLastingLimit)),
        .names = {{"PID", id}}};
}

Faults little_memory(const Evidence& evidence) {
    Faults out;
    for (const Process& process : *evidence.now->processes) {
        std::uint64_t limit = 0;
        const std::string& text = process.memlock;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), limit);
        if (process.may_exceed || read.ec != std::errc{} || limit >= kEnough) continue;
        out.push_back(little_memory_of(process));
    }
    return out;
}

/// As many as a control group allows, or nearly.
Faults few_objects(const Evidence& evidence) {
    constexpr std::uint64_t most = 9;  // of ten
    Faults out;
    for (const Process& process : *evidence.now->processes)
        if (!process.rdma_object.empty() && process.rdma_used * 10 >= process.rdma_limit * most)
            out.push_back({.text = "the control group of " + process.name + " (" +
                                   std::to_string(process.id) + ") has " +
                                   std::to_string(process.rdma_used) + " of " +
                                   std::to_string(process.rdma_limit) + ' ' + process.rdma_object,
                           .names = {{"PID", std::to_string(process.id)}}});
    return out;
}

std::string device_names(const State& state) {
    std::string out;
    for (const Port& port : state.ports)
        if (port.rdma_link && !port.rdma_link->device.empty())
            out.append(out.empty() ? "" : ",").append(port.rdma_link->device);
    return out.empty() ? "a device that rdma link prints" : out;
}

/// Who has the RDMA device by which the port sends.
const Port& sender_of(const Evidence& evidence) {
    return evidence.bond != nullptr ? *evidence.bond : *evidence.now;
}

/// `1 or 2`.
std::string one_of(unsigned priorities) {
    std::string out;
    for (unsigned i = 0; i < kPriorities; ++i)
        if ((priorities >> i & 1U) != 0) out += (out.empty() ? "" : " or ") + std::to_string(i);
    return out;
}

/// What the files say is looked for by nccl-lossy and ucx-lossy. A port that goes by tags does not
/// look at the traffic class.
Faults other_class(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const Port& sender = sender_of(evidence);
    Faults out;
    if (!evidence.roce->lossless || !sender.rdma_link || trusts_dscp(port) == false) return out;
    const std::vector<StatedVariable> all = stated_variables(evidence);
    for (const StatedVariable& one : all) {
        const auto tos = stated_number(one);
        if (!tells(one, Tells::traffic_class) || !tos || one.of_file ||
            !uses(all, one, sender.rdma_link->device))
            continue;
        const unsigned dscp = *tos >> 2U;
        const unsigned possible = possible_priorities(driver_of(port), port, dscp);
        if (possible == 0 || (possible >> evidence.roce->priority & 1U) != 0) continue;
        out.push_back({.text = one.who + ": " + one.name + ' ' + one.value + " is DSCP " +
                               std::to_string(dscp) + ", which gets priority " + one_of(possible) +
                               "; lossless is priority " + std::to_string(evidence.roce->priority),
                       .remedy = "set " + one.name + '=' +
                                 std::to_string(tos_of(evidence.roce->dscp)) + " for " +
                                 to_start_anew(one)});
    }
    return out;
}

/// A program that names RDMA devices to NCCL, and no traffic class, sends DSCP 0: NCCL asks for it
/// unless it is reported otherwise (NCCL_IB_TC, src/transport/net_ib.cc).
Faults no_class(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const Port& sender = sender_of(evidence);
    Faults out;
    const bool forced = sender.traffic_class && sender.traffic_class->tos;
    if (!evidence.roce->lossless || !sender.rdma_link || forced || trusts_dscp(port) == false)
        return out;
    const std::vector<StatedVariable> all = stated_variables(evidence);
    const auto states = [&](const std::string& who, std::string_view name) {
        return std::ranges::any_of(all, [&](const StatedVariable& one) {
            return one.name == name && (one.who == who || one.of_file);
        });
    };
    const auto priority = priority_of_dscp(port, 0);
    if (!priority || *priority == evidence.roce->priority) return out;
    for (const StatedVariable& one : all) {
        if (one.name != "NCCL_IB_HCA" || one.of_file || states(one.who, "NCCL_IB_TC") ||
            !uses(all, one, sender.rdma_link->device))
            continue;
        out.push_back({.text = one.who +
                               ": NCCL_IB_TC is not set, so that NCCL sends DSCP 0, which "
                               "gets priority " +
                               std::to_string(*priority) + "; lossless is priority " +
                               std::to_string(evidence.roce->priority),
                       .remedy = "set NCCL_IB_TC=" + std::to_string(tos_of(evidence.roce->dscp)) +
                                 " for " + to_start_anew(one) +
                                 ", or state \"libraries\": [\"nccl\"] in roce for all programs"});
    }
    return out;
}

/// What is wrong with the GID at the index; empty: nothing.
std::string wrong_gid(const Port& port, unsigned index) {
    const std::string which = "GID " + std::to_string(index);
    const std::vector<Gid>& gids = *port.rdma_port->gids;
    const auto gid = std::ranges::find(gids, index, &Gid::index);
    if (gid == gids.end()) return "the port has no " + which;
    if (gid->type != "RoCE v2") return which + " is of " + gid->type;
    const auto address = parse_ip(gid->gid);
    if (address && is_link_local(*address)) return which + " is a link-local address";
    return {};
}

Faults other_gid(const Evidence& evidence) {
    const Port& port = *evidence.now;
    Faults out;
    const std::vector<StatedVariable> all = stated_variables(evidence);
    for (const StatedVariable& one : all) {
        const auto index = stated_number(one);
        if (!tells(one, Tells::gid_index) || !index || !port.rdma_link ||
            !uses(all, one, port.rdma_link->device))
            continue;
        const std::string wrong = wrong_gid(port, *index);
        if (!wrong.empty())
            out.push_back({.text = one.who + ": " + one.name + ' ' + one.value + ": " + wrong,
                           .remedy = "unset " + one.name + " for " + to_start_anew(one) +
                                     ": the library finds the GID of RoCE v2 by itself"});
    }
    return out;
}

Faults no_such_device(const Evidence& evidence) {
    const State& state = *evidence.state;
    std::vector<std::string> there;
    for (const auto& [device, library] : evidence.now->rdma_software->providers)
        there.push_back(device);
    for (const Port& port : state.ports) {
        there.push_back(port.name);
        if (port.rdma_link) there.push_back(port.rdma_link->device);
    }
    Faults out;
    for (const StatedVariable& one : stated_variables(evidence)) {
        if (!tells(one, Tells::devices) || one.value == "all") continue;
        Devices devices = devices_in(one);
        if (devices.not_these) continue;
        for (const std::string& name : std::exchange(devices.names, {})) {
            devices.names = {name};
            const bool plain = name.find_first_of("*?[") == std::string::npos;
            if (plain && std::ranges::none_of(there, [&](const std::string& device) {
                    return names(devices, device);
                }))
                out.push_back({.text = one.who + ": " + one.name + " names " + name +
                                       ", and this host has no such device",
                               .remedy = "set " + one.name + " to " + device_names(state) +
                                         " for " + to_start_anew(one)});
        }
    }
    return out;
}

/// A NIC on several PCI Express links has a device for each, and carries all that its cable can by
/// all of them alone.
Faults left_out(const Evidence& evidence) {
    const Port& port = *evidence.now;
    Faults out;
    const std::vector<StatedVariable> all = stated_variables(evidence);
    for (const StatedVariable& one : all)
        for (const Port* other : evidence.index->on_one_cable(port)) {
            if (!tells(one, Tells::devices) || !rdma_link::has_device(*other) ||
                !rdma_link::has_device(port) || !uses(all, one, other->rdma_link->device) ||
                uses(all, one, port.rdma_link->device))
                continue;
            const std::string& used = other->rdma_link->device;
            const std::string& unused = port.rdma_link->device;
            std::string text = one.who;
            text.append(": ").append(one.name).append(" ").append(one.value);
            text.append(" leaves out ").append(unused).append(", which shares its cable with ");
            text.append(used).append(
                ": each of the two carries no more than its own link of PCI Express does");
            std::string remedy = "name both, ";
            remedy.append(used).append(" and ").append(unused).append(", in ").append(one.name);
            remedy.append(" for ").append(to_start_anew(one));
            out.push_back({.text = std::move(text), .remedy = std::move(remedy)});
        }
    return out;
}

/// Whether a list of UCX's transports has none over RDMA: `tcp,sm`, or `^ib` (UCX FAQ, list of main
/// transports and aliases: ib is all of rc, ud and dc).
bool lists_no_rdma(std::string_view list) {
    const bool not_these = list.starts_with('^');
    if (not_these) list.remove_prefix(1);
    bool rdma = false;
    bool each = false;
    for (const std::string& one : words_in(list, ", ")) {
        each = each || one == "ib" || one == "all";
        rdma =
            rdma || each || one.starts_with("rc") || one.starts_with("ud") || one.starts_with("dc");
    }
    return not_these ? each : !rdma;
}

/// Whether the variable keeps its library from RDMA.
bool turns_off(const StatedVariable& one) {
    if (!tells(one, Tells::off)) return false;
    if (one.name == "NCCL_IB_DISABLE") return stated_number(one).value_or(0) != 0;
    // strcasecmp in NCCL (src/plugin/net.cc)
    if (one.name == "NCCL_NET") return in_lower_case(one.value) == "socket";
    if (one.name == "UCX_TLS") return !one.value.empty() && lists_no_rdma(one.value);
    if (one.name == "NVSHMEM_REMOTE_TRANSPORT") return one.value == "none";
    return true;  // Mooncake asks whether MC_FORCE_TCP is there
}

/// The library by the name that people give it.
std::string library_name(std::string_view variable) {
    const std::string_view library = library_of(variable);
    return library == "MC" ? "Mooncake" : std::string(library);
}

Faults rdma_off(const Evidence& evidence) {
    Faults out;
    if (evidence.fabric_ports.empty()) return out;
    for (const StatedVariable& one : stated_variables(evidence))
        if (turns_off(one))
            out.push_back({.text = one.who + ": " + one.name + ' ' + one.value + ": " +
                                   library_name(one.name) + " uses no RDMA",
                           .remedy = "unset " + one.name + " for " + to_start_anew(one),
                           // A program may have a reason, and use another library beside.
                           .slight = !one.of_file});
    return out;
}

/// Whether RoCE is meant to be marked: the profile says so, the port slows down when told to, or
/// connections of rdma_cm say that they can be (ECT(0)).
bool is_meant_to_be_marked(const Evidence& evidence) {
    const EffectiveIntent& roce = *evidence.roce;
    if (!roce.ecn) return false;
    if (roce.by == IntentSource::profile) return true;
    const auto& defaults = sender_of(evidence).cm_defaults;
    if (defaults && (defaults->tos & 3U) == 2 && defaults->tos >> 2U == roce.dscp) return true;
    const auto& ecn = evidence.now->ecn;
    if (!ecn || !ecn->react) return false;
    const auto on = ecn->react->find(std::to_string(roce.priority));
    return on != ecn->react->end() && on->second;
}

Faults not_ect(const Evidence& evidence) {
    const Port& sender = sender_of(evidence);
    Faults out;
    if (!sender.rdma_link || !driver_of(*evidence.now).cm_defaults.tos_carries_ecn ||
        !is_meant_to_be_marked(evidence))
        return out;
    const std::vector<StatedVariable> all = stated_variables(evidence);
    for (const StatedVariable& one : all) {
        const auto tos = stated_number(one);
        if (!tells(one, Tells::traffic_class) || !tos || (*tos & 3U) != 0 ||
            *tos >> 2U != evidence.roce->dscp || !uses(all, one, sender.rdma_link->device))
            continue;
        out.push_back({.text = one.who + ": " + one.name + ' ' + one.value + " is DSCP " +
                               std::to_string(*tos >> 2U) +
                               " without ECT: no switch marks its packets, and nobody slows down "
                               "before they are held back or dropped",
                       .remedy = "set " + one.name + '=' +
                                 std::to_string(tos_of(evidence.roce->dscp)) + " for " +
                                 to_start_anew(one)});
    }
    return out;
}

/// A rail that no list of devices has, though one has most of the others of its fabric.
Faults rail_left_out(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if (evidence.host_fabric == nullptr || !rdma_link::has_device(port) ||
        !evidence.index->on_one_cable(port).empty())
        return {};
    const std::vector<StatedVariable> all = stated_variables(evidence);
    const StatedVariable* first = nullptr;
    for (const StatedVariable& one : all) {
        if (!tells(one, Tells::devices) || one.value == "all") continue;
        if (uses(all, one, port.rdma_link->device)) return {};
        std::size_t used = 0;
        std::size_t others = 0;
        for (const Port* other : evidence.host_fabric->ports) {
            if (other == &port || !rdma_link::has_device(*other)) continue;
            ++others;
            if (uses(all, one, other->rdma_link->device)) ++used;
        }
        if (first == nullptr && used > 1 && used * 2 >= others) first = &one;
    }
    if (first == nullptr) return {};
    return {{.text = first->who + ": " + first->name + ' ' + first->value + " leaves out " +
                     port.rdma_link->device + ", which is of one fabric with those that it has",
             .remedy = "name " + port.rdma_link->device + " too, in " + first->name + " for " +
                       to_start_anew(*first)}};
}

/// Each queue pair goes by one member of a bond.
Faults one_queue_pair(const Evidence& evidence) {
    const Port& port = *evidence.now;
    Faults out;
    if (!bond::spreads(*port.bond) || !rdma_link::has_device(port) ||
        link::members_of(*evidence.state, port.name).size() < 2)
        return out;
    const std::vector<StatedVariable> all = stated_variables(evidence);
    for (const StatedVariable& one : all)
        if (tells(one, Tells::queue_pairs) && stated_number(one) == 1U &&
            uses(all, one, port.rdma_link->device))
            out.push_back({.text = one.who + ": " + one.name +
                                   " 1: a connection has one queue pair, and goes by one member "
                                   "of the bond",
                           .remedy = "set " + one.name + " to a multiple of the members for " +
                                     to_start_anew(one)});
    return out;
}

constexpr std::array<Keys, 2> kRails = {"host.environments", "rdma.device"};
constexpr std::array<Keys, 3> kBonded = {"host.environments", "bond.mode", "rdma.device"};
constexpr std::array<Keys, 2> kTrafficClassAlone = {"host.environments", "rdma.device"};
constexpr std::array<Keys, 4> kFilesAndMarking = {"host.nccl", "host.ucx", "ecn.react",
                                                  "rdma.default_tos"};
constexpr std::array<Keys, 1> kAllEnvironments = {"host.environments"};

constexpr std::array kRowsProcesses = {
    FindingRow{.id = "memlock-limit",
               .why = "What is registered for RDMA is locked in memory. Above the limit "
                      "ibv_reg_mr and ibv_create_cq fail with ENOMEM: Cannot allocate memory.",
               .remedy = kLastingLimit,
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kProcesses},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "the process registers less than that",
                         .test = "grep locked /proc/PID/limits"},
               .run = little_memory},
    FindingRow{.id = "rdma-cgroup-limit",
               .why = "A control group that has used up what it is allowed makes no more queue "
                      "pairs and memory regions: creating them fails with EAGAIN.",
               .remedy = "a higher rdma.max of the group, or of the container or the unit that it "
                         "stands for",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kProcesses},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "rdma.current of the group stays below rdma.max",
                         .test = "cat /proc/PID/cgroup; rdma.max and rdma.current there"},
               .run = few_objects},
    FindingRow{.id = "app-traffic-class",
               .why = "The library marks its packets itself; where its traffic class is not the "
                      "lossless one, all settings of the host are right and its packets are lost.",
               .remedy = "the variable set to the ToS of the lossless DSCP (106 for DSCP 26), or "
                         "unset, with roce.libraries in the profile",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kTrafficClasses, .beside = kFiles, .sound = kIsActive},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "the counters of the lossless priority grow with its "
                                         "traffic",
                         .test = "ethtool -S PORT | grep prio"},
               .run = other_class},
    FindingRow{.id = "app-no-traffic-class",
               .why = "NCCL marks its packets itself, and with DSCP 0 where nobody says otherwise: "
                      "all settings of the host are right, and its packets are lost.",
               .remedy = "NCCL_IB_TC, or \"libraries\": [\"nccl\"] in roce of the profile",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kTrafficClasses, .beside = kFilesAndForced, .sound = kIsActive},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "the counters of the lossless priority grow with its "
                                         "traffic",
                         .test = "ethtool -S PORT | grep prio"},
               .run = no_class},
    FindingRow{.id = "app-gid-index",
               .why = "The index is another GID than the one of RoCE v2 and the port's address: "
                      "packets are of another version, or go where nobody can answer (error 12).",
               .remedy = "the variable unset: the library finds the right GID by itself",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kGidIndices, .beside = kFiles, .sound = kIsActive},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "rdma.gids, in rocectl show PORT, has it as RoCE v2 with "
                                         "the port's address",
                         .weight = Weight::stop},
               .run = other_gid},
    FindingRow{.id = "app-device-missing",
               .why = "The library looks for a device by a name that no device has, as after "
                      "renaming, and takes TCP or ends.",
               .remedy = "the names that rdma link prints; rdma.name keeps them",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kNamedDevices, .beside = kFiles},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "rdma link lists the name",
                         .test = "rdma link",
                         .weight = Weight::stop},
               .run = no_such_device},
    FindingRow{.id = "app-device-left-out",
               .level = FindingLevel::note,
               .why = "A NIC on several links of PCI Express has a device for each, and its cable "
                      "is used in full by all of them together alone: by one of two a job gets "
                      "half.",
               .remedy = "all devices of the cable in the list",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kDevicesUsed, .beside = kFiles, .sound = kIsActive},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "jobs beside it use the other device"},
               .run = left_out},
    FindingRow{.id = "app-rdma-off",
               .why = "The library is told not to use RDMA: it takes TCP, or ends, and all that is "
                      "set for RoCE is for nothing.",
               .remedy = "the variable unset",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kAllEnvironments, .beside = kFiles},
               .examines = CheckTarget::host,
               .cause = {.ruled_out_by = "jobs of this host are meant to go by TCP",
                         .weight = Weight::stop},
               .run = rdma_off},
    FindingRow{.id = "app-not-ect",
               .why = "Packets that do not say that they can be marked (ECT, RFC 3168) are not: "
                      "DCQCN learns of no congestion that they meet.",
               .remedy = "the variable with 2 more: 106 for DSCP 26",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kTrafficClassAlone, .beside = kFilesAndMarking},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "the switches mark nothing",
                         .test = "ethtool -S PORT | grep -e ecn -e cnp"},
               .run = not_ect},
    FindingRow{.id = "app-rail-left-out",
               .level = FindingLevel::note,
               .why = "A job goes by the devices of its list alone: a rail that is not in it idles "
                      "while the others are full.",
               .remedy = "all devices of the fabric in the list",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kRails, .beside = kFiles, .sound = kIsActive},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "the rail is kept for something else"},
               .run = rail_left_out},
    FindingRow{.id = "app-one-queue-pair",
               .level = FindingLevel::note,
               .why = "A queue pair goes by one member of a bond: a connection with one alone gets "
                      "no more than that carries.",
               .remedy = "NCCL_IB_QPS_PER_CONNECTION of at least as many as there are members",
               .manual = "rocectl-doctor(8), HOST",
               .needs = {.keys = kBonded, .beside = kFiles},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "many connections share the members"},
               .run = one_queue_pair},
};

constexpr auto kAllProcesses = each_of(kRowsProcesses);

}  // namespace

const FindingGroup finding_group::processes{.name = "processes",
                                            .doc = "RDMA settings in the environments of programs.",
                                            .rows = kAllProcesses};

}  // namespace core
