// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/views/active.hpp"
#include "cli/views/json.hpp"
#include "cli/views/style.hpp"
#include "core/doctor/comparison.hpp"
#include "core/doctor/counter_series.hpp"
#include "core/doctor/diagnosis.hpp"

namespace cli {

/// What the views of a diagnosis have to know beside it.
struct DoctorView {
    const core::State& state;
    const core::Diagnosis& diagnosis;
    const core::Comparison* changes = nullptr;  ///< since an earlier snapshot; null: none was given
    const std::string& profile;                 ///< as it was named; empty: none was
    std::string apply{};                        ///< the command that applies it, with its variables
    std::vector<std::string> profiles{};        ///< that lie on the host, where none was named
    std::vector<core::CounterSeries> counter_series{};  ///< of what was counted in the window
    const Active* active = nullptr;                     ///< what was sent; null: nothing was
    bool all = false;  ///< each check in a line, whatever came of it
};

/// Causes first, each with why, what follows from it and what fixes it; then the chains that are
/// broken; then a line that counts.
std::string doctor_text(const DoctorView& view, const Style& style);
std::string doctor_json(const Heading& heading, const DoctorView& view);
/// A page for a browser or a ticket: causes, chains drawn, all checks, which can be filtered.
std::string doctor_page(const Heading& heading, const DoctorView& view);
/// Each check that there is: id, what it looks at, what it means.
std::string doctor_list(const Style& style);
std::string doctor_list_json(const Heading& heading);

}  // namespace cli
