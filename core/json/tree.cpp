// SPDX-License-Identifier: Apache-2.0
#include "core/json/tree.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json/bytes.hpp"

namespace core {
namespace {

constexpr std::size_t kPointerLength = 300;

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
    std::string out = problem.place.file.text();
    if (problem.place.line > 0)
        out +=
            ':' + std::to_string(problem.place.line) + ':' + std::to_string(problem.place.column);
    if (problem.pointer.size() > kPointerLength)
        out += ": " + cut(problem.pointer, kPointerLength) + "…";
    else if (!problem.pointer.empty())
        out += ": " + problem.pointer;
    return out + ": " + problem.text;
}

Error invalid_input(Problems problems) {
    std::ranges::sort(problems);
    problems.erase(std::unique(problems.begin(), problems.end()), problems.end());
    std::vector<std::string> lines;
    lines.reserve(problems.size());
    for (const Problem& problem : problems)
        lines.push_back(text(problem));
    if (problems.more() > 0) lines.push_back("and " + std::to_string(problems.more()) + " more");
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

std::string Pointer::text() const {
    if (parent_ == nullptr) return std::string(name_);
    return index_ ? pointer_to(parent_->text(), *index_) : pointer_to(parent_->text(), name_);
}

std::string number_text(std::string_view literal) {
    if (literal.size() <= kQuotedLength) return std::string(literal);
    return "of " + std::to_string(literal.size()) + " characters";
}

std::string source_text(const Node& node) {
    std::string out;
    switch (node.kind) {
        case Node::Kind::null: return "null";
        case Node::Kind::boolean: return node.flag ? "true" : "false";
        case Node::Kind::number: return node.text;
        case Node::Kind::text: return written(node.text);
        case Node::Kind::array:
            for (const Node& item : node.items)
                out.append(out.empty() ? "" : ", ").append(source_text(item));
            return '[' + out + ']';
        case Node::Kind::object: break;
    }
    for (const Node::Member& member : node.members)
        out.append(out.empty() ? "" : ", ")
            .append(written(member.name))
            .append(": ")
            .append(source_text(member.value));
    return '{' + out + '}';
}

std::string found(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null: return "found null";
        case Node::Kind::boolean: return node.flag ? "found true" : "found false";
        case Node::Kind::number:
            return node.text.size() > kQuotedLength ? "found a number " + number_text(node.text)
                                                    : "found " + node.text;
        case Node::Kind::text: return "found " + in_quotes(node.text);
        case Node::Kind::array: return "found a list";
        case Node::Kind::object: break;
    }
    return "found an object";
}

namespace {

bool holds_nul(const std::string& text) {
    return text.find('\0') != std::string::npos;
}

bool holds_nul(const Node& node) {
    if (node.kind == Node::Kind::text && holds_nul(node.text)) return true;
    for (const Node& item : node.items)
        if (item.kind >= Node::Kind::text && holds_nul(item)) return true;
    for (const Node::Member& member : node.members)
        if (holds_nul(member.name) ||
            (member.value.kind >= Node::Kind::text && holds_nul(member.value)))
            return true;
    return false;
}

void tell_of_nul(const Node& node, const Pointer& pointer, Problems& problems) {
    const auto check = [&](const std::string& text, const Place& place, const Pointer& at) {
        if (holds_nul(text))
            problems.push_back({place, at.text(), R"(found \u0000 in a text, expected none)"});
    };
    if (node.kind == Node::Kind::text) check(node.text, node.place, pointer);
    for (std::size_t i = 0; i < node.items.size(); ++i)
        if (node.items[i].kind >= Node::Kind::text)
            tell_of_nul(node.items[i], Pointer(pointer, i), problems);
    for (const Node::Member& member : node.members) {
        const Pointer at(pointer, member.name);
        check(member.name, member.place, at);
        tell_of_nul(member.value, at, problems);
    }
}

}  // namespace

bool ends_early(const Node& node, const Pointer& pointer, Problems& problems) {
    const bool found = holds_nul(node);
    if (found) tell_of_nul(node, pointer, problems);
    return found;
}

}  // namespace core
