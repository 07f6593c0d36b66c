// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/causes.hpp"
#include "core/model/letters.hpp"
#include "core/model/shell.hpp"

namespace core {
namespace {

/// What stands for the word: what a fault is about may be another port than was looked at.
std::string named(const Check& check, const std::string& word) {
    for (const Fault& fault : check.faults)
        if (const auto known = fault.names.find(word); known != fault.names.end())
            return known->second;
    return word == "PORT" && check.port != kHost ? shell(check.port) : word;
}

std::string filled(std::string_view text, const Check& check) {
    std::string out;
    std::string word;
    const auto end_word = [&] {
        out += named(check, word);
        word.clear();
    };
    for (const char letter : text) {
        if (is_letter(letter)) {
            word += letter;
            continue;
        }
        end_word();
        out += letter;
    }
    end_word();
    return out;
}

}  // namespace

std::string test_of(const Suspect& cause) {
    return filled(cause.row->cause.test, *cause.checks.front());
}

std::string test_of(const Check& check) {
    return filled(check.row->cause.test, check);
}

std::string ruled_out_by(const Suspect& cause) {
    return filled(cause.row->cause.ruled_out_by, *cause.checks.front());
}

}  // namespace core
