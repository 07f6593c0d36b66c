// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cli {

/// A profile in which settings have values that make sense, of which the manual and explain show
/// parts; the tests load it.
extern const std::string_view kExampleProfile;

}  // namespace cli
