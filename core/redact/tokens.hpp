// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace core {

/// What stands in a text and tells whose it is.
struct Token {
    enum class Kind : std::uint8_t {
        ip,      ///< `10.0.0.1`, `fe80::1`, a GID
        prefix,  ///< the same with a length
        mac,     ///< six times two digits
        guid,    ///< four times four digits
        serial,  ///< what follows "serial number" and the like
        file,    ///< a user's name, or what he called a file
        name,    ///< a known name
    };
    Kind kind{};
    std::string_view text{};
};

using Names = std::map<std::string, std::string, std::less<>>;

/// The text with each token replaced by `other(token)`.
std::string with_tokens(std::string_view text, const Names& names,
                        const std::function<std::string(const Token&)>& other);

}  // namespace core
