// SPDX-License-Identifier: Apache-2.0
#include "core/json/tree.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/json/syntax.hpp"

namespace core {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kQuotedLength = 60;

/// Takes nlohmann's events. They carry no position, so a cursor follows them through the text:
/// each event is one token further.
class Builder {
public:
    Builder(std::string_view text, const std::string& file, Problems& problems)
        : cursor_(text, file), problems_(problems) {}

    Node take() { return failed_ ? Node::of(Node::Kind::null, root_.place) : std::move(root_); }

    // The names below are nlohmann's SAX interface.
    bool null() { return leaf(Node::Kind::null); }
    bool boolean(bool value) {
        Node node = token(Node::Kind::boolean);
        node.flag = value;
        return attach(std::move(node));
    }
    bool number_integer(std::int64_t /*value*/) { return number(); }
    bool number_unsigned(std::uint64_t /*value*/) { return number(); }
    bool number_float(double /*value*/, const std::string& /*literal*/) { return number(); }
    bool string(std::string& value) {
        Node node = token(Node::Kind::text);
        node.text = std::move(value);
        return attach(std::move(node));
    }
    bool binary(std::vector<std::uint8_t>& /*value*/) { return false; }
    bool start_object(std::size_t /*size*/) { return open(Node::Kind::object); }
    bool key(std::string& name) {
        Frame& frame = frames_.back();
        cursor_.skip_to_token();
        frame.name_place = cursor_.place();
        cursor_.skip_token();
        frame.name = std::move(name);
        frame.again = !frame.names.insert(frame.name).second;
        next_ = Expected::colon;
        if (frame.again)
            problems_.push_back(
                {frame.name_place, pointer(),
                 "found " + in_quotes(frame.name) + " again, expected each key once"});
        return true;
    }
    bool end_object() { return close(); }
    bool start_array(std::size_t /*size*/) { return open(Node::Kind::array); }
    bool end_array() { return close(); }
    template <typename Exception>
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const Exception& /*reason*/) {
        return fail(syntax_error(cursor_, next_, pointer()));
    }

private:
    struct Frame {
        Node node{};
        std::string name{};  ///< of the member that is being read
        Place name_place{};
        bool again = false;  ///< that name was there already: its value is not kept
        std::set<std::string> names{};
    };

    Node token(Node::Kind kind) {
        cursor_.skip_to_token();
        Node node = Node::of(kind, cursor_.place());
        cursor_.skip_token();
        return node;
    }
    bool leaf(Node::Kind kind) { return attach(token(kind)); }
    bool number() {
        cursor_.skip_to_token();
        const std::string_view from_here = cursor_.rest();
        Node node = token(Node::Kind::number);
        node.text = from_here.substr(0, from_here.size() - cursor_.rest().size());
        return attach(std::move(node));
    }
    bool open(Node::Kind kind) {
        Node node = token(kind);
        if (frames_.size() >= kMaxDepth)
            return fail(
                {node.place, "", "found values nested deeper than " + std::to_string(kMaxDepth)});
        frames_.push_back({.node = std::move(node)});
        next_ = kind == Node::Kind::object ? Expected::name_or_close : Expected::item_or_close;
        return true;
    }
    bool close() {
        token(Node::Kind::null);
        Node node = std::move(frames_.back().node);
        frames_.pop_back();
        return attach(std::move(node));
    }
    bool attach(Node node) {
        if (frames_.empty()) {
            root_ = std::move(node);
            next_ = Expected::end;
            return true;
        }
        Frame& frame = frames_.back();
        const bool object = frame.node.kind == Node::Kind::object;
        next_ = object ? Expected::comma_or_close_brace : Expected::comma_or_close_bracket;
        if (!object) {
            frame.node.items.push_back(std::move(node));
        } else if (!frame.again) {
            frame.node.members.push_back(
                {std::move(frame.name), std::move(frame.name_place), std::move(node)});
        }
        return true;
    }
    bool fail(Problem problem) {
        failed_ = true;
        problems_.push_back(std::move(problem));
        return false;
    }
    /// Of the value that is being read.
    [[nodiscard]] std::string pointer() const {
        std::string out;
        for (const Frame& frame : frames_) {
            if (frame.node.kind == Node::Kind::array) {
                out = pointer_to(out, frame.node.items.size());
            } else if (&frame != &frames_.back() || next_ == Expected::colon) {
                out = pointer_to(out, frame.name);
            }
        }
        return out;
    }

    Cursor cursor_;
    Problems& problems_;
    std::vector<Frame> frames_;
    Node root_;
    Expected next_ = Expected::value;
    bool failed_ = false;
};

}  // namespace

Node Node::of(Kind kind, Place place) {
    Node node;
    node.kind = kind;
    node.place = std::move(place);
    return node;
}

const Node::Member* Node::member(std::string_view name) const {
    const auto at = std::ranges::find(members, name, &Member::name);
    return at == members.end() ? nullptr : &*at;
}

const Node* Node::find(std::string_view name) const {
    const Member* found = member(name);
    return found == nullptr ? nullptr : &found->value;
}

std::string text(const Problem& problem) {
    std::string out = problem.place.file;
    if (problem.place.line > 0)
        out +=
            ':' + std::to_string(problem.place.line) + ':' + std::to_string(problem.place.column);
    if (!problem.pointer.empty()) out += ": " + problem.pointer;
    return out + ": " + problem.text;
}

Error invalid_input(Problems problems) {
    std::ranges::sort(problems);
    problems.erase(std::unique(problems.begin(), problems.end()), problems.end());
    std::vector<std::string> lines;
    lines.reserve(problems.size());
    for (const Problem& problem : problems)
        lines.push_back(text(problem));
    return {Status::invalid_input, std::move(lines)};
}

std::string pointer_to(const std::string& parent, std::string_view name) {
    std::string out = parent + '/';
    for (const char c : name) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
        }
    }
    return out;
}

std::string pointer_to(const std::string& parent, std::size_t index) {
    return parent + '/' + std::to_string(index);
}

std::string in_quotes(std::string_view text) {
    std::string out = "'";
    std::size_t end = std::min(text.size(), kQuotedLength);
    // Never through the middle of a UTF-8 sequence.
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
        --end;
    for (const char c : text.substr(0, end))
        out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    return out + (end < text.size() ? "…'" : "'");
}

std::string source_text(const Node& node) {
    std::string out;
    switch (node.kind) {
        case Node::Kind::null: return "null";
        case Node::Kind::boolean: return node.flag ? "true" : "false";
        case Node::Kind::number: return node.text;
        case Node::Kind::text: return nlohmann::json(node.text).dump();
        case Node::Kind::array:
            for (const Node& item : node.items)
                out.append(out.empty() ? "" : ", ").append(source_text(item));
            return '[' + out + ']';
        case Node::Kind::object: break;
    }
    for (const Node::Member& member : node.members)
        out.append(out.empty() ? "" : ", ")
            .append(nlohmann::json(member.name).dump())
            .append(": ")
            .append(source_text(member.value));
    return '{' + out + '}';
}

std::string found(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null: return "found null";
        case Node::Kind::boolean: return node.flag ? "found true" : "found false";
        case Node::Kind::number:
            return node.text.size() > kQuotedLength
                       ? "found a number of " + std::to_string(node.text.size()) + " characters"
                       : "found " + node.text;
        case Node::Kind::text: return "found " + in_quotes(node.text);
        case Node::Kind::array: return "found a list";
        case Node::Kind::object: break;
    }
    return "found an object";
}

Node parse_tree(std::string_view text, const std::string& file, Problems& problems) {
    if (auto bad = bad_bytes(text, file)) {
        problems.push_back(std::move(*bad));
        return Node::of(Node::Kind::null, {file, 1, 1});
    }
    Builder builder(text, file, problems);
    nlohmann::json::sax_parse(text.begin(), text.end(), &builder,
                              nlohmann::json::input_format_t::json, true, true);
    return builder.take();
}

}  // namespace core
