// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <iterator>
#include <tuple>

#include "core/model/object.hpp"
#include "core/profile/consistency.hpp"
#include "core/profile/merge.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/variables.hpp"

namespace core {
namespace {

/// A value that an entry wishes, in words, and where it does.
struct Said {
    std::string value;
    Origin origin;
    std::string pointer;
};

Said said_in(const Claim& claim) {
    return {.value = claim.value ? text(*claim.value) : "none",
            .origin = claim.origin,
            .pointer = claim.pointer};
}

/// `roce.json:8 wishes 9000`; with the pointer where the line is that of `other` too.
std::string told_from(const Said& said, const Said& other) {
    const bool same_line =
        said.origin.file == other.origin.file && said.origin.line == other.origin.line;
    return text(said.origin) + (same_line ? " at " + said.pointer : "") + " wishes " + said.value;
}

/// All that the entries claim for one port.
struct Claimed {
    const Port* port = nullptr;
    std::vector<Claim> claims;
    std::vector<Exact> exact;
    std::optional<Intent> intent;  ///< of the first entry that has one
    std::optional<Fabric> fabric;  ///< what the switches do
    Said rdma_device;              ///< with no value where no entry says it
};

class Resolution {
public:
    Resolution(const Profile& profile, const Variables& variables, const State& inventory)
        : profile_(profile), variables_(variables), inventory_(inventory) {
        of_host_.port = &host_;
    }

    Wishes run() {
        const Node* ports = profile_.tree.find("ports");
        host();
        if (of_host_.claims.empty() && (ports == nullptr || ports->items.empty()))
            failure("no-match", "the profile names no ports, so nothing can be as wished",
                    "write a profile that extends it and has 'ports'");
        for (std::size_t i = 0; ports != nullptr && i < ports->items.size(); ++i)
            entry(ports->items[i], entry_pointer(*ports, i));
        if (!problems_.empty()) throw invalid_input(std::move(problems_));
        std::ranges::sort(claimed_, [](const Claimed& left, const Claimed& right) {
            return comes_before(*left.port, *right.port);
        });
        for (Claimed& claimed : claimed_) {
            out_.ports.push_back(claimed.port->name);
            give_host(claimed);
            settle(claimed);
        }
        if (!of_host_.claims.empty() || !of_host_.exact.empty()) {
            out_.ports.emplace_back(kHost);
            settle(of_host_);
        }
        if (out_.findings.empty() && out_.wishes.empty() && out_.exact.empty())
            failure("no-wish", "the profile wishes nothing of the ports it matches",
                    "state a setting, or roce");
        return std::move(out_);
    }

private:
    void failure(std::string id, std::string text, std::string remedy, std::string port = "",
                 std::string key = "") {
        out_.findings.push_back({.level = Finding::Level::failure,
                                 .id = std::move(id),
                                 .port = std::move(port),
                                 .key = std::move(key),
                                 .text = std::move(text),
                                 .remedy = std::move(remedy)});
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
        of_host_.claims = claims(entry, std::nullopt, *drivers().back());
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
            claim(node, pointer, here, *ports[i]);
        }
    }

    void check_count(const Entry& entry, const std::vector<const Port*>& ports) {
        const std::uint64_t expected = entry.expect.value_or(1);
        const bool enough = entry.expect ? ports.size() == expected : !ports.empty();
        if (enough) return;
        const Place& place = entry.match.place;
        std::string text = place.file + ':' + std::to_string(place.line) + ": ";
        if (ports.empty()) {
            failure("no-match", text + "no port matches " + core::text(entry.match),
                    "rocectl show lists the ports of this host");
            return;
        }
        text += std::to_string(ports.size()) +
                (ports.size() == 1 ? " port matches " : " ports match ") + core::text(entry.match) +
                " (";
        for (const Port* port : ports)
            text += (port == ports.front() ? "" : ", ") + port->name;
        failure("expect", text + "), expected " + std::to_string(expected),
                "mend 'match' or 'expect', or find the missing port");
    }

    Claimed& claimed(const Port& port) {
        const auto found = std::ranges::find(claimed_, &port, &Claimed::port);
        if (found != claimed_.end()) return *found;
        claimed_.push_back({});
        claimed_.back().port = &port;
        return claimed_.back();
    }

    void claim(const Node& node, const std::string& pointer, const Bindings& here,
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

        const Driver& driver = driver_of(port);
        Claimed& all = claimed(port);
        for (Claim& made : claims(entry, intent, driver)) {
            if (made.pointer.empty()) made.pointer = pointer;
            all.claims.push_back(std::move(made));
        }
        std::ranges::copy(entry.exact, std::back_inserter(all.exact));
        if (intent) std::ranges::move(derive(*intent, driver).exact, std::back_inserter(all.exact));
        if (intent && !all.intent) all.intent = intent;
        all.fabric = fabric_of(here);
        choose_device(entry, node, pointer, all);
        for (const VlanChild& child : entry.children)
            claim_child(child, port);
    }

    /// A child that is not there yet is a port by its name alone.
    void claim_child(const VlanChild& child, const Port& parent) {
        const std::string name =
            child.name.empty() ? parent.name + '.' + std::to_string(child.id) : child.name;
        const Port* port = find_port(inventory_, name);
        for (const Port& made : made_)
            if (made.name == name) port = &made;
        if (port == nullptr) port = &made_.emplace_back(Port(name));
        Claimed& all = claimed(*port);
        const Place& place = child.place;
        all.claims.push_back(
            {.field = find_field("vlan_link"),
             .element = {},
             .value = {},
             .origin = {.file = place.file, .line = place.line, .column = place.column},
             .pointer = child.pointer,
             .optional = false});
        if (!child.wanted) return;
        all.claims.back().value = Record{{"parent", parent.name}, {"id", std::uint64_t{child.id}}};
        Claim up = all.claims.back();
        up.field = find_field("up");
        up.value = Value(true);
        up.origin.derived_from = "vlans";
        all.claims.push_back(std::move(up));  // gives way where it is stated
        std::ranges::move(claims(child.entry, std::nullopt, driver_of(*port)),
                          std::back_inserter(all.claims));
        std::ranges::copy(child.entry.exact, std::back_inserter(all.exact));
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
                       Claimed& all) {
        if (entry.rdma_device.empty()) return;
        const Said said{.value = entry.rdma_device,
                        .origin = {.file = node.place.file, .line = node.place.line},
                        .pointer = pointer};
        if (!all.rdma_device.value.empty() && all.rdma_device.value != said.value)
            conflict(all.port->name, "rdma.device", all.rdma_device, said);
        all.rdma_device = said;
    }

    /// What lives at the host is wished of it, by whichever port's entry; so what two ports wish
    /// of one element meets there.
    void give_host(Claimed& claimed) {
        const auto is_of_host = [](const Field* field) {
            return row_of(field->object).lives == Lives::host;
        };
        for (Claim& claim : claimed.claims) {
            if (!is_of_host(claim.field)) continue;
            of_host_.claims.push_back(claim);
            of_host_.claims.back().pointer += " for " + claimed.port->name;
        }
        std::erase_if(claimed.claims, [&](const Claim& claim) { return is_of_host(claim.field); });
        std::ranges::copy_if(claimed.exact, std::back_inserter(of_host_.exact),
                             [&](const Exact& exact) { return is_of_host(exact.field); });
        std::erase_if(claimed.exact, [&](const Exact& exact) { return is_of_host(exact.field); });
    }

    void conflict(const std::string& port, const std::string& key, const Said& one,
                  const Said& other) {
        failure("conflict", told_from(one, other) + ", " + told_from(other, one),
                "let one of them not match this port, or state the same in both", port, key);
    }

    /// Makes the claims of all entries for a port its wishes.
    void settle(Claimed& claimed) {
        const std::string& port = claimed.port->name;
        std::vector<Claim> settled;
        for (const bool derived : {false, true})
            for (Claim& claim : claimed.claims)
                if (is_derived(claim.origin) == derived) add(settled, std::move(claim), port);
        std::ranges::stable_sort(settled, {}, [](const Claim& claim) { return claim.field; });
        for (const Fault& fault :
             inconsistencies(settled, claimed.intent, claimed.fabric, driver_of(*claimed.port)))
            failure(std::string(fault.id), text(fault.at->origin) + ": " + fault.text, fault.remedy,
                    port, std::string(fault.at->field->key));
        check_device(claimed, settled);
        for (Claim& claim : settled)
            out_.wishes.push_back({.port = port,
                                   .field = claim.field,
                                   .element = std::move(claim.element),
                                   .value = std::move(claim.value),
                                   .origin = std::move(claim.origin),
                                   .optional = claim.optional,
                                   .external = claim.external});
        add_exact(claimed);
    }

    /// The stated ones come first, and what is derived gives way to them.
    void add(std::vector<Claim>& settled, Claim claim, const std::string& port) {
        const auto same = std::ranges::find_if(settled, [&](const Claim& other) {
            return other.field == claim.field && other.element == claim.element;
        });
        if (same == settled.end()) {
            settled.push_back(std::move(claim));
            return;
        }
        if (is_derived(claim.origin) && !is_derived(same->origin)) return;
        if (same->value == claim.value) {
            same->optional = same->optional && claim.optional;
            same->external = same->external || claim.external;
            return;
        }
        std::string key(claim.field->key);
        if (!claim.element.empty()) key += ' ' + claim.element;
        conflict(port, key, said_in(*same), said_in(claim));
    }

    /// Nobody but a person can tell which of two RDMA devices is meant.
    void check_device(const Claimed& claimed, const std::vector<Claim>& settled) {
        const auto& rdma = claimed.port->rdma_link;
        if (!rdma) return;
        const std::string& port = claimed.port->name;
        const bool wished = std::ranges::any_of(settled, [](const Claim& claim) {
            return claim.field->key.starts_with("rdma.") && claim.field->key != "rdma.link";
        });
        std::string devices = rdma->device;
        for (const std::string& other : rdma->others)
            devices += ", " + other;
        const Said& meant = claimed.rdma_device;
        if (meant.value.empty()) {
            if (wished && !rdma->others.empty())
                failure("rdma-device", "the port has more than one RDMA device (" + devices + ")",
                        "state rdma.device", port, "rdma.device");
        } else if (!rdma->device.empty() && meant.value != rdma->device) {
            failure("rdma-device",
                    text(meant.origin) + " wishes " + meant.value +
                        ", but settings of this port go to " + rdma->device,
                    "state rdma.device " + rdma->device, port, "rdma.device");
        }
    }

    /// A collection that is stated to be exact is so for every value.
    void add_exact(const Claimed& claimed) {
        std::vector<Exact> added;
        for (const Exact& exact : claimed.exact) {
            const bool covered = std::ranges::any_of(claimed.exact, [&](const Exact& other) {
                return other.field == exact.field && !other.only && exact.only;
            });
            const bool again = std::ranges::any_of(added, [&](const Exact& other) {
                return other.field == exact.field && other.only == exact.only;
            });
            if (covered || again) continue;
            added.push_back(exact);
            added.back().port = claimed.port->name;
        }
        std::ranges::move(added, std::back_inserter(out_.exact));
    }

    const Profile& profile_;
    const Variables& variables_;
    const State& inventory_;
    Problems problems_;
    std::deque<Port> made_;  ///< children that are not in the inventory
    std::vector<Claimed> claimed_;
    const Port host_{kHost};
    Claimed of_host_;
    Wishes out_;
};

}  // namespace

Wishes resolve(const Profile& profile, const Variables& variables, const State& inventory) {
    return Resolution(profile, variables, inventory).run();
}

}  // namespace core
