// SPDX-License-Identifier: Apache-2.0
#include "core/redact/tokens.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/model/ip.hpp"
#include "core/model/letters.hpp"

namespace core {
namespace {

constexpr std::size_t kTailDigits = 6;
constexpr std::size_t kIpv4Digits = 8;
constexpr std::size_t kIpv6Digits = 32;
constexpr std::size_t kBits = 4;  // of a digit

bool is_hex_digit(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::uint64_t hex_digit(char c) {
    if (is_digit(c)) return static_cast<std::uint64_t>(c - '0');
    const int letter = (c | 0x20) - 'a';
    return static_cast<std::uint64_t>(letter) + 10;
}

bool is_of_word(char c) {
    return is_letter_or_digit(c) || c == '_';
}

bool has_letter(std::string_view text) {
    return std::ranges::any_of(text, is_letter);
}

/// What stands between the digits of a number that is known.
bool separates(char c) {
    return c == ':' || c == '-' || c == '.' || c == '_' || c == ' ';
}

class Scanner {
public:
    Scanner(std::string_view text, const Known& known, Searched as, std::uint64_t& steps)
        : text_(text), known_(known), as_(as), steps_(steps) {}

    /// The token that begins there. Places are asked for one behind the other.
    std::optional<Token> at(std::size_t at) {
        ++steps_;
        if (at > 0 && kEndsPath.find(text_[at - 1]) != std::string_view::npos) path_ = at;
        if (const auto found = word(at)) return found;
        if (const auto found = file(at)) return found;
        const bool begins = !is_of_word(before(at));
        if (begins)
            if (const auto found = hardware_number(at)) return found;
        if (!is_letter_or_digit(before(at)) && as_ == Searched::line)
            if (const auto found = address(at)) return found;
        if (const auto found = known_number(at)) return found;
        if (as_ == Searched::version) return std::nullopt;
        if (const auto found = octets(at)) return found;
        if (const auto found = groups(at)) return found;
        return begins ? serial(at) : std::nullopt;
    }

private:
    static constexpr std::string_view kEndsPath = " '\",;=(";

    [[nodiscard]] char sign(std::size_t at) const { return at < text_.size() ? text_[at] : ' '; }
    [[nodiscard]] char before(std::size_t at) const { return at == 0 ? ' ' : text_[at - 1]; }
    [[nodiscard]] Token token(Token::Kind kind, std::size_t at, std::size_t size) const {
        return {kind, text_.substr(at, size)};
    }
    /// Whether the text is nothing but a value, as of a setting.
    [[nodiscard]] bool is_bare_value() const { return !has_letter(text_); }

    [[nodiscard]] std::optional<Token> word(std::size_t at) const {
        const std::string_view rest = text_.substr(at);
        const auto size_of = [&](const WordTree& tree, const auto& fits) {
            return tree.longest(rest, steps_, fits);
        };
        const bool begins = !is_letter_or_digit(before(at));
        // A version or a state has words, too.
        const std::size_t host = size_of(known_.hosts, [&](std::size_t one) {
            return as_ == Searched::line || std::ranges::any_of(rest.substr(0, one), is_digit);
        });
        const std::size_t name =
            is_of_word(before(at)) ? 0 : size_of(known_.names, [&](std::size_t one) {
                return !is_of_word(sign(at + one));
            });
        if (name > 0 && name >= host) return token(Token::Kind::name, at, name);
        if (host > 0) return token(Token::Kind::host, at, host);
        if (as_ == Searched::line && begins) {
            const std::size_t size = size_of(known_.host_words, [&](std::size_t one) {
                return !is_letter_or_digit(sign(at + one)) && sign(at + one) != ':' &&
                       before(at) != ':';
            });
            if (size > 0) return token(Token::Kind::host, at, size);
        }
        if (const std::size_t size =
                size_of(known_.serials, [&](std::size_t one) { return is_whole(at, one); }))
            return token(Token::Kind::serial, at, size);
        return std::nullopt;
    }

    /// A long serial may stand in a word, but is no part of a longer number.
    [[nodiscard]] bool is_whole(std::size_t at, std::size_t size) const {
        constexpr std::size_t is_long = 6;
        const auto joins = [&](char c) {
            return size < is_long ? is_letter_or_digit(c) : is_digit(c);
        };
        return !(joins(before(at)) && joins(text_[at])) &&
               !(joins(text_[at + size - 1]) && joins(sign(at + size)));
    }

    /// The size of so many groups of so many digits with one of the signs between; 0 where there
    /// are none, or more of them.
    [[nodiscard]] std::size_t grouped(std::size_t at, std::size_t groups, std::size_t digits,
                                      std::string_view signs) const {
        const std::size_t size = groups * (digits + 1) - 1;
        if (text_.size() - at < size) return 0;
        const char between = text_[at + digits];
        if (signs.find(between) == std::string_view::npos) return 0;
        for (std::size_t i = 0; i < size; ++i) {
            ++steps_;
            const char c = text_[at + i];
            if (i % (digits + 1) == digits ? c != between : !is_hex_digit(c)) return 0;
        }
        if (is_of_word(sign(at + size))) return 0;
        const char next = sign(at + size + 1);
        const bool more = sign(at + size) == between && (is_hex_digit(next) || next == between);
        return more ? 0 : size;
    }

    /// What is one by its form: IPoIB (RFC 4391 9.1.1), EUI-64 and the serial numbers of PCI
    /// devices, MAC addresses, GUIDs, and MAC addresses as switches spell them.
    [[nodiscard]] std::optional<Token> hardware_number(std::size_t at) const {
        if (!is_hex_digit(text_[at])) return std::nullopt;
        struct Form {
            std::size_t groups;
            std::size_t digits;
            std::string_view signs;
        };
        constexpr std::array<Form, 4> forms = {
            {{20, 2, ":-"}, {8, 2, ":-"}, {6, 2, ":-"}, {4, 4, ":"}}};
        for (const Form& form : forms)
            if (const std::size_t size = grouped(at, form.groups, form.digits, form.signs))
                return token(Token::Kind::number, at, size);
        // 1234.5678.9012 may be a version.
        const std::size_t size = as_ == Searched::line ? grouped(at, 3, 4, ".-") : 0;
        if (size == 0 || !has_letter(text_.substr(at, size)) || before(at) == '.')
            return std::nullopt;
        return token(Token::Kind::number, at, size);
    }

    [[nodiscard]] std::optional<Token> address(std::size_t at) const {
        const std::string_view rest = text_.substr(at);
        if (!is_hex_digit(rest.front()) && rest.front() != ':') return std::nullopt;
        if (before(at) == '.') return std::nullopt;
        // No address is longer; the rest may be what ends a sentence.
        constexpr std::size_t longest = 64;
        std::size_t size = 0;
        while (size < std::min(rest.size(), longest) &&
               (is_hex_digit(rest[size]) || rest[size] == ':' || rest[size] == '.'))
            ++size;
        steps_ += size;
        if (is_of_word(sign(at + size))) return std::nullopt;
        // What follows may end a sentence, or be a port's number.
        for (bool first = true; size > 1; first = false) {
            const std::string_view run = rest.substr(0, size);
            steps_ += size;
            if (parse_ip(run)) return ip(at, size);
            const std::size_t last = run.find_last_of(":.");
            const bool stop = run.back() == ':' || run.back() == '.';
            const bool port = run.find('.') < last && run[std::min(last, size - 1)] == ':';
            if (last == std::string_view::npos || (!stop && !(first && port))) return std::nullopt;
            size = stop ? size - 1 : last;
        }
        return std::nullopt;
    }

    [[nodiscard]] Token ip(std::size_t at, std::size_t size) const {
        std::size_t end = at + size;
        if (sign(end) == '/') {
            ++end;
            while (is_digit(sign(end)))
                ++end;
            if (!is_of_word(sign(end)) && parse_prefix(text_.substr(at, end - at)))
                return token(Token::Kind::prefix, at, end - at);
        }
        return token(Token::Kind::ip, at, size);
    }

    /// The digits from there on that nothing separates.
    std::size_t digits_from(std::size_t at) {
        if (at >= digits_end_) {
            digits_end_ = at;
            while (is_hex_digit(sign(digits_end_)))
                ++digits_end_;
            steps_ += digits_end_ - at;
        }
        return digits_end_ - at;
    }

    [[nodiscard]] bool knows_mac(std::uint64_t value) const { return known_.macs.contains(value); }
    [[nodiscard]] bool knows_guid(std::uint64_t value) const {
        return known_.guids.contains(value) || mac_in(known_, value) != nullptr;
    }
    /// The last octets of an address; a setting's value may have the same digits.
    [[nodiscard]] bool knows_tail(std::string_view digits) const {
        return as_ == Searched::line && known_.tails.contains(hex_value(digits));
    }
    [[nodiscard]] bool knows_ip(const Ip& ip) const { return known_.addresses.knows(ip); }

    [[nodiscard]] bool knows_hex_ip(std::size_t at, std::size_t digits) const {
        Ip found{.v6 = digits == kIpv6Digits};
        for (std::size_t i = 0; i < digits; i += 2)
            found.bytes.at(i / 2) = static_cast<std::uint8_t>(hex_digit(text_[at + i]) << kBits |
                                                              hex_digit(text_[at + i + 1]));
        return knows_ip(mapped_in(found).value_or(found));
    }

    std::optional<Token> known_number(std::size_t at) {
        if (!is_hex_digit(text_[at])) return std::nullopt;
        const bool begins = !is_hex_digit(before(at));
        const std::size_t size = digits_from(at);
        const auto value = [&](std::size_t digits) { return hex_value(text_.substr(at, digits)); };
        const bool line = as_ == Searched::line;
        if (size >= kIpv6Digits && line && knows_hex_ip(at, kIpv6Digits))
            return token(Token::Kind::hex_ip, at, kIpv6Digits);
        if (size >= kGuidDigits && knows_guid(value(kGuidDigits)))
            return token(Token::Kind::number, at, kGuidDigits);
        if (size >= kMacDigits && knows_mac(value(kMacDigits)))
            return token(Token::Kind::number, at, kMacDigits);
        if (!begins) return std::nullopt;
        if (size == kIpv4Digits && line && !is_bare_value() && knows_hex_ip(at, kIpv4Digits))
            return token(Token::Kind::hex_ip, at, kIpv4Digits);
        if (size == kTailDigits && is_bare_tail(at))
            return token(Token::Kind::tail, at, kTailDigits);
        return separated_number(at);
    }

    /// Digits alone may be a number, part of one, or of a version.
    [[nodiscard]] bool is_bare_tail(std::size_t at) const {
        const std::string_view digits = text_.substr(at, kTailDigits);
        if (!knows_tail(digits)) return false;
        const bool fraction = before(at) == '.' || (sign(at + kTailDigits) == '.' &&
                                                    is_digit(sign(at + kTailDigits + 1)));
        return has_letter(digits) || (!fraction && !is_bare_value());
    }

    /// A known number, with any signs between its digits.
    [[nodiscard]] std::optional<Token> separated_number(std::size_t at) const {
        std::uint64_t value = 0;
        std::size_t digits = 0;
        std::size_t group = 0;
        std::size_t found = 0;
        Token::Kind kind = Token::Kind::number;
        bool pairs = true;
        for (std::size_t end = at; digits < kGuidDigits;) {
            ++steps_;
            const char c = sign(end);
            if (!is_hex_digit(c)) {
                if (group == 0 || !separates(c)) break;
                pairs = pairs && group == 2 && (c == ':' || c == '-');
                group = 0;
                ++end;
                continue;
            }
            value = value << kBits | hex_digit(c);
            ++digits;
            ++group;
            ++end;
            if (is_hex_digit(sign(end))) continue;
            const bool known = (digits == kMacDigits && knows_mac(value)) ||
                               (digits == kGuidDigits && knows_guid(value));
            const bool tail = digits == kTailDigits && pairs && group == 2 && is_tail(at, end);
            if (!known && !tail) continue;
            found = end - at;
            kind = known ? Token::Kind::number : Token::Kind::tail;
        }
        if (found == 0) return std::nullopt;
        return token(kind, at, found);
    }

    /// Whether the pairs are all there are.
    [[nodiscard]] bool is_tail(std::size_t at, std::size_t end) const {
        const bool more_before = at > 1 && separates(text_[at - 1]) && text_[at - 1] != ' ' &&
                                 is_hex_digit(text_[at - 2]);
        const bool more = separates(sign(end)) && sign(end) != ' ' && is_hex_digit(sign(end + 1));
        return !more_before && !more && knows_tail(text_.substr(at, end - at));
    }

    /// A known IPv4 address in a word or with dashes for dots; one behind `ip-` is one.
    [[nodiscard]] std::optional<Token> octets(std::size_t at) const {
        if (!is_digit(text_[at]) || is_digit(before(at))) return std::nullopt;
        constexpr std::size_t most = 3;
        Ip ip;
        char between = 0;
        std::size_t end = at;
        for (std::size_t i = 0; i < 4; ++i) {
            unsigned value = 0;
            const std::size_t start = end;
            for (; is_digit(sign(end)) && end - start <= most; ++end)
                value = value * 10 + static_cast<unsigned>(text_[end] - '0');
            if (end == start || end - start > most || value > 255) return std::nullopt;
            ip.bytes.at(i) = static_cast<std::uint8_t>(value);
            if (i == 3) break;
            if (i == 0) between = sign(end);
            if (sign(end) != between || (between != '.' && between != '-' && between != '_'))
                return std::nullopt;
            ++end;
        }
        steps_ += end - at;
        if (between == '.' && (before(at) == '.' || (sign(end) == '.' && is_digit(sign(end + 1)))))
            return std::nullopt;
        const std::size_t size = end - at;
        const auto small = [&](std::size_t back) {
            return at < back ? ' ' : static_cast<char>(text_[at - back] | 0x20);
        };
        const bool named = between != '.' && before(at) == between && small(2) == 'p' &&
                           small(3) == 'i' && !is_letter(small(4));
        if (!named && !knows_ip(ip)) return std::nullopt;
        return token(Token::Kind::octets, at, size);
    }

    /// A known IPv6 address with dashes for colons.
    [[nodiscard]] std::optional<Token> groups(std::size_t at) const {
        constexpr std::size_t longest = 39;
        constexpr std::ptrdiff_t full = 7;
        if (!is_hex_digit(text_[at]) || is_letter_or_digit(before(at))) return std::nullopt;
        std::string run;
        bool dashes = false;
        for (std::size_t end = at; run.size() < longest; ++end) {
            const char c = sign(end);
            if (!is_hex_digit(c) && c != '-') break;
            dashes = dashes || (c == '-' && sign(end + 1) == '-');
            run += c == '-' ? ':' : c;
        }
        steps_ += run.size();
        if (!dashes && std::ranges::count(run, ':') != full) return std::nullopt;
        const auto ip = parse_ip(run);
        if (!ip || !ip->v6 || !knows_ip(mapped_in(*ip).value_or(*ip))) return std::nullopt;
        return token(Token::Kind::groups, at, run.size());
    }

    /// Behind "serial number: ", "SN: ", "S/N=".
    [[nodiscard]] std::optional<Token> serial(std::size_t at) const {
        constexpr std::array<std::string_view, 5> kBefore = {"serial number", "serial", "s/n", "sn",
                                                             "board-serial"};
        constexpr std::size_t longest = 24;  // with what separates
        const std::size_t from = at < longest ? 0 : at - longest;
        std::string head(text_.substr(from, at - from));
        const std::size_t blank = head.find_last_not_of(" :=#");
        if (blank == std::string::npos || blank + 1 == head.size()) return std::nullopt;
        head.resize(blank + 1);
        std::ranges::transform(head, head.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        steps_ += head.size();
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
        return token(Token::Kind::serial, at, end - at);
    }

    /// Users' folders, and what files that somebody wrote are called, without what tells their
    /// kind.
    [[nodiscard]] std::optional<Token> file(std::size_t at) const {
        if (at == 0 || text_[at - 1] != '/') return std::nullopt;
        const std::string_view before = text_.substr(path_, at - path_);
        if (before.empty() || before.front() != '/') return std::nullopt;
        std::size_t end = at;
        while (end < text_.size() &&
               std::string_view("/ '\",;:)").find(text_[end]) == std::string_view::npos)
            ++end;
        const std::size_t size = end - at;
        steps_ += size;
        if (size == 0) return std::nullopt;
        const bool last = end == text_.size() || text_[end] != '/';
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
    const Known& known_;
    Searched as_;
    std::uint64_t& steps_;
    std::size_t path_ = 0;        ///< where the path begins that the place may be in
    std::size_t digits_end_ = 0;  ///< of the digits that the place is among
};

}  // namespace

char folded(char sign) {
    if (sign >= 'A' && sign <= 'Z') return static_cast<char>(sign - 'A' + 'a');
    return sign == '.' || sign == '_' ? '-' : sign;
}

std::uint64_t WordTree::key(std::uint32_t node, char sign) const {
    constexpr unsigned byte = 8;
    return std::uint64_t{node} << byte | static_cast<unsigned char>(folded_ ? folded(sign) : sign);
}

void WordTree::add(std::string_view word) {
    std::uint32_t node = 0;
    for (const char sign : word)
        node = next_.try_emplace(key(node, sign), static_cast<std::uint32_t>(next_.size() + 1))
                   .first->second;
    if (node != 0) ends_[node] = true;
}

const Numbers64::value_type* mac_in(const Known& known, std::uint64_t guid) {
    constexpr std::uint64_t turned = std::uint64_t{2} << 40U;
    const std::uint64_t mac = guid >> 40U << 24U | (guid & 0xFFFFFFU);
    for (const std::uint64_t one : {mac, mac ^ turned})
        if (const auto found = known.macs.find(one); found != known.macs.end()) return &*found;
    return nullptr;
}

std::uint64_t hex_value(std::string_view digits) {
    std::uint64_t out = 0;
    for (const char c : digits)
        if (is_hex_digit(c)) out = out << kBits | hex_digit(c);
    return out;
}

std::string respelled(std::string_view old, std::string_view digits) {
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'F'; };
    const bool capitals = std::ranges::any_of(old, is_capital);
    std::string out(old);
    std::size_t next = 0;
    for (char& c : out) {
        if (!is_hex_digit(c) || next == digits.size()) continue;
        c = digits[next++];
        if (capitals && c >= 'a') c = static_cast<char>(c - 'a' + 'A');
    }
    return out;
}

std::string with_tokens(std::string_view text, const Known& known, Searched as,
                        std::uint64_t& steps,
                        const std::function<std::string(const Token&)>& other) {
    Scanner scanner(text, known, as, steps);
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
