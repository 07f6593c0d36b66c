// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/vf.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/model/access.hpp"
#include "core/objects/link/vf_changes.hpp"
#include "core/objects/rows.hpp"

namespace core::vf {

std::optional<std::uint32_t> parse_function(std::string_view name) {
    std::uint32_t number = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool whole = failure == std::errc{} && end == name.data() + name.size();
    // A name is read back as it is stated.
    if (!whole || number > 65535 || std::to_string(number) != name) return std::nullopt;
    return number;
}

namespace {

std::optional<std::string> illegal_function(std::string_view name) {
    if (parse_function(name)) return std::nullopt;
    return "expected the number of a virtual function, 0 for the first";
}

/// What is known of it, of each virtual function by its number.
template <auto Member>
Got get_each(const Port& port) {
    if (!port.vf) return std::nullopt;
    Elements elements;
    for (const auto& [number, function] : port.vf->functions)
        if (function.*Member)
            elements.emplace(std::to_string(number), value_of(*(function.*Member)));
    return elements;
}

template <auto Member>
void set_each(Port& port, const Elements& elements) {
    auto& functions = part_of<&Port::vf>(port).functions;
    for (auto& [number, function] : functions)
        (function.*Member).reset();
    for (const auto& [name, value] : elements) {
        const auto number = parse_function(name);
        if (!number) continue;
        auto& member = functions[*number].*Member;
        using Held = typename std::remove_reference_t<decltype(member)>::value_type;
        if constexpr (std::is_same_v<Held, std::string> || std::is_same_v<Held, bool>)
            member = std::get<Held>(value);
        else
            member = static_cast<Held>(std::get<std::uint64_t>(value));
    }
    std::erase_if(functions, [](const auto& one) { return one.second == VirtualFunction{}; });
}

Got get_devices(const Port& port) {
    if (!port.vf) return std::nullopt;
    Elements elements;
    for (const VirtualDevice& device : port.vf->devices) {
        Record record{{"function", std::uint64_t{device.function}}, {"pci", device.pci}};
        if (!device.driver.empty()) record.emplace("driver", device.driver);
        if (!device.port.empty()) record.emplace("port", device.port);
        elements.emplace(std::to_string(device.function) + ' ' + device.pci, std::move(record));
    }
    return elements;
}

void set_devices(Port& port, const Elements& elements) {
    auto& devices = part_of<&Port::vf>(port).devices;
    devices.clear();
    for (const auto& [name, value] : elements) {
        const auto& record = std::get<Record>(value);
        devices.push_back({.function = static_cast<std::uint32_t>(number_part(record, "function")),
                           .pci = text_part(record, "pci"),
                           .driver = text_part(record, "driver"),
                           .port = text_part(record, "port")});
    }
    std::ranges::sort(devices, {}, &VirtualDevice::function);
}

using enum Shape::Kind;
using Text = Shape::Text;

Value in_lower_case(const Value& value) {
    return as_read(Text::mac, std::get<std::string>(value));
}

constexpr std::array<std::string_view, 2> kFunctions = {"0", "1"};

constexpr Shape kMac = {.kind = text, .text = Text::mac};
constexpr Shape kGuid = {.kind = text, .text = Text::any, .canonical = in_lower_case};
constexpr Shape kVlanId = {.kind = number, .max = 4094};
constexpr Shape kPriority = {.kind = number, .max = 7};
constexpr Shape kRate = {.kind = number, .max = kU32};
constexpr Shape kState = {.kind = word, .words = kStates};
constexpr Shape kProtocol = {.kind = word, .words = kProtocols};

constexpr Shape each(const Shape& of) {
    return {.kind = named, .words = kFunctions, .of = &of, .illegal_name = illegal_function};
}

template <auto Member>
constexpr Field of_each(std::string_view key, const Shape& of, std::string_view doc) {
    return setting(key, each(of), doc, get_each<Member>, set_each<Member>);
}

constexpr std::array kDeviceParts = {
    RecordPart{.name = "function",
               .shape = {.kind = number, .max = 65535},
               .doc = "Number of the virtual function.",
               .required = true,
               .identity = true},
    RecordPart{.name = "pci",
               .shape = {.kind = text, .text = Text::pci},
               .doc = "Where it is on the bus.",
               .required = true,
               .identity = true},
    RecordPart{.name = "driver", .shape = {.kind = text}, .doc = "The driver that has it, if any."},
    RecordPart{.name = "port",
               .shape = {.kind = text, .names = Shape::Names::port},
               .doc = "Its network port in this namespace, if it has one."},
};

using One = VirtualFunction;

constexpr std::array kFields = {
    setting(
        "vf.count", {.kind = number, .max = 65535},
        "Virtual functions of the port's device. From one number to another the kernel takes "
        "all away and makes new ones; rocectl then gives each that is left what it had from the "
        "physical function, and what was configured in them is gone.",
        get_number<&Port::vf, &VirtualFunctions::count>,
        set_number<&Port::vf, &VirtualFunctions::count>),
    fact("vf.limit", {.kind = number, .max = 65535},
         "Virtual functions that the device can have; firmware has the number.",
         get_reported<&Port::vf, &VirtualFunctions::limit>,
         set_reported<&Port::vf, &VirtualFunctions::limit>),
    of_each<&One::mac>("vf.mac", kMac,
                       "MAC address of each virtual function, by its number; 00:00:00:00:00:00 "
                       "leaves it to the driver that has it. That driver takes it when it starts."),
    of_each<&One::node_guid>(
        "vf.node_guid", kGuid,
        "Node GUID of each virtual function's RDMA device, as 00:11:22:33:44:55:66:77, in force "
        "once its driver starts. Of the vendor's mlx5_core, which has a file for it: the kernel "
        "itself takes GUIDs of InfiniBand ports alone, and the inbox driver makes the node GUID "
        "of vf.mac. RoCE has no port GUIDs to set: they are the GIDs of the addresses."),
    of_each<&One::vlan>("vf.vlan", kVlanId,
                        "VLAN that each virtual function's packets are put into, which it does not "
                        "see; 0 for none."),
    of_each<&One::qos>("vf.qos", kPriority, "Priority in the tag of vf.vlan."),
    of_each<&One::protocol>("vf.vlan_protocol", kProtocol, "What the tag of vf.vlan is."),
    of_each<&One::min_tx_rate>("vf.min_tx_rate", kRate,
                               "Mbit/s that each virtual function is sure of; 0 for none."),
    of_each<&One::max_tx_rate>("vf.max_tx_rate", kRate,
                               "Mbit/s that each virtual function sends at most; 0 for no limit."),
    of_each<&One::spoofchk>("vf.spoofchk", kFlag,
                            "Whether packets with another source than vf.mac are dropped."),
    of_each<&One::trust>("vf.trust", kFlag,
                         "Whether each virtual function may do what others would notice, such as "
                         "receiving all or changing its MAC address."),
    of_each<&One::state>("vf.state", kState,
                         "Link of each virtual function: auto follows the port, enable is always "
                         "up, so that they reach each other without it, disable is always down."),
    fact("vf.node_guids", {.kind = flag},
         "Whether the port's driver has a file for the node GUID of each virtual function.",
         get_flag<&Port::vf, &VirtualFunctions::node_guids>,
         set_flag<&Port::vf, &VirtualFunctions::node_guids>),
    fact("vf.devices", {.kind = items, .parts = kDeviceParts},
         "Virtual functions as devices of this host.", get_devices, set_devices),
    beyond("vf.in_use", {.kind = items, .text = Text::pci},
           "Those of vf.devices whose network port is up, or in another namespace than this. What "
           "is configured in one goes with it for good.",
           get_listed<&Port::vf, &VirtualFunctions::in_use>,
           set_listed<&Port::vf, &VirtualFunctions::in_use>),
};

std::optional<Unsupported> unsupported(const Driver& /*driver*/, const Port& port,
                                       std::string_view /*key*/) {
    if (port.link && port.link->function == "vf")
        return Unsupported{.text = "the port is a virtual function itself",
                           .remedy = "state it for the port of the physical function"};
    return Unsupported{.text =
                           "the device of the port has no virtual functions: it or the firmware's "
                           "setting is without SR-IOV",
                       .remedy = {}};
}

bool by_driver(const Port& port) {
    return port.vf && port.vf->count == 0;
}

constexpr std::array kConsults = {Object::link};

constexpr std::array kAtBoot = {
    AtBoot{"vf.count", BootProgram::link_file, "Link.SR-IOVVirtualFunctions"},
    AtBoot{"vf.count", BootProgram::network_manager, "sriov.total-vfs"},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::vf,
    .name = "vf",
    .doc = "The virtual functions of the port's device, and what it does for each.",
    .topic = Topic::link,
    .lives = Lives::hardware,
    .written_by = Others::sriov_operator,
    .fields = kFields,
    .settle_ms = 1000,
    .consults = kConsults,
    .unsupported = unsupported,
    .by_driver = by_driver,
    .refuses = refuses,
    .remarks = remarks,
    .play = play,
    .spell = spell,
    .at_boot = kAtBoot};

}  // namespace core::vf
