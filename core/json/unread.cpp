// SPDX-License-Identifier: Apache-2.0
#include "core/json/unread.hpp"

#include <charconv>

#include "core/model/object.hpp"

namespace core {
namespace {

class UnreadReader {
public:
    UnreadReader(Problems& problems, bool observed) : problems_(problems), observed_(observed) {}

    void read(const Node& node, const Pointer& pointer, Port& out) {
        if (const Node* refused = node.find("refused"))
            read_refused(*refused, Pointer(pointer, "refused"), out);
        if (const Node* unknown = node.find("unknown"))
            read_unknown(*unknown, Pointer(pointer, "unknown"), out);
        if (const Node* absent = node.find("absent"))
            read_absent(*absent, Pointer(pointer, "absent"), out);
    }

private:
    void problem(const Node& node, const Pointer& pointer, std::string text) {
        problems_.push_back({node.place, pointer.text(), std::move(text)});
    }
    bool is(const Node& node, Node::Kind kind, const Pointer& pointer, std::string_view expected) {
        if (node.kind == kind) return true;
        problem(node, pointer, found(node) + ", expected " + std::string(expected));
        return false;
    }

    std::optional<Object> object_named(const std::string& name, const Place& place,
                                       const Pointer& pointer) {
        const std::optional<Object> object = find_object(name);
        if (!object)
            problems_.push_back({place, pointer.text(), "found unknown object " + in_quotes(name)});
        return object;
    }

    void read_refused(const Node& node, const Pointer& pointer, Port& out) {
        if (!is(node, Node::Kind::object, pointer, "an object")) return;
        for (const Node::Member& member : node.members) {
            const Pointer at(pointer, member.name);
            const std::optional<Object> object = object_named(member.name, member.place, at);
            if (!object || !is(member.value, Node::Kind::object, at, "an object")) continue;
            const Node* code = member.value.find("code");
            const Node* text = member.value.find("text");
            const auto number = code == nullptr ? std::nullopt : errno_in(*code);
            if (!number || text == nullptr || text->kind != Node::Kind::text) {
                problem(member.value, at, "expected 'code', an errno, and 'text'");
                continue;
            }
            out.refused[*object] = {.code = *number, .text = text->text};
        }
    }

    [[nodiscard]] std::optional<int> errno_in(const Node& node) const {
        constexpr int max_errno = 4095;  // MAX_ERRNO, include/linux/err.h
        int code = 0;
        const char* const end = node.text.data() + node.text.size();
        const auto read = std::from_chars(node.text.data(), end, code);
        const bool whole =
            node.kind == Node::Kind::number && read.ec == std::errc() && read.ptr == end;
        if (!whole || (!observed_ && (code < 0 || code > max_errno))) return std::nullopt;
        return code;
    }

    void read_unknown(const Node& node, const Pointer& pointer, Port& out) {
        if (!is(node, Node::Kind::array, pointer, "a list of objects")) return;
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            const Node& item = node.items[i];
            const Pointer at(pointer, i);
            if (!is(item, Node::Kind::text, at, "the name of an object")) continue;
            if (const auto object = object_named(item.text, item.place, at))
                out.unknown.insert(*object);
        }
    }

    void read_absent(const Node& node, const Pointer& pointer, Port& out) {
        if (!is(node, Node::Kind::object, pointer, "an object")) return;
        for (const Node::Member& member : node.members) {
            const Pointer at(pointer, member.name);
            const std::optional<Object> object = object_named(member.name, member.place, at);
            if (!object || !is(member.value, Node::Kind::array, at, "a list of names")) continue;
            if (!observed_ && !row_of(*object).read.by_name)
                problem(member.value, at, "what there is of " + member.name + " is listed whole");
            for (std::size_t i = 0; i < member.value.items.size(); ++i)
                if (is(member.value.items[i], Node::Kind::text, Pointer(at, i), "a name"))
                    out.absent[*object].insert(member.value.items[i].text);
        }
    }

    Problems& problems_;
    bool observed_;  ///< Values::observed
};

}  // namespace

void read_unread(const Node& node, const Pointer& pointer, bool observed, Problems& problems,
                 Port& out) {
    UnreadReader(problems, observed).read(node, pointer, out);
}

}  // namespace core
