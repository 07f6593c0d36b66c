// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/views/style.hpp"

namespace cli {

/// All that the tables say about one thing that a person can ask for, for whichever form of it.
struct Entry {
    struct Part {
        std::string title;
        std::vector<Row> rows{};
        bool shared = false;  ///< the same for many entries: a page that has all has it once
    };
    std::string name{};
    std::string doc{};          ///< sentences
    std::vector<Row> rows{};    ///< of two columns: what is reported, and what it is
    std::vector<Part> parts{};  ///< more of it, below headings of their own
};

/// For a terminal.
std::string text_of(const Entry& entry, const Style& style);

}  // namespace cli
