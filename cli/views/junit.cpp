// SPDX-License-Identifier: Apache-2.0
#include "cli/views/junit.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "cli/views/port_groups.hpp"
#include "cli/views/quoted.hpp"
#include "cli/views/text.hpp"
#include "core/model/finding_names.hpp"

namespace cli {
namespace {

using core::Finding;

using Key = std::tuple<std::string, std::string, std::string>;  ///< port, setting, element

void tell(const Finding& finding, JunitCase& to) {
    std::string text = finding.text;
    if (!finding.remedy.empty()) text += "; remedy: " + finding.remedy;
    if (finding.id == core::findings::restored_at_boot) {
        to.said += (to.said.empty() ? "" : "\n") + text;
    } else if (finding.level == Finding::Level::failure) {
        to.failure += (to.failure.empty() ? "" : "\n") + text;
        to.type = std::string(finding.id);
    } else {
        to.skipped +=
            (to.skipped.empty() ? "" : "\n") + std::string(word(finding.level)) + ": " + text;
    }
}

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

class Cases {
public:
    Cases(const core::Plan& plan, const core::DesiredState& desired_values, bool changes_fail)
        : plan_(plan), changes_fail_(changes_fail) {
        for (const core::Desired& desired : desired_values.desired_values)
            add(desired.port, *desired.field, desired.element);
    }

    std::vector<JunitCase> all() {
        for (const core::Step& step : plan_.steps)
            for (const core::Change& change : step.changes)
                add_change(change, add(step.port, *change.field, change.element));
        for (const Finding& finding : plan_.findings)
            tell(finding, case_of(finding));
        return std::move(cases_);
    }

private:
    JunitCase& add(const std::string& port, const core::Field& field, const std::string& element) {
        const auto [place, fresh] =
            places_.try_emplace({port, std::string(field.key), element}, cases_.size());
        // An address and a route have only their identity for a name.
        std::string name = core::element_name(field, element);
        if (!element.empty() && !core::is_keyed(field.shape)) name += ' ' + element;
        if (fresh) cases_.push_back({.port = port, .name = std::move(name)});
        return cases_[place->second];
    }

    void add_change(const core::Change& change, JunitCase& to) const {
        const std::string before =
            change.before_unknown ? std::string("unknown") : value_text(change.before);
        if (changes_fail_) {
            to.failure = "expected " + value_text(change.after) + ", found " + before + " (" +
                         text(change.origin) + ")";
            to.type = "differs";
        } else {
            to.said = before + " → " + value_text(change.after) + " (" + text(change.origin) + ")";
        }
    }

    /// That of the desired value it is about, else one of its own.
    JunitCase& case_of(const Finding& finding) {
        const auto place = places_.find({finding.port, finding.key, finding.element});
        if (place != places_.end()) return cases_[place->second];
        std::string name(finding.id);
        if (const std::string about = subject_of(finding); !about.empty())
            name = about + ": " + name;
        const std::string port = finding.port.empty() ? "profile" : finding.port;
        return cases_.emplace_back(JunitCase{.port = port, .name = std::move(name)});
    }

    const core::Plan& plan_;
    bool changes_fail_;
    std::vector<JunitCase> cases_;
    std::map<Key, std::size_t> places_;
};

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

namespace {

std::string junit(const Heading& heading, const std::string& profile, const core::Plan& plan,
                  const core::DesiredState& desired_values, bool changes_fail) {
    return junit_suite("rocectl " + heading.command + ' ' + profile, plan.before.host.name,
                       Cases(plan, desired_values, changes_fail).all());
}

}  // namespace

std::string verify_junit(const Heading& heading, const std::string& profile, const core::Plan& plan,
                         const core::DesiredState& desired_values) {
    return junit(heading, profile, plan, desired_values, true);
}

std::string plan_junit(const Heading& heading, const std::string& profile, const core::Plan& plan,
                       const core::DesiredState& desired_values) {
    return junit(heading, profile, plan, desired_values, heading.status == core::Status::differs);
}

}  // namespace cli
