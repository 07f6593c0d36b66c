// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "core/plan/kernel.hpp"

namespace cli {

/// This host, over every source and writer there is.
std::unique_ptr<core::Kernel> live_host(const std::filesystem::path& root);

}  // namespace cli
