// SPDX-License-Identifier: Apache-2.0
#include "cli/run/progress.hpp"

#include <iostream>

#include "cli/views/printable.hpp"

namespace cli {
namespace {

// ECMA-48: to the start of the line, and erase to its end.
constexpr std::string_view kAgain = "\r\x1b[K";

}  // namespace

void Progress::say(const std::string& text) {
    if (!shown_) return;
    std::cerr << kAgain << on_one_line(text) << std::flush;
    said_ = true;
}

void Progress::clear() {
    if (!said_) return;
    std::cerr << kAgain << std::flush;
    said_ = false;
}

}  // namespace cli
