// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "core/profile/profile.hpp"
#include "core/profile/resolve.hpp"

/// Shows the lines where a comparison of them fails.
template <>
struct doctest::StringMaker<std::vector<std::string>> {
    static String convert(const std::vector<std::string>& lines) {
        std::string out;
        for (const std::string& line : lines)
            out += "\n  " + line;
        return out.c_str();
    }
};

/// Profiles made of texts, for the tests of the profile language.
namespace profiles {

/// Files by name, as a Loader sees them.
using Files = std::map<std::string, std::string>;

/// Loads `main.json`; `extends` finds the other files.
core::Profile load(const Files& files);
core::Profile load(const std::string& text);
/// The lines of the error that loading ends with; empty where it is a good profile.
std::vector<std::string> problems(const Files& files);
std::vector<std::string> problems(const std::string& text);
/// A profile of one entry that matches `name` and states `settings`.
std::string entry(const std::string& settings, const std::string& match = R"("name": "*")");

std::string shipped(const std::string& name);

/// A port that matches by everything there is to match by.
core::Port port(const std::string& name, const std::string& driver = "mlx5_core",
                const std::string& pci = "");
core::State host(std::vector<core::Port> ports);

const core::Desired* find(const core::DesiredState& desired_values, const std::string& port,
                          const std::string& key, const std::string& element = {});
/// `9000`, `none`, or `not desired`.
std::string desired(const core::DesiredState& desired_values, const std::string& port,
                    const std::string& key, const std::string& element = {});

}  // namespace profiles
