// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/plan/kernel.hpp"
#include "core/probe/parameters.hpp"
#include "core/probe/report.hpp"
#include "verbs/probe/path.hpp"

namespace verbs {

struct RunSettings {
    std::string secret{};  ///< empty where the server asks for none
    std::function<bool()> stopped{};
    std::function<void(const std::string&)> debug = [](const std::string&) {
    };  ///< told what goes into no report
    std::function<void(const std::string&)> warn = [](const std::string&) {};
};

/// Probes the paths one after the other: function, measurements, expectations. What cuts a path
/// short is in its report. One of several paths that cannot be probed at all does not affect the
/// others; a single one throws Error (failed).
std::vector<core::probe::PathReport> run_paths(core::Kernel& kernel, std::vector<Path>& paths,
                                               const core::probe::Parameters& parameters,
                                               const RunSettings& settings);

/// The rail as an end of a path in the report.
core::probe::End end_of(const Rail& rail);

/// Whether everything works and all expectations are met.
bool is_well(const core::probe::PathReport& report);

/// done where all is well; failed where nothing is wrong but something requested could not be read;
/// else differs.
core::Status status_of(const std::vector<core::probe::PathReport>& reports);

}  // namespace verbs
