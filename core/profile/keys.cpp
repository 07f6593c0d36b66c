// SPDX-License-Identifier: Apache-2.0
#include "core/profile/keys.hpp"

#include <algorithm>
#include <numeric>

#include "core/json/tree.hpp"
#include "core/profile/fact_reader.hpp"

namespace core {
namespace {

/// How many letters have to be put in, taken out, changed or swapped with their neighbour
/// (optimal string alignment distance).
std::size_t distance(std::string_view left, std::string_view right) {
    std::vector<std::size_t> before;
    std::vector<std::size_t> last(right.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= left.size(); ++i) {
        std::vector<std::size_t> row(right.size() + 1, i);
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = std::move(last);
        last = std::move(row);
    }
    return last.back();
}

}  // namespace

std::string nearest(std::string_view key, const std::vector<std::string>& known) {
    constexpr std::size_t kLongest = 64;
    if (key.size() > kLongest) return {};
    std::string best;
    std::size_t least = std::max<std::size_t>(key.size() / 3, 1) + 1;
    for (const std::string& candidate : known) {
        const std::size_t edits = distance(key, candidate);
        if (edits >= least) continue;
        least = edits;
        best = candidate;
    }
    return best;
}

namespace {

/// The keys of a group: of ring, ring.rx and ring.tx.
std::vector<std::string> members_of(std::string_view key, const std::vector<std::string>& known) {
    std::vector<std::string> out;
    for (const std::string& candidate : known)
        if (candidate.starts_with(std::string(key) + '.')) out.push_back(candidate);
    return out;
}

}  // namespace

std::string unknown_key(std::string_view key, const std::vector<std::string>& known) {
    if (const std::vector<std::string> members = members_of(key, known); !members.empty())
        return "found " + in_quotes(key) + ", which is a group of settings, expected one of " +
               listed(members);
    std::string out = "found unknown key " + in_quotes(key);
    const std::string near = nearest(key, known);
    if (!near.empty()) return out + ", did you mean '" + near + "'?";
    if (known.empty()) return out + ", expected none";
    return out + ", expected one of " + listed(known);
}

}  // namespace core
