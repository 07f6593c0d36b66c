// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/views/entry.hpp"
#include "core/model/finding.hpp"

namespace cli {

/// The catalogue's entry for a finding, as explain prints it.
Entry entry_of(const core::FindingRow& row);

/// The findings of rocectl-checks(7), in man(7) macros.
std::string manual_findings();

}  // namespace cli
