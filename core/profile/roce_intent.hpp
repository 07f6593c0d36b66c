// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/tree.hpp"
#include "core/model/finding.hpp"
#include "core/model/intent.hpp"
#include "core/model/shape.hpp"
#include "core/objects/host/variable.hpp"

namespace core {

/// One key of `roce`, below it by dots: priority, cnp.dscp.
struct IntentKey {
    std::string_view name;
    Shape shape;
    std::uint64_t preset;  ///< default; of a word its index, of a list of words a bit for each
    std::string_view doc;
};
std::span<const IntentKey> intent_keys();

/// Whether `roce.libraries` names the library, so that its variables are derived too.
[[nodiscard]] bool tells(const Intent& intent, const Library& library);

/// The intent's keys with their values, without those of a missing cnp and without empty libraries.
std::vector<std::pair<const IntentKey*, const Intent::Part*>> parts(const Intent& intent);
/// The key's value: a flag, a number or a word.
Value value_of(const IntentKey& key, const Intent::Part& part);
/// The key's default value.
Value preset_of(const IntentKey& key);

/// Reads `roce`; nothing where it is null, wrong (a problem then) or still holds `${…}`.
std::optional<Intent> read_intent(const Node& node, const std::string& pointer, Problems& problems);

/// What an entry that matches a port has as its own `roce`.
struct OwnRoce {
    Node roce;
    std::string pointer;  ///< of the key in its file
};

/// The `roce` of one port: the profile's (or null), overridden key by key by the entries that match
/// the port. Nothing where there is none, or an entry opts out.
std::optional<Node> joint_roce(const Node* whole, const std::vector<OwnRoce>& own);

/// A finding for each key of `roce` on which two entries that match the port differ.
std::vector<Finding> roce_conflicts(const std::string& port, const std::vector<OwnRoce>& own);

}  // namespace core
