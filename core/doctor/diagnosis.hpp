// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/doctor/causes.hpp"
#include "core/doctor/chains.hpp"
#include "core/error.hpp"

namespace core {

/// The result of doctor on a host. The causes point into the examination, which stays in place.
struct Diagnosis {
    Examination examination{};
    std::vector<Suspect> causes{};
    std::vector<Chain> chains{};
};

Diagnosis diagnose(const Inquiry& inquiry);

/// How many checks ended with each verdict.
std::map<Verdict, std::size_t> tally(const Examination& examination);

/// 2 where something failed, 1 where something is unknown or nothing was checked, else 0; strict:
/// a warning is a failure.
Status status_of(const Examination& examination, bool strict);

}  // namespace core
