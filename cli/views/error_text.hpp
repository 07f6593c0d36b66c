// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/views/json.hpp"
#include "cli/views/style.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/doctor/examination.hpp"

namespace cli {

/// Texts that were met, and what of their causes is so on a host.
struct MetView {
    const std::vector<core::MetText>& met;
    std::optional<std::size_t> lines{};           ///< that were read; nothing: one text was asked
    const core::Examination* examined = nullptr;  ///< null: no host was looked at
};

std::string met_text(const MetView& view, const Style& style);
std::string met_json(const Heading& heading, const MetView& view);

}  // namespace cli
