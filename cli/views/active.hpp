// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/error.hpp"

namespace cli {

/// What a short probe by another command found, as it is reported: each operation, and latency by a
/// few messages.
struct Active {
    core::Status status = core::Status::failed;
    std::string text{};     ///< for people
    std::string paths{};    ///< the same as JSON, a list of paths
    std::string failure{};  ///< a sentence; empty where all works
};

}  // namespace cli
