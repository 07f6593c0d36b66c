// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cli {

/// What a mesh's page has beside the style of all pages (kPageStyle).
extern const std::string_view kMeshStyle;
/// Says in words which cell is pointed at, and the list of hosts after another column. Nothing of
/// the page is only told by it.
extern const std::string_view kMeshScript;

}  // namespace cli
