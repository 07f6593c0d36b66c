// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/json/bytes.hpp"
#include "core/json/plain_tree.hpp"
#include "core/json/syntax.hpp"
#include "core/json/tree.hpp"

namespace core {
namespace {

/// Takes nlohmann's events. They carry no position, so a cursor follows them through the text:
/// each event is one token further.
class Builder {
public:
    Builder(std::string_view text, const std::string& file, Problems& problems, Room room)
        : cursor_(text, file), problems_(problems), room_left_(room_for(text, room)) {}

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
        node.text = bytes_of(std::move(value));
        return attach(std::move(node));
    }
    bool binary(std::vector<std::uint8_t>& /*value*/) { return false; }
    bool start_object(std::size_t /*size*/) { return open(Node::Kind::object); }
    bool key(std::string& name) {
        Frame& frame = frames_.back();
        cursor_.skip_to_token();
        frame.name_place = cursor_.place();
        cursor_.skip_token();
        frame.name = shared_.of(bytes_of(std::move(name)));
        next_ = Expected::colon;
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
        SharedText name{};  ///< of the member that is being read
        Place name_place{};
        std::size_t first = 0;  ///< of its members or items among those that wait
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
        const bool object = kind == Node::Kind::object;
        frames_.push_back(
            {.node = std::move(node), .first = object ? members_.size() : items_.size()});
        next_ = kind == Node::Kind::object ? Expected::name_or_close : Expected::item_or_close;
        return true;
    }
    bool close() {
        token(Node::Kind::null);
        next_ = Expected::value;  // so that the pointer is the frame's own
        Frame& frame = frames_.back();
        Node node = std::move(frame.node);
        if (node.kind == Node::Kind::object) {
            if (!take(node.members, members_, frame)) return false;
            leave_out_repeated(node.members);
        } else if (!take(node.items, items_, frame)) {
            return false;
        }
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
        const std::size_t room = (object ? sizeof(Node::Member) : sizeof(Node)) + shared_.taken();
        if (room > room_left_) return no_room(node.place);
        room_left_ -= room;
        if (object)
            members_.push_back(
                {std::move(frame.name), std::move(frame.name_place), std::move(node)});
        else
            items_.push_back(std::move(node));
        return true;
    }
    template <typename T>
    bool take(List<T>& out, Stack<T>& from, const Frame& frame) {
        const std::size_t count = from.size() - frame.first;
        if (!may_be_taken(count * sizeof(T), room_left_)) return no_room(frame.node.place);
        out = List<T>::taken_from(from, count);
        return true;
    }
    bool no_room(const Place& at) {
        return fail({at, "", "found more values than a file of its size can hold in earnest"});
    }
    bool fail(Problem problem) {
        failed_ = true;
        problems_.push_back(std::move(problem));
        return false;
    }
    /// Of each name the first member is kept.
    void leave_out_repeated(List<Node::Member>& members) {
        if (members.size() < 2) return;
        std::vector<const Node::Member*> sorted;
        sorted.reserve(members.size());
        for (const Node::Member& member : members)
            sorted.push_back(&member);
        std::ranges::sort(sorted, [](const Node::Member* one, const Node::Member* other) {
            return one->name != other->name ? one->name < other->name : one < other;
        });
        std::set<Place> repeated;
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            if (sorted[i]->name != sorted[i - 1]->name) continue;
            repeated.insert(sorted[i]->place);
            problems_.push_back(
                {sorted[i]->place, pointer_to(pointer(), sorted[i]->name),
                 "found " + in_quotes(sorted[i]->name) + " again, expected each key once"});
        }
        if (!repeated.empty())
            members.erase_if(
                [&](const Node::Member& member) { return repeated.contains(member.place); });
    }
    /// How many it has so far: what a frame that was opened in it has does not count.
    [[nodiscard]] std::size_t items_in(const Frame& frame) const {
        for (const Frame& other : frames_)
            if (&other > &frame && other.node.kind == Node::Kind::array)
                return other.first - frame.first;
        return items_.size() - frame.first;
    }
    /// Of the value that is being read.
    [[nodiscard]] std::string pointer() const {
        std::string out;
        for (const Frame& frame : frames_) {
            if (frame.node.kind == Node::Kind::array) {
                if (&frame != &frames_.back() || next_ != Expected::value)
                    out = pointer_to(out, items_in(frame));
            } else if (&frame != &frames_.back() || next_ == Expected::colon) {
                out = pointer_to(out, frame.name);
            }
        }
        return out;
    }

    Cursor cursor_;
    Problems& problems_;
    std::vector<Frame> frames_;
    // What belongs to the open frames, in the order in which they were opened.
    Stack<Node> items_;
    Stack<Node::Member> members_;
    SharedTexts shared_;
    std::size_t room_left_;
    Node root_;
    Expected next_ = Expected::value;
    bool failed_ = false;
};

/// The last byte of the string or comment that starts at `at`; `at` itself where neither does.
std::size_t end_of_other(std::string_view text, std::size_t at) {
    if (text[at] == '"') {
        for (++at; at < text.size() && text[at] != '"'; ++at)
            if (text[at] == '\\') ++at;
        return at;
    }
    const std::string_view start = text.substr(at, 2);
    if (start == "//") return std::min(text.find('\n', at), text.size());
    if (start == "/*") return std::min(text.find("*/", at + 2), text.size() - 2) + 1;
    return at;
}

/// A number longer than any that is meant, before the lexer takes it apart byte by byte.
std::optional<Problem> endless_number(std::string_view text, const std::string& file) {
    constexpr std::size_t longest = 1000;
    std::size_t digits = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        digits = text[at] >= '0' && text[at] <= '9' ? digits + 1 : 0;
        if (digits > longest) {
            Cursor cursor(text, file);
            cursor.step(at + 1 - digits);
            return Problem{cursor.place(), "",
                           "found a number of more than " + std::to_string(longest) +
                               " digits, which is too large for any number here"};
        }
        if (text[at] == '"' || text[at] == '/') at = end_of_other(text, at);
    }
    return std::nullopt;
}

}  // namespace

Node reported_tree(std::string_view text, const std::string& file, Problems& problems, Room room) {
    if (auto endless = endless_number(text, file)) {
        problems.push_back(std::move(*endless));
        return Node::of(Node::Kind::null, {file, 1, 1});
    }
    Builder builder(text, file, problems, room);
    nlohmann::ordered_json::sax_parse(text.begin(), text.end(), &builder,
                                      nlohmann::ordered_json::input_format_t::json, true, true);
    return builder.take();
}

Node parse_tree(std::string_view text, const std::string& file, Problems& problems, Room room) {
    if (auto bad = bad_bytes(text, file)) {
        problems.push_back(std::move(*bad));
        return Node::of(Node::Kind::null, {file, 1, 1});
    }
    if (auto plain = plain_tree(text, file, room)) return std::move(*plain);
    return reported_tree(text, file, problems, room);
}

}  // namespace core
