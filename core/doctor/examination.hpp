// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/checks/evidence.hpp"
#include "core/doctor/inquiry.hpp"

namespace core {

struct Check;

/// Whether what the one row found on a port is known to follow from the other: by the table of
/// causes, or by the values.
bool follows_from(const Check& one, const FindingRow& cause);

/// How a check ended. A check that could not be made is neither passed nor failed.
enum class Verdict : std::uint8_t {
    pass,
    skip,      ///< it has no object here, or something before it failed
    accepted,  ///< it was found and is meant so, or follows from what is
    unknown,   ///< what it needs cannot be read
    warn,
    fail,
    crash,  ///< the check itself went wrong
};
std::string_view word(Verdict verdict);

/// One row of the catalogue, looked for on one port or on the host.
struct Check {
    const FindingRow* row = nullptr;
    std::string port{};  ///< kHost for the host
    Verdict verdict = Verdict::pass;
    std::vector<Fault> faults{};
    std::string reason{};  ///< why it was skipped, is accepted, is unknown or crashed
    std::vector<std::string> opened_by{};  ///< lines that make known what is unknown
    /// Of settings that contradict each other: the rows found on the port whose fixes make that
    /// vanish. It is a consequence of them, by the values that there are.
    std::set<std::string_view> follows{};
    /// The entry of Inquiry::accepted that says so; null also where it follows from another.
    const AcceptedFinding* accepted = nullptr;
};

/// A fabric of the host, as ports were compared.
struct ExaminedFabric {
    std::string name{};  ///< as the profile names it; empty: inferred from driver, speed, subnets
    std::vector<std::string> ports{};
    std::vector<Prefix> to{};  ///< networks that its ports are to reach through gateways
};

struct Examination {
    std::vector<std::string> ports{};  ///< of the fabrics
    std::vector<ExaminedFabric> fabrics{};
    std::vector<Check> checks{};  ///< in the order of the catalogue, port by port
    std::map<std::string, EffectiveIntent> intents{};  ///< of each of the ports
    std::vector<std::string> left_out{};               ///< without a profile (fabric_ports)
    std::vector<Finding> unsupported{};  ///< values of the profile that cannot be had here: notes
    /// The bonds that have RoCE in the place of a member, by the member.
    std::map<std::string, std::string> bonds{};
};

/// Whether the port has an RDMA device that speaks RoCE, and is no VLAN or representor.
bool may_be_of_fabric(const Port& port);
/// The ports of the fabric: those that the profile names, else all with an RDMA device that speaks
/// RoCE. One that has the host's default route, beside others that have not, is for management.
/// Left out is also what nobody uses: functions for virtual machines that none has, and ports that
/// are not plugged in of cards whose other port is. What a bond of the fabric sends leaves by its
/// members, so they are among them.
std::vector<const Port*> fabric_ports(const State& state, const DesiredState* desired_values);
/// The bond that has RoCE, and the RDMA device, in the place of this member of it; null where the
/// port is no such member. MTU and addresses are the bond's then, and the wire is the member's.
const Port* roce_bond_of(const State& state, const Port& member,
                         const DesiredState* desired_values);

/// Looks for every row that was asked for. Throws nothing: what throws is a check that crashed.
Examination examine_host(const Inquiry& inquiry);

/// Settings in which a port differs from what the other ports of its driver on its fabric agree on,
/// of objects that are to be alike there (ObjectRow::alike), one check each port. Left out: what
/// the profile states for the port, and objects of which a row that was found on it reads a key.
std::vector<Check> unlike_siblings(const HostFabrics& fabrics, const DesiredState* desired_values,
                                   const std::vector<Check>& found);

/// Settings of the profile that its ports and the host do not have, one check each. Left out:
/// elements for which `found` already has a fix, and all that lives on something found missing
/// (Cause::without).
std::vector<Check> drift(const State& now, const DesiredState& desired_values,
                         const std::vector<Check>& found);

/// The notes of a plan on values of the profile that this host has no interface for, one each: with
/// a profile nothing else tells that they were not looked at.
std::vector<Finding> unsupported(const State& now, const DesiredState& desired_values);

}  // namespace core
