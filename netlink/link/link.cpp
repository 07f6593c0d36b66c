// SPDX-License-Identifier: Apache-2.0
#include "netlink/link/codecs.hpp"

#include <fnmatch.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>

namespace netlink {

bool in_scope(const std::optional<std::vector<std::string>>& patterns, const std::string& port) {
    return !patterns || std::ranges::any_of(*patterns, [&](const std::string& pattern) {
        return pattern == port || fnmatch(pattern.c_str(), port.c_str(), 0) == 0;
    });
}

namespace {

// Since Linux 5.14 (include/uapi/linux/if_link.h).
constexpr int kParentName = 56;
constexpr int kParentBus = 57;

/// Whether it is the name that devlink gives a port that stands for a function: pf0vf1, pf0sf88,
/// c1pf0vf0 (net/devlink/port.c __devlink_port_phys_port_name_get). A physical port is p0.
bool is_representor(std::string_view name) {
    const auto skip_digits = [&name] {
        const std::size_t end = std::min(name.find_first_not_of("0123456789"), name.size());
        name.remove_prefix(end);
        return end > 0;
    };
    if (name.starts_with('c')) {
        name.remove_prefix(1);
        if (!skip_digits()) return false;
    }
    if (!name.starts_with("pf")) return false;
    name.remove_prefix(2);
    if (!skip_digits()) return false;
    if (name.empty()) return true;
    if (!name.starts_with("vf") && !name.starts_with("sf")) return false;
    name.remove_prefix(2);
    return skip_digits() && name.empty();
}

/// The function by port name and bus. Only sysfs distinguishes a virtual function from a physical
/// one.
std::string function_of(const Attributes& attributes) {
    if (is_representor(attributes.text(IFLA_PHYS_PORT_NAME))) return "rep";
    const std::string bus = attributes.text(kParentBus);
    if (bus == "auxiliary") return "sf";
    return bus == "pci" ? "pf" : "";
}

/// A virtual function has a link to the physical one (drivers/pci/iov.c pci_iov_add_virtfn); a
/// guest that was given one knows nothing of that.
void find_virtual(const Machine& machine, LinkAnswer& answer) {
    const auto path = machine.file("/sys/class/net/" + answer.name + "/device/physfn");
    if (answer.link.function == "pf" && exists(path)) answer.link.function = "vf";
}

/// A pair of equals, whose IFLA_LINK is the other end and not a device below.
bool is_pair(const std::string& kind) {
    return kind == "veth" || kind == "netkit" || kind == "vxcan";
}

Message link_request(std::uint32_t index, const std::string& name) {
    Message request(RTM_GETLINK);
    ifinfomsg header{};
    header.ifi_family = AF_UNSPEC;
    header.ifi_index = static_cast<int>(index);
    request.put_header(header);
    request.put(IFLA_EXT_MASK, std::uint32_t{RTEXT_FILTER_SKIP_STATS});
    if (!name.empty()) request.put_text(IFLA_IFNAME, name);
    return request;
}

/// Nothing where there is no such link.
std::optional<LinkAnswer> ask_link(Machine& machine, std::uint32_t index, const std::string& name) {
    std::optional<LinkAnswer> answer;
    Message request = link_request(index, name);
    try {
        machine.route().get(request,
                            [&](const Reply& reply) { answer = decode_link(reply.payload); });
    } catch (const KernelError& error) {
        if (error.code != ENODEV) throw;
    }
    return answer;
}

/// The kernel cannot filter by a pattern, so what is out of scope is left before it is decoded.
std::vector<LinkAnswer> dump_links(Machine& machine,
                                   const std::optional<std::vector<std::string>>& ports) {
    Message request = link_request(0, "");
    auto answers = machine.route().dump<LinkAnswer>(request, [&ports](const Reply& reply) {
        const auto attributes = Attributes::after<ifinfomsg>(reply.payload);
        return in_scope(ports, attributes.text(IFLA_IFNAME)) ? decode_link(reply.payload)
                                                             : std::nullopt;
    });
    for (LinkAnswer& answer : answers)
        find_virtual(machine, answer);
    return answers;
}

/// No interface name is longer, and the kernel refuses to look for one.
bool can_exist(const std::string& name) {
    return !name.empty() && name.size() < IFNAMSIZ && name != core::kHost;
}

/// A link that was read before; nothing where that was not, or not by its index, and where it has
/// parts beside that an inventory does not tell.
std::optional<LinkAnswer> known_link(const core::State* known, const std::string& name) {
    const core::Port* port = known == nullptr ? nullptr : core::find_port(*known, name);
    if (port == nullptr || !port->link || port->link->index == 0 || port->link->kind == "vlan" ||
        port->link->kind == "bond")
        return std::nullopt;
    LinkAnswer answer;
    answer.name = name;
    answer.link = *port->link;
    return answer;
}

std::vector<LinkAnswer> ask_links(Machine& machine, const std::vector<std::string>& names,
                                  const core::State* known) {
    std::vector<LinkAnswer> answers;
    for (const std::string& name : std::set<std::string>(names.begin(), names.end())) {
        if (!can_exist(name)) continue;
        if (auto answer = known_link(known, name)) {
            answers.push_back(std::move(*answer));
            continue;
        }
        std::optional<LinkAnswer> answer = ask_link(machine, 0, name);
        // The kernel also finds a link by its alternative names.
        if (!answer || answer->name != name) continue;
        find_virtual(machine, *answer);
        answers.push_back(std::move(*answer));
    }
    return answers;
}

bool is_exact(const std::string& pattern) {
    return pattern.find_first_of("*?[\\") == std::string::npos;
}

/// The names of the links above and below; asked for where the answers do not hold them.
class OtherNames {
public:
    OtherNames(Machine& machine, const std::vector<LinkAnswer>& known) : machine_(machine) {
        for (const LinkAnswer& answer : known)
            names_.emplace(answer.link.index, answer.name);
    }
    std::string of(std::uint32_t index) {
        if (index == 0) return {};
        const auto known = names_.find(index);
        if (known != names_.end()) return known->second;
        const std::optional<LinkAnswer> answer = ask_link(machine_, index, "");
        return names_.emplace(index, answer ? answer->name : std::string()).first->second;
    }

private:
    Machine& machine_;
    std::map<std::uint32_t, std::string> names_;
};

}  // namespace

std::string mac_text(Bytes bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : bytes) {
        if (!text.empty()) text += ':';
        text += digits[std::to_integer<std::size_t>(byte >> 4)];
        text += digits[std::to_integer<std::size_t>(byte & std::byte{15})];
    }
    return text;
}

std::optional<LinkAnswer> decode_link(Bytes payload) {
    const auto header = header_of<ifinfomsg>(payload);
    if (!header) return std::nullopt;
    const auto attributes = Attributes::after<ifinfomsg>(payload);
    const auto number = [&](int type) { return attributes.value<std::uint32_t>(type).value_or(0); };

    LinkAnswer answer;
    answer.name = attributes.text(IFLA_IFNAME);
    if (answer.name.empty()) return std::nullopt;
    core::Link& link = answer.link;
    link.index = static_cast<std::uint32_t>(header->ifi_index);
    link.mac = mac_text(attributes.find(IFLA_ADDRESS).value_or(Bytes()));
    link.permanent_mac = mac_text(attributes.find(IFLA_PERM_ADDRESS).value_or(Bytes()));
    link.up = (header->ifi_flags & IFF_UP) != 0;
    link.carrier = attributes.value<std::uint8_t>(IFLA_CARRIER).value_or(0) != 0;
    link.mtu = number(IFLA_MTU);
    link.mtu_min = number(IFLA_MIN_MTU);
    link.mtu_max = number(IFLA_MAX_MTU);
    link.carrier_up_count = number(IFLA_CARRIER_UP_COUNT);
    link.carrier_down_count = number(IFLA_CARRIER_DOWN_COUNT);
    if (attributes.text(kParentBus) == "pci") link.pci = attributes.text(kParentName);
    link.function = function_of(attributes);

    const Attributes info = attributes.nested(IFLA_LINKINFO);
    link.kind = info.text(IFLA_INFO_KIND);
    link.master_kind = info.text(IFLA_INFO_SLAVE_KIND);
    if (link.kind == "vlan") {
        answer.vlan = decode_vlan(info.nested(IFLA_INFO_DATA));
        link.vlan = answer.vlan.id;
    }
    if (link.kind == "bond") answer.bond = decode_bond(info.nested(IFLA_INFO_DATA));
    answer.master = number(IFLA_MASTER);
    if (!is_pair(link.kind) && !attributes.find(IFLA_LINK_NETNSID) &&
        number(IFLA_LINK) != link.index)
        answer.lower = number(IFLA_LINK);
    return answer;
}

std::vector<core::Port> read_links(Machine& machine,
                                   const std::optional<std::vector<std::string>>& ports,
                                   const core::State* known) {
    const bool exact = ports && std::ranges::all_of(*ports, is_exact);
    std::vector<LinkAnswer> answers =
        exact ? ask_links(machine, *ports, known) : dump_links(machine, ports);
    // A port is some KiB: it is made in its place, and stays there, also when the host comes behind
    // them all.
    std::ranges::sort(answers, {}, [](const LinkAnswer& answer) { return answer.link.index; });
    OtherNames names(machine, answers);
    std::vector<core::Port> found;
    found.reserve(answers.size() + 1);
    for (LinkAnswer& answer : answers) {
        // One that was read before has the names already.
        if (answer.master != 0) answer.link.master = names.of(answer.master);
        if (answer.lower != 0) answer.link.lower = names.of(answer.lower);
        if (answer.link.vlan) answer.vlan.parent = answer.link.lower;
        core::Port& port = found.emplace_back();
        port.name = std::move(answer.name);
        port.link = std::move(answer.link);
        port.vlan = std::move(answer.vlan);
        if (answer.bond) port.bond_members = members_of(machine, port.link->index);
        port.bond = std::move(answer.bond);
    }
    return found;
}

LinkAnswer link_called(Machine& machine, const std::string& name) {
    std::optional<LinkAnswer> answer = can_exist(name) ? ask_link(machine, 0, name) : std::nullopt;
    if (!answer) throw KernelError(ENODEV, name);
    return std::move(*answer);
}

std::uint32_t index_of(Machine& machine, const std::string& name) {
    return link_called(machine, name).link.index;
}

void remove_link(Machine& machine, std::uint32_t index) {
    Message request(RTM_DELLINK);
    ifinfomsg header{};
    header.ifi_family = AF_UNSPEC;
    header.ifi_index = static_cast<int>(index);
    request.put_header(header);
    machine.route().change(request);
}

void open_link(Machine& machine, std::uint32_t index, bool up) {
    Message request = encode_link({.index = index, .up = !up}, {.index = index, .up = up});
    machine.route().change(request);
}

Message encode_link(const core::Link& now, const core::Link& then) {
    Message request(RTM_NEWLINK);
    ifinfomsg header{};
    header.ifi_family = AF_UNSPEC;
    header.ifi_index = static_cast<int>(now.index);
    if (now.up != then.up) {
        header.ifi_change = IFF_UP;
        header.ifi_flags = then.up ? unsigned{IFF_UP} : 0U;
    }
    request.put_header(header);
    if (now.mtu != then.mtu) request.put(IFLA_MTU, then.mtu);
    return request;
}

void write_link(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.link || !then.link) throw KernelError(ENODEV);
    Message request = encode_link(*now.link, *then.link);
    machine.route().change(request);
}

}  // namespace netlink
