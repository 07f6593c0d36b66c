// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/run/timed_host.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"
#include "core/model/access.hpp"
#include "core/model/selectors.hpp"
#include "core/objects/ip/records.hpp"
#include "core/plan/undo.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/pass_through.hpp"

// A kernel and other programs put into their answers what they like: no value of a live read is
// lost or refused on its way from the child that read it to the journal and back.

namespace observed_test {

using namespace core;
using Random = std::mt19937;

namespace {

constexpr unsigned kSeeds = 40;

std::string random_bytes(Random& random) {
    static const std::vector<std::string> some = {"",
                                                  "\x1b[2K",
                                                  std::string("a\0b", 3),
                                                  "\xff",
                                                  "\xc3",
                                                  "\xed\xa0\x80",
                                                  "\xf4\x8f\xba\x80",
                                                  "\xf4\x8f\xbb",
                                                  "\xf4\x8f",
                                                  "${x}",
                                                  "\u00e4",
                                                  "d0:1",
                                                  "\"\\",
                                                  "\x7f",
                                                  "\r\n",
                                                  "the host"};
    std::string out;
    for (std::size_t left = random() % 3; left > 0; --left)
        out += some[random() % some.size()];
    for (std::size_t left = random() % 6; left > 0; --left)
        out += static_cast<char>(random() % 256);
    return out;
}

std::uint64_t random_number(const Shape& shape, Random& random) {
    const std::uint64_t some[] = {0,          1,    shape.min,  shape.max, shape.max + 1,
                                  63,         0xff, 0x100,      0xffff,    0x10000,
                                  0x7fffffff, kU32, kU64 >> 1U, kU64 - 1U, kU64};
    return some[random() % std::size(some)];
}

std::string random_word(const Shape& shape, Random& random) {
    if (shape.words.empty() || random() % 2 == 0) return random_bytes(random);
    return std::string(shape.words[random() % shape.words.size()]);
}

Value random_value(const Shape& shape, Random& random) {
    const auto eight = [&](auto make) {
        decltype(std::vector{make()}) out;
        for (int i = 0; i < 8; ++i)
            out.push_back(make());
        return out;
    };
    switch (shape.kind) {
        case Shape::Kind::flag: return random() % 2 == 0;
        case Shape::Kind::number:
        case Shape::Kind::counter:
        case Shape::Kind::map: return random_number(shape, random);
        case Shape::Kind::word: return random_word(shape, random);
        case Shape::Kind::set: {
            std::set<std::uint64_t> numbers = {random_number(shape, random) % 256};
            numbers.insert(random_number(shape, random) % 256);
            return Numbers(numbers.begin(), numbers.end());
        }
        case Shape::Kind::list: return eight([&] { return random_number(shape, random); });
        case Shape::Kind::words: return eight([&] { return random_word(shape, random); });
        case Shape::Kind::named: return random_value(*shape.of, random);
        case Shape::Kind::text:
        case Shape::Kind::record:
        case Shape::Kind::items: break;
    }
    const auto sample = samples(shape);
    if (shape.parts.empty()) {
        if (random() % 2 == 0) return sample[random() % sample.size()];
        return random_bytes(random);
    }
    Record record = std::get<Record>(sample[random() % sample.size()]);
    for (const RecordPart& part : shape.parts) {
        if (!record.contains(part.name) || random() % 2 == 0) continue;
        const Value value = random_value(part.shape, random);
        if (const auto* number = std::get_if<std::uint64_t>(&value))
            record[std::string(part.name)] = *number;
        else
            record[std::string(part.name)] = std::get<std::string>(value);
    }
    return record;
}

Elements random_elements(const Shape& shape, Random& random) {
    Elements out;
    if (!is_collection(shape)) {
        out.emplace("", random_value(shape, random));
        return out;
    }
    for (std::size_t left = random() % 4; left > 0; --left) {
        Value value = random_value(shape, random);
        // A read spells it in one way: the kernel has no module with a hyphen in its name.
        if (shape.kind == Shape::Kind::named || shape.parts.empty())
            value = canonical(shape, value);
        std::string element;
        if (shape.kind == Shape::Kind::items) element = identity(shape, value);
        if (shape.kind == Shape::Kind::map) element = std::to_string(random_number(shape, random));
        if (shape.kind == Shape::Kind::named) element = random_word(shape, random);
        out.insert_or_assign(element, std::move(value));
    }
    return out;
}

Port random_port(std::string name, const std::string& driver, Random& random) {
    Port port = name == kHost ? hosts::whole_host() : hosts::port(driver, name);
    for (const Field& field : fields()) {
        const bool here = (row_of(field.object).lives == Lives::host) == (name == kHost);
        // It says which driver's rules the others go by.
        if (!here || field.key == "driver" || random() % 3 == 0) continue;
        field.set(port, random_elements(field.shape, random));
    }
    // Fields that share a part agree: an RDMA device without a name has no type.
    for (const Field& field : fields())
        if (const auto elements = field.get(port)) field.set(port, *elements);
    for (const ObjectRow* row : objects()) {
        if (random() % 8 == 0)
            port.refused[row->object] = {.code = static_cast<int>(random()),
                                         .text = random_bytes(random)};
        if (random() % 8 == 0) port.unknown.insert(row->object);
        if (row->read.by_name && random() % 2 == 0)
            port.absent[row->object] = {random_bytes(random)};
    }
    return port;
}

State random_state(Random& random) {
    const auto& rows = drivers();
    State state{.host = {.name = random_bytes(random), .kernel = random_bytes(random)}};
    for (int i = 0; i < 2; ++i) {
        const std::string driver(rows[random() % rows.size()]->name);
        state.ports.push_back(
            random_port(std::to_string(i) + random_bytes(random), driver, random));
    }
    state.ports.push_back(random_port(std::string(kHost), "generic", random));
    return state;
}

/// How many fields have a value.
std::size_t check_same(const State& back, const State& state) {
    std::size_t with_value = 0;
    CHECK(back.host == state.host);
    REQUIRE(back.ports.size() == state.ports.size());
    for (const Port& port : state.ports) {
        const Port* other = find_port(back, port.name);
        REQUIRE(other != nullptr);
        for (const Field& field : fields()) {
            INFO(field.key);
            CHECK(field.get(*other) == field.get(port));
            with_value += field.get(port) ? 1U : 0U;
        }
        CHECK(other->refused == port.refused);
        CHECK(other->unknown == port.unknown);
        CHECK(other->absent == port.absent);
    }
    return with_value;
}

template <typename Test>
void for_seeds(const Test& test) {
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        test(random);
    }
}

}  // namespace

TEST_CASE("law: any bytes are spelled as UTF-8 and come back, and what is UTF-8 stays as it is") {
    for_seeds([](Random& random) {
        for (int i = 0; i < 50; ++i) {
            const std::string bytes = random_bytes(random) + random_bytes(random);
            Problems problems;
            const Node node = parse_tree(written(Json{{bytes, bytes}}), "f", problems);
            CHECK(problems.empty());
            REQUIRE(node.members.size() == 1);
            CHECK(node.members[0].name == bytes);
            CHECK(node.members[0].value.text == bytes);
        }
    });
    CHECK(as_utf8("\u00e4\u20ac\U0001f600 a") == "\u00e4\u20ac\U0001f600 a");
    CHECK(as_utf8("a\xff") == "a\U0010feff");
    CHECK(as_utf8("\U0010fe80") == "\U0010fef4\U0010fe8f\U0010feba\U0010fe80");
}

TEST_CASE("law: whatever a kernel answers comes back from the child that read it") {
    std::size_t same = 0;
    for_seeds([&](Random& random) {
        const State state = random_state(random);
        same += check_same(parse_state(written(to_json(state)), "s", Values::observed), state);
    });
    CHECK(same > 300 * kSeeds);
}

TEST_CASE("law: whatever a kernel answered, its snapshot is a state again") {
    std::size_t same = 0;
    for_seeds([&](Random& random) {
        const State state = random_state(random);
        Json document = {{"format", 1}, {"rocectl", "1"}, {"command", "snapshot"}, {"status", 0}};
        const Json whole = to_json(state);
        for (const auto& [name, value] : whole.items())
            document[name] = value;
        same += check_same(parse_state(written(document, 2), "s"), state);
    });
    CHECK(same > 300 * kSeeds);
}

TEST_CASE("law: whatever was there before is in the journal, and is there again after rollback") {
    std::size_t kept = 0;
    for_seeds([&](Random& random) {
        State state = random_state(random);
        for (Port& port : state.ports)
            port.unknown.clear(), port.refused.clear();
        JournalEntry entry{.id = 1, .command = "apply", .subject = random_bytes(random)};
        for (const Port& port : state.ports) {
            entry.undo_profile.ports.push_back(port.name);
            entry.subjects.push_back(
                {.name = port.name, .pci = random_bytes(random), .mac = random_bytes(random)});
            for (const Field& field : fields()) {
                if (!is_restored(field)) continue;
                for (const auto& [element, value] : field.get(port).value_or(Elements{}))
                    entry.undo_profile.desired_values.push_back(
                        {.port = port.name, .field = &field, .element = element, .value = value});
            }
        }
        Step step{.port = state.ports[0].name, .object = Object::link};
        for (const Desired& desired : entry.undo_profile.desired_values)
            step.changes.push_back({.field = desired.field,
                                    .element = desired.element,
                                    .before = desired.value,
                                    .after = desired.value});
        entry.steps = {step};
        const JournalEntry read = parse_entry(written(first_line(entry)) + '\n', "f");
        CHECK(read.subject == entry.subject);
        CHECK(read.subjects == entry.subjects);
        CHECK(read.undo_profile.ports == entry.undo_profile.ports);
        REQUIRE(read.undo_profile.desired_values.size() ==
                entry.undo_profile.desired_values.size());
        kept += read.undo_profile.desired_values.size();
        REQUIRE(read.steps[0].changes.size() == step.changes.size());
        for (std::size_t i = 0; i < step.changes.size(); ++i) {
            const Desired& desired = entry.undo_profile.desired_values[i];
            INFO(desired.field->key, " ", desired.element);
            CHECK(read.undo_profile.desired_values[i].port == desired.port);
            CHECK(read.undo_profile.desired_values[i].element == desired.element);
            CHECK(read.undo_profile.desired_values[i].value == desired.value);
            CHECK(read.steps[0].changes[i].before == desired.value);
            CHECK(read.steps[0].changes[i].after == desired.value);
        }
    });
    CHECK(kept > 150 * kSeeds);
}

TEST_CASE("a rule's mark under a mask of 0 and a trusted selector without a name come back") {
    const Rule rule{.fwmark = 1, .fwmask = 0, .priority = 7, .table = 5};
    CHECK(rule_of(record_of(rule)) == rule);
    CHECK(rule_of({{"table", "5"}, {"fwmark", std::uint64_t{1}}}).fwmask == kU32);
    Port port = hosts::port("generic");
    port.app = App{.entries = {}, .trust = std::vector<std::uint8_t>{9, 5, 9}};
    check_same(
        parse_state(written(to_json(State{.host = {}, .ports = {port}})), "s", Values::observed),
        {.host = {}, .ports = {port}});
    CHECK_FALSE(trust_order("9 dscp 9"));
}

TEST_CASE("what a kernel can have is refused in a state that a person wrote") {
    const auto lines = [](const std::string& port) {
        try {
            parse_state(R"({"ports": [)" + port + "]}", "s");
        } catch (const Error& error) {
            return error.lines().size();
        }
        return std::size_t{0};
    };
    CHECK(lines(R"({"name": "a"})") == 0);
    CHECK(lines(R"({"name": "a\u001b[2K"})") == 1);
    CHECK(lines(R"({"name": "a", "dscp": {"map": {"64": 3}}})") == 1);
    CHECK(lines(R"({"name": "a", "ets": {"bandwidth": [101, 0, 0, 0, 0, 0, 0, 0]}})") == 1);
    CHECK(lines(R"({"name": "a", "refused": {"ets": {"code": 4096, "text": ""}}})") == 1);
    // No interface has the name that stands for the host, whoever says so.
    CHECK(lines(R"({"name": "the host"})") == 1);
    CHECK_THROWS(parse_state(R"({"command": "snapshot", "ports": [{"name": "the host"}]})", "s"));
}

TEST_CASE("timed host: what a child read and was refused is what the parent has") {
    State state{.host = {}, .ports = {Port("a\x1b[2K\xff")}};
    state.ports[0].link = Link{.mac = "\xfe", .mtu = 1};
    state.ports[0].link->index = 4096;
    state.ports[0].app = App{.entries = {{AppEntry::dscp, 65535, 255}}, .trust = {}};
    const Refusal no{.code = -22, .text = "no \xff\n such"};
    const auto open = [&]() -> std::unique_ptr<Kernel> {
        auto file = std::make_unique<StateFile>(state);
        file->refuse(Object::link, no);
        return file;
    };
    cli::TimedHost host(open, std::chrono::seconds(60));
    const State read = host.read({.ports = std::nullopt, .objects = {Object::link, Object::app}});
    check_same(read, state);
    CHECK(read.ports[0].link->index == 4096);
    const Step step{.port = state.ports[0].name,
                    .object = Object::link,
                    .changes = {{.field = find_field("mtu"), .after = Value(std::uint64_t{9000})}}};
    CHECK(host.write(step) == no);
}

TEST_CASE("timed host: a write without an answer is late only as long as its process lives") {
    const auto slow = [](const Step&) -> std::optional<Refusal> {
        for (;;)
            ::pause();
    };
    cli::TimedHost host(
        [&] {
            return std::make_unique<hosts::PassThrough>(State{},
                                                        hosts::Hooks{.before_write = slow});
        },
        std::chrono::milliseconds(50));
    const std::optional<Refusal> refusal = host.write({.port = "a", .object = Object::link});
    REQUIRE(refusal);
    CHECK(refusal->code == ETIMEDOUT);
    CHECK(refusal->text.find("is left behind") != std::string::npos);
    CHECK_FALSE(host.has_late_write());
}

}  // namespace observed_test
