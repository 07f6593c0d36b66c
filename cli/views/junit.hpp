// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/views/json.hpp"

namespace cli {

/// One testcase; empty texts are left out.
struct JunitCase {
    std::string port{};
    std::string name{};
    std::string failure{};
    std::string type{};  ///< of the failure: the finding's id
    std::string skipped{};
    std::string error{};  ///< what went wrong with looking
    std::string said{};
};

/// The document of one suite.
std::string junit_suite(const std::string& name, const std::string& host,
                        const std::vector<JunitCase>& cases);

/// What a CI system reads: one suite, with a case for each desired value, by port, and one for each
/// finding that is about no desired value. A desired value that does not hold or cannot be had is a
/// failure; one that is not known, or whose lack is only noted, is skipped.
std::string verify_junit(const Heading& heading, const std::string& profile, const core::Plan& plan,
                         const core::DesiredState& desired_values);
/// What a CI system reads of a plan: the cases of verify_junit, but a desired value that a write
/// brings about is a failure only if the status says that there are differences.
std::string plan_junit(const Heading& heading, const std::string& profile, const core::Plan& plan,
                       const core::DesiredState& desired_values);

}  // namespace cli
