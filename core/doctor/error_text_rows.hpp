// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/doctor/error_texts.hpp"

/// The texts of each file beside this one.
namespace core::error_text {

extern const std::span<const ErrorText> advice;
extern const std::span<const ErrorText> queue_pairs;
extern const std::span<const ErrorText> connections;
extern const std::span<const ErrorText> completions;
extern const std::span<const ErrorText> programs;
extern const std::span<const ErrorText> kernel;

}  // namespace core::error_text
