// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/views/doctor.hpp"

namespace cli {

/// What to do about a cause, as the views tell it.
struct Remedy {
    /// Lines to type, those that fix one fault together: the first of them may take away what the
    /// next one replaces.
    std::vector<std::vector<std::string>> commands{};
    std::string when{};                ///< what they presume, where there is another way
    std::vector<std::string> other{};  ///< lines of that
    std::string other_when{};
    std::string words{};     ///< where there is no line to type
    std::string disturbs{};  ///< what is lost for a moment by them; empty: nothing
    std::string profile{};   ///< the key, and the command that applies the profile
};
Remedy remedy_of(const DoctorView& view, const core::Suspect& cause);

/// Once behind all causes: how long commands last. Empty where no line to type was reported.
std::string lasting(const DoctorView& view);

}  // namespace cli
