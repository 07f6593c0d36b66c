// SPDX-License-Identifier: Apache-2.0
#include "core/model/glob.hpp"

#include <fnmatch.h>

namespace core {

bool glob_matches(std::string_view pattern, std::string_view name) {
    return fnmatch(std::string(pattern).c_str(), std::string(name).c_str(), 0) == 0;
}

bool is_glob(std::string_view text) {
    return text.find_first_of("*?[\\") != std::string_view::npos;
}

std::string literal(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (std::string_view("*?[\\").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

}  // namespace core
