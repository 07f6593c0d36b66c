// SPDX-License-Identifier: Apache-2.0
#include "core/profile/required.hpp"

#include <algorithm>

#include "core/model/object.hpp"

namespace core {
namespace {

/// Empty where nothing is.
std::string wrong_with(const Entry& entry, const Field& field) {
    const bool fact = field.use == Field::Use::fact;
    const std::vector<Statement>& stated = fact ? entry.facts : entry.statements;
    if (entry.optional.contains(&field)) return "which is under optional too, expected one of both";
    if (std::ranges::find(stated, &field, &Statement::field) == stated.end())
        return std::string("which is not stated, expected it ") +
               (fact ? "under facts" : "beside this list");
    if (fact || row_of(field.object).play == nullptr || entry.external.contains(&field)) return {};
    return "which rocectl sets, so that it is required unless it is optional; expected facts, or "
           "what rocectl does not set";
}

}  // namespace

void check_required(const Entry& entry, const Place& place, const std::string& pointer,
                    Problems& problems) {
    for (const Field* field : entry.required)
        if (const std::string why = wrong_with(entry, *field); !why.empty())
            problems.push_back(
                {place, pointer, "found '" + std::string(key_in_place(*field)) + "', " + why});
}

}  // namespace core
