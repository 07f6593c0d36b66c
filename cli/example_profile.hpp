// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cli {

/// A profile with sensible values of settings. The manual and explain quote parts of it; the
/// tests load it.
extern const std::string_view kExampleProfile;

}  // namespace cli
