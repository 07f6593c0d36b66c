// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/reference.hpp"
#include "core/drivers/topics.hpp"

namespace cli {

/// The reference entry of a driver family.
Entry entry_of(const core::Driver& driver);

/// The table and the families of rocectl-drivers(7), in macros of tbl(1) and man(7).
std::string manual_drivers();

}  // namespace cli
