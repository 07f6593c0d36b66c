// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/model/desired.hpp"
#include "core/profile/intent.hpp"

namespace core {

/// A setting that follows from `roce` on a driver, as derive() makes it.
struct Derivation {
    Desired desired;
    /// The keys of `roce` that decide its value; `roce` itself where it is always the same.
    std::vector<std::string> from;
};

/// The settings that `roce: {}` derives on the driver. To find which keys of `roce` decide a value,
/// derive() is run with each value of each key.
std::vector<Derivation> derivations(const Driver& driver);

/// A setting that is derived on other drivers and not on this one.
struct Elsewhere {
    const Field* field = nullptr;
    std::string element{};
    std::vector<std::string> drivers{};
};
std::vector<Elsewhere> derived_elsewhere(const Driver& driver);

}  // namespace core
