// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "netlink/transport/attributes.hpp"

namespace netlink {

/// A rule of nftables as far as RoCE packets are concerned (an answer to NFT_MSG_GETRULE).
struct NftRule {
    std::string family;
    std::string table;
    std::string chain;
    std::uint64_t handle = 0;
    std::string protocol{};        ///< udp, tcp or a number; empty: any
    std::uint32_t port_first = 0;  ///< destination ports
    std::uint32_t port_last = 65535;
    std::string verdict{};   ///< accept, drop, reject, jump, …; empty: none
    std::string beside{};    ///< what it asks beside; empty: nothing
    bool of_set = false;     ///< its ports are those of a set, which is not read
    bool passes_by = false;  ///< no packet that begins a flow of RoCE is meant: lo, or what belongs
                             ///< to a connection that is known

    /// Whether the ports are said, and the one of RoCE v2 is among them.
    [[nodiscard]] bool names_roce() const;
    /// Whether RoCE packets may be meant.
    [[nodiscard]] bool may_be_roce() const;
};
std::optional<NftRule> decode_nft_rule(Bytes payload);

/// A chain that packets pass (an answer to NFT_MSG_GETCHAIN); nothing for one that others jump to.
struct NftChain {
    std::string family;
    std::string table;
    std::string name;
    std::string hook;
    bool drops = false;  ///< by its policy
};
std::optional<NftChain> decode_nft_chain(Bytes payload);

}  // namespace netlink
