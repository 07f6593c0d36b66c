// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/run/session.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/error.hpp"

namespace cli {

/// The known error texts found in `text`, which may have many lines.
std::vector<core::MetText> known_texts(const std::string& text);

/// Explains each text and, with --here, which of its causes are present on this host.
core::Status explain_texts(Session& session, const std::vector<core::MetText>& met);

/// Reads standard input to its end and explains the known texts in it as explain_texts does, each
/// with its count. Memory is bounded: one line for each known text. Throws Error (failed) on a read
/// error.
core::Status explain_input(Session& session);

}  // namespace cli
