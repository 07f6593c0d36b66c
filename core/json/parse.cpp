// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/json/bytes.hpp"
#include "core/json/tree.hpp"
#include "core/model/letters.hpp"

namespace core {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kLeastRoom = std::size_t{24} << 20U;

/// The memory that a tree of the text may take. What rocectl writes itself takes 4 a byte, and
/// without blanks 7 of routes and 9 of ports; a list of nothing but digits would take 36. Ten
/// megabytes take 120 at most, the text and what it is read into among them.
std::size_t room_for(std::string_view text, Room room) {
    if (room == Room::any) return std::numeric_limits<std::size_t>::max() / 2;
    constexpr std::size_t small = 10'000'000;
    constexpr std::size_t beyond = 10;
    const std::size_t of_small = std::min(text.size(), small);
    return kLeastRoom + of_small * 13 / 2 + beyond * (text.size() - of_small);
}

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

/// Where a byte of a text stands.
Place place_in(std::string_view text, std::size_t at, const SharedText& file) {
    const std::string_view before = text.substr(0, at);
    const std::size_t line = before.rfind('\n') + 1;  // npos + 1 is 0
    return {file, static_cast<unsigned>(std::ranges::count(before, '\n') + 1),
            static_cast<unsigned>(
                std::ranges::count_if(before.substr(line), std::not_fn(is_continuation)) + 1)};
}

std::string hex(unsigned char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    return std::string("0x") + digits[byte >> 4U] + digits[byte & 0xfU];
}

/// What no document may hold anywhere: a byte order mark, a NUL byte, bytes that are not UTF-8.
std::optional<Problem> bad_bytes(std::string_view text, const std::string& file) {
    if (text.starts_with("\xef\xbb\xbf"))
        return Problem{{file, 1, 1}, "", "found a byte order mark, expected JSON without one"};
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        return Problem{{file, 1, 1}, "", "found UTF-16, expected UTF-8"};
    if (all_text(text)) return std::nullopt;
    for (std::size_t at = 0, length = 0; at < text.size(); at += length) {
        if (text[at] == '\0')
            return Problem{place_in(text, at, file), "", "found a NUL byte, expected text"};
        length = utf8_length(text.substr(at));
        if (length == 0)
            return Problem{
                place_in(text, at, file), "",
                "found byte " + hex(static_cast<unsigned char>(text[at])) + ", expected UTF-8"};
    }
    return std::nullopt;
}

/// How much of the text is a number by JSON's grammar (RFC 8259 6); 0 where none starts here.
std::size_t number_length(std::string_view text) {
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t start = at;
        while (at < text.size() && is_digit(text[at]))
            ++at;
        return at > start;
    };
    const auto take = [&](char one, char other) {
        const bool is = at < text.size() && (text[at] == one || text[at] == other);
        if (is) ++at;
        return is;
    };
    take('-', '-');
    if (!take('0', '0') && !digits()) return 0;
    if (take('.', '.') && !digits()) return 0;
    if (take('e', 'E')) {
        take('+', '-');
        if (!digits()) return 0;
    }
    return at;
}

/// The four hexadecimal digits of `\uXXXX`, or nothing.
std::optional<unsigned> unit_at(std::string_view text) {
    if (text.size() < 6 || !text.starts_with("\\u")) return std::nullopt;
    unsigned unit = 0;
    for (const char c : text.substr(2, 4)) {
        const std::size_t digit = std::string_view("0123456789abcdef")
                                      .find(is_letter(c) ? static_cast<char>(c | 0x20) : c);
        if (digit == std::string_view::npos) return std::nullopt;
        unit = unit * 16 + static_cast<unsigned>(digit);
    }
    return unit;
}

/// Why the escape at the front is none; nothing where it is good, with its length.
std::optional<std::string> bad_escape(std::string_view text, std::size_t& length) {
    length = 2;
    if (text.size() < 2) return std::nullopt;
    if (text[1] != 'u') {
        if (std::string_view("\"\\/bfnrt").find(text[1]) != std::string_view::npos)
            return std::nullopt;
        return "found " + in_quotes(text.substr(0, utf8_length(text.substr(1)) + 1)) +
               R"( in a text, expected one of \" \\ \/ \b \f \n \r \t \u0000)";
    }
    const std::optional<unsigned> unit = unit_at(text);
    if (!unit) return R"(found '\u' in a text, expected four hexadecimal digits behind it)";
    length = 6;
    if (*unit < 0xd800 || *unit > 0xdfff) return std::nullopt;
    const std::optional<unsigned> low = unit_at(text.substr(6));
    length = 12;
    if (*unit < 0xdc00 && low && *low >= 0xdc00 && *low <= 0xdfff) return std::nullopt;
    return "found " + in_quotes(text.substr(0, 6)) + ", half of a surrogate pair, in a text";
}

/// The letters, digits and low lines at the front.
std::string_view word_in(std::string_view text) {
    const auto end = std::ranges::find_if_not(
        text, [](char one) { return is_letter_or_digit(one) || one == '_'; });
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// What stands somewhere: the text '…', the number 3.
struct Seen {
    std::string found{};
    bool is_fault = false;  ///< `found` says what is wrong in it
    std::size_t at = 0;     ///< where in it the fault is
};

/// The text in double quotes at the front.
Seen seen_text(std::string_view text) {
    std::size_t at = 1;
    while (at < text.size() && text[at] != '"') {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte == '\n' || byte == '\r')
            return {"found a line break in a text, expected '\"'", true, at};
        if (byte < 0x20) return {"found control character " + hex(byte) + " in a text", true, at};
        std::size_t length = 1;
        if (byte == '\\')
            if (auto reason = bad_escape(text.substr(at), length))
                return {std::move(*reason), true, at};
        at += length;
    }
    if (at >= text.size())
        return {"found the end of the file in a text, expected '\"'", true, text.size()};
    return {"the text " + in_quotes(text.substr(1, at - 1))};
}

/// What the text begins with.
Seen seen_first(std::string_view text) {
    if (text.empty()) return {"the end of the file"};
    const char c = text.front();
    if (c == '"') return seen_text(text);
    if (is_digit(c) || c == '-' || c == '+' || c == '.') {
        const std::string_view number = text.substr(0, text.find_first_not_of("+-.0123456789eE"));
        if (number_length(number) == number.size()) return {"the number " + number_text(number)};
        return {"found " + in_quotes(number) + ", which is not a number JSON admits", true};
    }
    if (text.starts_with("/*")) return {"found a comment that is not closed", true};
    if (c == '\'') return {"a single quote (a text stands in double quotes)"};
    if (const std::string_view word = word_in(text); !word.empty()) return {in_quotes(word)};
    if (static_cast<unsigned char>(c) < 0x20)
        return {"control character " + hex(static_cast<unsigned char>(c))};
    return {in_quotes(text.substr(0, utf8_length(text)))};
}

/// Reads values one after the other, up to the first fault but for names that come twice. The text
/// is UTF-8 without a NUL.
class TreeReader {
public:
    TreeReader(std::string_view text, const std::string& file, Problems& problems, Room room)
        : text_(text),
          at_(text.data()),
          end_(text.data() + text.size()),
          line_start_(at_),
          file_(file),
          room_left_(room_for(text, room)),
          problems_(problems) {}

    Node document() {
        Node root;
        const Pointer whole;
        skip_blank();
        bool good = value(root, whole, 0, "a value");
        if (good) skip_blank();
        if (good && at_ != end_) good = expected("the end of the file", whole);
        return good ? std::move(root) : Node::of(Node::Kind::null, {file_, 1, 1});
    }

private:
    void next_line(const char* line_break) {
        ++line_;
        line_start_ = line_break + 1;
        continued_ = 0;
    }
    /// Over white space and comments.
    void skip_blank() {
        const char* at = at_;
        for (; at != end_; ++at) {
            if (*at == ' ') continue;
            if (*at == '\n') {
                next_line(at);
            } else if (*at == '/') {
                at_ = at;
                if (!skip_comment()) return;
                at = at_;
            } else if (*at != '\t' && *at != '\r') {
                break;
            }
        }
        at_ = at;
    }
    /// To the last byte of the comment, if one starts here.
    bool skip_comment() {
        const std::string_view rest = this->rest();
        std::size_t length = 0;
        if (rest.starts_with("//")) {
            length = std::min(rest.find_first_of("\r\n"), rest.size());
        } else if (rest.starts_with("/*")) {
            length = rest.find("*/", 2);
            if (length == std::string_view::npos) return false;
            length += 2;
        } else {
            return false;
        }
        for (const char byte : rest.substr(0, length)) {
            if (byte == '\n') next_line(at_);
            if (is_continuation(byte)) ++continued_;
            ++at_;
        }
        --at_;
        return true;
    }
    /// Over the byte, if it stands here.
    bool skip(char byte) {
        if (at_ == end_ || *at_ != byte) return false;
        ++at_;
        return true;
    }
    [[nodiscard]] std::string_view rest() const {
        return text_.substr(static_cast<std::size_t>(at_ - text_.data()));
    }
    [[nodiscard]] Place place() const {
        return {
            file_, line_,
            static_cast<unsigned>(static_cast<std::size_t>(at_ - line_start_) - continued_ + 1)};
    }

    bool fail(Place place, std::string pointer, std::string text) {
        problems_.push_back({std::move(place), std::move(pointer), std::move(text)});
        return false;
    }
    bool fail_behind(std::size_t bytes, std::string pointer, std::string text) {
        const auto at = static_cast<std::size_t>(at_ - text_.data()) + bytes;
        return fail(place_in(text_, at, file_), std::move(pointer), std::move(text));
    }
    /// Says what stands here instead.
    bool expected(std::string_view wanted, const Pointer& pointer, bool behind_comma = false) {
        Seen seen = seen_first(rest());
        if (seen.is_fault) return fail_behind(seen.at, pointer.text(), std::move(seen.found));
        const bool closes = at_ != end_ && (*at_ == '}' || *at_ == ']');
        return fail_behind(
            0, pointer.text(),
            "found " + seen.found +
                (behind_comma && closes ? " behind a comma, expected no comma before it"
                                        : ", expected " + std::string(wanted)));
    }
    bool no_room(Place place) {
        return fail(std::move(place), "",
                    "found more values than a file of its size can hold in earnest");
    }
    bool take_room(std::size_t bytes) {
        if (bytes > room_left_) return false;
        room_left_ -= bytes;
        return true;
    }

    bool value(Node& out, const Pointer& pointer, std::size_t depth, std::string_view wanted,
               bool behind_comma = false) {
        out.place = place();
        const auto word = [&](std::string_view spelled, Node::Kind kind) {
            if (word_in(rest()) != spelled) return expected(wanted, pointer, behind_comma);
            out.kind = kind;
            at_ += spelled.size();
            return true;
        };
        switch (at_ == end_ ? '\0' : *at_) {
            case '{': return object(out, pointer, depth);
            case '[': return array(out, pointer, depth);
            case '"': out.kind = Node::Kind::text; return text(out.text, pointer);
            case 't': out.flag = true; return word("true", Node::Kind::boolean);
            case 'f': return word("false", Node::Kind::boolean);
            case 'n': return word("null", Node::Kind::null);
            default: break;
        }
        const std::size_t length = number_length(rest());
        if (length == 0) return expected(wanted, pointer, behind_comma);
        out.kind = Node::Kind::number;
        out.text.assign(at_, length);
        if (is_too_large(out.text, pointer)) return false;
        at_ += length;
        return true;
    }
    /// Whether no kind of number holds it, which is a problem.
    bool is_too_large(const std::string& number, const Pointer& pointer) {
        constexpr std::size_t surely_finite = 300;
        constexpr std::size_t most_digits = 1000;
        std::size_t digits = 0;
        for (std::size_t at = 0; number.size() > most_digits && at < number.size(); ++at) {
            digits = is_digit(number[at]) ? digits + 1 : 0;
            if (digits > most_digits)
                return !fail_behind(at + 1 - digits, "",
                                    "found a number of more than " + std::to_string(most_digits) +
                                        " digits, which is too large for any number here");
        }
        if (number.size() <= surely_finite && number.find_first_of("eE") == std::string::npos)
            return false;
        if (nlohmann::ordered_json::accept(number)) return false;
        return !fail_behind(
            0, pointer.text(),
            "found the number " + number_text(number) + ", which is too large for any number here");
    }
    bool text(std::string& out, const Pointer& pointer) {
        const char* const start = at_++;
        const auto wrong = [&] {
            at_ = start;
            Seen seen = seen_text(rest());
            return fail_behind(seen.at, pointer.text(), std::move(seen.found));
        };
        std::size_t beyond = 0;  // bytes with the top bit
        bool escaped = false;
        for (; at_ != end_ && *at_ != '"'; ++at_) {
            const auto byte = static_cast<unsigned char>(*at_);
            if (byte < 0x20) return wrong();
            if (byte >= 0x80) {
                ++beyond;
                if (is_continuation(*at_)) ++continued_;
            }
            if (byte != '\\') continue;
            escaped = true;
            if (++at_ == end_) return wrong();
        }
        if (at_ == end_) return wrong();
        ++at_;
        if (escaped) {
            const nlohmann::ordered_json decoded =
                nlohmann::ordered_json::parse(start, at_, nullptr, false);
            if (!decoded.is_string()) return wrong();
            out = bytes_of(decoded.get<std::string>());
        } else if (beyond > 0) {
            out = bytes_of(std::string(start + 1, at_ - 1));
        } else {
            out.assign(start + 1, at_ - 1);
        }
        return true;
    }
    /// Begins what is read at this depth.
    bool open(Node& out, Node::Kind kind, std::size_t depth) {
        if (depth >= kMaxDepth)
            return fail(out.place, "",
                        "found values nested deeper than " + std::to_string(kMaxDepth));
        out.kind = kind;
        ++at_;
        skip_blank();
        return true;
    }
    /// The last of those that wait, which are there beside the list until it is whole.
    template <typename T>
    bool take(List<T>& out, Stack<T>& from, std::size_t first, const Place& place) {
        const std::size_t count = from.size() - first;
        if (count * sizeof(T) > room_left_ + kLeastRoom) return no_room(place);
        out = List<T>::taken_from(from, count);
        return true;
    }
    bool array(Node& out, const Pointer& pointer, std::size_t depth) {
        if (!open(out, Node::Kind::array, depth)) return false;
        if (skip(']')) return true;
        const std::size_t first = items_.size();
        for (bool behind_comma = false;; behind_comma = true) {
            if (!take_room(sizeof(Node))) return no_room(place());
            const Pointer at(pointer, items_.size() - first);
            if (!value(items_.emplace_back(), at, depth + 1,
                       behind_comma ? "a value" : "a value or ']'", behind_comma))
                return false;
            skip_blank();
            if (skip(']')) return take(out.items, items_, first, out.place);
            if (!skip(',')) return expected("',' or ']'", Pointer(pointer, items_.size() - first));
            skip_blank();
        }
    }
    bool object(Node& out, const Pointer& pointer, std::size_t depth) {
        if (!open(out, Node::Kind::object, depth)) return false;
        if (skip('}')) return true;
        const std::size_t first = members_.size();
        for (bool behind_comma = false;; behind_comma = true) {
            if (at_ == end_ || *at_ != '"')
                return expected(
                    behind_comma ? "a name in double quotes" : "a name in double quotes or '}'",
                    pointer, behind_comma);
            Node::Member& member = members_.emplace_back();
            member.place = place();
            if (!text(name_, pointer)) return false;
            member.name = shared_.of(name_);
            const Pointer at(pointer, member.name);
            skip_blank();
            if (!skip(':')) return expected("':'", at);
            skip_blank();
            if (!take_room(sizeof(Node::Member) + shared_.taken())) return no_room(place());
            if (!value(member.value, at, depth + 1, "a value")) return false;
            skip_blank();
            if (skip('}')) break;
            if (!skip(',')) return expected("',' or '}'", pointer);
            skip_blank();
        }
        if (!take(out.members, members_, first, out.place)) return false;
        leave_out_repeated(out.members, pointer);
        return true;
    }
    /// Of each name the first member is kept.
    void leave_out_repeated(List<Node::Member>& members, const Pointer& pointer) {
        constexpr std::size_t few = 8;  // which are compared faster than they are sorted
        bool maybe = members.size() > few;
        for (std::size_t i = 1; i < members.size() && !maybe; ++i)
            for (std::size_t other = 0; other < i; ++other)
                maybe = maybe || members[i].name == members[other].name;
        if (!maybe) return;
        const auto before = [](const Node::Member* one, const Node::Member* other) {
            const int order = one->name.text().compare(other->name.text());
            return order != 0 ? order < 0 : one < other;
        };
        const auto alike = [](const Node::Member* one, const Node::Member* other) {
            return one->name == other->name;
        };
        sorted_.clear();
        for (const Node::Member& member : members)
            sorted_.push_back(&member);
        std::ranges::sort(sorted_, before);
        if (std::ranges::adjacent_find(sorted_, alike) == sorted_.end()) return;
        std::set<Place> repeated;
        for (std::size_t i = 1; i < sorted_.size(); ++i) {
            const Node::Member& member = *sorted_[i];
            if (!alike(sorted_[i - 1], &member)) continue;
            repeated.insert(member.place);
            fail(member.place, Pointer(pointer, member.name).text(),
                 "found " + in_quotes(member.name) + " again, expected each key once");
        }
        members.erase_if(
            [&](const Node::Member& member) { return repeated.contains(member.place); });
    }

    std::string_view text_;
    const char* at_;
    const char* end_;
    const char* line_start_;
    std::size_t continued_ = 0;  ///< bytes of the line that are no character's first
    unsigned line_ = 1;
    SharedText file_;
    std::size_t room_left_;
    Problems& problems_;
    // What belongs to the values that are being read, in the order in which they were begun.
    Stack<Node> items_;
    Stack<Node::Member> members_;
    SharedTexts shared_;
    std::string name_;                         ///< that was read last
    std::vector<const Node::Member*> sorted_;  ///< of the object that was read last
};

}  // namespace

Node parse_tree(std::string_view text, const std::string& file, Problems& problems, Room room) {
    if (auto bad = bad_bytes(text, file)) {
        problems.push_back(std::move(*bad));
        return Node::of(Node::Kind::null, {file, 1, 1});
    }
    return TreeReader(text, file, problems, room).document();
}

}  // namespace core
