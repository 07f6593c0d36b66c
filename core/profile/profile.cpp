// SPDX-License-Identifier: Apache-2.0
#include "core/profile/profile.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "core/json/json.hpp"
#include "core/model/glob.hpp"
#include "core/model/object.hpp"
#include "core/profile/acceptance.hpp"
#include "core/profile/accepted_findings.hpp"
#include "core/profile/bonds.hpp"
#include "core/profile/conflict.hpp"
#include "core/profile/entry.hpp"
#include "core/profile/fabrics.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/offline.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/switch.hpp"
#include "core/profile/tagging.hpp"
#include "core/profile/variables.hpp"

namespace core {
namespace {

constexpr std::size_t kLongestChain = 64;
constexpr std::size_t kMostFiles = 1000;
/// What is known of an element of a list takes up to four kilobytes, of another value a quarter of
/// one, and a file of ten megabytes is to take no more than 120.
constexpr std::size_t kMostElements = 20000;
constexpr std::size_t kMostValues = 50000;

void set_member(Node& node, Node::Member member) {
    const auto at = std::ranges::find(node.members, member.name, &Node::Member::name);
    if (at == node.members.end()) {
        node.members.push_back(std::move(member));
    } else {
        at->place = member.place;
        at->value = merge(std::move(at->value), std::move(member.value));
    }
}

/// Of an entry that two ways of `extends` bring, one is kept.
void append_ports(Node& node, Node::Member ports) {
    const auto at = std::ranges::find(node.members, ports.name, &Node::Member::name);
    if (at == node.members.end()) {
        node.members.push_back(std::move(ports));
        return;
    }
    std::set<Place> known;
    for (const Node& entry : at->value.items)
        known.insert(entry.place);
    for (Node& entry : ports.value.items)
        if (known.insert(entry.place).second) at->value.items.push_back(std::move(entry));
}

void add_profile(Node& merged, Node over) {
    for (Node::Member& member : over.members) {
        if (member.name == "ports") {
            append_ports(merged, std::move(member));
        } else if (member.name == "roce" || member.name == "host" || member.name == "switch" ||
                   member.name == "probe" || member.name == "accepted" || member.name == "name" ||
                   member.name == "fabrics") {
            set_member(merged, std::move(member));
        }
    }
    merged.place = over.place;
}

/// The first of the node's numbers, texts and other single values for which none is left; null.
const Node* first_beyond(const Node& node, std::size_t& left) {
    if (node.kind != Node::Kind::object && node.kind != Node::Kind::array) {
        if (left == 0) return &node;
        --left;
        return nullptr;
    }
    for (const Node& item : node.items)
        if (const Node* found = first_beyond(item, left)) return found;
    for (const Node::Member& member : node.members)
        if (const Node* found = first_beyond(member.value, left)) return found;
    return nullptr;
}

/// Of settings that have several: addresses, routes, sysctls. A port that is to be made, a VLAN or
/// a bond, takes as much as ten.
std::size_t elements_of(const Entry& entry) {
    constexpr std::size_t of_port = 10;
    std::size_t out = 0;
    for (const auto* stated : {&entry.statements, &entry.facts})
        for (const Statement& statement : *stated)
            if (statement.elements.size() > 1) out += statement.elements.size();
    for (const VlanChild& child : entry.children)
        out += of_port + elements_of(child.entry);
    for (const StatedBond& bond : entry.bonds)
        out += of_port + elements_of(bond.entry);
    return out;
}

/// Reads a profile with all that it extends, and checks every file by itself. The merged tree holds
/// name, roce, fabrics, switch, probe, accepted, host and ports; what is wrong is added to
/// `problems`.
class Files {
public:
    Files(const Loader& load, Problems& problems) : load_(load), problems_(problems) {}

    Node read(const Source& source) {
        const auto done = done_.find(source.name);
        if (done != done_.end()) return done->second;
        Node root = parse_tree(source.text, source.name, problems_);
        Node merged = Node::of(Node::Kind::object, root.place);
        if (root.kind == Node::Kind::null && !problems_.empty()) return merged;
        if (ends_early(root, Pointer(), problems_)) return merged;
        if (const Node* beyond = first_beyond(root, values_left_)) {
            too_many(*beyond, "", "values", kMostValues);
            return merged;
        }
        if (root.kind != Node::Kind::object) {
            problem(root, "", found(root) + ", expected an object");
            return merged;
        }
        chain_.push_back(source.name);
        top_level(root);
        if (const Node* extends = root.find("extends")) add_extended(*extends, source, merged);
        add_profile(merged, std::move(root));
        chain_.pop_back();
        // Nobody extends it any more.
        if (chain_.empty()) return merged;
        return done_[source.name] = std::move(merged);
    }

private:
    void problem(const Node& node, const std::string& pointer, std::string text) {
        problems_.push_back({node.place, pointer, std::move(text)});
    }

    void too_many(const Node& at, const std::string& pointer, const std::string& what,
                  std::size_t most) {
        problem(at, pointer,
                "found more " + what + " than a profile may state, with all that it extends; " +
                    "expected at most " + std::to_string(most));
    }

    void count_elements(const Entry& entry, const Node& node, const std::string& pointer) {
        const std::size_t more = elements_of(entry);
        if (more > elements_left_) too_many(node, pointer, "elements", kMostElements);
        elements_left_ -= std::min(more, elements_left_);
    }

    void top_level(const Node& root) {
        std::vector<std::string> known;
        for (const EntryKey& key : top_keys())
            known.emplace_back(key.name);
        if (root.find("format") == nullptr) problem(root, "", "found no 'format', expected 1");
        for (const Node::Member& member : root.members) {
            const Node& value = member.value;
            const std::string at = pointer_to("", member.name);
            if (std::ranges::find(known, member.name.text()) == known.end()) {
                problems_.push_back({member.place, at, unknown_key(member.name, known)});
            } else if (member.name == "format") {
                if (value.kind != Node::Kind::number || value.text != "1")
                    problem(value, at, found(value) + ", expected 1");
            } else if (member.name == "roce") {
                check_references(value, Standing::in_order, at, problems_);
                read_intent(value, at, problems_);
            } else if (member.name == "host") {
                check_references(value, Standing::before_match, at, problems_);
                count_elements(read_host(value, problems_), value, at);
            } else if (member.name == "switch") {
                check_references(value, Standing::in_order, at, problems_);
                read_switch(value, at, problems_);
            } else if (member.name == "fabrics") {
                check_references(value, Standing::before_match, at, problems_);
                read_fabrics(value, at, problems_);
            } else if (member.name == "probe") {
                check_references(value, Standing::before_match, at, problems_);
                read_acceptance(value, at, problems_);
            } else if (member.name == "accepted") {
                check_references(value, Standing::before_match, at, problems_);
                read_accepted(value, at, problems_);
            } else if (member.name == "ports") {
                ports(value, at);
            } else if (member.name != "extends" && value.kind != Node::Kind::text) {
                problem(value, at, found(value) + ", expected a text");
            }
        }
    }

    void ports(const Node& node, const std::string& pointer) {
        if (node.kind != Node::Kind::array)
            problem(node, pointer, found(node) + ", expected a list of entries");
        for (std::size_t i = 0; i < node.items.size(); ++i)
            entry(node.items[i], pointer_to(pointer, i));
    }

    void entry(const Node& node, const std::string& pointer) {
        count_elements(read_entry(node, pointer, problems_), node, pointer);
        const bool counted = node.find("expect") != nullptr;
        for (const Node::Member& member : node.members) {
            const bool before = is_before_match(member.name);
            const Standing after = counted ? Standing::in_order : Standing::any_order;
            check_references(member.value, before ? Standing::before_match : after,
                             pointer_to(pointer, member.name), problems_);
        }
        if (const Node* roce = node.find("roce"))
            read_intent(*roce, pointer_to(pointer, "roce"), problems_);
    }

    void add_extended(const Node& extends, const Source& source, Node& merged) {
        if (extends.kind != Node::Kind::array)
            problem(extends, "/extends", found(extends) + ", expected a list of profiles");
        for (std::size_t i = 0; i < extends.items.size(); ++i) {
            const Node& item = extends.items[i];
            const std::string at = pointer_to("/extends", i);
            if (item.kind != Node::Kind::text || item.text.empty()) {
                problem(item, at, found(item) + ", expected the name or path of a profile");
            } else {
                add_one(item, at, source, merged);
            }
        }
    }

    void add_one(const Node& item, const std::string& pointer, const Source& source, Node& merged) {
        if (++extended_ > kMostFiles) {
            // Of one file by ever other names the chains would be as many as there are ways.
            if (extended_ == kMostFiles + 1)
                problem(
                    item, pointer,
                    "found more than " + std::to_string(kMostFiles) + " files that are extended");
            return;
        }
        Source base;
        try {
            base = load_(item.text, source.name);
        } catch (const Error& error) {
            // A file that is not there is one problem among all the others.
            for (const std::string& line : error.lines())
                problem(item, pointer, found(item) + ": " + line);
            return;
        }
        const auto again = std::ranges::find(chain_, base.name);
        if (again != chain_.end() || chain_.size() >= kLongestChain) {
            std::string names;
            for (auto at = again == chain_.end() ? chain_.begin() : again; at != chain_.end(); ++at)
                names += *at + " extends ";
            problem(item, pointer,
                    (again == chain_.end() ? "found too long a chain: " : "found a cycle: ") +
                        names + base.name);
            return;
        }
        add_profile(merged, read(base));
    }

    const Loader& load_;
    Problems& problems_;
    std::vector<std::string> chain_;
    std::size_t extended_ = 0;
    std::size_t values_left_ = kMostValues;
    std::size_t elements_left_ = kMostElements;
    std::map<std::string, Node> done_;
};

}  // namespace

Node merge(Node base, Node over) {
    if (base.kind != Node::Kind::object || over.kind != Node::Kind::object) return over;
    base.place = over.place;
    for (Node::Member& member : over.members)
        set_member(base, std::move(member));
    return base;
}

std::vector<std::string> entry_pointers(const Node* ports) {
    std::vector<std::string> out;
    std::map<std::string_view, std::size_t> before;
    if (ports == nullptr) return out;
    for (const Node& entry : ports->items)
        out.push_back(pointer_to("/ports", before[entry.place.file.text()]++));
    return out;
}

namespace {

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
    for (const char* part : {"roce", "fabrics", "host", "switch", "probe", "accepted", "ports"})
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

/// What an entry's ports are told apart by, and which RDMA device is meant, or has no roce.
void add_wanted(const Node& node, bool has_roce, Wanted& out) {
    Problems ignored;
    const Entry entry = read_entry(node, "", ignored);
    const std::vector<std::string>* names = entry.match.values("name");
    if (names == nullptr) out.names.emplace_back("*");
    for (const std::string& name : names == nullptr ? std::vector<std::string>{} : *names)
        out.names.push_back(has_reference(name) ? "*" : name);
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
    for (const char* part : {"roce", "fabrics", "host", "switch", "probe", "accepted"})
        if (const Node* node = tree.find(part))
            check(*node, pointer_to("", part), part == std::string("roce") ? of_any : of_host);
    const Node* ports = tree.find("ports");
    const std::vector<std::string> pointers = entry_pointers(ports);
    for (std::size_t i = 0; i < pointers.size(); ++i)
        for (const Node::Member& member : ports->items[i].members) {
            const bool before_match = is_before_match(member.name);
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
        check_offline(profile.tree, of_port, port, remarks);
    }
    if (variables.ports.empty()) check_offline(profile.tree, of_host, "", remarks);
    check_missing(profile.tree, known, known_to_any, problems);
    if (!problems.empty()) throw invalid_input(std::move(problems));
}

Profile load_profile(const Source& source, const Loader& load, const Given& given) {
    Remarks remarks;
    Problems& problems = remarks.problems;
    Profile profile{.name = source.name, .tree = Files(load, problems).read(source)};
    if (const Node* name = profile.tree.find("name")) profile.name = name->text;
    // What is wrong in a file would be said again in other words by what follows from it.
    if (problems.empty()) check_fabric_names(profile.tree, problems);
    if (problems.empty()) check_given(source.name, profile.tree, given, problems);
    if (problems.empty()) check_offline(profile.tree, given, "", remarks);
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
        out.names.push_back(has_reference(bond.name) ? "*" : bond.name);
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

namespace {

/// The name in a list of names, which may be said to be absent there.
const Node& name_in(const Shape& shape, const Node& item) {
    const Node* name = item.find(item_part(shape));
    return name == nullptr ? item : *name;
}

void add_names(const Field& field, const Node& node, std::set<std::string>& names) {
    for (const Node::Member& member : node.members)
        if (is_keyed(field.shape)) names.insert(member.name);
    for (const Node& item : node.items) {
        const Node& name = name_in(field.shape, item);
        if (name.kind != Node::Kind::text || is_pending(name)) continue;
        names.insert(identity(field.shape, canonical(field.shape, Value(name.text))));
    }
}

}  // namespace

std::map<Object, std::set<std::string>> named_elements(const Profile& profile,
                                                       const Variables& variables) {
    std::map<Object, std::set<std::string>> out;
    std::map<std::string, std::string> given = variables.host;
    for (const auto& [name, value] : variables.set)
        given.insert_or_assign(name, value);
    Problems nobodys;
    const Node* host = profile.tree.find("host");
    if (host == nullptr) return out;
    for (const Field& field : fields()) {
        const Node* stated =
            row_of(field.object).read.by_name ? host->find(key_in_place(field)) : nullptr;
        if (stated == nullptr) continue;
        add_names(field, substitute_given(*stated, given, "/host", nobodys), out[field.object]);
    }
    return out;
}

}  // namespace core
