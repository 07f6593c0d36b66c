// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/plan/apply.hpp"
#include "core/profile/glossary.hpp"
#include "core/profile/keys.hpp"

namespace cli {

/// Who says it: the members every document starts with.
struct Heading {
    std::string command;
    core::Status status = core::Status::done;
};

/// One document: the heading and the members of the body, in that order.
std::string document(const Heading& heading, nlohmann::ordered_json body);
/// The document as a page for a browser, whole by itself, that draws it (page.html): it loads
/// nothing and sends nothing.
std::string page(const Heading& heading, nlohmann::ordered_json body);
/// As all documents are printed.
std::string json_text(const nlohmann::ordered_json& json);

std::string plan_json(const Heading& heading, const core::Plan& plan);
std::string verify_json(const Heading& heading, const core::Plan& plan,
                        const core::DesiredState& desired_values);
std::string report_json(const Heading& heading, const core::Report& report);
std::string state_json(const Heading& heading, const core::State& state);
/// Prints what state_json gives, and never holds all of it.
void print_state(std::ostream& out, const Heading& heading, const core::State& state);
std::string errors_json(const Heading& heading, const std::vector<std::string>& lines);
std::string field_json(const Heading& heading, const core::Field& field);
std::string term_json(const Heading& heading, const core::GlossaryEntry& term);
std::string key_json(const Heading& heading, const core::ProfileKey& key);
std::string driver_json(const Heading& heading, const core::Driver& driver);
std::string finding_json(const Heading& heading, const core::FindingRow& row);
/// What `profile check` found: all these profiles are valid.
std::string names_json(const Heading& heading, const std::vector<std::string>& profiles,
                       const std::vector<std::string>& notes);

}  // namespace cli
