// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/views/doctor.hpp"

namespace cli {

/// A page for a browser or a ticket, whole by itself: causes, chains drawn, all checks, which can
/// be filtered; it loads nothing and sends nothing.
std::string doctor_page(const DoctorView& view);

}  // namespace cli
