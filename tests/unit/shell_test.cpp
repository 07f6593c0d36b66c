// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/model/shell.hpp"
#include "tests/unit/hosts.hpp"

namespace shell_test {

using namespace core;

// What `plan -o commands` prints is read by people and piped to shells; names on a host are
// anybody's.

namespace {

const std::string kHostile =
    std::string("-a';$(touch${IFS}pwned)`id`\"\\|&>~*?#!{}") + "\x1b[2K\x7f\n\x9b";

/// What a shell reads of a line: its words with their quotes taken off, `>` and `>>` as words.
/// Throws where it would do more than that.
std::vector<std::string> words(const std::string& line) {
    constexpr std::string_view plain = "_-./:,@%+=";
    std::vector<std::string> out{""};
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool ansi = c == '$' && line.substr(i + 1, 1) == "'";
        if (c == '\'' || ansi) {
            for (i += ansi ? 2 : 1; line.at(i) != '\''; ++i) {
                if (!ansi || line[i] != '\\') {
                    out.back() += line[i];
                } else if (line.at(i + 1) >= '0' && line[i + 1] <= '7') {
                    out.back() += static_cast<char>(std::stoi(line.substr(i + 1, 3), nullptr, 8));
                    i += 3;
                } else {
                    out.back() += line.at(++i);
                }
            }
        } else if (c == '\\') {
            out.back() += line.at(++i);
        } else if (c == ' ') {
            if (!out.back().empty()) out.emplace_back();
        } else if (std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                   plain.find(c) != std::string_view::npos || c == '>') {
            out.back() += c;
        } else {
            throw std::runtime_error("a shell sees more in " + line.substr(i));
        }
    }
    return out;
}

/// A host on which every name that is not the kernel's own is hostile.
State hostile_host(const Driver& driver) {
    State state = hosts::host(std::string(driver.name));
    Port& port = state.ports[0];
    port.name = kHostile;
    port.link->pci = kHostile;
    port.rdma_link = RdmaLink{.device = kHostile, .index = 1, .type = "rxe"};
    port.rdma_moderation = false;
    port.cm_directory = false;
    port.cm_defaults = CmDefaults{.mode = "IB/RoCE v1", .tos = 40};
    if (driver.name == "bnxt_en") port.ecn_directory = false;
    state.ports.push_back(hosts::whole_host());
    return state;
}

/// Puts something of a hostile name where an object has names that others chose.
void put_hostile_name(Port& port, const Field& field, const Value& value) {
    std::optional<Elements> elements = field.get(port);
    if (!elements) return;
    (*elements)[kHostile] = value;
    field.set(port, *elements);
}

bool has_hostile(const std::string& word) {
    return word.find(kHostile) != std::string::npos;
}

/// What the shape admits of hostile texts: one by itself, or in the place of any of a record.
std::vector<Value> hostile_values(const Shape& shape, const std::vector<Value>& values) {
    std::vector<Value> out{Value(kHostile)};
    for (const Value& value : values)
        if (const auto* record = std::get_if<Record>(&value))
            for (const auto& [name, part] : *record) {
                Record other = *record;
                other[name] = kHostile;
                out.emplace_back(std::move(other));
            }
    std::erase_if(out, [&](const Value& value) { return illegal(shape, value).has_value(); });
    return out;
}

/// Plans that write each setting's samples and, where the shape admits it, a hostile value or name.
template <typename Visit>
void for_every_desired(const Visit& visit) {
    for (const Driver* const driver : drivers())
        for (const Field& field : fields()) {
            if (field.use != Field::Use::setting) continue;
            std::vector<Value> values = samples(field.shape);
            for (const Value& value : hosts::held(field.key))
                values.push_back(value);
            for (Value& value : hostile_values(field.shape, values))
                values.push_back(std::move(value));
            std::vector<std::string> keys = sample_keys(field.shape);
            if (field.shape.kind == Shape::Kind::named) keys.push_back(kHostile);
            for (std::size_t i = 0; i < values.size() * keys.size(); ++i) {
                const Value& value = values[i % values.size()];
                const std::string& key = keys[i / values.size()];
                State state = hostile_host(*driver);
                Desired desired = hosts::desired(std::string(field.key), value, key);
                if (desired.port != kHost) desired.port = kHostile;
                if (key == kHostile)
                    put_hostile_name(*find_port(state, desired.port), field,
                                     values[(i + 1) % values.size()]);
                DesiredState desired_values = hosts::desired_values({desired});
                desired_values.ports.front() = kHostile;
                StateFile kernel(std::move(state));
                visit(*driver, desired, hosts::plan(kernel, desired_values));
            }
        }
}

}  // namespace

TEST_CASE("shell: what a shell sees more in is quoted, and reads as it was") {
    CHECK(shell("net.ipv4.tcp_ecn=1") == "net.ipv4.tcp_ecn=1");
    CHECK(shell("RoCE v2") == "'RoCE v2'");
    CHECK(shell("=ls") == "'=ls'");
    CHECK(shell("it's") == R"('it'\''s')");
    CHECK(shell("") == "''");
    CHECK(shell("a\x1b"
                "1") == R"($'a\0331')");
    CHECK(words("echo " + shell(kHostile) + " > " + shell("/sys/" + kHostile) + "/x") ==
          std::vector<std::string>{"echo", kHostile, ">", "/sys/" + kHostile + "/x"});
    for (int byte = 1; byte < 256; ++byte) {
        const std::string text(1, static_cast<char>(byte));
        CHECK(words("x" + shell(text) + "1") == std::vector<std::string>{"x" + text + "1"});
    }
}

TEST_CASE("law: a line of -o commands says no more to a shell than it says to people") {
    std::set<std::string_view> spelled;
    std::set<std::string_view> named;
    for_every_desired([&](const Driver& driver, const Desired& desired, const Plan& plan) {
        const std::string_view object = row_of(desired.field->object).name;
        for (const std::string& line : commands(plan)) {
            INFO(driver.name, ' ', desired.field->key, ": ", line);
            std::vector<std::string> read;
            CHECK_NOTHROW(read = words(line));
            spelled.insert(object);
            if (std::ranges::any_of(read, has_hostile)) named.insert(object);
        }
    });
    CHECK(spelled.size() > 35);
    CHECK(named.size() > 30);
}

TEST_CASE("shell: a reason stands behind a line, and goes without what is quoted before it") {
    const std::string line = "echo " + shell("a  # b");
    CHECK(with_reason(line, "c") == "echo 'a  # b'  # c");
    CHECK(without_reason(with_reason(line, "c")) == line);
    CHECK(without_reason(line) == line);
}

}  // namespace shell_test
