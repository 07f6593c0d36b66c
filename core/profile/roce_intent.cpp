// SPDX-License-Identifier: Apache-2.0
#include "core/profile/roce_intent.hpp"

#include <algorithm>
#include <array>

#include "core/json/json.hpp"
#include "core/profile/conflict.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/profile.hpp"

namespace core {
namespace {

using Kind = Shape::Kind;

// The presets are what the vendors' own guides use: RoCE in DSCP 26 and priority 3, CNPs in
// DSCP 48 and priority 6.
constexpr std::array kIntentKeys = {
    IntentKey{"priority",
              {.kind = Kind::number, .max = 7},
              3,
              "Priority of RoCE traffic; it is made lossless by PFC."},
    IntentKey{"dscp", {.kind = Kind::number, .max = 63}, 26, "DSCP of RoCE traffic."},
    IntentKey{"cnp.priority",
              {.kind = Kind::number, .max = 7},
              6,
              "Priority of congestion notification packets; never a lossless one."},
    IntentKey{"cnp.dscp",
              {.kind = Kind::number, .max = 63},
              48,
              "DSCP of congestion notification packets."},
    IntentKey{"bandwidth",
              {.kind = Kind::number, .min = 1, .max = 99},
              50,
              "Share of the port's bandwidth that RoCE traffic is given, in percent."},
    IntentKey{"ecn",
              {.kind = Kind::flag},
              1,
              "RoCE traffic says that it can be marked instead of dropped (ECT(0), RFC 3168)."},
    IntentKey{"trust",
              {.kind = Kind::word, .words = kTrusts},
              0,
              "What tells the priority of a packet: its DSCP, or PCP in its VLAN tag; then "
              "egress_priority of the VLAN puts it there."},
    IntentKey{"libraries",
              {.kind = Kind::set, .words = kLibraryNames},
              0,
              "Libraries that open queue pairs themselves: their variables for traffic class, "
              "service level and RDMA devices follow in host.nccl and host.ucx."},
};

Origin origin_of(const Place& place, const std::string& from) {
    Origin origin = origin_at(place);
    origin.derived_from = from;
    return origin;
}

/// Reads the keys of `roce` one by one.
class IntentReader {
public:
    IntentReader(const Node& roce, std::string pointer, Problems& problems)
        : roce_(roce), pointer_(std::move(pointer)), problems_(problems) {}

    std::optional<Intent> read() {
        const std::size_t before = problems_.size();
        known(roce_, "", pointer_);
        Intent out;
        out.origin = origin_of(roce_.place, "roce");
        out.priority = part("priority");
        out.dscp = part("dscp");
        out.bandwidth = part("bandwidth");
        out.ecn = part("ecn");
        out.trust = part("trust");
        out.libraries = part("libraries");
        const Node* cnp = roce_.find("cnp");
        if (cnp == nullptr || cnp->kind != Node::Kind::null)
            out.cnp = Intent::Cnp{part("cnp.priority"), part("cnp.dscp")};
        if (problems_.size() > before || is_pending(roce_)) return std::nullopt;
        check(out);
        if (problems_.size() > before) return std::nullopt;
        return out;
    }

private:
    void known(const Node& node, const std::string& prefix, const std::string& pointer) {
        std::vector<std::string> names;
        for (const IntentKey& key : kIntentKeys)
            if (key.name.starts_with(prefix)) {
                const std::string_view rest = key.name.substr(prefix.size());
                const std::string name(rest.substr(0, rest.find('.')));
                if (std::ranges::find(names, name) == names.end()) names.push_back(name);
            }
        for (const Node::Member& member : node.members) {
            const std::string at = pointer_to(pointer, member.name);
            const bool group = prefix.empty() && member.name == "cnp";
            if (std::ranges::find(names, member.name.text()) == names.end()) {
                problems_.push_back({member.place, at, unknown_key(member.name, names)});
            } else if (group && member.value.kind == Node::Kind::object) {
                known(member.value, "cnp.", at);
            } else if (group && member.value.kind != Node::Kind::null) {
                problems_.push_back(
                    {member.value.place, at,
                     found(member.value) + ", expected an object of priority and dscp, or null"});
            }
        }
    }

    Intent::Part part(std::string_view name) {
        const auto* const key = std::ranges::find(kIntentKeys, name, &IntentKey::name);
        Intent::Part out{key->preset, origin_of(roce_.place, "roce." + std::string(name))};
        const Node* at = &roce_;
        std::string pointer = pointer_;
        for (std::string_view rest = name; at != nullptr && !rest.empty();) {
            const std::size_t dot = rest.find('.');
            pointer = pointer_to(pointer, rest.substr(0, dot));
            const Node::Member* member = at->member(rest.substr(0, dot));
            at = member == nullptr ? nullptr : &member->value;
            if (member != nullptr) out.origin = origin_of(member->place, out.origin.derived_from);
            rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
        }
        if (at == nullptr) return out;
        for (const Stated& stated : parse_stated(key->shape, *at, pointer, problems_)) {
            if (const auto* number = std::get_if<std::uint64_t>(&*stated.value))
                out.value = *number;
            if (const auto* flag = std::get_if<bool>(&*stated.value)) out.value = *flag ? 1 : 0;
            const auto position = [&](const std::string& word) {
                return static_cast<std::uint64_t>(std::ranges::find(key->shape.words, word) -
                                                  key->shape.words.begin());
            };
            if (const auto* word = std::get_if<std::string>(&*stated.value))
                out.value = position(*word);
            if (const auto* words = std::get_if<Words>(&*stated.value))
                for (const std::string& word : *words)
                    out.value |= std::uint64_t{1} << position(word);
        }
        return out;
    }

    void check(const Intent& intent) {
        if (!intent.cnp) return;
        const auto same = [&](const Intent::Part& part, const Intent::Part& other,
                              const std::string& why) {
            if (part.value != other.value) return;
            problems_.push_back({file_place(part.origin), "",
                                 part.origin.derived_from + ": found " +
                                     std::to_string(part.value) + ", which is " +
                                     other.origin.derived_from + "; " + why});
        };
        same(intent.cnp->priority, intent.priority,
             "congestion notifications must not wait in the lossless priority");
        same(intent.cnp->dscp, intent.dscp,
             "congestion notifications could not be told apart from the data they are about");
    }

    const Node& roce_;
    std::string pointer_;
    Problems& problems_;
};

}  // namespace

std::span<const IntentKey> intent_keys() {
    return kIntentKeys;
}

std::vector<std::pair<const IntentKey*, const Intent::Part*>> parts(const Intent& intent) {
    std::vector<std::pair<const IntentKey*, const Intent::Part*>> out;
    for (const IntentKey& key : kIntentKeys) {
        const Intent::Part* part = nullptr;
        if (key.name == "priority") part = &intent.priority;
        if (key.name == "dscp") part = &intent.dscp;
        if (key.name == "bandwidth") part = &intent.bandwidth;
        if (key.name == "ecn") part = &intent.ecn;
        if (key.name == "trust") part = &intent.trust;
        if (key.name == "libraries" && intent.libraries.value != 0) part = &intent.libraries;
        if (intent.cnp && key.name == "cnp.priority") part = &intent.cnp->priority;
        if (intent.cnp && key.name == "cnp.dscp") part = &intent.cnp->dscp;
        if (part != nullptr) out.emplace_back(&key, part);
    }
    return out;
}

Value value_of(const IntentKey& key, const Intent::Part& part) {
    if (key.shape.kind == Kind::flag) return part.value != 0;
    if (key.shape.kind == Kind::word) return std::string(key.shape.words[part.value]);
    if (key.shape.kind == Kind::set) {
        Words out;
        for (std::size_t i = 0; i < key.shape.words.size(); ++i)
            if ((part.value >> i & 1U) != 0) out.emplace_back(key.shape.words[i]);
        return out;
    }
    return part.value;
}

Value preset_of(const IntentKey& key) {
    return value_of(key, {.value = key.preset, .origin = {}});
}

bool tells(const Intent& intent, const Library& library) {
    const auto at = std::ranges::find(kLibraryNames, library.name) - kLibraryNames.begin();
    return (intent.libraries.value >> static_cast<unsigned>(at) & 1U) != 0;
}

std::optional<Intent> read_intent(const Node& node, const std::string& pointer,
                                  Problems& problems) {
    if (node.kind == Node::Kind::null) return std::nullopt;
    if (node.kind != Node::Kind::object) {
        problems.push_back({node.place, pointer, found(node) + ", expected an object or null"});
        return std::nullopt;
    }
    return IntentReader(node, pointer, problems).read();
}

namespace {

bool opts_out(const OwnRoce& own) {
    return own.roce.kind == Node::Kind::null;
}

/// A value that a variable made is a text, and may mean a number.
std::string roce_value(const Node& node) {
    return node.substituted ? node.text : source_text(node);
}

/// One key in two entries, from `roce` down to where they differ.
struct TwoSaid {
    const Node& one;
    const Node& other;
    std::string one_at;
    std::string other_at;
};

void compare(const std::string& port, const std::string& key, const TwoSaid& said,
             std::vector<Finding>& out) {
    const bool deeper =
        said.one.kind == Node::Kind::object && said.other.kind == Node::Kind::object;
    if (!deeper) {
        const Said one{.value = roce_value(said.one),
                       .origin = origin_at(said.one.place, said.one_at)};
        const Said other{.value = roce_value(said.other),
                         .origin = origin_at(said.other.place, said.other_at)};
        if (one.value != other.value) out.push_back(conflict(port, key, one, other));
        return;
    }
    for (const Node::Member& member : said.one.members)
        if (const Node* other = said.other.find(member.name))
            compare(port, key + '.' + member.name,
                    {member.value, *other, pointer_to(said.one_at, member.name),
                     pointer_to(said.other_at, member.name)},
                    out);
}

}  // namespace

std::optional<Node> joint_roce(const Node* whole, const std::vector<OwnRoce>& own) {
    if (std::ranges::any_of(own, opts_out)) return std::nullopt;
    std::optional<Node> out;
    if (whole != nullptr) out = *whole;
    for (const OwnRoce& one : own)
        out = out ? merge(std::move(*out), one.roce) : one.roce;
    return out;
}

std::vector<Finding> roce_conflicts(const std::string& port, const std::vector<OwnRoce>& own) {
    std::vector<Finding> out;
    if (std::ranges::any_of(own, opts_out)) return out;
    for (std::size_t i = 0; i < own.size(); ++i)
        for (std::size_t j = i + 1; j < own.size(); ++j)
            compare(port, "roce", {own[i].roce, own[j].roce, own[i].pointer, own[j].pointer}, out);
    return out;
}

}  // namespace core
