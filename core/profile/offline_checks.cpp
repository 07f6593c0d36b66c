// SPDX-License-Identifier: Apache-2.0
#include "core/profile/offline_checks.hpp"

#include <algorithm>
#include <iterator>

#include "core/checks/catalogue.hpp"

namespace core {

Faults inconsistencies(const std::vector<Desired>& desired_values,
                       const std::optional<Intent>& intent, const std::optional<Fabric>& fabric,
                       const Driver& driver, const std::set<const Field*>& open) {
    const Evidence evidence{.driver = &driver,
                            .desired_values = desired_values,
                            .intent = intent ? &*intent : nullptr,
                            .fabric = fabric ? &*fabric : nullptr,
                            .open = &open};
    Faults out;
    for (const FindingRow* row : catalogue())
        if (std::optional<Faults> faults = examine(*row, evidence))
            std::ranges::move(*faults, std::back_inserter(out));
    return out;
}

}  // namespace core
