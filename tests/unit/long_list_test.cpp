// SPDX-License-Identifier: Apache-2.0
// Lists that may be long are reported and taken without elements: as get and set do it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/json/bytes.hpp"
#include "core/json/json.hpp"
#include "core/json/json_text.hpp"
#include "core/objects/ip/records.hpp"
#include "tests/unit/hosts.hpp"

namespace long_list_test {

using namespace core;

namespace {

Port port_of(const Field& field) {
    return Port(row_of(field.object).lives == Lives::host ? kHost : std::string_view("a"));
}

/// Many, of which none is in its place.
std::vector<Value> many(const Field& field) {
    std::vector<Value> out;
    for (const Value& sample : samples(field.shape))
        for (int i = 40; i > 0; --i) {
            Value value = sample;
            const std::string number = std::to_string(i);
            if (auto* address = std::get_if<std::string>(&value))
                *address = "10.0.0." + number + "/24";
            if (auto* record = std::get_if<Record>(&value)) {
                if (record->contains("ip")) (*record)["ip"] = "10.0.0." + number;
                if (record->contains("to")) (*record)["to"] = "10." + number + ".0.0/16";
                if (field.key == "rules") (*record)["from"] = "12.0." + number + ".0/24";
            }
            out.push_back(std::move(value));
        }
    return out;
}

Elements elements_of(const Field& field, const std::vector<Value>& values) {
    Elements out;
    for (const Value& value : values) {
        Value spelled = canonical(field.shape, value);
        std::string element = identity_of_spelled(field.shape, spelled);
        out.emplace(std::move(element), std::move(spelled));
    }
    return out;
}

std::string document(const Field& field, const std::vector<Value>& values) {
    Json list = Json::array();
    for (const Value& value : values)
        list.push_back(to_json(field.shape, value));
    Json holder = {{"name", "a"}};
    holder[std::string(key_in_place(field))] = list;
    if (row_of(field.object).lives == Lives::host)
        return Json{{"host", holder}, {"ports", Json::array()}}.dump();
    return Json{{"host", Json::object()}, {"ports", Json::array({holder})}}.dump();
}

std::string head_of(const Json& whole) {
    return written(whole, 2);
}

void check_text(const State& state) {
    CHECK(written(state) == written(to_json(state)));
    Json whole = {{"format", 1}, {"rocectl", "0"}};
    const Json head = whole;
    const Json body = to_json(state);
    for (const auto& [name, value] : body.items())
        whole[name] = value;
    CHECK(written(state, head, 2) == head_of(whole));
    std::string pieces;
    write_state(state, head, 2, [&](std::string_view piece) { pieces += piece; });
    CHECK(pieces == head_of(whole));
}

}  // namespace

TEST_CASE("a state of many routes is handed on in pieces, none of which is long") {
    State state{.host = {}, .ports = {Port("a")}};
    state.ports[0].routes.emplace();
    for (std::uint32_t table = 1; table <= 10'000; ++table)
        state.ports[0].routes->push_back({.to = *parse_prefix("10.0.0.0/8"), .table = table});
    std::vector<std::string> pieces;
    write_state(state, Json::object(), 2,
                [&](std::string_view piece) { pieces.emplace_back(piece); });
    CHECK(pieces.size() > 10);
    std::string whole;
    for (const std::string& piece : pieces) {
        CHECK(piece.size() < 100'000);
        whole += piece;
    }
    CHECK(whole == written(state, Json::object(), 2));
}

TEST_CASE("law: a list that may be long holds what set gives it, and tells what get does") {
    std::size_t lists = 0;
    for (const Field& field : fields()) {
        if (field.listed == nullptr) continue;
        ++lists;
        INFO(field.key);
        Port set = port_of(field);
        CHECK_FALSE(field.listed->is_there(set));
        const std::vector<Value> values = many(field);
        field.set(set, elements_of(field, values));
        CHECK(field.listed->is_there(set));
        const State read = parse_state(document(field, values), "s", Values::observed);
        REQUIRE(read.ports.size() == 1);
        CHECK(field.get(read.ports[0]) == field.get(set));
        JsonText text(-1);
        text.begin('[');
        field.listed->tell(set, text);
        text.end(']');
        CHECK(text.take() == written(to_json(field.shape, *field.get(set))));
        check_text({.host = {}, .ports = {set}});
    }
    CHECK(lists == 5);
}

TEST_CASE("a tree as text is what nlohmann makes of it: also as deep as few documents are") {
    Json tree = "in \"quotes\", \x7f and \xc3\xa4";
    for (std::size_t depth = 0; depth < 40; ++depth) {
        tree = Json{{"an\n object", tree}, {"a list", Json::array({tree.is_string(), depth})}};
        for (const int indent : {-1, 1, 2, 3}) {
            INFO(depth << " deep, by " << indent);
            JsonText text(indent);
            text.put(tree);
            CHECK(text.take() == tree.dump(indent));
        }
    }
}

TEST_CASE("law: a state as text is its tree, written") {
    for (const Driver* const row : drivers()) {
        State state = hosts::host(std::string(row->name));
        state.host.time = 7;
        state.ports[0].refused[Object::pfc] = {.code = 95, .text = "no \"such\" \xff thing\n"};
        state.ports[0].unknown = {Object::cm_defaults, Object::ets};
        state.ports[0].absent[Object::sysctl] = {"a\x7f", "\xf4\x8f\xba\x80"};
        state.ports.emplace_back("bare \x01");
        state.ports.push_back(hosts::whole_host());
        check_text(state);
    }
    check_text({});
    for (const auto& entry :
         std::filesystem::directory_iterator(ROCECTL_SOURCE_DIR "/tests/states")) {
        INFO(entry.path().string());
        std::ifstream file(entry.path());
        const std::string text(std::istreambuf_iterator<char>(file), {});
        check_text(parse_state(text, "s"));
    }
}

TEST_CASE(
    "a list in no order is put in order, and what is there twice is reported once each time") {
    const auto lines = [](const std::string& list) -> std::vector<std::string> {
        try {
            parse_state(R"({"ports": [{"name": "a", "addresses": [)" + list + "]}]}", "s");
        } catch (const Error& error) {
            return error.lines();
        }
        return {};
    };
    CHECK(lines(R"("10.0.0.2/8", "10.0.0.1/8", "10.0.0.10/8")").empty());
    CHECK(lines(R"("10.0.0.2/8", "10.0.0.1/8", "10.0.0.2/16", "10.0.0.1/8")") ==
          std::vector<std::string>{
              "s:1:68: /ports/0/addresses/2: found '10.0.0.2' again, expected each once",
              "s:1:83: /ports/0/addresses/3: found '10.0.0.1' again, expected each once"});
    CHECK(
        lines(R"("10.0.0.2/8", 7)") ==
        std::vector<std::string>{"s:1:54: /ports/0/addresses/1: found 7, expected ADDRESS/LENGTH"});
}

TEST_CASE("rules: an identity is that of the table") {
    const Field& field = *find_field("rules");
    for (const Value& value : many(field)) {
        const Rule rule = rule_of(std::get<Record>(value));
        CHECK(identity(rule) == identity_of_spelled(field.shape, Value(record_of(rule))));
    }
}

TEST_CASE("names are put in order by all their bytes") {
    const std::vector<std::string> names = {
        "b",    "a", "ab", "a", "0123456789abcdefg", "0123456789abcdef", "0123456789abcdefh",
        "\xff", ""};
    NameOrder order;
    for (const std::string& name : names)
        order.add(name);
    CHECK_FALSE(order.is_in_order());
    std::vector<std::string> sorted;
    for (const std::uint32_t place : order.order())
        sorted.emplace_back(order.name(place));
    std::vector<std::string> expected = names;
    std::ranges::sort(expected);
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    CHECK(sorted == expected);
    CHECK(order.order()[1] == 5);
}

}  // namespace long_list_test
