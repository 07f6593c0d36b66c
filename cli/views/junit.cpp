// SPDX-License-Identifier: Apache-2.0
#include "cli/views/junit.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "cli/views/fold.hpp"
#include "cli/views/text.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

using core::Finding;

/// What is not UTF-8 replaced, as in the JSON documents.
std::string utf8(const std::string& text) {
    const core::Json quoted(text);
    const std::string whole = quoted.dump(-1, ' ', false, core::Json::error_handler_t::replace);
    return core::Json::parse(whole).get<std::string>();
}

/// As the text or an attribute of XML 1.0, which has no place for most control characters.
std::string xml(const std::string& text) {
    std::string out;
    for (const char c : utf8(text)) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (c == '\n' || c == '\t')
            out += c;
        else
            out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
    return out;
}

/// One testcase; empty texts are left out.
struct Case {
    std::string port{};
    std::string name{};
    std::string failure{};
    std::string type{};  ///< of the failure: the finding's id
    std::string skipped{};
    std::string said{};
};

std::string case_text(const Case& one) {
    std::string out = "    <testcase classname=\"" + xml(one.port) + "\" name=\"" + xml(one.name) +
                      "\" time=\"0\"";
    std::string inside;
    if (!one.failure.empty())
        inside += "      <failure type=\"" + xml(one.type) + "\" message=\"" + xml(one.failure) +
                  "\">" + xml(one.failure) + "</failure>\n";
    if (!one.skipped.empty()) inside += "      <skipped message=\"" + xml(one.skipped) + "\"/>\n";
    if (!one.said.empty()) inside += "      <system-out>" + xml(one.said) + "</system-out>\n";
    return inside.empty() ? out + "/>\n" : out + ">\n" + inside + "    </testcase>\n";
}

std::string suite_text(const std::string& name, const std::string& host,
                       const std::vector<Case>& cases) {
    const auto counted = [&cases](std::string Case::*member) {
        return std::to_string(std::ranges::count_if(
            cases, [member](const Case& one) { return !(one.*member).empty(); }));
    };
    const std::string numbers = " tests=\"" + std::to_string(cases.size()) + "\" failures=\"" +
                                counted(&Case::failure) + "\" errors=\"0\" skipped=\"" +
                                counted(&Case::skipped) + "\" time=\"0\"";
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rocectl\"" +
                      numbers + ">\n  <testsuite name=\"" + xml(name) + "\" hostname=\"" +
                      xml(host) + "\"" + numbers + ">\n";
    for (const Case& one : cases)
        out += case_text(one);
    return out + "  </testsuite>\n</testsuites>\n";
}

using Key = std::tuple<std::string, std::string, std::string>;  ///< port, setting, element

void tell(const Finding& finding, Case& to) {
    std::string text = finding.text;
    if (!finding.remedy.empty()) text += "; remedy: " + finding.remedy;
    if (finding.level == Finding::Level::failure) {
        to.failure += (to.failure.empty() ? "" : "\n") + text;
        to.type = std::string(finding.id);
    } else {
        to.skipped +=
            (to.skipped.empty() ? "" : "\n") + std::string(word(finding.level)) + ": " + text;
    }
}

class Cases {
public:
    Cases(const core::Plan& plan, const core::Wishes& wishes, bool changes_fail)
        : plan_(plan), changes_fail_(changes_fail) {
        for (const core::Wish& wish : wishes.wishes)
            add(wish.port, *wish.field, wish.element);
    }

    std::vector<Case> all() {
        for (const core::Step& step : plan_.steps)
            for (const core::Change& change : step.changes)
                add_change(change, add(step.port, *change.field, change.element));
        for (const Finding& finding : plan_.findings)
            tell(finding, case_of(finding));
        return std::move(cases_);
    }

private:
    Case& add(const std::string& port, const core::Field& field, const std::string& element) {
        const auto [place, fresh] =
            places_.try_emplace({port, std::string(field.key), element}, cases_.size());
        // An address and a route have only their identity for a name.
        std::string name = core::element_name(field, element);
        if (!element.empty() && !core::is_keyed(field.shape)) name += ' ' + element;
        if (fresh) cases_.push_back({.port = port, .name = std::move(name)});
        return cases_[place->second];
    }

    void add_change(const core::Change& change, Case& to) const {
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

    /// That of the wish it is about, else one of its own.
    Case& case_of(const Finding& finding) {
        const auto place = places_.find({finding.port, finding.key, finding.element});
        if (place != places_.end()) return cases_[place->second];
        std::string name(finding.id);
        if (const std::string about = subject_of(finding); !about.empty())
            name = about + ": " + name;
        const std::string port = finding.port.empty() ? "profile" : finding.port;
        return cases_.emplace_back(Case{.port = port, .name = std::move(name)});
    }

    const core::Plan& plan_;
    bool changes_fail_;
    std::vector<Case> cases_;
    std::map<Key, std::size_t> places_;
};

std::string junit(const Heading& heading, const std::string& profile, const core::Plan& plan,
                  const core::Wishes& wishes, bool changes_fail) {
    return suite_text("rocectl " + heading.command + ' ' + profile, plan.before.host.name,
                      Cases(plan, wishes, changes_fail).all());
}

}  // namespace

std::string verify_junit(const Heading& heading, const std::string& profile, const core::Plan& plan,
                         const core::Wishes& wishes) {
    return junit(heading, profile, plan, wishes, true);
}

std::string plan_junit(const Heading& heading, const std::string& profile, const core::Plan& plan,
                       const core::Wishes& wishes) {
    return junit(heading, profile, plan, wishes, heading.status == core::Status::differs);
}

}  // namespace cli
