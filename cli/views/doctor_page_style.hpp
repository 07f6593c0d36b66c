// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cli {

/// The style sheet of the page: one column on a phone, light or dark as the reader has it.
extern const std::string_view kPageStyle;
/// What filters the checks; without it all are shown.
extern const std::string_view kPageScript;

}  // namespace cli
