// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/checks/evidence.hpp"
#include "core/profile/entry.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/switch.hpp"

namespace core {

/// A value that still holds `${…}`, as the file has it.
struct OpenValue {
    std::string key;
    std::string text;
    Origin origin;
};

/// The desired values of an entry, stated and derived, and the driver families for which they are
/// these.
struct OfflinePort {
    std::vector<const Driver*> drivers;
    std::vector<Desired> desired_values;
    std::vector<Exact> exact;
};

/// An entry without a host, with the given values put in.
struct OfflineEntry {
    const Node& node;
    std::string pointer;  ///< in its own file
    Entry entry;
    const std::optional<Intent>& intent;  ///< the profile's, under the entry's own `roce`

    [[nodiscard]] bool has_roce() const {
        return node.find("roce") != nullptr || !entry.fabric.empty();
    }
    [[nodiscard]] std::vector<OpenValue> open() const;
    /// For the driver rows that it can match: those with equal desired values are one.
    [[nodiscard]] std::vector<OfflinePort> ports() const;
};

/// A profile without a host: `extends` merged, the given values put in. It points to both.
class OfflineProfile {
public:
    using Visit = std::function<void(const OfflineEntry&)>;

    /// Reads what stands outside the entries; what is wrong is added to `problems`.
    OfflineProfile(const Node& tree, const Given& given, Problems& problems);

    /// Calls `visit` with each entry in turn, since all at once would take a hundred times the
    /// memory of the file. With `port`, only with those that may be about a port of the name.
    void each_entry(Problems& problems, const Visit& visit, const std::string& port = {}) const;
    /// The same for a profile that was read before; what is wrong was said then.
    void each_entry(const Visit& visit) const {
        Problems said;
        each_entry(said, visit);
    }

    std::optional<Intent> intent{};  ///< of the whole profile
    std::optional<SwitchSettings> switches{};
    Entry host{};
    std::vector<OpenValue> open{};  ///< of `roce`, `switch` and `host`

private:
    /// That of the profile, under that of the fabric, under that of the entry (or null).
    [[nodiscard]] std::optional<Intent> intent_of(const Node* own, const std::string& name,
                                                  Problems& problems) const;

    const Node& tree_;
    const Given& given_;
    Node roce_{};
};

/// A profile, all entries of which were read once. Throws Error (invalid_input) where a given value
/// is illegal.
OfflineProfile offline_profile(const Profile& profile, const Given& given);

/// What is wrong with a profile, and what there is to know about it.
struct Remarks {
    Problems problems{};
    Problems notes{};
};

/// Holds a profile against the checks, as far as files and given values tell: what two entries or a
/// file and its base can only get wrong together, and what given values can. What is found on
/// several drivers is said once. With `port`, only the entries that may be about it.
void check_offline(const Node& tree, const Given& given, const std::string& port, Remarks& remarks);

/// What the catalogue finds in the desired values for one port alone: on the state that they
/// describe, in what they are derived from, and in what the switches do. Each fault has a desired
/// value to blame. A row that needs a key which is not desired, or is still `open`, says nothing.
Faults inconsistencies(const std::vector<Desired>& desired_values,
                       const std::optional<Intent>& intent,
                       const std::optional<SwitchSettings>& switches, const Driver& driver,
                       const std::set<const Field*>& open = {});

}  // namespace core
