// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/model/state.hpp"
#include "core/redact/new_addresses.hpp"
#include "core/redact/tokens.hpp"

namespace core {

/// A host with replaced identities: addresses, GIDs and GUIDs, hardware addresses, names of the
/// host, of ports and RDMA devices, users' files and serial numbers. Equal values get equal
/// replacements, so relations remain. Names of processes and drivers, versions, bus addresses and
/// numbers stay.
class Redaction {
public:
    /// The seed must be secret: it allows a guess at an address to be confirmed.
    Redaction(const State& state, std::uint64_t seed);

    /// The redacted host.
    [[nodiscard]] State state() const;
    /// A text about the host, redacted.
    [[nodiscard]] std::string text(std::string_view text) const;

private:
    void meet_names();
    void meet(const Token& token);
    void name_ports();
    void name_devices();
    void choose(std::uint64_t seed);
    void follow_macs();
    [[nodiscard]] std::string other(const Token& token) const;
    [[nodiscard]] std::string value(std::string_view text) const;

    const State& state_;
    NewAddresses addresses_{};
    Names names_{};      ///< of the host, of ports and RDMA devices
    Names one_value_{};  ///< names_ without the host's, which may be any word
    Names numbers_{};    ///< MAC, GUID, serial, in small letters
    Names files_{};      ///< parts of paths
    std::set<std::string, std::less<>> ports_{};
    std::set<std::string, std::less<>> devices_{};
};

}  // namespace core
