// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/tree.hpp"
#include "core/model/driver.hpp"
#include "core/model/shape.hpp"
#include "core/model/state.hpp"

namespace core {

/// The PCI address with its domain, which lspci leaves out where it is 0000, in lower case.
std::string full_pci(std::string_view text);

/// One way to tell a port from others: name, driver, mac, pci, rdma, function.
struct MatchKey {
    std::string_view name;
    std::string_view doc;
    std::string_view field{};  ///< what has to be read for it; empty for what every link tells
    bool (*is)(const Port&, std::string_view wanted) = nullptr;
    std::span<const std::string_view> words{};  ///< what it takes; any text where it is empty
};
std::span<const MatchKey> match_keys();

struct Condition {
    const MatchKey* key = nullptr;
    std::vector<std::string> values;  ///< any of them
};

/// Which ports an entry is about: all conditions hold.
struct Match {
    std::vector<Condition> conditions;
    Place place;

    [[nodiscard]] const std::vector<std::string>* values(std::string_view key) const;
    [[nodiscard]] bool holds(const Port& port) const;
    /// The same without regard to the function (pf, vf, sf, rep), which is pf where not stated.
    [[nodiscard]] bool holds_but_for_function(const Port& port) const;
};
std::string text(const Match& match);

/// Reads `match`; a value that holds `${…}` is kept as it stands.
Match read_match(const Node& node, const std::string& pointer, Problems& problems);

/// The ports of the state that match, in PCI order and then by name (eth2 before eth10).
std::vector<const Port*> matching(const Match& match, const State& state);
/// The driver rows of ports that can match: those it names, or all.
std::vector<const Driver*> possible_drivers(const Match& match);
bool comes_before(const Port& left, const Port& right);

}  // namespace core
