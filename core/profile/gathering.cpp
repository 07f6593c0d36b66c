// SPDX-License-Identifier: Apache-2.0
#include "core/profile/gathering.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/model/finding_names.hpp"
#include "core/model/object.hpp"
#include "core/profile/bonds.hpp"
#include "core/profile/count.hpp"
#include "core/profile/entry.hpp"
#include "core/profile/joint_roce.hpp"
#include "core/profile/library_devices.hpp"
#include "core/profile/merge.hpp"
#include "core/profile/one_port.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/reference.hpp"
#include "core/profile/substitution.hpp"
#include "core/profile/tagging.hpp"

namespace core {
namespace {

/// What the entries that match a port have for the settings that follow from `roce`.
struct AskedRoce {
    std::optional<std::uint64_t> index{};  ///< in the entry that counts its ports
    std::vector<OwnRoce> own{};
    std::set<const Field*> optional{};
    std::set<const Field*> external{};
    std::string pointer{};  ///< of the first entry
};

/// Reads the entries with what `${…}` stands for on each port.
class Gatherer {
public:
    Gatherer(const Profile& profile, const Variables& variables, const State& inventory,
             const std::string& only)
        : profile_(profile), variables_(variables), inventory_(inventory), only_(only) {
        static const Port host(kHost);
        of_host_.port = &host;
    }

    Gathering run() {
        const Node* ports = profile_.tree.find("ports");
        host();
        const bool nothing = of_host_.wishes.empty() && out_.ports.empty();
        if (nothing && (ports == nullptr || ports->items.empty()))
            failure(findings::no_match, "the profile names no ports, so nothing can be as wished",
                    "write a profile that extends it and has 'ports'");
        const std::vector<std::string> pointers = entry_pointers(ports);
        for (std::size_t i = 0; i < pointers.size(); ++i)
            entry(ports->items[i], pointers[i]);
        for (PortWishes& all : out_.ports)
            derive_wishes(all);
        std::ranges::move(untagged(out_.ports), std::back_inserter(out_.findings));
        if (!problems_.empty()) throw invalid_input(std::move(problems_));
        std::ranges::sort(out_.ports, [](const PortWishes& left, const PortWishes& right) {
            return comes_before(*left.port, *right.port);
        });
        if (only_.empty())
            name_devices();
        else
            leave_others();
        for (PortWishes& all : out_.ports)
            give_host(all);
        if (!of_host_.wishes.empty() || !of_host_.exact.empty())
            out_.ports.push_back(std::move(of_host_));
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
        add(stated_wishes(entry), of_host_);
        host_optional_ = entry.optional;
        for (const StatedBond& bond : entry.bonds)
            add_bond(bond);
    }

    void add_bond(const StatedBond& bond) {
        const Port* port = find_port(inventory_, bond.name);
        if (port == nullptr) port = &out_.made.emplace_back(bond_to_be(bond.name));
        add({.wishes = wishes_of(bond)}, wishes_of_port(*port));
        if (!bond.wanted) going_.insert(bond.name);
    }

    static void add(Wished wished, PortWishes& all) {
        for (Wish& wish : wished.wishes)
            wish.port = all.port->name;
        std::ranges::move(wished.wishes, std::back_inserter(all.wishes));
        std::ranges::move(wished.exact, std::back_inserter(all.exact));
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

    PortWishes& wishes_of_port(const Port& port) {
        const auto found = std::ranges::find(out_.ports, &port, &PortWishes::port);
        if (found != out_.ports.end()) return *found;
        return out_.ports.emplace_back(PortWishes{.port = &port});
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

        PortWishes& all = wishes_of_port(port);
        add(stated_wishes(entry), all);
        ask_for_roce(entry, settings, pointer, here);
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
        PortWishes& all = wishes_of_port(*port);
        Wish link{.port = name,
                  .field = find_field("vlan_link"),
                  .origin = origin_at(child.place, child.pointer)};
        if (child.wanted)
            link.value = Record{{"parent", parent.name}, {"id", std::uint64_t{child.id}}};
        Wish up = link;
        all.wishes.push_back(std::move(link));
        if (!child.wanted) return;
        up.field = find_field("up");
        up.value = Value(true);
        up.origin.derived_from = "vlans";
        all.wishes.push_back(std::move(up));  // gives way where it is stated
        add(stated_wishes(child.entry), all);
    }

    void ask_for_roce(const Entry& entry, const Node& settings, const std::string& pointer,
                      const Bindings& here) {
        AskedRoce& asked = asked_[here.port];
        if (here.index) asked.index = here.index;
        if (const Node* own = settings.find("roce"))
            asked.own.push_back({*own, pointer_to(pointer, "roce")});
        asked.optional.insert(entry.optional.begin(), entry.optional.end());
        asked.external.insert(entry.external.begin(), entry.external.end());
        if (asked.pointer.empty()) asked.pointer = pointer;
    }

    /// Once all that is stated for the port is known.
    void derive_wishes(PortWishes& all) {
        const auto found = asked_.find(all.port->name);
        if (found == asked_.end()) return;
        const AskedRoce& asked = found->second;
        const Node* whole = profile_.tree.find("roce");
        if (whole == nullptr && asked.own.empty()) note_no_roce(all);
        const std::optional<Node> roce = joint_roce(whole, asked.own);
        if (!roce) return;
        Bindings here = bindings();
        here.port = all.port->name;
        here.index = asked.index;
        const std::string at = asked.own.size() == 1 ? asked.own.front().pointer : "/roce";
        all.intent = read_intent(substitute(*roce, here, at, problems_), at, problems_);
        std::ranges::move(roce_conflicts(all.port->name, asked.own),
                          std::back_inserter(out_.findings));
        if (!all.intent) return;
        Wished out{.wishes = std::move(all.wishes), .exact = std::move(all.exact)};
        add_derived(*all.intent, driver_of(*all.port), asked.optional, asked.external, out);
        for (Wish& wish : out.wishes)
            if (wish.port.empty()) wish.origin.pointer = asked.pointer;
        all.wishes.clear();
        all.exact.clear();
        add(std::move(out), all);
    }

    void note_no_roce(const PortWishes& all) {
        const auto& rdma = all.port->rdma_link;
        const bool by_hand = std::ranges::any_of(all.wishes, [](const Wish& wish) {
            return row_of(wish.field->object).topic == Topic::dcb;
        });
        if (!rdma || rdma->device.empty() || by_hand || all.wishes.empty()) return;
        out_.findings.push_back({.id = findings::no_roce,
                                 .port = all.port->name,
                                 .key = "roce",
                                 .text = "the port has the RDMA device " + rdma->device +
                                         ", and the profile has no roce for it",
                                 .remedy = "state roce, or roce null where that is meant"});
    }

    std::optional<Fabric> fabric_of(const Bindings& here) {
        const Node* node = profile_.tree.find("switch");
        if (node == nullptr) return std::nullopt;
        return read_fabric(substitute(*node, here, "/switch", problems_), "/switch", problems_);
    }

    void choose_device(const Entry& entry, const Node& node, const std::string& pointer,
                       PortWishes& all) {
        if (entry.rdma_device.empty()) return;
        Said said{.value = entry.rdma_device,
                  .origin = {.file = node.place.file, .line = node.place.line, .pointer = pointer}};
        if (!all.rdma_device.value.empty() && all.rdma_device.value != said.value)
            out_.findings.push_back(conflict(all.port->name, "rdma.device", all.rdma_device, said));
        all.rdma_device = std::move(said);
    }

    /// The RDMA devices of the ports that a library's packets are to leave by, in their order.
    void name_devices() {
        for (const Library& library : libraries()) {
            std::vector<std::string> devices;
            const PortWishes* first = nullptr;
            for (const PortWishes& all : out_.ports) {
                if (!all.intent || !tells(*all.intent, library)) continue;
                const std::string device = rdma_device_of(all);
                if (device.empty() || std::ranges::find(devices, device) != devices.end()) continue;
                devices.push_back(device);
                if (first == nullptr) first = &all;
            }
            if (first == nullptr) continue;
            const Value value = device_list(library, devices);
            of_host_.wishes.push_back({.port = std::string(kHost),
                                       .field = find_field(library.key),
                                       .element = std::string(library.devices),
                                       .value = value,
                                       .origin = first->intent->libraries.origin});
        }
    }

    /// What lives at the host is wished of it, by whichever port's entry; so what two ports wish
    /// of one element meets there.
    void give_host(PortWishes& all) {
        const auto of_host = [](const auto& wish) {
            return row_of(wish.field->object).lives == Lives::host;
        };
        std::ranges::copy_if(all.wishes, std::back_inserter(of_host_.wishes), of_host);
        for (Wish& wish : of_host_.wishes)
            wish.optional = wish.optional || host_optional_.contains(wish.field);
        std::erase_if(all.wishes, of_host);
        // Without the wishes of others all of theirs would seem too much.
        if (only_.empty())
            std::ranges::copy_if(all.exact, std::back_inserter(of_host_.exact), of_host);
        std::erase_if(all.exact, of_host);
    }

    /// Of one port only what concerns it, which is known once all its wishes are.
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
                                   [&](const PortWishes& all) { return all.port->name == name; });
    }

    /// What an entry of the port wishes of the host is the port's; what is wished of the host
    /// itself, or of all ports together, is not, but for the modules, which only ever add.
    void leave_others() {
        keep_only(only_, out_.ports);
        const Field* modules = find_field("host.modules");
        std::erase_if(of_host_.wishes, [&](const Wish& wish) {
            return out_.ports.empty() || wish.field != modules;
        });
        of_host_.exact.clear();
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
                                     .text = "the profile wishes nothing of the port"});
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
    Gathering out_;
    PortWishes of_host_;
    std::set<const Field*> host_optional_;
    std::map<std::string, AskedRoce> asked_;  ///< by port
    std::set<std::string> going_;             ///< bonds that are not to be there
};

}  // namespace

Gathering gather(const Profile& profile, const Variables& variables, const State& inventory,
                 const std::string& only) {
    return Gatherer(profile, variables, inventory, only).run();
}

}  // namespace core
