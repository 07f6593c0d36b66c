// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/checks/evidence.hpp"
#include "core/profile/entry.hpp"

namespace core {

/// Holds what entries state against the checks. What follows from the intent that they share is
/// examined once a driver and not once an entry.
class EntryChecks {
public:
    using Found = std::function<void(const Fault&)>;

    /// `host` is what is stated of the host itself.
    EntryChecks(const std::optional<Intent>& intent, const std::optional<Fabric>& fabric,
                const std::vector<Desired>& host)
        : intent_(intent), fabric_(fabric), host_(host) {}

    /// Calls `found` with each fault of the entry on each of the drivers, in the order of the
    /// drivers and then of the catalogue. What a fault points to is good until `found` returns.
    void each_fault(const Entry& entry, const std::vector<const Driver*>& drivers,
                    const Found& found);

private:
    /// What an entry states, which is the same on all drivers.
    struct Stated {
        std::vector<Desired> desired_values{};
        std::set<const Field*> open{};    ///< pending_in the entry
        std::vector<std::size_t> rows{};  ///< that look at it, by their places in the catalogue
    };
    /// What follows on one driver for an entry that states nothing but the shared intent.
    struct OnDriver {
        std::vector<Desired> derived{};
        bool examined = false;
        std::map<std::size_t, Faults> faults{};  ///< by the row's place in the catalogue
        std::vector<Desired> with_stated{};  ///< the same desired values, and room for an entry's
    };
    OnDriver& on(const Driver& driver);
    void look_at_derived(OnDriver& on, const Driver& driver) const;
    [[nodiscard]] std::vector<Desired> all_desired(const Entry& entry, const Driver& driver) const;
    [[nodiscard]] bool stands_apart(const Entry& entry, const OnDriver& on) const;
    void each_alone(OnDriver& on, Stated& stated, const Driver& driver, const Found& found) const;

    const std::optional<Intent>& intent_;
    const std::optional<Fabric>& fabric_;
    const std::vector<Desired>& host_;
    std::map<const Driver*, OnDriver> drivers_{};
};

/// The settings of which an entry states a part that holds `${…}`.
std::set<const Field*> pending_in(const Entry& entry);

}  // namespace core
