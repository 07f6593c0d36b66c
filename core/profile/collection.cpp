// SPDX-License-Identifier: Apache-2.0
#include "core/profile/collection.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/model/access.hpp"
#include "core/model/finding_names.hpp"
#include "core/model/glob.hpp"
#include "core/model/object.hpp"
#include "core/profile/bonds.hpp"
#include "core/profile/entry.hpp"
#include "core/profile/fabrics.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/missing.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/tagging.hpp"
#include "core/profile/variables.hpp"

namespace core {
namespace {

/// The remedy for a match with a driver that no port has, with the host's drivers; empty otherwise.
std::string other_driver(const Match& match, const State& inventory) {
    const std::vector<std::string>* wanted = match.values("driver");
    std::set<std::string> here;
    for (const Port& port : inventory.ports)
        if (port.device && !port.device->driver.empty()) here.insert(port.device->driver);
    if (wanted == nullptr || here.empty() ||
        std::ranges::any_of(*wanted, [&](const std::string& name) { return here.contains(name); }))
        return {};
    return "driver has the whole name of one; the ports that come into question have " +
           listed({here.begin(), here.end()});
}

/// A port of another function than a match means that says nothing of it.
std::string other_function(const Match& match, const State& inventory) {
    std::string remedy = "rocectl show lists the ports of this host";
    if (std::string driver = other_driver(match, inventory); !driver.empty()) return driver;
    if (match.values("function")) return remedy;
    for (const Port& port : inventory.ports)
        if (match.holds_but_for_function(port))
            remedy =
                port.name + " would, if match had \"function\": \"" + port.link->function + '"';
    return remedy;
}

/// What there is to say where more or fewer ports match than the entry expects: what is missing,
/// as far as the match or the variables name ports.
std::optional<Finding> miscount(const Entry& entry, const std::vector<const Port*>& ports,
                                const State& inventory, const Variables& variables) {
    const bool enough = entry.expect ? ports.size() == *entry.expect : !ports.empty();
    if (enough) return std::nullopt;
    const Place& place = entry.match.place;
    std::string text = place.file.text() + ':' + std::to_string(place.line) + ": ";
    const bool fewer = ports.size() < entry.expect.value_or(1);
    std::string missing;
    if (fewer) missing = listed(missing_names(entry.match, inventory, variables));
    if (!missing.empty()) missing = "; not there: " + missing;
    if (ports.empty())
        return Finding{.id = findings::no_match,
                       .text = text + "no port matches " + core::text(entry.match) + missing,
                       .remedy = other_function(entry.match, inventory)};
    std::vector<std::string> names;
    for (const Port* port : ports)
        names.push_back(port->name);
    text += std::to_string(ports.size()) +
            (ports.size() == 1 ? " port matches " : " ports match ") + core::text(entry.match) +
            " (" + listed(names) + "), expected " + std::to_string(*entry.expect) + missing;
    return Finding{.id = findings::expect,
                   .text = std::move(text),
                   .remedy = "fix 'match' or 'expect', or find the missing port"};
}

/// The entry without what hangs on the position of a port, which nobody knows while one is missing;
/// `roce` is that of the whole profile, or null.
Node without_index(const Node& entry, const Node* roce) {
    Node out = entry;
    const auto numbered = [](const Node::Member& member) { return uses_index(member.value); };
    const Node::Member* own = entry.member("roce");
    const bool numbered_roce =
        (roce != nullptr && uses_index(*roce)) || (own != nullptr && numbered(*own));
    if (out.members.erase_if(numbered) > 0) {
        // What is not known to be desired is not known to be too much either.
        out.members.erase_if([](const Node::Member& member) { return member.name == "exact"; });
    }
    if (!numbered_roce) return out;
    out.members.erase_if([](const Node::Member& member) { return member.name == "roce"; });
    out.members.push_back(
        {.name = "roce", .place = entry.place, .value = Node::of(Node::Kind::null, entry.place)});
    return out;
}

void note_no_roce(const PortDesired& all, std::vector<Finding>& findings) {
    const auto& rdma = all.port->rdma_link;
    const bool by_hand = std::ranges::any_of(all.desired_values, [](const Desired& desired) {
        return row_of(desired.field->object).topic == Topic::dcb;
    });
    if (!rdma || rdma->device.empty() || by_hand || all.desired_values.empty()) return;
    findings.push_back({.id = findings::no_roce,
                        .port = all.port->name,
                        .key = "roce",
                        .text = "the port has the RDMA device " + rdma->device +
                                ", and the profile has no roce for it",
                        .remedy = "state roce, or roce null where that is meant"});
}

/// The settings of `roce` in entries that match ports, and the intent derived from these and the
/// profile's own `roce`.
class AskedRoce {
public:
    explicit AskedRoce(const Profile& profile)
        : tree_(profile.tree), whole_(profile.tree.find("roce")) {}

    /// Notes what the entry, with what `${…}` stands for in its settings, has for the port of
    /// `here`.
    void ask(const Entry& entry, const Node& settings, const std::string& pointer,
             const Bindings& here) {
        OfPort& asked = ports_[here.port];
        if (here.index) asked.index = here.index;
        if (const Node* own = settings.find("roce"))
            asked.own.push_back({*own, pointer_to(pointer, "roce")});
        asked.optional.insert(entry.optional.begin(), entry.optional.end());
        asked.external.insert(entry.external.begin(), entry.external.end());
        if (asked.pointer.empty()) asked.pointer = pointer;
    }

    /// Adds what follows to the desired values of the port, once all that is stated for it is
    /// known; `here` is what stands for the host.
    void derive(PortDesired& all, Bindings here, Problems& problems,
                std::vector<Finding>& findings) const {
        const auto found = ports_.find(all.port->name);
        if (found == ports_.end()) return;
        const OfPort& asked = found->second;
        const std::optional<Node> base = roce_on_fabric(tree_, whole_, all.fabric_name.value);
        if (!base && asked.own.empty()) note_no_roce(all, findings);
        const std::optional<Node> roce = joint_roce(base ? &*base : nullptr, asked.own);
        if (!roce) return;
        here.port = all.port->name;
        here.index = asked.index;
        const std::string at = asked.own.size() == 1 ? asked.own.front().pointer : "/roce";
        all.intent = read_intent(substitute(*roce, here, at, problems), at, problems);
        std::ranges::move(roce_conflicts(all.port->name, asked.own), std::back_inserter(findings));
        if (!all.intent) return;
        DesiredValues out{.desired_values = std::move(all.desired_values),
                          .exact = std::move(all.exact)};
        add_derived(*all.intent, driver_of(*all.port), asked.optional, asked.external, out);
        for (Desired& desired : out.desired_values)
            if (desired.port.empty()) desired.origin.pointer = asked.pointer;
        all.desired_values.clear();
        all.exact.clear();
        add(std::move(out), all);
    }

private:
    struct OfPort {
        std::optional<std::uint64_t> index{};  ///< in the entry that counts its ports
        std::vector<OwnRoce> own{};
        std::set<const Field*> optional{};
        std::set<const Field*> external{};
        std::string pointer{};  ///< of the first entry
    };
    const Node& tree_;
    const Node* whole_;  ///< null where the profile has none for all
    std::map<std::string, OfPort> ports_{};
};

/// The port's RDMA device once it is as desired; empty where there is none.
std::string rdma_device_of(const PortDesired& all) {
    const auto& rdma = all.port->rdma_link;
    std::string device = rdma ? rdma->device : std::string();
    for (const Desired& desired : all.desired_values) {
        if (!desired.value) continue;
        const auto* soft = std::get_if<Record>(&*desired.value);
        if (desired.field->key == "rdma.link" && soft != nullptr && device.empty())
            device = text_part(*soft, "name");
        if (desired.field->key == "rdma.name") device = std::get<std::string>(*desired.value);
    }
    return device;
}

/// The desired values of the host itself, from the profile's `host` and from the entries of ports.
class HostDesired {
public:
    HostDesired() {
        static const Port host(kHost);
        all_.port = &host;
    }
    [[nodiscard]] const PortDesired& all() const { return all_; }

    /// Adds the settings in the profile's `host`.
    void state(const Entry& entry) {
        add(stated_desired(entry), all_);
        optional_ = entry.optional;
    }

    /// Adds each library's RDMA devices: those of the ports that its packets should leave by, in
    /// the ports' order. A library of which ports in `short_of` tell is left out: their entry lacks
    /// a port, and a list without it would take it out of the library's for good.
    void name_devices(const std::vector<PortDesired>& ports,
                      const std::set<const Port*>& short_of) {
        for (const Library& library : libraries()) {
            std::string devices;
            std::set<std::string> known;
            const PortDesired* first = nullptr;
            if (std::ranges::any_of(ports, [&](const PortDesired& all) {
                    return all.intent && tells(*all.intent, library) && short_of.contains(all.port);
                }))
                continue;
            for (const PortDesired& all : ports) {
                if (!all.intent || !tells(*all.intent, library)) continue;
                const std::string device = rdma_device_of(all);
                if (device.empty() || !known.insert(device).second) continue;
                // With its port: every driver that rocectl has a row for makes a device of its own
                // for each port.
                devices += (first == nullptr ? "" : ",") + device + ":1";
                if (first == nullptr) first = &all;
            }
            if (first == nullptr) continue;
            all_.desired_values.push_back({.port = std::string(kHost),
                                           .field = find_field(library.key),
                                           .element = std::string(library.devices),
                                           .value = std::string(library.devices_head) + devices,
                                           .origin = first->intent->libraries.origin});
        }
    }

    /// Moves settings of host objects from a port's desired values to the host's, where the values
    /// that two ports' entries desire for one element meet.
    void take(PortDesired& all, bool with_exact) {
        const auto of_host = [](const auto& desired) {
            return row_of(desired.field->object).lives == Lives::host;
        };
        std::ranges::copy_if(all.desired_values, std::back_inserter(all_.desired_values), of_host);
        for (; marked_ < all_.desired_values.size(); ++marked_) {
            Desired& desired = all_.desired_values[marked_];
            desired.optional = desired.optional || optional_.contains(desired.field);
        }
        std::erase_if(all.desired_values, of_host);
        if (with_exact) std::ranges::copy_if(all.exact, std::back_inserter(all_.exact), of_host);
        std::erase_if(all.exact, of_host);
    }

    /// Drops what does not apply to one port by itself: keeps the modules, which are only ever
    /// added; nothing without a port.
    void leave_modules(bool any_port) {
        const Field* modules = find_field("host.modules");
        std::erase_if(all_.desired_values, [&](const Desired& desired) {
            return !any_port || desired.field != modules;
        });
        all_.exact.clear();
    }

private:
    PortDesired all_{};
    std::set<const Field*> optional_{};
    std::size_t marked_ =
        0;  ///< so many of the desired values are, where their fields are optional
};

/// Whether the desired values put the port onto one of the others, or take one of them into it.
bool is_joined(const PortDesired& all, const std::set<std::string>& others) {
    static const Field& vlan = *find_field("vlan_link");
    static const Field& members = *find_field("bond.members");
    return std::ranges::any_of(all.desired_values, [&](const Desired& desired) {
        if (!desired.value) return false;
        if (desired.field == &members) return others.contains(desired.element);
        if (desired.field != &vlan) return false;
        const auto* link = std::get_if<Record>(&*desired.value);
        return link != nullptr && others.contains(text_part(*link, "parent"));
    });
}

/// Whether the port is above one of the others as the host is: a VLAN on it, or its bond.
bool is_above(const Port& port, const std::set<std::string>& others,
              const std::vector<PortDesired>& all) {
    if (port.link && !port.link->lower.empty() && others.contains(port.link->lower)) return true;
    return std::ranges::any_of(all, [&](const PortDesired& other) {
        return others.contains(other.port->name) && link::bond_of(*other.port) == port.name;
    });
}

/// Leaves of `all` what is of the port: itself, the bond it is a member of, and VLANs on either.
void keep_only(const std::string& port, std::vector<PortDesired>& all) {
    std::set<std::string> kept = {port};
    for (std::size_t before = 0; before != kept.size();) {
        before = kept.size();
        for (const PortDesired& other : all)
            if (is_joined(other, kept) || is_above(*other.port, kept, all))
                kept.insert(other.port->name);
    }
    std::erase_if(all, [&](const PortDesired& other) { return !kept.contains(other.port->name); });
}

/// Reads the entries with what `${…}` stands for on each port.
class Gatherer {
public:
    Gatherer(const Profile& profile, const Variables& variables, const State& inventory,
             const std::string& only, const std::optional<State>& earlier)
        : profile_(profile),
          variables_(variables),
          inventory_(inventory),
          only_(only),
          earlier_(earlier),
          roce_(profile) {}

    Collection run() {
        const Node* ports = profile_.tree.find("ports");
        if (const Node* fabrics = profile_.tree.find("fabrics"))
            fabrics_ = read_fabrics(substitute(*fabrics, bindings(), "/fabrics", problems_),
                                    "/fabrics", problems_);
        host();
        const bool nothing = host_.all().desired_values.empty() && out_.ports.empty();
        if (nothing && (ports == nullptr || ports->items.empty()))
            failure(findings::no_match, "the profile names no ports, so nothing can be as desired",
                    "write a profile that extends it and has 'ports'");
        const std::vector<std::string> pointers = entry_pointers(ports);
        for (std::size_t i = 0; i < pointers.size(); ++i)
            entry(ports->items[i], pointers[i]);
        for (PortDesired& all : out_.ports) {
            roce_.derive(all, bindings(), problems_, out_.findings);
            expect_speed(all);
        }
        std::ranges::move(untagged(out_.ports), std::back_inserter(out_.findings));
        unbound_.tell(problems_);
        if (!problems_.empty()) throw invalid_input(std::move(problems_));
        std::ranges::sort(out_.ports, [](const PortDesired& left, const PortDesired& right) {
            return comes_before(*left.port, *right.port);
        });
        name_fabrics();
        if (only_.empty())
            host_.name_devices(out_.ports, short_of_);
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

    [[nodiscard]] Bindings bindings() {
        return {.variables = variables_,
                .hostname = inventory_.host.name,
                .port = {},
                .index = std::nullopt,
                .unbound = &unbound_};
    }

    /// How much was wrong so far.
    [[nodiscard]] std::size_t faults() const { return problems_.size() + unbound_.size(); }

    /// The entry's match and expect with the host's variables; nothing where they are wrong.
    std::optional<Entry> selection(const Node& node, const std::string& pointer) {
        Node only = Node::of(Node::Kind::object, node.place);
        for (const Node::Member& member : node.members)
            if (is_before_match(member.name)) only.members.push_back(member);
        const std::size_t before = faults();
        Entry entry =
            read_entry(substitute(only, bindings(), pointer, problems_), pointer, problems_);
        if (faults() > before) return std::nullopt;
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
        const std::vector<std::size_t> indices = indices_in(*selected, ports, wrong);
        const bool whole = !wrong || wrong->level == Finding::Level::note;
        const Node known = whole ? node : without_index(node, profile_.tree.find("roce"));
        if (wrong) note_miscount(std::move(*wrong), *selected, ports);
        for (std::size_t i = 0; i < ports.size(); ++i) {
            Bindings here = bindings();
            here.port = ports[i]->name;
            if (selected->expect) here.index = indices[i];
            add_port(known, pointer, here, *ports[i]);
        }
    }

    /// The position of each port among those expected. Where some are missing and may be, and the
    /// positions are known, `wrong` becomes a note; where they are not, its remedy says what tells.
    std::vector<std::size_t> indices_in(const Entry& entry, const std::vector<const Port*>& ports,
                                        std::optional<Finding>& wrong) const {
        std::vector<std::size_t> out(ports.size());
        std::iota(out.begin(), out.end(), std::size_t{0});
        const bool fewer = wrong && entry.expect && !ports.empty() && ports.size() < *entry.expect;
        if (!fewer || !entry.may_miss) return out;
        if (auto known =
                indices_of(ports, *entry.expect, entry.match, inventory_, variables_, earlier_)) {
            wrong->level = Finding::Level::note;
            wrong->remedy = "the missing port; what is there is applied without it";
            return *std::move(known);
        }
        wrong->remedy =
            "nothing tells which of the ports is missing, and so where the others stand: apply "
            "once while all are there, name all PCI addresses in match.pci, or all ports in the "
            "variables, in the order of their places";
        return out;
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
        const std::size_t before = faults();
        Node settings = Node::of(Node::Kind::object, node.place);
        for (const Node::Member& member : node.members)
            if (member.name != "expect") settings.members.push_back(member);
        // The match was read with the host's variables and has none of the port's.
        settings.members.erase_if(
            [](const Node::Member& member) { return member.name == "match"; });
        settings = substitute(settings, here, pointer, problems_);
        if (const Node::Member* match = node.member("match")) settings.members.push_back(*match);
        const Entry entry = read_entry(settings, pointer, problems_);
        if (faults() > before) return;

        PortDesired& all = desired_of_port(port);
        add(stated_desired(entry), all);
        roce_.ask(entry, settings, pointer, here);
        all.switches = switches_of(here);
        choose_fabric(entry, node, pointer, all);
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

    std::optional<SwitchSettings> switches_of(const Bindings& here) {
        const Node* node = profile_.tree.find("switch");
        if (node == nullptr) return std::nullopt;
        return read_switch(substitute(*node, here, "/switch", problems_), "/switch", problems_);
    }

    void choose_fabric(const Entry& entry, const Node& node, const std::string& pointer,
                       PortDesired& all) {
        if (entry.fabric.empty()) return;
        Said said{.value = entry.fabric,
                  .origin = {.file = node.place.file, .line = node.place.line, .pointer = pointer}};
        if (!all.fabric_name.value.empty() && all.fabric_name.value != said.value)
            out_.findings.push_back(conflict(all.port->name, "fabric", all.fabric_name, said));
        all.fabric_name = std::move(said);
    }

    /// The speed that its fabric has is a fact of the port, which a bond has not by itself.
    void expect_speed(PortDesired& all) const {
        const auto fabric = fabrics_.find(all.fabric_name.value);
        const bool bond = all.port->link && all.port->link->kind == "bond";
        if (fabric == fabrics_.end() || !fabric->second.speed || bond) return;
        Desired speed{.port = all.port->name,
                      .field = find_field("speed"),
                      .value = Value(*fabric->second.speed),
                      .origin = origin_at(fabric->second.place)};
        speed.origin.derived_from = "fabrics." + fabric->first + ".speed";
        all.desired_values.push_back(std::move(speed));
    }

    /// What is on each fabric, and whether that is as many ports as it says.
    void name_fabrics() {
        for (const auto& [name, stated] : fabrics_) {
            NamedFabric fabric{.name = name, .to = stated.to};
            std::string names;
            for (const PortDesired& all : out_.ports)
                if (all.fabric_name.value == name) {
                    fabric.ports.push_back(all.port->name);
                    names += (names.empty() ? "" : ", ") + all.port->name;
                }
            const std::size_t count = fabric.ports.size();
            out_.fabrics.push_back(std::move(fabric));
            if (!only_.empty() || !stated.expect || count == *stated.expect) continue;
            Finding wrong{.id = findings::expect,
                          .text = stated.place.file.text() + ':' +
                                  std::to_string(stated.place.line) + ": fabric " + name + " has " +
                                  std::to_string(count) + (count == 1 ? " port" : " ports") +
                                  (names.empty() ? "" : " (" + names + ')') + ", expected " +
                                  std::to_string(*stated.expect),
                          .remedy =
                              "fix the entries of the fabric or its expect, or find the "
                              "missing port"};
            // One that an entry is known to lack, and may, is not said twice.
            const bool allowed = std::ranges::any_of(
                out_.missing, [](const MissingPorts& missing) { return missing.allowed; });
            if (allowed && count < *stated.expect) continue;
            if (out_.missing.empty() && count < *stated.expect)
                out_.missing.push_back({.text = wrong.text});
            out_.findings.push_back(std::move(wrong));
        }
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
    void note_miscount(Finding wrong, const Entry& entry, const std::vector<const Port*>& ports) {
        const Match& match = entry.match;
        const bool allowed = wrong.level == Finding::Level::note;
        if (!allowed) short_of_.insert(ports.begin(), ports.end());
        if (ports.size() < entry.expect.value_or(1))
            out_.missing.push_back({.text = wrong.text,
                                    .names = missing_names(match, inventory_, variables_),
                                    .pci = missing_places(match, inventory_, variables_, earlier_),
                                    .allowed = allowed});
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
    const std::optional<State>& earlier_;
    StatedFabrics fabrics_;
    std::set<const Port*> short_of_;  ///< ports of entries that lack one
    struct Miscount {
        Finding finding;
        std::set<std::string> ports{};
        bool by_rdma = false;
    };
    std::vector<Miscount> miscounts_;  ///< where one port is asked for
    Problems problems_;
    Unbound unbound_{};
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
                  const std::string& only, const std::optional<State>& earlier) {
    return Gatherer(profile, variables, inventory, only, earlier).run();
}

}  // namespace core
