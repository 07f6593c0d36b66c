// SPDX-License-Identifier: Apache-2.0
#include "cli/seal/inherited.hpp"

#include <unistd.h>

#include <charconv>
#include <set>
#include <string_view>

namespace cli {
namespace {

constexpr std::string_view kNamed = "/fd/";

void find_named(std::string_view argument, std::set<unsigned>& named) {
    for (std::size_t at = argument.find(kNamed); at != std::string_view::npos;
         at = argument.find(kNamed)) {
        argument.remove_prefix(at + kNamed.size());
        int number = -1;
        const char* const end = argument.data() + argument.size();
        if (std::from_chars(argument.data(), end, number).ec == std::errc() && number >= 0)
            named.insert(static_cast<unsigned>(number));
    }
}

}  // namespace

void close_inherited(std::span<const std::string> arguments) {
    std::set<unsigned> named;
    for (const std::string& argument : arguments)
        find_named(argument, named);
    unsigned first = STDERR_FILENO + 1;
    for (const unsigned number : named) {
        if (number > first) ::close_range(first, number - 1, 0);
        if (number >= first) first = number + 1;
    }
    ::close_range(first, ~0U, 0);
}

}  // namespace cli
