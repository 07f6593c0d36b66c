// SPDX-License-Identifier: Apache-2.0
#include "core/profile/profile.hpp"
#include "core/profile/acceptance.hpp"

#include <algorithm>
#include <iterator>

#include "core/model/glob.hpp"
#include "core/profile/addressing.hpp"
#include "core/profile/bonds.hpp"
#include "core/profile/entry.hpp"
#include "core/profile/entry_checks.hpp"
#include "core/profile/merge.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/reference.hpp"
#include "core/profile/substitution.hpp"
#include "core/profile/tagging.hpp"

namespace core {
namespace {

using Given = std::map<std::string, std::string>;

bool is_open(std::string_view text) {
    return text.find("${") != std::string_view::npos;
}

std::string unused(const std::string& profile, const std::string& name,
                   const std::set<std::string>& used) {
    std::string out = profile + " uses no ${" + name + "}";
    if (used.empty()) return out + ", nor any other name";
    for (const std::string& other : used)
        out += (other == *used.begin() ? ", expected one of " : ", ") + other;
    return out;
}

/// A value that nothing uses would be ignored in silence, and is most likely misspelt.
void check_given(const std::string& profile, const Node& tree, const Given& given,
                 Problems& problems) {
    std::set<std::string> used;
    for (const char* part : {"roce", "host", "switch", "probe", "ports"})
        if (const Node* node = tree.find(part)) used.merge(names_in(*node));
    for (const auto& [name, value] : given) {
        const Place place{.file = "--set " + name};
        if (is_built_in(name)) {
            problems.push_back({place, "", "found a name that is built in"});
        } else if (!used.contains(name)) {
            problems.push_back({place, "", unused(profile, name, used)});
        }
    }
}

/// What stands at the top of a profile and concerns every entry.
struct Whole {
    Node roce;
    std::optional<Fabric> fabric;
    std::vector<Desired> host{};  ///< of the host itself
};

Whole whole_of(const Node& tree, const Given& given, Problems& problems) {
    Whole out;
    if (const Node* stated = tree.find("roce"))
        out.roce = substitute_given(*stated, given, "/roce", problems);
    if (const Node* stated = tree.find("switch"))
        out.fabric =
            read_fabric(substitute_given(*stated, given, "/switch", problems), "/switch", problems);
    if (const Node* stated = tree.find("probe"))
        read_acceptance(substitute_given(*stated, given, "/probe", problems), "/probe", problems);
    return out;
}

/// What is wrong with a profile, and what there is to know about it.
struct Remarks {
    Problems problems{};
    Problems notes{};
};

/// Holds what the entry states against the checks, on each of the drivers; what is found on several
/// is said once.
void check_desired(const Entry& entry, EntryChecks& checks,
                   const std::vector<const Driver*>& drivers, Remarks& remarks) {
    std::set<std::pair<std::string_view, std::string>> said;
    checks.each_fault(entry, drivers, [&](const Fault& fault) {
        const Origin& origin = fault.at->origin;
        if (!said.emplace(fault.row->id, text(origin)).second) return;
        const bool note = fault.row->level == FindingLevel::note;
        (note ? remarks.notes : remarks.problems)
            .push_back({file_place(origin), origin.pointer,
                        element_name(*fault.at->field, fault.at->element) + ": " + fault.text +
                            (fault.remedy.empty() ? "" : "; state " + fault.remedy)});
    });
}

/// What two entries or a file and its base can only get wrong together, and what values given
/// for `${…}` can; everything else was checked in each file by itself.
void check_entry(const Whole& whole, const Entry& entry, const Node& node, const Node& ports,
                 EntryChecks& checks, Remarks& remarks) {
    const std::vector<const Driver*> drivers_here = possible_drivers(entry.match);
    if (const Node* own = node.find("roce")) {
        const std::optional<Intent> intent =
            read_intent(merge(whole.roce, *own), "/roce", remarks.problems);
        if (intent) check_tagging(*intent, ports, remarks.problems);
        EntryChecks of_entry(intent, whole.fabric, whole.host);
        check_desired(entry, of_entry, drivers_here, remarks);
    } else {
        check_desired(entry, checks, drivers_here, remarks);
    }
    const std::optional<Intent> none;
    EntryChecks of_children(none, whole.fabric, whole.host);
    for (const VlanChild& child : entry.children)
        check_desired(child.entry, of_children, {drivers().back()}, remarks);
}

/// What an entry's ports are told apart by, and which RDMA device is meant, or has no roce.
void add_wanted(const Node& node, bool has_roce, Wanted& out) {
    Problems ignored;
    const Entry entry = read_entry(node, "", ignored);
    const std::vector<std::string>* names = entry.match.values("name");
    if (names == nullptr) out.names.emplace_back("*");
    for (const std::string& name : names == nullptr ? std::vector<std::string>{} : *names)
        out.names.push_back(is_open(name) ? "*" : name);
    for (const Condition& condition : entry.match.conditions)
        if (!condition.key->field.empty()) out.objects.insert(object_of(condition.key->field));
    const bool rdma = std::ranges::any_of(entry.statements, [](const Statement& statement) {
        return statement.field->key.starts_with("rdma.");
    });
    const bool noted = !has_roce && node.find("roce") == nullptr;
    const Node* own = node.find("roce");
    const bool named = own != nullptr && own->find("libraries") != nullptr;
    if (rdma || noted || named || !entry.rdma_device.empty())
        out.objects.insert(object_of("rdma.device"));
}

/// Whether an entry may be about a port of the name, as far as the name tells.
bool may_match(const Node& entry, const std::string& port) {
    Problems ignored;
    const Node* match = entry.find("match");
    if (match == nullptr || port.empty()) return true;
    const Match read = read_match(*match, "", ignored);
    const std::vector<std::string>* names = read.values("name");
    return names == nullptr || std::ranges::any_of(*names, [&port](const std::string& name) {
               return is_open(name) || glob_matches(name, port);
           });
}

/// Checks everything visible in the files and the given values; with `port`, only entries that may
/// match it.
void check_values(const Node& tree, const Given& given, const std::string& port, Remarks& remarks) {
    Problems& problems = remarks.problems;
    Whole whole = whole_of(tree, given, problems);
    const std::optional<Intent> intent = read_intent(whole.roce, "/roce", problems);
    if (const Node* host = tree.find("host")) {
        const Entry stated = read_host(substitute_given(*host, given, "/host", problems), problems);
        check_bonds(stated, problems);
        whole.host = stated_desired(stated).desired_values;
    }
    EntryChecks checks(intent, whole.fabric, whole.host);
    const Node* ports = tree.find("ports");
    bool shares_intent = false;
    const std::vector<std::string> pointers = entry_pointers(ports);
    for (std::size_t i = 0; i < pointers.size(); ++i) {
        const Node node = substitute_given(ports->items[i], given, pointers[i], problems);
        if (!may_match(node, port)) continue;
        const Entry entry = read_entry(node, pointers[i], problems);
        shares_intent = shares_intent || node.find("roce") == nullptr;
        check_entry(whole, entry, node, *ports, checks, remarks);
        // With one port's values put in, the entry is that port's.
        if (port.empty()) check_addresses(entry, problems);
    }
    if (intent && shares_intent) check_tagging(*intent, *ports, problems);
    // Where others are to add the ports, the intent and the switches are here.
    if (ports == nullptr) check_desired(Entry{}, checks, possible_drivers({}), remarks);
}

/// Names that no host of these variables has a value for.
void check_missing(const Node& tree, const std::set<std::string>& of_host,
                   const std::set<std::string>& of_any, Problems& problems) {
    const auto check = [&problems](const Node& node, const std::string& pointer,
                                   const std::set<std::string>& given) {
        for (const std::string& name : names_in(node))
            if (!given.contains(name))
                problems.push_back(
                    {node.place, pointer,
                     "found ${" + name + "}, and the variables hold no value of it"});
    };
    for (const char* part : {"roce", "host", "switch", "probe"})
        if (const Node* node = tree.find(part))
            check(*node, pointer_to("", part), part == std::string("roce") ? of_any : of_host);
    const Node* ports = tree.find("ports");
    const std::vector<std::string> pointers = entry_pointers(ports);
    for (std::size_t i = 0; i < pointers.size(); ++i)
        for (const Node::Member& member : ports->items[i].members) {
            const bool before_match = member.name == "match" || member.name == "expect";
            check(member.value, pointer_to(pointers[i], member.name),
                  before_match ? of_host : of_any);
        }
}

}  // namespace

void check_variables(const Profile& profile, const Variables& variables) {
    Remarks remarks;
    Problems& problems = remarks.problems;
    Given of_host = variables.set;
    of_host.insert(variables.host.begin(), variables.host.end());
    std::set<std::string> known;
    for (const auto& [name, value] : of_host)
        known.insert(name);
    std::set<std::string> known_to_any = known;
    for (const auto& [port, values] : variables.ports) {
        Given of_port = variables.set;
        of_port.insert(values.begin(), values.end());
        of_port.insert(variables.host.begin(), variables.host.end());
        for (const auto& [name, value] : of_port)
            known_to_any.insert(name);
        check_values(profile.tree, of_port, port, remarks);
    }
    if (variables.ports.empty()) check_values(profile.tree, of_host, "", remarks);
    check_missing(profile.tree, known, known_to_any, problems);
    if (!problems.empty()) throw invalid_input(std::move(problems));
}

Profile load_profile(const Source& source, const Loader& load, const Given& given) {
    Remarks remarks;
    Problems& problems = remarks.problems;
    Profile profile{.name = source.name, .tree = load_merged(source, load, problems)};
    if (const Node* name = profile.tree.find("name")) profile.name = name->text;
    // What is wrong in a file would be said again in other words by what follows from it.
    if (problems.empty()) check_given(source.name, profile.tree, given, problems);
    if (problems.empty()) check_values(profile.tree, given, "", remarks);
    if (!problems.empty()) throw invalid_input(std::move(problems));
    profile.notes = std::move(remarks.notes);
    return profile;
}

namespace {

/// The bonds that the host's part names, and the ports that become their members.
void add_bonds(const Node& host, Wanted& out) {
    const Node* bonds = host.find("bonds");
    if (bonds == nullptr) return;
    for (const Node::Member& bond : bonds->members) {
        out.names.push_back(is_open(bond.name) ? "*" : bond.name);
        const Node* members = bond.value.find("members");
        if (members == nullptr) continue;
        if (is_pending(*members)) out.names.emplace_back("*");
        for (const Node& member : members->items)
            if (member.kind == Node::Kind::text) out.names.push_back(member.text);
    }
}

}  // namespace

Wanted wanted(const Profile& profile) {
    Wanted out;
    out.objects = inventory();
    if (const Node* host = profile.tree.find("host")) add_bonds(*host, out);
    const Node* ports = profile.tree.find("ports");
    const bool has_roce = profile.tree.find("roce") != nullptr;
    for (std::size_t i = 0; ports != nullptr && i < ports->items.size(); ++i)
        add_wanted(ports->items[i], has_roce, out);
    const Node* roce = profile.tree.find("roce");
    if (roce != nullptr && roce->find("libraries") != nullptr)
        out.objects.insert(object_of("rdma.device"));
    std::ranges::sort(out.names);
    out.names.erase(std::unique(out.names.begin(), out.names.end()), out.names.end());
    if (std::ranges::find(out.names, "*") != out.names.end()) out.names = {"*"};
    return out;
}

}  // namespace core
