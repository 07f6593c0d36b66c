// SPDX-License-Identifier: Apache-2.0
#include "core/probe/connection.hpp"

#include "core/doctor/error_texts.hpp"

namespace core::probe {
std::string meaning_of(std::string_view failure) {
    const ErrorText* found = find_error_text(failure, false);
    return found == nullptr ? std::string() : std::string(found->meaning);
}

}  // namespace core::probe
