// SPDX-License-Identifier: Apache-2.0
#include "core/redact/tokens.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/model/ip.hpp"
#include "core/model/letters.hpp"

namespace core {
namespace {

constexpr std::string_view kDigits = "0123456789abcdefABCDEF";

bool is_hex_digit(char c) {
    return kDigits.find(c) != std::string_view::npos;
}

bool is_of_word(char c) {
    return is_letter_or_digit(c) || c == '_';
}

/// So many groups of so many digits, with colons between; MAC addresses also with dashes.
bool is_grouped(std::string_view text, std::size_t groups, std::size_t digits) {
    if (text.size() != groups * (digits + 1) - 1) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool between = i % (digits + 1) == digits;
        if (between ? text[i] != text[digits] || (text[i] != ':' && text[i] != '-')
                    : !is_hex_digit(text[i]))
            return false;
    }
    return true;
}

class Scanner {
public:
    Scanner(std::string_view text, const Names& names) : text_(text), names_(names) {}

    /// The token that begins there.
    std::optional<Token> at(std::size_t at) const {
        const std::string_view rest = text_.substr(at);
        const char before = at == 0 ? ' ' : text_[at - 1];
        if (const auto found = name(rest, before)) return found;
        if (const auto found = file(at)) return found;
        if (is_of_word(before)) return std::nullopt;
        if (const auto found = number(rest, before)) return found;
        return serial(at);
    }

private:
    static bool ends(std::string_view rest, std::size_t size) {
        return size >= rest.size() || !is_of_word(rest[size]);
    }

    /// The longest that stands there as a word.
    std::optional<Token> name(std::string_view rest, char before) const {
        constexpr std::size_t longest = 255;  // of a host's name
        if (is_of_word(before)) return std::nullopt;
        for (std::size_t size = std::min(rest.size(), longest); size > 0; --size)
            if (ends(rest, size) && names_.contains(rest.substr(0, size)))
                return Token{Token::Kind::name, rest.substr(0, size)};
        return std::nullopt;
    }

    static std::optional<Token> number(std::string_view rest, char before) {
        if (!is_hex_digit(rest.front()) && rest.front() != ':') return std::nullopt;
        if (before == '.') return std::nullopt;
        const std::size_t dashed = rest.find_first_not_of("0123456789abcdefABCDEF-");
        if (const auto mac = rest.substr(0, dashed);
            is_grouped(mac, 6, 2) && ends(rest, mac.size()))
            return Token{Token::Kind::mac, mac};
        std::size_t size =
            std::min(rest.find_first_not_of("0123456789abcdefABCDEF:."), rest.size());
        if (!ends(rest, size)) return std::nullopt;
        // What follows may end a sentence, or be a port's number.
        for (bool first = true; size > 1; first = false) {
            const std::string_view run = rest.substr(0, size);
            if (is_grouped(run, 6, 2)) return Token{Token::Kind::mac, run};
            if (is_grouped(run, 4, 4)) return Token{Token::Kind::guid, run};
            if (parse_ip(run)) return ip(rest, size);
            const std::size_t last = run.find_last_of(":.");
            const bool stop = run.back() == ':' || run.back() == '.';
            const bool port = run.find('.') < last && run[std::min(last, size - 1)] == ':';
            if (last == std::string_view::npos || (!stop && !(first && port))) return std::nullopt;
            size = stop ? size - 1 : last;
        }
        return std::nullopt;
    }

    static Token ip(std::string_view rest, std::size_t size) {
        std::size_t end = size;
        if (end < rest.size() && rest[end] == '/') {
            ++end;
            while (end < rest.size() && is_digit(rest[end]))
                ++end;
            if (ends(rest, end) && parse_prefix(rest.substr(0, end)))
                return {Token::Kind::prefix, rest.substr(0, end)};
        }
        return {Token::Kind::ip, rest.substr(0, size)};
    }

    /// Behind "serial number: ", "SN: ", "S/N=".
    std::optional<Token> serial(std::size_t at) const {
        constexpr std::array<std::string_view, 5> kBefore = {"serial number", "serial", "s/n", "sn",
                                                             "board-serial"};
        std::string head(text_.substr(0, at));
        const std::size_t blank = head.find_last_not_of(" :=#");
        if (blank == std::string::npos || blank + 1 == head.size()) return std::nullopt;
        head.resize(blank + 1);
        std::ranges::transform(head, head.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        const bool is_serial = std::ranges::any_of(kBefore, [&](std::string_view word) {
            return head.ends_with(word) &&
                   (head.size() == word.size() || !is_of_word(head[head.size() - word.size() - 1]));
        });
        if (!is_serial) return std::nullopt;
        std::size_t end = at;
        bool digit = false;
        for (; end < text_.size() && (is_of_word(text_[end]) || text_[end] == '-'); ++end)
            digit = digit || is_digit(text_[end]);
        constexpr std::size_t least = 4;
        if (!digit || end - at < least) return std::nullopt;
        return Token{Token::Kind::serial, text_.substr(at, end - at)};
    }

    /// Users' folders, and what files that somebody wrote are called, without what tells their
    /// kind.
    std::optional<Token> file(std::size_t at) const {
        if (at == 0 || text_[at - 1] != '/') return std::nullopt;
        const std::size_t start = text_.find_last_of(" '\",;=(", at);
        const std::size_t begin = start == std::string_view::npos ? 0 : start + 1;
        const std::string_view before = text_.substr(begin, at - begin);
        if (before.empty() || before.front() != '/') return std::nullopt;
        const std::size_t size =
            std::min(text_.substr(at).find_first_of("/ '\",;:)"), text_.size() - at);
        if (size == 0) return std::nullopt;
        const bool last = at + size == text_.size() || text_[at + size] != '/';
        const bool of_user = before.starts_with("/home/") || before.starts_with("/root/") ||
                             before.starts_with("/Users/");
        const bool of_admin = last && before.starts_with("/etc/");
        if (!of_user && !of_admin) return std::nullopt;
        std::string_view name = text_.substr(at, size);
        if (last)
            if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0)
                name = name.substr(0, dot);
        return Token{Token::Kind::file, name};
    }

    std::string_view text_;
    const Names& names_;
};

}  // namespace

std::string with_tokens(std::string_view text, const Names& names,
                        const std::function<std::string(const Token&)>& other) {
    const Scanner scanner(text, names);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto token = scanner.at(at);
        if (!token) {
            out += text[at++];
            continue;
        }
        out += other(*token);
        at += token->text.size();
    }
    return out;
}

}  // namespace core
