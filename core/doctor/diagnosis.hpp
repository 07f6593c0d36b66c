// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/doctor/examination.hpp"
#include "core/error.hpp"
#include "core/model/driver.hpp"

namespace core {

/// A row of the catalogue that was found, with all of its ports: a cause, or a consequence of one.
struct Suspect {
    const FindingRow* row = nullptr;
    Verdict verdict = Verdict::warn;           ///< the worst of its checks, and of what follows
    Weight weight = Weight::harm;              ///< likewise
    std::vector<const Check*> checks{};        ///< one a port
    std::vector<const FindingRow*> follows{};  ///< what was found too, and follows from it
};

/// The causes of the findings, most urgent first. Order: failures before warnings; faults before
/// mere risks; faults that stop all traffic before those that harm it; more findings explained,
/// then more ports, before fewer; then the order of the catalogue. Mere differences from the
/// profile come after known faults. A finding explained by another one on the same ports is no
/// cause, and is reported with that one.
std::vector<Suspect> causes(const Examination& examination);

/// The test that confirms a cause, and the evidence that would rule it out, for the first port and
/// process where it was found: `ethtool -S eth1` for `ethtool -S PORT`.
std::string test_of(const Suspect& cause);
std::string test_of(const Check& check);
std::string ruled_out_by(const Suspect& cause);

/// The lines an operator would type for the values that fix the fault, on the host as it is.
std::vector<std::string> fixing_commands(const State& now, const Fault& fault);
std::vector<std::string> fixing_commands(const State& now, std::span<const Desired> fix);
/// What the commands that fix the fault disturb at worst.
Disruption fixing_cost(const State& now, const Fault& fault);

/// The fix as a profile's entry states it: `"pfc": {"priorities": [3]}`; empty where there is
/// none.
std::string fixing_key(const Fault& fault);

/// One thing that a packet passes on its way, and its value on a port: trust, dscp.
struct ChainLink {
    std::string_view name{};             ///< trust
    std::string found{};                 ///< dscp; empty: not known
    const FindingRow* broken = nullptr;  ///< what is wrong with it; null: nothing was found
    bool follows = false;                ///< what is wrong follows from a cause elsewhere
    bool operator==(const ChainLink&) const = default;
};

/// The links in the order in which a packet passes them.
struct Chain {
    std::string_view name{};           ///< class, mtu or reach
    std::vector<std::string> ports{};  ///< that all have a chain with these values
    std::vector<ChainLink> links{};
};

/// The first link that is broken by a cause, else by what follows from one; null where none is.
const ChainLink* first_broken(const Chain& chain);

/// The ids of the findings that break a link.
std::vector<std::string_view> chain_breaks();

/// Three chains for each port of the fabric: class (from the application's ToS to PFC, that of the
/// other end where it is known and, where the port was read twice, whether the priority carried
/// anything), mtu, and reach, the way to others. Ports whose links have the same values share a
/// chain.
std::vector<Chain> chains(const Inquiry& inquiry, const Examination& examination,
                          const std::vector<Suspect>& causes);

/// The result of doctor on a host. The causes point into the examination, which stays in place.
struct Diagnosis {
    Examination examination{};
    std::vector<Suspect> causes{};
    std::vector<Chain> chains{};
};

Diagnosis diagnose(const Inquiry& inquiry);

/// How many checks ended with each verdict.
std::map<Verdict, std::size_t> tally(const Examination& examination);

/// 2 where something failed, 1 where something is unknown or nothing was checked, else 0; strict:
/// a warning is a failure.
Status status_of(const Examination& examination, bool strict);

}  // namespace core
