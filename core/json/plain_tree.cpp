// SPDX-License-Identifier: Apache-2.0
#include "core/json/plain_tree.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json/bytes.hpp"

namespace core {
namespace {

/// The names of an object, to be reported whether one is there twice.
class MemberNames {
public:
    template <typename Members>
    bool repeat(const Members& members, std::size_t first) {
        const std::size_t count = members.size() - first;
        if (count <= kFew) {
            for (std::size_t i = first + 1; i < members.size(); ++i)
                for (std::size_t other = first; other < i; ++other)
                    if (members[i].name == members[other].name) return true;
            return false;
        }
        sorted_.clear();
        for (std::size_t i = first; i < members.size(); ++i)
            sorted_.emplace_back(key_of(members[i].name), i);
        std::ranges::sort(sorted_);
        for (std::size_t i = 1; i < count; ++i)
            for (std::size_t other = i; other > 0; --other) {
                if (sorted_[other - 1].first != sorted_[i].first) break;
                if (members[sorted_[other - 1].second].name == members[sorted_[i].second].name)
                    return true;
                // Many that only begin alike are the slower reader's.
                if (i - other > kFew) return true;
            }
        return false;
    }

private:
    static constexpr std::size_t kFew = 6;

    /// Names that differ in it are not the same: their first and last bytes, and how many.
    static std::uint64_t key_of(std::string_view name) {
        std::uint64_t key = name.size();
        const std::size_t half = std::min<std::size_t>(name.size(), 4);
        for (std::size_t i = 0; i < half; ++i)
            key = key << 8U | static_cast<unsigned char>(name[i]);
        for (std::size_t i = name.size() - half; i < name.size(); ++i)
            key = key * 31 + static_cast<unsigned char>(name[i]);
        return key;
    }

    std::vector<std::pair<std::uint64_t, std::size_t>> sorted_{};
};

/// Reads values one after the other, and gives up at the first that is not plain.
class PlainReader {
public:
    PlainReader(std::string_view text, const std::string& file, Room room)
        : at_(text.data()),
          end_(text.data() + text.size()),
          line_start_(at_),
          file_(file),
          room_left_(room_for(text, room)) {}

    std::optional<Node> document() {
        std::optional<Node> root(std::in_place);
        skip_blank();
        if (!value(*root, 0)) return std::nullopt;
        skip_blank();
        if (at_ != end_) return std::nullopt;
        return root;
    }

private:
    void skip_blank() {
        const char* at = at_;
        for (; at != end_; ++at) {
            if (*at == ' ') continue;
            if (*at == '\n') {
                ++line_;
                line_start_ = at + 1;
                continued_ = 0;
            } else if (*at != '\t' && *at != '\r') {
                break;
            }
        }
        at_ = at;
    }
    /// Over blanks, the byte if it is there, and blanks.
    bool skip(char byte) {
        if (at_ == end_ || *at_ != byte) return false;
        ++at_;
        skip_blank();
        return true;
    }
    bool closes(char byte) {
        if (at_ == end_ || *at_ != byte) return false;
        ++at_;
        return true;
    }
    [[nodiscard]] Place place() const {
        return {
            file_, line_,
            static_cast<unsigned>(static_cast<std::size_t>(at_ - line_start_) - continued_ + 1)};
    }

    bool value(Node& out, std::size_t depth) {
        if (at_ == end_) return false;
        out.place = place();
        switch (*at_) {
            case '{': return object(out, depth);
            case '[': return array(out, depth);
            case '"': out.kind = Node::Kind::text; return text(out.text);
            case 't':
                out.kind = Node::Kind::boolean;
                out.flag = true;
                return word("true");
            case 'f': out.kind = Node::Kind::boolean; return word("false");
            case 'n': return word("null");
            default: out.kind = Node::Kind::number; return number(out.text);
        }
    }
    bool word(std::string_view expected) {
        if (!std::string_view(at_, end_).starts_with(expected)) return false;
        at_ += expected.size();
        return true;
    }
    /// A whole one that any kind of number holds.
    bool number(std::string& out) {
        constexpr std::ptrdiff_t longest = 18;
        const char* const start = at_;
        if (*at_ == '-') ++at_;
        const char* const digits = at_;
        while (at_ != end_ && *at_ >= '0' && *at_ <= '9')
            ++at_;
        const std::ptrdiff_t count = at_ - digits;
        if (count == 0 || count > longest || (*digits == '0' && count > 1)) return false;
        if (at_ != end_ && (*at_ == '.' || *at_ == 'e' || *at_ == 'E')) return false;
        out.assign(start, at_);
        return true;
    }
    bool text(std::string& out) {
        const char* const start = ++at_;
        std::size_t beyond = 0;  // bytes with the top bit
        bool escaped = false;
        for (; at_ != end_ && *at_ != '"'; ++at_) {
            const auto byte = static_cast<unsigned char>(*at_);
            if (byte < 0x20) return false;
            if (byte >= 0x80) {
                ++beyond;
                continued_ += (byte & 0xc0U) == 0x80U ? 1 : 0;
            }
            if (byte != '\\') continue;
            escaped = true;
            if (++at_ == end_) return false;
        }
        if (at_ == end_) return false;
        ++at_;
        if (escaped) {
            const nlohmann::ordered_json decoded =
                nlohmann::ordered_json::parse(start - 1, at_, nullptr, false);
            if (!decoded.is_string()) return false;
            out = bytes_of(decoded.get<std::string>());
        } else if (beyond > 0) {
            out = bytes_of(std::string(start, at_ - 1));
        } else {
            out.assign(start, at_ - 1);
        }
        return true;
    }
    bool name(SharedText& out) {
        if (!text(name_)) return false;
        out = shared_.of(name_);
        return has_room(shared_.taken());
    }
    bool has_room(std::size_t bytes) {
        if (bytes > room_left_) return false;
        room_left_ -= bytes;
        return true;
    }
    template <typename T>
    bool take(List<T>& out, Stack<T>& from, std::size_t count) {
        if (!may_be_taken(count * sizeof(T), room_left_)) return false;
        out = List<T>::taken_from(from, count);
        return true;
    }
    bool array(Node& out, std::size_t depth) {
        if (depth >= kMaxDepth) return false;
        out.kind = Node::Kind::array;
        ++at_;
        skip_blank();
        if (closes(']')) return true;
        const std::size_t first = items_.size();
        while (true) {
            if (!has_room(sizeof(Node)) || !value(items_.emplace_back(), depth + 1)) return false;
            skip_blank();
            if (skip(',')) continue;
            if (at_ == end_ || *at_ != ']') return false;
            ++at_;
            return take(out.items, items_, items_.size() - first);
        }
    }
    bool object(Node& out, std::size_t depth) {
        if (depth >= kMaxDepth) return false;
        out.kind = Node::Kind::object;
        ++at_;
        skip_blank();
        if (closes('}')) return true;
        const std::size_t first = members_.size();
        while (true) {
            if (!has_room(sizeof(Node::Member)) || at_ == end_ || *at_ != '"') return false;
            Node::Member& member = members_.emplace_back();
            member.place = place();
            if (!name(member.name)) return false;
            skip_blank();
            if (!skip(':') || !value(member.value, depth + 1)) return false;
            skip_blank();
            if (skip(',')) continue;
            if (at_ == end_ || *at_ != '}' || names_.repeat(members_, first)) return false;
            ++at_;
            return take(out.members, members_, members_.size() - first);
        }
    }

    const char* at_;
    const char* end_;
    const char* line_start_;
    std::size_t continued_ = 0;  ///< bytes of the line that are no character's first
    unsigned line_ = 1;
    SharedText file_;
    std::size_t room_left_;
    // What belongs to the values that are being read, in the order in which they were begun.
    Stack<Node> items_;
    Stack<Node::Member> members_;
    MemberNames names_;
    SharedTexts shared_;
    std::string name_;  ///< that was read last
};

}  // namespace

std::optional<Node> plain_tree(std::string_view text, const std::string& file, Room room) {
    return PlainReader(text, file, room).document();
}

}  // namespace core
