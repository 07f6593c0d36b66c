// SPDX-License-Identifier: Apache-2.0
#include "core/profile/fabrics.hpp"

#include <algorithm>
#include <array>

#include "core/json/value_json.hpp"
#include "core/model/quote.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/roce_intent.hpp"
#include "core/profile/variables.hpp"

namespace core {
namespace {

constexpr std::uint64_t kMostOnFabric = 65535;
constexpr std::uint64_t kMostSpeed = 0xffffffff;

constexpr std::array kStatedFabricKeys = {
    EntryKey{"roce", "The intent on this fabric, over the profile's key by key; null for none.",
             "an object, or null"},
    EntryKey{"speed", "Speed of the links of its ports, in Mb/s, as the fact speed has it.",
             "1..4294967295"},
    EntryKey{"expect", "How many ports the entries of this fabric match together.", "1..65535"},
    EntryKey{"to", "Networks that each of its ports is to reach by itself.",
             "a list of ADDRESS/LENGTH"},
};

class FabricsReader {
public:
    explicit FabricsReader(Problems& problems) : problems_(problems) {}

    StatedFabrics read(const Node& node, const std::string& pointer) {
        StatedFabrics out;
        if (node.kind != Node::Kind::object) {
            wrong(node, pointer, "an object of fabrics by name");
            return out;
        }
        for (const Node::Member& member : node.members) {
            const std::string at = pointer_to(pointer, member.name);
            const Shape name{.kind = Shape::Kind::text, .text = Shape::Text::name};
            if (const auto why = illegal(name, Value(std::string(member.name))))
                problems_.push_back({member.place, at, *why});
            else if (member.value.kind != Node::Kind::object)
                wrong(member.value, at, "an object of roce, speed, expect and to");
            else
                out.emplace(member.name, one(member, at));
        }
        return out;
    }

private:
    void wrong(const Node& node, const std::string& pointer, const std::string& expected) {
        problems_.push_back({node.place, pointer, found(node) + ", expected " + expected});
    }

    StatedFabric one(const Node::Member& fabric, const std::string& pointer) {
        StatedFabric out{.place = fabric.place};
        for (const Node::Member& member : fabric.value.members) {
            const std::string at = pointer_to(pointer, member.name);
            if (member.name == "roce") {
                read_intent(member.value, at, problems_);
            } else if (member.name == "speed") {
                out.speed = number("speed", member.value, at);
            } else if (member.name == "expect") {
                out.expect = number("expect", member.value, at);
            } else if (member.name == "to") {
                networks(member.value, at, out.to);
            } else {
                std::vector<std::string> known;
                for (const EntryKey& key : kStatedFabricKeys)
                    known.emplace_back(key.name);
                problems_.push_back({member.place, at, unknown_key(member.name, known)});
            }
        }
        return out;
    }

    std::optional<std::uint64_t> number(std::string_view key, const Node& value,
                                        const std::string& pointer) {
        std::optional<std::uint64_t> out;
        for (const Stated& stated :
             parse_stated(shape_of_fabric_key(key), value, pointer, problems_))
            if (stated.value) out = std::get<std::uint64_t>(*stated.value);
        return out;
    }

    void networks(const Node& value, const std::string& pointer, std::vector<Prefix>& out) {
        if (value.kind != Node::Kind::array) {
            wrong(value, pointer, "a list of ADDRESS/LENGTH");
            return;
        }
        for (std::size_t i = 0; i < value.items.size(); ++i)
            for (const Stated& stated : parse_stated(shape_of_fabric_key("to"), value.items[i],
                                                     pointer_to(pointer, i), problems_))
                if (stated.value)
                    if (const auto prefix = parse_prefix(std::get<std::string>(*stated.value)))
                        out.push_back(network(*prefix));
    }

    Problems& problems_;
};

}  // namespace

std::span<const EntryKey> stated_fabric_keys() {
    return kStatedFabricKeys;
}

Shape shape_of_fabric_key(std::string_view key) {
    if (key == "to") return {.kind = Shape::Kind::text, .text = Shape::Text::prefix};
    return {
        .kind = Shape::Kind::number, .min = 1, .max = key == "speed" ? kMostSpeed : kMostOnFabric};
}

StatedFabrics read_fabrics(const Node& node, const std::string& pointer, Problems& problems) {
    return FabricsReader(problems).read(node, pointer);
}

std::optional<Node> roce_on_fabric(const Node& tree, const Node* whole, const std::string& fabric) {
    std::optional<Node> out;
    if (whole != nullptr) out = *whole;
    const Node* fabrics = fabric.empty() ? nullptr : tree.find("fabrics");
    const Node* named = fabrics == nullptr ? nullptr : fabrics->find(fabric);
    const Node* own = named == nullptr ? nullptr : named->find("roce");
    if (own == nullptr) return out;
    return out ? merge(std::move(*out), *own) : *own;
}

void check_fabric_names(const Node& tree, Problems& problems) {
    const Node* ports = tree.find("ports");
    const Node* fabrics = tree.find("fabrics");
    std::vector<std::string> known;
    if (fabrics != nullptr)
        for (const Node::Member& member : fabrics->members)
            known.emplace_back(member.name);
    const auto check = [&](const Node& of, const std::string& pointer) {
        const Node* named = of.find("fabric");
        if (named == nullptr || named->kind != Node::Kind::text || has_reference(named->text) ||
            std::ranges::find(known, named->text) != known.end())
            return;
        problems.push_back(
            {named->place, pointer_to(pointer, "fabric"),
             found(*named) + ", expected " +
                 (known.empty() ? std::string("a fabric, and the profile has no 'fabrics'")
                                : "a fabric of 'fabrics': one of " + listed(known))});
    };
    const std::vector<std::string> pointers = entry_pointers(ports);
    for (std::size_t i = 0; i < pointers.size(); ++i)
        check(ports->items[i], pointers[i]);
    if (const Node* accepted = tree.find("accepted"))
        for (std::size_t i = 0; i < accepted->items.size(); ++i)
            check(accepted->items[i], pointer_to("/accepted", i));
}

}  // namespace core
