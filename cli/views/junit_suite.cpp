// SPDX-License-Identifier: Apache-2.0
#include "cli/views/junit_suite.hpp"

#include <algorithm>

#include "cli/views/quoted.hpp"

namespace cli {
namespace {

std::string case_text(const JunitCase& one) {
    std::string out = "    <testcase classname=\"" + xml(one.port) + "\" name=\"" + xml(one.name) +
                      "\" time=\"0\"";
    std::string inside;
    if (!one.failure.empty())
        inside += "      <failure type=\"" + xml(one.type) + "\" message=\"" + xml(one.failure) +
                  "\">" + xml(one.failure) + "</failure>\n";
    if (!one.error.empty()) inside += "      <error message=\"" + xml(one.error) + "\"/>\n";
    if (!one.skipped.empty()) inside += "      <skipped message=\"" + xml(one.skipped) + "\"/>\n";
    if (!one.said.empty()) inside += "      <system-out>" + xml(one.said) + "</system-out>\n";
    return inside.empty() ? out + "/>\n" : out + ">\n" + inside + "    </testcase>\n";
}

}  // namespace

std::string junit_suite(const std::string& name, const std::string& host,
                        const std::vector<JunitCase>& cases) {
    const auto counted = [&cases](std::string JunitCase::*member) {
        return std::to_string(std::ranges::count_if(
            cases, [member](const JunitCase& one) { return !(one.*member).empty(); }));
    };
    const std::string numbers = " tests=\"" + std::to_string(cases.size()) + "\" failures=\"" +
                                counted(&JunitCase::failure) + "\" errors=\"" +
                                counted(&JunitCase::error) + "\" skipped=\"" +
                                counted(&JunitCase::skipped) + "\" time=\"0\"";
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rocectl\"" +
                      numbers + ">\n  <testsuite name=\"" + xml(name) + "\" hostname=\"" +
                      xml(host) + "\"" + numbers + ">\n";
    for (const JunitCase& one : cases)
        out += case_text(one);
    return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace cli
