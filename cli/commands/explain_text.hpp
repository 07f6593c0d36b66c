// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/run/session.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/error.hpp"

namespace cli {

/// What of the text, which can have many lines, is known.
std::vector<core::MetText> known_texts(const std::string& text);

/// Tells what is behind them and, where that was asked, which of it is so on the host.
core::Status explain_texts(Session& session, const std::vector<core::MetText>& met);

/// The same of all that comes from standard input, with how often it came. Whatever its size, no
/// more is kept of it than a line for each known text.
core::Status explain_input(Session& session);

}  // namespace cli
