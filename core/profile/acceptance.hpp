// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/json/tree.hpp"
#include "core/probe/expectation.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/profile.hpp"

namespace core {

/// The keys of `probe`.
std::span<const SectionKey> acceptance_keys();

/// What `probe run` is to measure and to find where the profile holds, as its `probe` states it.
struct Acceptance {
    std::vector<probe::Expectation> expect{};
    std::vector<probe::Operation> operations{};
    bool classes = false;
    std::optional<std::uint64_t> size{};
    std::optional<std::uint64_t> queue_pairs{};
    std::optional<std::uint64_t> depth{};
};

/// Reads `probe`; what is wrong is said. What still holds `${…}` is left out.
Acceptance read_acceptance(const Node& node, const std::string& pointer, Problems& problems);
/// The acceptance that a whole profile states, with the values of a host's variables put in. Throws
/// Error (invalid_input).
Acceptance acceptance_of(const Profile& profile, const Variables& variables);

}  // namespace core
