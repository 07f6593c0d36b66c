// SPDX-License-Identifier: Apache-2.0
#include "core/model/glob.hpp"

#include <fnmatch.h>

#include <string>

namespace core {

bool glob_matches(std::string_view pattern, std::string_view name) {
    return fnmatch(std::string(pattern).c_str(), std::string(name).c_str(), 0) == 0;
}

bool is_glob(std::string_view text) {
    return text.find_first_of("*?[\\") != std::string_view::npos;
}

}  // namespace core
