// SPDX-License-Identifier: Apache-2.0
#include "core/profile/acceptance.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/json/json.hpp"
#include "core/profile/variables.hpp"

namespace core {
namespace {

using Kind = Shape::Kind;

constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kMostPairs = 64;
constexpr std::uint64_t kMostDepth = 4096;

std::span<const std::string_view> operation_names() {
    static const auto kNames = [] {
        std::array<std::string_view, std::size(probe::kOperations)> out{};
        std::ranges::transform(probe::kOperations, out.begin(),
                               [](probe::Operation one) { return probe::name_of(one); });
        return out;
    }();
    return kNames;
}

void take_expectation(Acceptance& out, const Stated& stated, Problems& problems) {
    try {
        out.expect.push_back(probe::parse_expectation(std::get<std::string>(*stated.value)));
    } catch (const Error& error) {
        problems.push_back({stated.place, stated.pointer, error.what()});
    }
}

void take(Acceptance& out, std::string_view key, const Stated& stated, Problems& problems) {
    const Value& value = *stated.value;
    if (key == "expect") take_expectation(out, stated, problems);
    if (key == "operations")
        for (const std::string& name : std::get<Words>(value))
            out.operations.push_back(*probe::find_operation(name));
    if (key == "classes") out.classes = std::get<bool>(value);
    if (key == "size") out.size = std::get<std::uint64_t>(value);
    if (key == "queue_pairs") out.queue_pairs = std::get<std::uint64_t>(value);
    if (key == "depth") out.depth = std::get<std::uint64_t>(value);
}

}  // namespace

std::span<const SectionKey> acceptance_keys() {
    static const std::array kKeys = {
        SectionKey{"expect",
                   {.kind = Kind::items},
                   "What a path has to come up to, as --expect takes it: write.p99<10us."},
        SectionKey{"operations",
                   {.kind = Kind::set, .words = operation_names()},
                   "What is measured beside what is expected; all where nothing is."},
        SectionKey{"classes",
                   {.kind = Kind::flag},
                   "Data has to travel in RoCE's priority at both ends, as --classes shows it."},
        SectionKey{
            "size", {.kind = Kind::number, .min = 1, .max = kMostBytes}, "Of a message, in bytes."},
        SectionKey{"queue_pairs",
                   {.kind = Kind::number, .min = 1, .max = kMostPairs},
                   "That carry a bandwidth side by side."},
        SectionKey{"depth",
                   {.kind = Kind::number, .min = 1, .max = kMostDepth},
                   "Requests of a queue pair under way at one time."},
    };
    return kKeys;
}

Acceptance read_acceptance(const Node& node, const std::string& pointer, Problems& problems) {
    Acceptance out;
    if (node.kind == Node::Kind::null) return out;
    if (node.kind != Node::Kind::object) {
        problems.push_back({node.place, pointer, found(node) + ", expected an object, or null"});
        return out;
    }
    read_section(node, pointer, acceptance_keys(), problems,
                 [&](const SectionKey& key, const Stated& stated) {
                     take(out, key.name, stated, problems);
                 });
    return out;
}

Acceptance acceptance_of(const Profile& profile, const Variables& variables) {
    const Node* node = profile.tree.find("probe");
    if (node == nullptr) return {};
    Problems problems;
    const Bindings bindings{.variables = variables, .hostname = {}, .port = {}, .index = {}};
    Acceptance out =
        read_acceptance(substitute(*node, bindings, "/probe", problems), "/probe", problems);
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return out;
}

}  // namespace core
