// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace core {

/// A rule of nftables that names the port of RoCE v2, as far as it can be told.
struct FirewallRule {
    std::string family;  ///< ip, ip6, inet, bridge, netdev or arp
    std::string table;
    std::string chain;
    std::uint64_t handle = 0;
    std::string protocol;  ///< udp or tcp; empty: any, or not understood
    std::string verdict;   ///< accept, drop, reject, or what it does else
    std::string beside;    ///< what it asks beside the protocol and the port; empty: nothing
    bool operator==(const FirewallRule&) const = default;
};

/// A chain in which packets are dropped where no rule says otherwise.
struct FirewallChain {
    std::string family;
    std::string table;
    std::string name;
    std::string hook;     ///< input, output, …
    std::string accepts;  ///< whether a rule in it may let packets to the port pass: no or maybe
    bool operator==(const FirewallChain&) const = default;
};

struct Firewall {
    std::vector<FirewallRule> rules{};
    std::vector<FirewallChain> chains{};
    std::string unread{};  ///< what there is beside that is not read here
    bool operator==(const Firewall&) const = default;
};

}  // namespace core
