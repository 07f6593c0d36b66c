// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <random>

#include "core/json/tree.hpp"
#include "tests/unit/profiles.hpp"

namespace tree_test {

using namespace core;

namespace {

/// What is wrong with the text: one line, or "good", or how many lines where there are more.
std::string wrong(const std::string& document) {
    Problems problems;
    const Node tree = parse_tree(document, "f", problems);
    if (problems.empty()) return "good";
    if (problems.size() > 1) return std::to_string(problems.size()) + " problems";
    return text(problems.front());
}

}  // namespace

TEST_CASE("tree: a value keeps what it is and where it stands") {
    Problems problems;
    const Node tree = parse_tree(
        "// a comment\n{\n  \"mtu\": 9000, /* é */ \"up\": true,\n  \"a\": [null, \"b\\n\", "
        "-1.5]\n}",
        "f.json", problems);
    REQUIRE(problems.empty());
    REQUIRE(tree.kind == Node::Kind::object);
    CHECK(tree.place == Place{"f.json", 2, 1});
    REQUIRE(tree.find("mtu") != nullptr);
    CHECK(tree.find("mtu")->text == "9000");
    CHECK(tree.find("mtu")->place == Place{"f.json", 3, 10});
    CHECK(tree.member("up")->place == Place{"f.json", 3, 24});
    CHECK(tree.find("up")->flag);
    const Node& list = *tree.find("a");
    REQUIRE(list.items.size() == 3);
    CHECK(list.items[0].kind == Node::Kind::null);
    CHECK(list.items[1].text == "b\n");
    CHECK(list.items[2].text == "-1.5");
    CHECK(list.items[2].place == Place{"f.json", 4, 22});
    CHECK(tree.find("nothing") == nullptr);
}

TEST_CASE("tree: a syntax error is one line with its place and plain words") {
    CHECK(wrong("") == "f:1:1: found the end of the file, expected a value");
    CHECK(wrong("{\n") ==
          "f:2:1: found the end of the file, expected a name in double quotes or '}'");
    CHECK(wrong("[1,,2]") == "f:1:4: /1: found ',', expected a value");
    CHECK(wrong("[1 2]") == "f:1:4: /1: found the number 2, expected ',' or ']'");
    CHECK(wrong("{\"a\" 1}") == "f:1:6: /a: found the number 1, expected ':'");
    CHECK(wrong("{\"a\": 1,}") == "f:1:9: found '}' behind a comma, expected no comma before it");
    CHECK(wrong("{a: 1}") == "f:1:2: found 'a', expected a name in double quotes or '}'");
    CHECK(wrong("{\"a\": 1} x") == "f:1:10: found 'x', expected the end of the file");
    CHECK(wrong("{\"a\": 01}") == "f:1:8: found the number 1, expected ',' or '}'");
    CHECK(wrong("{\"a\": tru}") == "f:1:7: /a: found 'tru', expected a value");
    CHECK(wrong("{\"a\": \"b") == "f:1:9: /a: found the end of the file in a text, expected '\"'");
    CHECK(wrong("{\"a\": \"b\n\"}") == "f:1:9: /a: found a line break in a text, expected '\"'");
    CHECK(wrong("{\"a\": \"\\x\"}") ==
          "f:1:8: /a: found '\\x' in a text, expected one of "
          "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000");
    CHECK(wrong("{\"a\": \"\\ud800\"}") ==
          "f:1:8: /a: found '\\ud800', half of a surrogate pair, in a text");
    CHECK(wrong("{\"a\": \"\x01\"}") == "f:1:8: /a: found control character 0x01 in a text");
    CHECK(wrong("{\"a\": 1e999}") ==
          "f:1:7: /a: found the number 1e999, which is too large for any number here");
    CHECK(wrong("/* x") == "f:1:1: found a comment that is not closed");
    CHECK(wrong("[+1]") == "f:1:2: /0: found '+1', which is not a number JSON admits");
}

TEST_CASE("tree: bytes that are no text are named") {
    CHECK(wrong("\xef\xbb\xbf{}") == "f:1:1: found a byte order mark, expected JSON without one");
    CHECK(wrong(std::string("{\"a\":\0 1}", 9)) == "f:1:6: found a NUL byte, expected text");
    CHECK(wrong("{\"a\": \"\xff\"}") == "f:1:8: found byte 0xff, expected UTF-8");
    CHECK(wrong("\xff\xfe{") == "f:1:1: found UTF-16, expected UTF-8");
    CHECK(wrong("\"\xed\xa0\x80\"") == "f:1:2: found byte 0xed, expected UTF-8");  // a surrogate
    CHECK(wrong("\"\xc0\x80\"") == "f:1:2: found byte 0xc0, expected UTF-8");      // overlong
}

TEST_CASE("tree: duplicate keys are problems, each with its place, and the first one counts") {
    Problems problems;
    const Node tree = parse_tree(R"({"a": 1, "a": {"b": 1, "b": 2}, "a": 3})", "f", problems);
    REQUIRE(problems.size() == 3);
    CHECK(text(problems[0]) == "f:1:10: /a: found 'a' again, expected each key once");
    CHECK(text(problems[1]) == "f:1:24: /a/b: found 'b' again, expected each key once");
    CHECK(tree.members.size() == 1);
    CHECK(tree.find("a")->text == "1");
}

TEST_CASE("tree: depth is bounded, and ten megabytes of brackets end at once") {
    const std::string deep(64, '[');
    CHECK(wrong(deep + std::string(64, ']')) == "good");
    CHECK(wrong(deep + "[" + std::string(65, ']')) == "f:1:65: found values nested deeper than 64");
    CHECK(wrong(std::string(10'000'000, '[')) == "f:1:65: found values nested deeper than 64");
}

TEST_CASE("tree: pointers are escaped as RFC 6901 says") {
    CHECK(wrong(R"({"a/b~c": {"d": [0, x]}})") ==
          "f:1:21: /a~1b~0c/d/1: found 'x', expected a value");
}

TEST_CASE("tree: no mutation of a profile is neither a tree nor a problem") {
    std::mt19937 random(4791);
    const std::array<std::string, 3> names = {"roce-v2-lossless", "db-cluster", "soft-roce"};
    const std::string_view bytes("{}[]\",:0-9\\/u\n\0\xff\xc3 tfn$", 22);
    for (const std::string& name : names) {
        const std::string original = profiles::shipped(name);
        REQUIRE_FALSE(original.empty());
        for (unsigned round = 0; round < 400; ++round) {
            std::string mutant = original;
            for (auto edits = 1 + random() % 3; edits > 0 && !mutant.empty(); --edits) {
                const std::size_t at = random() % mutant.size();
                switch (random() % 4) {
                    case 0: mutant.erase(at, 1 + random() % 9); break;
                    case 1: mutant.insert(at, 1, bytes[random() % bytes.size()]); break;
                    case 2: mutant[at] = bytes[random() % bytes.size()]; break;
                    default: mutant.resize(std::max<std::size_t>(at, 1)); break;
                }
            }
            Problems found;
            const Node tree = parse_tree(mutant, "f", found);
            INFO(mutant);
            CHECK((!found.empty() || tree.kind != Node::Kind::null));
            for (const Problem& problem : found) {
                CHECK(problem.place.line > 0);
                CHECK(text(problem).find('\n') == std::string::npos);
            }
            // The rest of the loader takes whatever the parser lets through.
            for (const std::string& line : profiles::problems(mutant))
                CHECK(line.find('\n') == std::string::npos);
        }
    }
}

}  // namespace tree_test
