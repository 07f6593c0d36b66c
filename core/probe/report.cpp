// SPDX-License-Identifier: Apache-2.0
#include "core/probe/report.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/doctor/error_texts.hpp"

namespace core::probe {
namespace {

/// What differs by less is what measuring again would change too.
constexpr double kAlike = 0.8;

std::string rate_text(double gigabits) {
    constexpr int kDigits = 3;
    std::array<char, 32> out{};
    const auto end = std::to_chars(out.data(), out.data() + out.size(), gigabits,
                                   std::chars_format::general, kDigits);
    return std::string(out.data(), end.ptr) + " Gb/s";
}

/// Of all that was carried one way, or of both together; nothing where it was not measured.
std::optional<double> rate_of(const std::vector<Trial>& trials, Operation operation,
                              Direction direction) {
    for (const Trial& trial : trials)
        if (trial.operation == operation && trial.direction == direction && trial.bandwidth)
            return trial.total_gigabits();
    return std::nullopt;
}

}  // namespace

std::string meaning_of(std::string_view failure) {
    const ErrorText* found = find_error_text(failure, false);
    return found == nullptr ? std::string() : std::string(found->meaning);
}

std::string direction_words(const std::vector<Trial>& trials) {
    std::string words;
    for (const Operation operation : kOperations) {
        const auto out = rate_of(trials, operation, Direction::out);
        const auto in = rate_of(trials, operation, Direction::in);
        if (!out || !in) continue;
        const std::string name(name_of(operation));
        if (std::min(*out, *in) < kAlike * std::max(*out, *in))
            words += name + ": the directions differ: " + rate_text(*out) +
                     " where this host posts, " + rate_text(*in) + " where the peer does\n";
        const auto both = rate_of(trials, operation, Direction::both);
        if (both && *both < kAlike * (*out + *in))
            words += name + ": together the directions carry " + rate_text(*both) + ", in turn " +
                     rate_text(*out) + " and " + rate_text(*in) + '\n';
    }
    return words;
}

}  // namespace core::probe
