// SPDX-License-Identifier: Apache-2.0
#include "core/profile/gathering.hpp"

#include <algorithm>
#include <iterator>

#include "core/checks/rows.hpp"
#include "core/model/object.hpp"
#include "core/profile/entry.hpp"
#include "core/profile/merge.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/substitution.hpp"

namespace core {
namespace {

/// Reads the entries with what `${…}` stands for on each port.
class Gatherer {
public:
    Gatherer(const Profile& profile, const Variables& variables, const State& inventory)
        : profile_(profile), variables_(variables), inventory_(inventory) {
        static const Port host(kHost);
        of_host_.port = &host;
    }

    Gathering run() {
        const Node* ports = profile_.tree.find("ports");
        host();
        if (of_host_.wishes.empty() && (ports == nullptr || ports->items.empty()))
            failure(findings::no_match, "the profile names no ports, so nothing can be as wished",
                    "write a profile that extends it and has 'ports'");
        for (std::size_t i = 0; ports != nullptr && i < ports->items.size(); ++i)
            entry(ports->items[i], entry_pointer(*ports, i));
        if (!problems_.empty()) throw invalid_input(std::move(problems_));
        std::ranges::sort(out_.ports, [](const PortWishes& left, const PortWishes& right) {
            return comes_before(*left.port, *right.port);
        });
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
        add(wished(entry, std::nullopt, *drivers().back()), of_host_);
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
        const std::vector<const Port*> ports = matching(selected->match, inventory_);
        check_count(*selected, ports);
        for (std::size_t i = 0; i < ports.size(); ++i) {
            Bindings here = bindings();
            here.port = ports[i]->name;
            if (selected->expect) here.index = i;
            add_port(node, pointer, here, *ports[i]);
        }
    }

    void check_count(const Entry& entry, const std::vector<const Port*>& ports) {
        const std::uint64_t expected = entry.expect.value_or(1);
        const bool enough = entry.expect ? ports.size() == expected : !ports.empty();
        if (enough) return;
        const Place& place = entry.match.place;
        std::string text = place.file + ':' + std::to_string(place.line) + ": ";
        if (ports.empty()) {
            std::string remedy = "rocectl show lists the ports of this host";
            for (const Port& port : inventory_.ports)
                if (entry.match.holds_but_for_function(port) && !entry.match.values("function"))
                    remedy = port.name + " would, if match had \"function\": \"" +
                             port.link->function + '"';
            failure(findings::no_match, text + "no port matches " + core::text(entry.match),
                    std::move(remedy));
            return;
        }
        text += std::to_string(ports.size()) +
                (ports.size() == 1 ? " port matches " : " ports match ") + core::text(entry.match) +
                " (";
        for (const Port* port : ports)
            text += (port == ports.front() ? "" : ", ") + port->name;
        failure(findings::expect, text + "), expected " + std::to_string(expected),
                "mend 'match' or 'expect', or find the missing port");
    }

    PortWishes& wishes_of(const Port& port) {
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
        std::erase_if(settings.members,
                      [](const Node::Member& member) { return member.name == "match"; });
        settings = substitute(settings, here, pointer, problems_);
        if (const Node::Member* match = node.member("match")) settings.members.push_back(*match);
        const Entry entry = read_entry(settings, pointer, problems_);
        const std::optional<Intent> intent = intent_of(node, pointer, here);
        if (problems_.size() > before) return;

        Wished made = wished(entry, intent, driver_of(port));
        for (Wish& wish : made.wishes)
            if (wish.origin.pointer.empty()) wish.origin.pointer = pointer;
        PortWishes& all = wishes_of(port);
        add(std::move(made), all);
        if (intent && !all.intent) all.intent = intent;
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
        if (port == nullptr) port = &out_.made.emplace_back(Port(name));
        PortWishes& all = wishes_of(*port);
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
        add(wished(child.entry, std::nullopt, driver_of(*port)), all);
    }

    /// The profile's `roce` with the entry's over it.
    std::optional<Intent> intent_of(const Node& node, const std::string& pointer,
                                    const Bindings& here) {
        const Node* whole = profile_.tree.find("roce");
        const Node* own = node.find("roce");
        if (whole == nullptr && own == nullptr) return std::nullopt;
        Node roce = whole == nullptr ? Node{} : *whole;
        if (own != nullptr) roce = merge(std::move(roce), *own);
        const std::string at = own == nullptr ? "/roce" : pointer_to(pointer, "roce");
        return read_intent(substitute(roce, here, at, problems_), at, problems_);
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

    /// What lives at the host is wished of it, by whichever port's entry; so what two ports wish
    /// of one element meets there.
    void give_host(PortWishes& all) {
        const auto of_host = [](const auto& wish) {
            return row_of(wish.field->object).lives == Lives::host;
        };
        std::ranges::copy_if(all.wishes, std::back_inserter(of_host_.wishes), of_host);
        std::erase_if(all.wishes, of_host);
        std::ranges::copy_if(all.exact, std::back_inserter(of_host_.exact), of_host);
        std::erase_if(all.exact, of_host);
    }

    const Profile& profile_;
    const Variables& variables_;
    const State& inventory_;
    Problems problems_;
    Gathering out_;
    PortWishes of_host_;
};

}  // namespace

Gathering gather(const Profile& profile, const Variables& variables, const State& inventory) {
    return Gatherer(profile, variables, inventory).run();
}

}  // namespace core
