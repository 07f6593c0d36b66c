// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/desired.hpp"
#include "core/profile/roce_intent.hpp"

namespace core {

/// The settings derived from the intent for a port of this driver, and the collections that should
/// hold nothing else. `lossless` are the priorities with PFC as stated: none of them shares a
/// traffic class with a lossy one.
DesiredValues derive(const Intent& intent, const Driver& driver, const Numbers& lossless = {});

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
    std::vector<const Driver*> drivers{};
};
std::vector<Elsewhere> derived_elsewhere(const Driver& driver);

/// The inverse of derive(): an intent, all of whose derived settings the port has. Nothing where
/// there is none, or a derived setting cannot be read.
std::optional<Intent> intent_of(const Port& port);

}  // namespace core
