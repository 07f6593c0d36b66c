// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/model/state.hpp"
#include "core/redact/texts.hpp"
#include "core/redact/tokens.hpp"

namespace core {

/// A host with replaced identities: addresses, GIDs and GUIDs, hardware addresses and their last
/// three octets, names of the host and its domain, of ports and RDMA devices, users' files and
/// serial numbers; what is known of these in every spelling, wherever it stands. Equal values get
/// equal replacements, so relations remain. Names of processes and drivers, versions, bus addresses
/// and numbers stay.
class Redaction {
public:
    /// The seed must be secret: it allows a guess at an address to be confirmed.
    Redaction(const State& state, std::uint64_t seed);

    /// The redacted host.
    [[nodiscard]] State state() const;
    /// A text about the host, redacted.
    [[nodiscard]] std::string text(std::string_view text) const;
    /// How many places of texts were looked at and replacements tried so far: the cost, which grows
    /// as the state does.
    [[nodiscard]] std::uint64_t steps() const { return steps_ + known_.addresses.tries(); }

private:
    using Names = std::map<std::string, std::string, std::less<>>;

    void meet_names();
    void meet_host();
    void meet(std::string_view text, TextOf of);
    void meet(const Token& token);
    void meet(const Ip& ip);
    void name_ports();
    void name_devices();
    void choose(std::uint64_t seed);
    void choose_macs(Random& random);
    void choose_guids(Random& random);
    void choose_serials(Random& random);
    void follow_macs();
    [[nodiscard]] Ip other(const Ip& ip) const;
    [[nodiscard]] std::string other(const Token& token) const;
    [[nodiscard]] std::string other_number(std::string_view old) const;
    [[nodiscard]] std::string typed(std::string_view text) const;
    [[nodiscard]] std::string line(std::string_view text, Searched as) const;
    [[nodiscard]] std::string value(std::string_view text) const;

    const State& state_;
    Known known_{};
    Names names_{};    ///< of ports and RDMA devices
    Names serials_{};  ///< folded
    Names files_{};    ///< parts of paths
    std::set<std::string, std::less<>> ports_{};
    std::set<std::string, std::less<>> devices_{};
    std::string domain_{};  ///< of the host, folded
    mutable std::uint64_t steps_ = 0;
};

}  // namespace core
