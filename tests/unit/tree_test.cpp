// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "core/drivers/counters.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"
#include "core/json/tree.hpp"
#include "core/plan/saved_plan.hpp"
#include "tests/unit/effort.hpp"
#include "tests/unit/hosts.hpp"
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
    std::ranges::sort(problems);
    CHECK(text(problems[0]) == "f:1:10: /a: found 'a' again, expected each key once");
    CHECK(text(problems[1]) == "f:1:24: /a/b: found 'b' again, expected each key once");
    CHECK(tree.members.size() == 1);
    CHECK(tree.find("a")->text == "1");
}

TEST_CASE("tree: a name or text that C would end early is refused in what somebody wrote") {
    const auto complaint = [](const auto& work) -> std::string {
        try {
            work();
        } catch (const Error& error) {
            return error.lines().size() == 1 ? error.what() : "not one line";
        }
        return "good";
    };
    CHECK(profiles::problems(R"({"format": 1, "host": {"sysctl": {"net.a\u0000b": 1}}})") ==
          std::vector<std::string>{
              "main.json:1:35: /host/sysctl/net.a?b: found \\u0000 in a text, expected none"});
    CHECK(profiles::problems(profiles::entry(R"("rdma": {"link": {"name": "a\u0000b"}})")).size() ==
          1);
    CHECK(complaint([] {
              load_variables({"v", R"({"host": {"a": "b\u0000c"}})"});
          }) == "v:1:16: /host/a: found \\u0000 in a text, expected none");
    CHECK(complaint([] { parse_state(R"({"ports": [{"name": "a\u0000b"}]})", "s"); }) ==
          "s:1:21: /ports/0/name: found \\u0000 in a text, expected none");
    CHECK(complaint([] {
              parse_saved_plan(R"({"format": 1, "saved": {"profile": "p", "digest": "", "ports":
                  ["a\u0000b"], "wishes": [], "exact": [], "steps": [], "before": {}}})",
                               "p");
          }) == "p:2:20: /saved/ports/0: found \\u0000 in a text, expected none");
    CHECK(wrong(R"({"a": "\\u0000"})") == "good");
}

TEST_CASE("tree: what a megabyte says is not said again") {
    const std::string digits(1'000'000, '7'), letters(1'000'000, 'x');
    const std::array<std::string, 10> documents = {
        digits,
        "{" + digits,
        "{\"a\": 1 " + digits,
        "[1e" + digits + "]",
        "{\"" + letters + "\": x}",
        "{\"" + letters + "\": 1, \"" + letters + "\": 2}",
        "{\"a\": 1 \"" + letters + "\"}",
        "{\"a\": " + letters + "}",
        "{\"format\": 1, \"ports\": [{\"mtu\": " + digits + ", \"" + letters + "\": 1}]}",
        "{\"format\": 1, \"host\": {\"sysctl\": {\"" + letters + "\": {}, \"a.b\": [\"" + letters +
            "\"]}}, \"roce\": {\"dscp\": \"" + letters + "\", \"priority\": -" + digits + "}}"};
    for (const std::string& document : documents) {
        Problems problems;
        parse_tree(document, "f", problems);
        std::vector<std::string> lines = profiles::problems(document);
        for (const Problem& problem : problems)
            lines.push_back(text(problem));
        CHECK_FALSE(lines.empty());
        for (const std::string& line : lines)
            CHECK_MESSAGE(line.size() < 1000, line.substr(0, 200));
    }
}

TEST_CASE(
    "tree: no file takes more memory than its size allows, and no list of faults is endless") {
    // What a value takes, for as many as parse_tree admits of ten megabytes.
    static_assert(sizeof(Node) <= 88 && sizeof(Node::Member) <= 96);
    const auto many = [](std::string_view start, std::string_view one, std::string_view end) {
        std::string out(start);
        while (out.size() < 10'000'000)
            out += one;
        return out.append(end);
    };
    for (const auto& [start, one, end] : {std::array<std::string_view, 3>{"[", "1,", "1]"},
                                          {"[", "[],", "1]"},
                                          {"[", "{},", "1]"},
                                          {"[", "\"\",", "1]"},
                                          {"[[", "1],[", "1]]"},
                                          {"{\"a\":[", "{\"b\":1},", "1]}"}})
        CHECK(wrong(many(start, one, end)).find("found more values than a file of its size") !=
              std::string::npos);
    // As rocectl writes them.
    CHECK(wrong(many("[", "{\n      \"priority\": 3,\n      \"value\": 40\n    },\n    ", "1]")) ==
          "good");
    std::string wrong_entries = R"({"format": 1, "ports": [1)";
    for (unsigned i = 0; i < 40'000; ++i)
        wrong_entries += ",12345678901234567890";
    const std::vector<std::string> lines = profiles::problems(wrong_entries + "]}");
    CHECK(lines.size() == 1001);
    CHECK(lines.back().starts_with("and "));
    // More than a profile may state are one fault, whatever they are.
    wrong_entries += ",1,";
    for (unsigned i = 0; i < 10'000; ++i)
        wrong_entries += "1,";
    const std::vector<std::string> more = profiles::problems(wrong_entries + "1]}");
    REQUIRE(more.size() == 1);
    CHECK(more.front().find("found more values than a profile may state") != std::string::npos);
}

TEST_CASE("tree: depth is bounded, and ten megabytes of brackets end at once") {
    const std::string deep(64, '[');
    CHECK(wrong(deep + std::string(64, ']')) == "good");
    CHECK(wrong(deep + "[" + std::string(65, ']')) == "f:1:65: found values nested deeper than 64");
    CHECK(wrong(std::string(10'000'000, '[')) == "f:1:65: found values nested deeper than 64");
}

TEST_CASE("tree: what rocectl wrote down itself has all the room that it takes") {
    std::string dense = "[0";
    for (int i = 0; i < 1'000'000; ++i)
        dense += ",0";
    dense += ']';
    Problems problems;
    CHECK(parse_tree(dense, "f", problems).kind == Node::Kind::null);
    REQUIRE(problems.size() == 1);
    CHECK(problems.front().text.starts_with("found more values"));
    problems.clear();
    CHECK(parse_tree(dense, "f", problems, core::Room::any).items.size() == 1'000'001);
    CHECK(problems.empty());
    // What was read, and an entry of the journal, may be as dense.
    const std::string state =
        R"({"ports": [{"name": "ens1f0", "pfc": {"priorities": )" + dense + "}}]}";
    CHECK_THROWS_AS(core::parse_state(state, "f"), core::Error);
    CHECK_NOTHROW(core::parse_state(state, "f", core::Values::observed));
}

TEST_CASE("law: of what a host can have many of, a state without blanks has room however much") {
    for (const unsigned count : {effort::tries(110'000, 20'000), effort::tries(300'000, 1'000)})
        for (const std::string_view key : {"addresses", "routes", "neighbours", "rules"}) {
            // One of the shortest of its kind, as rocectl writes it.
            State state = hosts::host("mlx5_core");
            state.ports.push_back(hosts::whole_host());
            const auto shortest = [&](unsigned i) {
                const std::string ip = "10.0." + std::to_string(i % 10) + ".1";
                if (key == "addresses")
                    state.ports[0].addresses->push_back({.ip = *parse_ip(ip), .prefix_length = 8});
                if (key == "routes")
                    state.ports[0].routes->push_back({.to = *parse_prefix(ip + "/32")});
                if (key == "neighbours")
                    state.ports[0].neighbours->push_back({.ip = *parse_ip(ip), .mac = "2"});
                if (key == "rules") state.ports[1].rules->push_back({.priority = i % 10});
            };
            for (unsigned i = 0; i < count; ++i)
                shortest(i);
            CAPTURE(key);
            CAPTURE(count);
            CHECK(wrong(written(state)) == "good");
        }
}

TEST_CASE("law: ports without blanks have room, however many they are") {
    for (const Driver* driver : drivers()) {
        CAPTURE(driver->name);
        const std::string port =
            written(to_json(hosts::host(std::string(driver->name)))["ports"][0]) + ',';
        std::string text = "[";
        for (std::size_t bytes = 1'000'000; bytes < effort::tries(20'000'000, 1'200'000);
             bytes = bytes * 4 / 3) {
            while (text.size() < bytes)
                text += port;
            CAPTURE(bytes);
            CHECK(wrong(text + "0]") == "good");
        }
    }
}

TEST_CASE("tree: a name that no other member has takes room of its own") {
    const auto document = [](bool alike) {
        std::string text = "[0";
        for (unsigned i = 0; i < 400'000; ++i)
            text += ",{\"membermember" + std::to_string(alike ? 100'000 : 100'000 + i) + "\":1}";
        return text + ']';
    };
    CHECK(wrong(document(true)) == "good");
    CHECK(wrong(document(false)).find("found more values than a file of its size") !=
          std::string::npos);
}

TEST_CASE("tree: texts that are held once are the texts, also where two would have one place") {
    SharedTexts texts;
    std::mt19937 random(4791);
    for (unsigned i = 0; i < 10'000; ++i) {
        std::string text(random() % 4, 'a');
        for (char& letter : text)
            letter = static_cast<char>('a' + random() % 3);
        CHECK(texts.of(text) == text);
        CHECK(texts.of(text).text().data() == texts.of(text).text().data());
    }
    const SharedText kept = texts.of("ports");
    for (unsigned i = 0; i < 10'000; ++i)
        texts.of(std::to_string(i));
    CHECK(kept == "ports");
    CHECK("a " + kept == "a ports");
}

TEST_CASE("law: what a state names is held once, the counters of every family and priority too") {
    std::map<std::string_view, std::set<std::string>> of_family;
    std::set<std::string> all;
    for (const CounterRow& row : counter_rows())
        for (char priority = '0'; priority < '8'; ++priority) {
            std::string name(row.name);
            std::ranges::replace(name, '#', priority);
            of_family[row.driver].insert(name);
            all.insert(name);
        }
    CHECK(all.contains("pfc_pri7_tx_duration_us"));
    for (const Field& field : fields())
        all.emplace(field.key.substr(field.key.rfind('.') + 1));
    // As mlx5 and others count each queue by itself.
    for (unsigned queue = 0; queue < 64; ++queue)
        for (const char* counted :
             {"_packets", "_bytes", "_csum_complete", "_removed_vlan_packets"})
            all.insert("rx" + std::to_string(queue) + counted);
    of_family["all of them"] = all;
    CHECK(of_family.size() > 8);
    for (const auto& [family, names] : of_family) {
        SharedTexts texts;
        for (const std::string& name : names)
            texts.of(name);
        CHECK(texts.taken() > 0);
        CAPTURE(family);
        for (const std::string& name : names) {
            texts.of(name);
            CAPTURE(name);
            CHECK(texts.taken() == 0);
        }
    }
}

TEST_CASE("tree: pointers are escaped as RFC 6901 says") {
    CHECK(wrong(R"({"a/b~c": {"d": [0, x]}})") ==
          "f:1:21: /a~1b~0c/d/1: found 'x', expected a value");
}

namespace {

using Library = nlohmann::ordered_json;

/// Whether the tree is what nlohmann's parser made, and each value stands where it says.
bool same(const Node& node, const Library& value, std::string_view text) {
    std::size_t at = 0;
    for (unsigned line = 1; line < node.place.line; ++line)
        at = text.find('\n', at) + 1;
    for (unsigned column = 1; column < node.place.column; ++column)
        at += utf8_length(text.substr(at));
    const std::string_view here = text.substr(at);
    switch (node.kind) {
        case Node::Kind::null: return value.is_null() && here.starts_with("null");
        case Node::Kind::boolean:
            return value == Library(node.flag) && here.starts_with(node.flag ? "true" : "false");
        case Node::Kind::number:
            return value.is_number() && here.starts_with(node.text) &&
                   value == Library::parse(node.text);
        case Node::Kind::text:
            return value.is_string() && here.starts_with('"') &&
                   node.text == bytes_of(value.get<std::string>());
        case Node::Kind::array:
            return value.is_array() && here.starts_with('[') &&
                   std::ranges::equal(node.items, value,
                                      [&](const Node& item, const Library& other) {
                                          return same(item, other, text);
                                      });
        case Node::Kind::object: break;
    }
    return value.is_object() && here.starts_with('{') && node.members.size() == value.size() &&
           std::ranges::all_of(node.members, [&](const Node::Member& member) {
               const auto other = value.find(as_utf8(member.name));
               return other != value.end() && same(member.value, *other, text);
           });
}

/// Whether it is a document, as nlohmann's parser says too; it is then what that makes of it.
bool is_document(const std::string& text) {
    Problems problems;
    const Node tree = parse_tree(text, "f", problems);
    INFO(text);
    const Library library = Library::parse(text, nullptr, false, true);
    // A name that comes twice is a problem here alone.
    const bool again = std::ranges::any_of(problems, [](const Problem& one) {
        return one.text.find(" again, ") != std::string::npos;
    });
    if (!again) CHECK(library.is_discarded() == !problems.empty());
    if (!problems.empty() || library.is_discarded()) return false;
    CHECK(same(tree, library, text));
    return true;
}

}  // namespace

TEST_CASE("tree: a document is read as nlohmann's parser reads it, and what is none is none") {
    constexpr std::array<std::string_view, 30> tokens = {"{",
                                                         "}",
                                                         "[",
                                                         "]",
                                                         ",",
                                                         ":",
                                                         "\"a\"",
                                                         "\"b\"",
                                                         "\"\"",
                                                         "0",
                                                         "-0",
                                                         "7",
                                                         "01",
                                                         "-",
                                                         "1.5",
                                                         "1e9",
                                                         "1e999",
                                                         "123456789012345678",
                                                         "12345678901234567890",
                                                         "true",
                                                         "fals",
                                                         "null",
                                                         "\n",
                                                         "\t ",
                                                         "// c\n",
                                                         "\"\\u00e9\\n\"",
                                                         "\"\\ud800\"",
                                                         "\"\xf4\x8f\xba\x80\xc3\xa9\"",
                                                         "\"\x01\"",
                                                         "\"open"};
    std::mt19937 random(4791);
    unsigned documents = 0;
    for (unsigned round = 0; round < 20000; ++round) {
        std::string text = random() % 2 == 0 ? "[" : "{\"c\":";
        const bool object = text.front() == '{';
        for (auto left = random() % 6; left > 0; --left)
            text += tokens.at(random() % tokens.size());
        text += object ? '}' : ']';
        if (is_document(text)) ++documents;
    }
    CHECK(documents > 500);
    // Names that begin and end alike, and as many as they are sorted by.
    for (const char* last : {"n11aaan11", "n12aaan12"}) {
        std::string text = "{";
        for (unsigned i = 10; i < 30; ++i)
            text += '"' + ("n1" + std::to_string(i)) + "\": 1, \"n" + std::to_string(i) + "aaan" +
                    std::to_string(i) + "\": 2, ";
        CHECK_FALSE(is_document(text + '"' + last + "\": 3}"));
        CHECK(is_document(text + "\"last\": 3}"));
    }
}

TEST_CASE(
    "tree: what rocectl writes is a document, and stays one or is reported wherever it is "
    "changed") {
    State state = hosts::host("mlx5_core");
    state.host.name = "caf\xc3\xa9 \"\xff\n";
    const std::string original = written(to_json(state), 2);
    REQUIRE(is_document(original));
    CHECK(is_document(written(to_json(state))));
    std::mt19937 random(4791);
    const std::string_view bytes("{}[]\",:0-9\\/u\n tfn$", 20);
    for (unsigned round = 0; round < 200; ++round) {
        std::string mutant = original;
        const std::size_t at = random() % mutant.size();
        if (round % 2 == 0)
            mutant.erase(at, 1 + random() % 9);
        else
            mutant.insert(at, 1, bytes[random() % bytes.size()]);
        if (all_text(mutant)) is_document(mutant);
    }
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
