// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/intent.hpp"

namespace core {

/// What the switches of a fabric have to do so that an intent holds on the way too.
struct SwitchNeeds {
    std::uint64_t priority = 0;         ///< lossless: PFC on for it alone
    std::optional<std::uint64_t> dscp;  ///< of RoCE's packets; nothing: the VLAN tag is trusted
    std::optional<std::uint64_t> cnp_priority;  ///< strict, without PFC
    std::optional<std::uint64_t> cnp_dscp;
    std::uint64_t share = 0;           ///< percent, the least that the priority gets
    bool marks = false;                ///< ECN in the queue of the priority
    std::optional<std::uint64_t> mtu;  ///< of the hosts' ports; nothing: not stated

    bool operator==(const SwitchNeeds&) const = default;
};

SwitchNeeds switch_needs(const Intent& intent, std::optional<std::uint64_t> mtu);

/// The kinds of settings, in no vendor's words: what it is, and what it has to be.
struct SwitchNeed {
    std::string what;
    std::string value;
};
std::vector<SwitchNeed> needs_of(const SwitchNeeds& needs);

/// The same in the words of a network operating system, as its documents have them: for reading and
/// to be adapted, since thresholds and buffers are the platform's.
struct SwitchWords {
    std::string_view system;
    std::string_view source;  ///< which document, of which release
    std::vector<std::string> lines{};
    std::string_view remark{};  ///< what the lines leave open; empty: nothing
};
std::vector<SwitchWords> switch_words(const SwitchNeeds& needs);

}  // namespace core
