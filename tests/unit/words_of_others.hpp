// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/views/doctor.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/journal.hpp"
#include "core/probe/mesh.hpp"
#include "core/probe/report.hpp"

namespace words_of_others {

/// A host, what is desired of it, and what became of that; every word that is not rocectl's own is
/// the same one.
struct World {
    explicit World(const std::string& one);
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    [[nodiscard]] cli::DoctorView view() const;

    std::string word;
    core::State state;
    core::DesiredState desired_values{};
    core::Plan plan{};
    core::Report report{};
    core::JournalEntry entry{};
    core::Diagnosis diagnosis{};
    core::Comparison changes{};
    std::vector<core::MetText> met{};
    core::probe::PathReport path{};
    core::probe::Mesh mesh{};
    cli::Active active{};

private:
    void plan_and_apply();
    void diagnose();
    void probe();
};

}  // namespace words_of_others
