// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/accepted_finding.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/profile.hpp"

namespace core {

/// The keys of an element of `accepted`.
std::span<const SectionKey> accepted_keys();

/// Reads `accepted`; what is wrong is added to `problems`. What still holds `${…}` is left out.
std::vector<AcceptedFinding> read_accepted(const Node& node, const std::string& pointer,
                                           Problems& problems);
/// What a whole profile accepts, with the values of a host's variables put in. Throws Error
/// (invalid_input).
std::vector<AcceptedFinding> accepted_by(const Profile& profile, const Variables& variables);
/// The list that a file of its own holds. Throws Error (invalid_input).
std::vector<AcceptedFinding> load_accepted(const Source& source);

}  // namespace core
