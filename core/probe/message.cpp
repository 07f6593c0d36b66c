// SPDX-License-Identifier: Apache-2.0
#include "core/probe/message.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"
#include "core/model/quote.hpp"

namespace core::probe {
namespace {

constexpr std::string_view kKind = "kind";
constexpr std::size_t kMost = 160;
constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kLongestMessage = std::size_t{64} << 10U;

Error malformed(const std::string& why) {
    return {Status::failed,
            "the peer sent a message that is not one of rocectl: " + short_line(why)};
}

Error wrong(const Message& message, std::string_view name, const std::string& why) {
    return {Status::failed, "the peer's message " + in_quotes(message.kind) + ": " +
                                std::string(name) + ": " + why};
}

}  // namespace

std::string short_line(std::string_view text) {
    constexpr std::size_t longest = 160;
    constexpr unsigned char blank = 0x20;
    constexpr unsigned char deletes = 0x7f;
    std::string out = core::cut(text, longest);
    const bool whole = out.size() == text.size();
    for (char& c : out)
        if (static_cast<unsigned char>(c) < blank || static_cast<unsigned char>(c) == deletes)
            c = '?';
    return whole ? out : out + "…";
}

std::string bytes_of(const Message& message) {
    Json out;
    out[std::string(kKind)] = message.kind;
    for (const auto& [name, number] : message.numbers)
        out[name] = number;
    for (const auto& [name, word] : message.words)
        out[name] = word;
    return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Message parse_message(std::string_view bytes) {
    Problems problems;
    const Node tree = parse_tree(bytes, "message", problems);
    if (!problems.empty()) throw malformed(problems.front().text);
    if (tree.kind != Node::Kind::object) throw malformed("found " + found(tree));
    if (tree.members.size() > kMost) throw malformed("too many values");
    Message out;
    for (const Node::Member& member : tree.members) {
        const Node& value = member.value;
        if (value.kind == Node::Kind::text) {
            if (member.name == kKind)
                out.kind = value.text;
            else
                out.words.emplace(member.name, value.text);
        } else if (const auto number = number_of(value)) {
            out.numbers.emplace(member.name, *number);
        } else {
            throw malformed(in_quotes(member.name) + ": found " + found(value));
        }
    }
    if (out.kind.empty()) throw malformed("it does not say what it is");
    return out;
}

std::string bytes_of(const Frame& frame) {
    if (frame.bytes.size() > kLongestMessage)
        throw Error(Status::failed, "a message to the peer is too long");
    std::string out;
    for (std::size_t i = kLengthBytes; i > 0; --i)
        out.push_back(static_cast<char>(frame.bytes.size() >> (8 * (i - 1))));
    out += frame.code;
    out += frame.bytes;
    return out;
}

std::optional<Frame> take_frame(std::string& arrived) {
    if (arrived.size() < kLengthBytes) return std::nullopt;
    std::size_t length = 0;
    for (const char byte : arrived.substr(0, kLengthBytes))
        length = length << 8U | static_cast<std::uint8_t>(byte);
    if (length > kLongestMessage)
        throw Error(Status::failed, "what is at the other end is no rocectl probe: a message of " +
                                        std::to_string(length) + " bytes was announced");
    constexpr std::size_t kHead = kLengthBytes + kCodeBytes;
    if (arrived.size() < kHead + length) return std::nullopt;
    Frame out{.code = arrived.substr(kLengthBytes, kCodeBytes),
              .bytes = arrived.substr(kHead, length)};
    arrived.erase(0, kHead + length);
    return out;
}

std::uint64_t number_in(const Message& message, std::string_view name, std::uint64_t low,
                        std::uint64_t high) {
    const auto it = message.numbers.find(name);
    if (it == message.numbers.end()) throw wrong(message, name, "is missing");
    if (it->second < low || it->second > high)
        throw wrong(message, name,
                    "found " + std::to_string(it->second) + ", expected " + std::to_string(low) +
                        ".." + std::to_string(high));
    return it->second;
}

const std::string& word_in(const Message& message, std::string_view name) {
    const auto it = message.words.find(name);
    if (it == message.words.end()) throw wrong(message, name, "is missing");
    return it->second;
}

}  // namespace core::probe
