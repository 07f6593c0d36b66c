// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/views/entry.hpp"

namespace cli {

/// Entries of one kind.
struct Chapter {
    std::string id{};  ///< as the page's address has it behind #
    std::string title{};
    std::vector<Entry> entries{};
};

/// One page for a browser, whole by itself: all entries, searched by the words that somebody types
/// or that the address has behind `#q=`. It loads nothing and sends nothing; without its script all
/// is shown.
std::string reference_page(std::span<const Chapter> chapters);

}  // namespace cli
