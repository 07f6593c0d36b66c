// SPDX-License-Identifier: Apache-2.0
#include "core/profile/collection.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

#include "core/model/finding_names.hpp"
#include "core/model/object.hpp"
#include "core/profile/asked_roce.hpp"
#include "core/profile/bonds.hpp"
#include "core/profile/count.hpp"
#include "core/profile/entry.hpp"
#include "core/profile/host_desired.hpp"
#include "core/profile/merge.hpp"
#include "core/profile/one_port.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/reference.hpp"
#include "core/profile/substitution.hpp"
#include "core/profile/tagging.hpp"

namespace core {
namespace {

/// Reads the entries with what `${…}` stands for on each port.
class Gatherer {
public:
    Gatherer(const Profile& profile, const Variables& variables, const State& inventory,
             const std::string& only)
        : profile_(profile),
          variables_(variables),
          inventory_(inventory),
          only_(only),
          roce_(profile) {}

    Collection run() {
        const Node* ports = profile_.tree.find("ports");
        host();
        const bool nothing = host_.all().desired_values.empty() && out_.ports.empty();
        if (nothing && (ports == nullptr || ports->items.empty()))
            failure(findings::no_match, "the profile names no ports, so nothing can be as desired",
                    "write a profile that extends it and has 'ports'");
        const std::vector<std::string> pointers = entry_pointers(ports);
        for (std::size_t i = 0; i < pointers.size(); ++i)
            entry(ports->items[i], pointers[i]);
        for (PortDesired& all : out_.ports)
            roce_.derive(all, bindings(), problems_, out_.findings);
        std::ranges::move(untagged(out_.ports), std::back_inserter(out_.findings));
        if (!problems_.empty()) throw invalid_input(std::move(problems_));
        std::ranges::sort(out_.ports, [](const PortDesired& left, const PortDesired& right) {
            return comes_before(*left.port, *right.port);
        });
        if (only_.empty())
            host_.name_devices(out_.ports);
        else
            leave_others();
        // Without the desired values of others all of the host's would seem too much.
        for (PortDesired& all : out_.ports)
            host_.take(all, only_.empty());
        if (!host_.all().desired_values.empty() || !host_.all().exact.empty())
            out_.ports.push_back(host_.all());
        return std::move(out_);
    }

private:
    void failure(FindingId id, std::string text, std::string remedy) {
        out_.findings.push_back({.id = id, .text = std::move(text), .remedy = std::move(remedy)});
    }

    [[nodiscard]] Bindings bindings() const {
        return {.variables = variables_,
                .hostname = inventory_.host.name,
                .port = {},
                .index = std::nullopt};
    }

    /// The entry's match and expect with the host's variables; nothing where they are wrong.
    std::optional<Entry> selection(const Node& node, const std::string& pointer) {
        Node only = Node::of(Node::Kind::object, node.place);
        for (const Node::Member& member : node.members)
            if (member.name == "match" || member.name == "expect") only.members.push_back(member);
        const std::size_t before = problems_.size();
        Entry entry =
            read_entry(substitute(only, bindings(), pointer, problems_), pointer, problems_);
        if (problems_.size() > before) return std::nullopt;
        return entry;
    }

    /// What the profile states of the host itself.
    void host() {
        const Node* node = profile_.tree.find("host");
        if (node == nullptr) return;
        const Entry entry = read_host(substitute(*node, bindings(), "/host", problems_), problems_);
        host_.state(entry);
        for (const StatedBond& bond : entry.bonds)
            add_bond(bond);
    }

    void add_bond(const StatedBond& bond) {
        const Port* port = find_port(inventory_, bond.name);
        if (port == nullptr) port = &out_.made.emplace_back(bond_to_be(bond.name));
        add({.desired_values = desired_of(bond)}, desired_of_port(*port));
        if (!bond.wanted) going_.insert(bond.name);
    }

    void entry(const Node& node, const std::string& pointer) {
        const std::optional<Entry> selected = selection(node, pointer);
        if (!selected) return;
        const std::vector<const Port*> ports = matched(selected->match);
        std::optional<Finding> wrong = miscount(*selected, ports, inventory_, variables_);
        const Node known = wrong ? without_index(node, profile_.tree.find("roce")) : node;
        if (wrong) note_miscount(std::move(*wrong), selected->match, ports);
        for (std::size_t i = 0; i < ports.size(); ++i) {
            Bindings here = bindings();
            here.port = ports[i]->name;
            if (selected->expect) here.index = i;
            add_port(known, pointer, here, *ports[i]);
        }
    }

    /// The ports that match, those among them that the profile makes.
    std::vector<const Port*> matched(const Match& match) {
        std::vector<const Port*> out = matching(match, inventory_);
        std::erase_if(out, [&](const Port* port) { return going_.contains(port->name); });
        for (const Port& made : out_.made)
            if (!going_.contains(made.name) && match.holds(made)) out.push_back(&made);
        std::ranges::sort(
            out, [](const Port* left, const Port* right) { return comes_before(*left, *right); });
        return out;
    }

    PortDesired& desired_of_port(const Port& port) {
        const auto [place, fresh] = places_.try_emplace(&port, out_.ports.size());
        return fresh ? out_.ports.emplace_back(PortDesired{.port = &port})
                     : out_.ports[place->second];
    }

    void add_port(const Node& node, const std::string& pointer, const Bindings& here,
                  const Port& port) {
        const std::size_t before = problems_.size();
        Node settings = Node::of(Node::Kind::object, node.place);
        for (const Node::Member& member : node.members)
            if (member.name != "expect") settings.members.push_back(member);
        // The match was read with the host's variables and has none of the port's.
        settings.members.erase_if(
            [](const Node::Member& member) { return member.name == "match"; });
        settings = substitute(settings, here, pointer, problems_);
        if (const Node::Member* match = node.member("match")) settings.members.push_back(*match);
        const Entry entry = read_entry(settings, pointer, problems_);
        if (problems_.size() > before) return;

        PortDesired& all = desired_of_port(port);
        add(stated_desired(entry), all);
        roce_.ask(entry, settings, pointer, here);
        all.fabric = fabric_of(here);
        choose_device(entry, node, pointer, all);
        for (const VlanChild& child : entry.children)
            add_child(child, port);
    }

    /// A child that is not there yet is a port by its name alone.
    void add_child(const VlanChild& child, const Port& parent) {
        const std::string name =
            child.name.empty() ? parent.name + '.' + std::to_string(child.id) : child.name;
        const Port* port = find_port(inventory_, name);
        for (const Port& made : out_.made)
            if (made.name == name) port = &made;
        if (port == nullptr) {
            Port& made = out_.made.emplace_back(Port(name));
            made.vlan = Vlan{.parent = parent.name, .id = child.id};
            port = &made;
        }
        PortDesired& all = desired_of_port(*port);
        Desired link{.port = name,
                     .field = find_field("vlan_link"),
                     .origin = origin_at(child.place, child.pointer)};
        if (child.wanted)
            link.value = Record{{"parent", parent.name}, {"id", std::uint64_t{child.id}}};
        Desired up = link;
        all.desired_values.push_back(std::move(link));
        if (!child.wanted) return;
        up.field = find_field("up");
        up.value = Value(true);
        up.origin.derived_from = "vlans";
        all.desired_values.push_back(std::move(up));  // gives way where it is stated
        add(stated_desired(child.entry), all);
    }

    std::optional<Fabric> fabric_of(const Bindings& here) {
        const Node* node = profile_.tree.find("switch");
        if (node == nullptr) return std::nullopt;
        return read_fabric(substitute(*node, here, "/switch", problems_), "/switch", problems_);
    }

    void choose_device(const Entry& entry, const Node& node, const std::string& pointer,
                       PortDesired& all) {
        if (entry.rdma_device.empty()) return;
        Said said{.value = entry.rdma_device,
                  .origin = {.file = node.place.file, .line = node.place.line, .pointer = pointer}};
        if (!all.rdma_device.value.empty() && all.rdma_device.value != said.value)
            out_.findings.push_back(conflict(all.port->name, "rdma.device", all.rdma_device, said));
        all.rdma_device = std::move(said);
    }

    /// For one port, only miscounts that concern it: known once all its desired values are.
    void note_miscount(Finding wrong, const Match& match, const std::vector<const Port*>& ports) {
        if (only_.empty()) {
            out_.findings.push_back(std::move(wrong));
            return;
        }
        Miscount& noted = miscounts_.emplace_back(Miscount{.finding = std::move(wrong)});
        noted.by_rdma = match.values("rdma") != nullptr;
        for (const Port* port : ports)
            noted.ports.insert(port->name);
    }

    [[nodiscard]] bool is_kept(const std::string& name) const {
        return std::ranges::any_of(out_.ports,
                                   [&](const PortDesired& all) { return all.port->name == name; });
    }

    /// With one port selected: host values from an entry of the port are kept as the port's; those
    /// of the host itself, or of all ports together, are dropped, except modules, which are only
    /// ever added.
    void leave_others() {
        keep_only(only_, out_.ports);
        host_.leave_modules(!out_.ports.empty());
        // One that nothing matches yet may be short of its RDMA device.
        for (Miscount& noted : miscounts_)
            if (std::ranges::any_of(noted.ports, [&](const auto& name) { return is_kept(name); }) ||
                (noted.by_rdma && out_.ports.empty()))
                out_.findings.push_back(std::move(noted.finding));
        std::erase_if(out_.findings, [&](const Finding& finding) {
            return !finding.port.empty() && !is_kept(finding.port);
        });
        if (find_port(inventory_, only_) == nullptr)
            failure(findings::no_match, "this host has no port " + only_,
                    "rocectl show lists the ports of this host");
        else if (out_.ports.empty())
            out_.findings.push_back({.id = findings::no_wish,
                                     .level = Finding::Level::note,
                                     .port = only_,
                                     .text = "the profile states nothing of the port"});
    }

    const Profile& profile_;
    const Variables& variables_;
    const State& inventory_;
    const std::string& only_;
    struct Miscount {
        Finding finding;
        std::set<std::string> ports{};
        bool by_rdma = false;
    };
    std::vector<Miscount> miscounts_;  ///< where one port is asked for
    Problems problems_;
    Collection out_;
    AskedRoce roce_;
    HostDesired host_;
    std::unordered_map<const Port*, std::size_t> places_;  ///< in out_.ports, until they are sorted
    std::set<std::string> going_;                          ///< bonds that are not to be there
};

}  // namespace

void add(DesiredValues all_desired, PortDesired& all) {
    for (Desired& desired : all_desired.desired_values)
        desired.port = all.port->name;
    all.desired_values.insert(all.desired_values.end(),
                              std::move_iterator(all_desired.desired_values.begin()),
                              std::move_iterator(all_desired.desired_values.end()));
    std::ranges::move(all_desired.exact, std::back_inserter(all.exact));
}

Collection gather(const Profile& profile, const Variables& variables, const State& inventory,
                  const std::string& only) {
    return Gatherer(profile, variables, inventory, only).run();
}

}  // namespace core
