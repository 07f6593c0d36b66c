// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/views/port_groups.hpp"
#include "cli/views/style.hpp"
#include "core/doctor/diagnosis.hpp"

namespace cli {

/// A line below a cause: `   because       pfc.priorities is []`. The text begins in one column
/// whatever the head is, and stays on one line.
std::string line_of(std::string_view head, std::string_view text);
/// The line that says how many more there are than are shown; empty where all are.
std::string more_lines(std::size_t all, std::size_t shown, const Style& style);

/// One text of what was found of a cause, and the ports that it is about: with the name of the port
/// where that is one, else with PORT in its place.
/// What a text has of lines for a shell, `dcb pfc show dev PORT, and the same at the switch`, and
/// the rest of it.
struct Pasted {
    std::vector<std::string> commands{};
    std::string words{};
};
Pasted pasted(const std::string& text);

std::string label_line(std::string_view head);
std::string paste_line(const std::string& command);
/// Lines for a shell below what they are for, and what else there is to say of them.
std::string lines_of(std::string_view head, const std::string& text);

struct Reason {
    std::string text{};
    std::vector<std::string> ports{};
};
std::vector<Reason> reasons_of(const core::Suspect& cause, const Grouping& of);

}  // namespace cli
