// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

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

}  // namespace cli
