// SPDX-License-Identifier: Apache-2.0
#include "core/profile/profile.hpp"

#include <algorithm>

#include "core/profile/consistency.hpp"
#include "core/profile/merge.hpp"

namespace core {
namespace {

bool is_open(std::string_view text) {
    return text.find("${") != std::string_view::npos;
}

/// The driver rows that an entry can match: those it names, or all.
std::vector<const Driver*> possible_drivers(const Match& match) {
    std::vector<const Driver*> out;
    const std::vector<std::string>* named = match.values("driver");
    const bool any = named == nullptr || std::ranges::any_of(*named, is_open);
    for (const Driver& driver : drivers())
        if (any || std::ranges::any_of(*named, [&](const std::string& name) {
                return &driver_named(name) == &driver;
            }))
            out.push_back(&driver);
    return out;
}

/// What two entries or a file and its base can only get wrong together.
void check_entry(const Node& tree, const Node& node, const std::string& pointer,
                 Problems& problems) {
    Problems known;  // each file was checked by itself before
    const Entry entry = read_entry(node, pointer, known);
    const Node* own = node.find("roce");
    const Node* whole = tree.find("roce");
    Node roce = whole == nullptr ? Node{} : *whole;
    if (own != nullptr) roce = merge(std::move(roce), *own);
    const std::optional<Intent> intent = read_intent(roce, "/roce", problems);
    std::set<const Field*> open;
    for (const Statement& statement : entry.statements)
        if (statement.pending) open.insert(statement.field);
    std::set<std::pair<std::string_view, std::string>> said;
    for (const Driver* driver : possible_drivers(entry.match)) {
        const std::vector<Claim> claimed = claims(entry, intent, *driver);
        for (const Fault& fault : inconsistencies(claimed, intent, *driver, open)) {
            const Origin& origin = fault.at->origin;
            if (!said.emplace(fault.id, text(origin)).second) continue;
            problems.push_back({{origin.file, origin.line, origin.column},
                                fault.at->pointer,
                                std::string(fault.at->field->key) + ": " + fault.text +
                                    (fault.remedy.empty() ? "" : "; state " + fault.remedy)});
        }
    }
}

/// What an entry's ports are told apart by, and which RDMA device is meant.
void add_wanted(const Node& node, Wanted& out) {
    Problems ignored;
    const Entry entry = read_entry(node, "", ignored);
    const std::vector<std::string>* names = entry.match.values("name");
    if (names == nullptr) out.names.emplace_back("*");
    for (const std::string& name : names == nullptr ? std::vector<std::string>{} : *names)
        out.names.push_back(is_open(name) ? "*" : name);
    for (const Condition& condition : entry.match.conditions)
        out.objects.insert(condition.key->object);
    const bool rdma = std::ranges::any_of(entry.statements, [](const Statement& statement) {
        return statement.field->key.starts_with("rdma.");
    });
    if (rdma || !entry.rdma_device.empty()) out.objects.insert(Object::rdma_link);
}

}  // namespace

Profile load_profile(const Source& source, const Loader& load) {
    Problems problems;
    Profile profile{.name = source.name, .tree = load_merged(source, load, problems)};
    if (const Node* name = profile.tree.find("name")) profile.name = name->text;
    // What is wrong in a file would be said again in other words by what follows from it.
    if (problems.empty()) {
        if (const Node* roce = profile.tree.find("roce")) read_intent(*roce, "/roce", problems);
        const Node* ports = profile.tree.find("ports");
        for (std::size_t i = 0; ports != nullptr && i < ports->items.size(); ++i)
            check_entry(profile.tree, ports->items[i], entry_pointer(*ports, i), problems);
    }
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return profile;
}

Wanted wanted(const Profile& profile) {
    Wanted out;
    out.objects = {Object::device, Object::link};
    if (profile.tree.find("roce") != nullptr) out.objects.insert(Object::rdma_link);
    const Node* ports = profile.tree.find("ports");
    if (ports == nullptr) return out;
    for (const Node& entry : ports->items) {
        if (entry.find("roce") != nullptr) out.objects.insert(Object::rdma_link);
        add_wanted(entry, out);
    }
    std::ranges::sort(out.names);
    out.names.erase(std::unique(out.names.begin(), out.names.end()), out.names.end());
    if (std::ranges::find(out.names, "*") != out.names.end()) out.names = {"*"};
    return out;
}

}  // namespace core
