// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <map>
#include <set>

#include "core/checks/checks.hpp"
#include "core/model/finding_names.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rdma/parts.hpp"

// Whether the ports of each fabric are all there, and are alike.

namespace core {

const FindingRow findings::settings_of_siblings{
    .id = "settings-of-siblings",
    .level = FindingLevel::note,
    .why =
        "One port of a fabric that is set otherwise than the others was changed, or missed when "
        "they were: a job over all of them runs as the worst of them.",
    .remedy = "the settings as on the other ports, or stated in a profile where they are meant so",
    .manual = "rocectl-doctor(8), FABRICS",
    .cause = {.ruled_out_by = "the port is meant to be set otherwise: a profile says so"}};

namespace {

constexpr std::array<Keys, 3> kBesideMissing = {"rules", "routes", "host.kernel_log"};
constexpr std::array<Keys, 1> kAddressesOfAll = {"addresses"};
constexpr std::array<Keys, 1> kNeighboursBeside = {"neighbours_learned"};

/// The last line of the kernel's log that names the device; empty where none does.
std::string logged_of(const Port& host, const std::string& pci) {
    const LogLine* last = nullptr;
    if (host.kernel_log && !pci.empty())
        for (const LogLine& line : *host.kernel_log)
            if (line.text.find(pci) != std::string::npos &&
                (last == nullptr || last->milliseconds <= line.milliseconds))
                last = &line;
    return last == nullptr ? std::string() : "; the kernel's log: " + last->text;
}

/// `; 0000:5e:00.0 is where it was`, and what the log says of it.
Fault missing_fault(const Port& host, const MissingPorts& missing) {
    Fault out{.text = missing.text};
    std::string at;
    for (const std::string& pci : missing.pci)
        at += (at.empty() ? "" : ", ") + pci;
    if (!at.empty()) out.text += "; its place on the bus is " + at;
    for (const std::string& pci : missing.pci)
        out.text += logged_of(host, pci);
    out.names = {{"ADDRESS", missing.pci.empty() ? "ADDRESS" : shell(missing.pci.front())}};
    return out;
}

/// A text that ends in a number: mlx5_3.
struct Numbered {
    std::string head{};
    unsigned number = 0;
};

std::optional<Numbered> numbered(const std::string& name) {
    std::size_t at = name.size();
    while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
        --at;
    constexpr std::size_t longest = 4;
    if (at == name.size() || at == 0 || name.size() - at > longest) return std::nullopt;
    return Numbered{.head = name.substr(0, at),
                    .number = static_cast<unsigned>(std::stoul(name.substr(at)))};
}

/// The only number that is not there between others, of at least five; nothing else.
std::optional<unsigned> gap_in(const std::set<unsigned>& numbers) {
    constexpr std::size_t row = 5;
    if (numbers.size() < row || *numbers.rbegin() - *numbers.begin() != numbers.size())
        return std::nullopt;
    for (unsigned number = *numbers.begin();; ++number)
        if (!numbers.contains(number)) return number;
}

/// Of the devices that the kernel numbers as it finds them, the number that is left out.
std::optional<std::string> device_gap(const State& state) {
    std::map<std::string, std::set<unsigned>> rows;
    for (const Port& port : state.ports) {
        if (!port.rdma_link) continue;
        std::vector<std::string> devices = port.rdma_link->others;
        devices.push_back(port.rdma_link->device);
        for (const std::string& device : devices)
            if (const auto one = numbered(device)) rows[one->head].insert(one->number);
    }
    for (const auto& [head, numbers] : rows)
        if (const auto gap = gap_in(numbers)) return std::to_string(*gap);
    return std::nullopt;
}

/// The rule from an address that no port has, to a table between those of at least three ports'
/// rules: what is left of a port that had it. Null without one.
const Rule* left_rule(const State& state, const HostIndex& index, const Port& host) {
    std::set<std::uint32_t> tables;
    const Rule* left = nullptr;
    std::size_t unowned = 0;
    if (!host.rules) return nullptr;
    for (const Rule& rule : *host.rules) {
        const bool of_one = rule.from && rule.from->length == (rule.from->ip.v6 ? 128 : 32);
        if (!of_one || rule.to || rule.table == kMainTable) continue;
        if (!index.holders_of(rule.from->ip).empty()) {
            tables.insert(rule.table);
        } else {
            ++unowned;
            left = &rule;
        }
    }
    constexpr std::size_t row = 3;
    const bool between = left != nullptr && tables.size() >= row && *tables.begin() < left->table &&
                         left->table < *tables.rbegin();
    // Where several are left, somebody has renumbered.
    const bool routed =
        left != nullptr && std::ranges::any_of(state.ports, [&](const Port& port) {
            return port.routes && std::ranges::any_of(*port.routes, [&](const Route& route) {
                       return route.table == left->table;
                   });
        });
    return between && unowned == 1 && !routed ? left : nullptr;
}

/// What looks as if a port of a row were not there, where no profile says how many there are.
Faults gap_in_row(const Evidence& evidence) {
    const Port& host = *evidence.now;
    const auto device = device_gap(*evidence.state);
    const Rule* rule = left_rule(*evidence.state, *evidence.index, host);
    std::string text;
    if (device)
        text = "the RDMA devices are numbered without " + *device + ", which is between others";
    if (rule != nullptr)
        text += (text.empty() ? "" : ", and ") + std::string("a rule from ") +
                core::text(rule->from->ip) + " leads to table " + std::to_string(rule->table) +
                ", and no port has that address";
    if (text.empty()) return {};
    Faults out = fault(text + ": a port may be missing");
    out.front().slight = true;
    return out;
}

Faults port_missing(const Evidence& evidence) {
    Faults out;
    for (const MissingPorts& missing : evidence.missing)
        out.push_back(missing_fault(*evidence.now, missing));
    if (!evidence.has_profile) return gap_in_row(evidence);
    return out;
}

/// What follows from a port that is not there, on the host: a library's list names its device.
constexpr std::array<Ids, 1> kOfMissing = {"app-device-missing"};

/// The port that has this address of ours, which we have not; null where none has, or it is ours.
const Port* other_holder(const Evidence& evidence, const Desired& desired) {
    if (desired.field->key != "addresses" || !desired.value) return nullptr;
    const auto prefix = parse_prefix(desired.element);
    const auto ip = prefix ? std::optional(prefix->ip) : parse_ip(desired.element);
    if (!ip || is_link_local(*ip)) return nullptr;
    const Port* out = nullptr;
    for (const Port* holder : evidence.index->holders_of(*ip)) {
        if (holder->name == evidence.now->name) return nullptr;
        out = holder;
    }
    return out;
}

/// The addresses of others that the port has in the place of its own, to be taken away.
std::vector<Desired> held_for_others(const Evidence& evidence) {
    std::vector<Desired> out;
    if (!evidence.now->addresses) return out;
    for (const Address& own : *evidence.now->addresses) {
        const std::string name = text(own.ip);
        const std::string& owner = evidence.index->desired_at(name);
        if (owner.empty() || owner == evidence.now->name) continue;
        out.push_back(
            {.port = evidence.now->name, .field = find_field("addresses"), .element = name});
    }
    return out;
}

/// The gateway in the network of the addresses that the port has for another, which answers at this
/// port: the cable leads to that one's switch port.
std::optional<Ip> answering_gateway(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if (!port.neighbours || !port.addresses) return std::nullopt;
    for (const Neighbour& neighbour : *port.neighbours)
        for (const Address& own : *port.addresses)
            if (!is_link_local(own.ip) && neighbour.ip != own.ip && !neighbour.mac.empty() &&
                neighbour.state != "failed" &&
                contains({.ip = own.ip, .length = own.prefix_length}, neighbour.ip))
                return neighbour.ip;
    return std::nullopt;
}

Faults exchanged(const Evidence& evidence) {
    std::set<std::string> others;
    std::string addresses;
    for (const Desired& desired : evidence.desired_values)
        if (const Port* other = other_holder(evidence, desired)) {
            others.insert(other->name);
            addresses += (addresses.empty() ? "" : ", ") + text(*desired.value);
        }
    if (others.empty()) return {};
    std::string names;
    for (const std::string& name : others)
        names += (names.empty() ? "" : ", ") + name;
    std::vector<Desired> fix = held_for_others(evidence);
    std::string said = addresses + ", which is this port's, is on " + names;
    if (!fix.empty()) {
        said += ", and this port has " + fix.front().element + " of " +
                evidence.index->desired_at(fix.front().element) + ": their addresses are exchanged";
        if (const auto gateway = answering_gateway(evidence))
            said += ", or their cables, for " + text(*gateway) + " answers here";
    }
    Faults out = fault(std::move(said));
    for (const Desired& desired : evidence.desired_values)
        if (desired.field->key == "addresses" || desired.field->key == "routes")
            fix.push_back(desired);
    out.front().fix = std::move(fix);
    return out;
}

constexpr std::array kRowsFabric = {
    FindingRow{.id = "port-missing",
               .why = "A port that the profile expects is not there: its device fell off the bus, "
                      "its driver did not take it, or the slot is empty. What uses it waits or "
                      "fails, and what else is found may be for that.",
               .remedy = "the device: what the bus and the kernel's log say of it; where it is "
                         "meant to be away, expect without it, or \"missing\": \"allowed\"",
               .manual = "rocectl-doctor(8), FABRICS",
               .needs = {.beside = kBesideMissing},
               .examines = CheckTarget::host,
               .cause = {.explains = kOfMissing,
                         .ruled_out_by = "the host is built without it",
                         .test = "lspci -nnk; dmesg | grep -i -e pcie -e aer",
                         .weight = Weight::gone},
               .run = port_missing},
    FindingRow{.id = "addresses-exchanged",
               .why = "A port has the address that the profile states for another, and that one "
                      "this port's: what others send to the one goes out by the other's link.",
               .remedy = "rocectl apply, which moves them; where the cables are exchanged, these, "
                         "or the two values in the variables",
               .manual = "rocectl-doctor(8), FABRICS",
               .needs = {.keys = kAddressesOfAll, .of_others = true, .beside = kNeighboursBeside},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "LLDP names the switch port that the plan has for it",
                         .weight = Weight::stop},
               .run = exchanged},
};

constexpr auto kAllFabric = [] {
    constexpr auto own = each_of(kRowsFabric);
    std::array<const FindingRow*, own.size() + 1> out{};
    std::ranges::copy(own, out.begin());
    out.back() = &findings::settings_of_siblings;
    return out;
}();

}  // namespace

const FindingGroup finding_group::fabric{
    .name = "fabric",
    .doc = "Whether the ports of each fabric are all there, each in its place, and alike.",
    .rows = kAllFabric};

}  // namespace core
