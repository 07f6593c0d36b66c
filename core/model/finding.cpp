// SPDX-License-Identifier: Apache-2.0
#include "core/model/finding.hpp"

namespace core {

std::string_view word(FindingLevel level) {
    switch (level) {
        case FindingLevel::note: return "note";
        case FindingLevel::accepted: return "accepted";
        case FindingLevel::unknown: return "unknown";
        case FindingLevel::failure: return "failure";
    }
    return "failure";
}

}  // namespace core
