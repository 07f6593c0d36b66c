// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <map>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::vf {

namespace {

using One = VirtualFunction;

constexpr std::array<std::string_view, 3> kStates = {"auto", "enable", "disable"};
constexpr std::array<std::string_view, 2> kProtocols = {"802.1Q", "802.1ad"};

/// What one of its members holds, as the value of a setting.
template <typename Held>
Value value_of(const Held& held) {
    if constexpr (std::is_same_v<Held, std::string> || std::is_same_v<Held, bool>)
        return held;
    else
        return std::uint64_t{held};
}

bool is_guid(std::string_view guid) {
    constexpr std::size_t length = 23;  // 00:11:22:33:44:55:66:77
    if (guid.size() != length) return false;
    for (std::size_t i = 0; i < length; ++i) {
        const bool separator = i % 3 == 2;
        const bool hexadecimal =
            std::string_view("0123456789abcdef").find(guid[i]) != std::string_view::npos;
        if (separator ? guid[i] != ':' : !hexadecimal) return false;
    }
    return true;
}

bool is_multicast(std::string_view mac) {
    return mac.size() > 1 && std::string_view("13579bdf").find(mac[1]) != std::string_view::npos;
}

/// Why one is refused what it is to have. The kernel's reasons are in net/core/rtnetlink.c
/// do_setvfinfo, rtnl_set_vf_rate and handle_vf_guid.
Reason no_of(const VirtualFunctions& part, const One& before, const One& then) {
    if (then.mac != before.mac && is_multicast(then.mac.value_or("")))
        return *then.mac + " is a multicast address";
    if (then.min_tx_rate.value_or(0) > then.max_tx_rate.value_or(0) &&
        then.max_tx_rate.value_or(0) != 0)
        return "vf.min_tx_rate is above vf.max_tx_rate";
    if (then.node_guid == before.node_guid || !then.node_guid) return std::nullopt;
    if (!part.node_guids)
        return "the kernel sets GUIDs of InfiniBand ports alone, and the port's driver has no file "
               "for them";
    if (!is_guid(*then.node_guid))
        return "node_guid is '" + *then.node_guid +
               "', expected eight bytes as 00:11:22:33:44:55:66:77";
    return std::nullopt;
}

/// Given to a virtual machine: taking it away waits until that machine lets it go, however long
/// (drivers/vfio/vfio_main.c vfio_unregister_group_dev).
const VirtualDevice* given_away(const VirtualFunctions& part) {
    const auto found = std::ranges::find_if(part.devices, [](const VirtualDevice& device) {
        return device.driver.find("vfio") != std::string::npos;
    });
    return found == part.devices.end() ? nullptr : &*found;
}

/// What drivers give those that they make.
void fill_in(const Driver& driver, One& made) {
    const auto give = [](auto& member, const auto& value) {
        if (!member) member = value;
    };
    give(made.mac, std::string("00:00:00:00:00:00"));
    give(made.vlan, std::uint16_t{0});
    give(made.qos, std::uint8_t{0});
    give(made.protocol, std::string(kProtocols[0]));
    give(made.min_tx_rate, std::uint32_t{0});
    give(made.max_tx_rate, std::uint32_t{0});
    give(made.spoofchk, driver.vf.spoofchk);
    give(made.trust, false);
    give(made.state, std::string(kStates[0]));
}

constexpr std::array<std::string_view, 2> kSwitch = {"off", "on"};

/// What ip(8) is reported of one.
std::string spell_one(const One& before, const One& then) {
    std::string out;
    const auto add = [&out](std::string_view word, const auto& was, const auto& desired) {
        if (!desired || was == desired) return;
        out.append(" ").append(word).append(" ").append(core::text(value_of(*desired)));
    };
    const auto add_switch = [&out](std::string_view word, const auto& was, const auto& desired) {
        if (desired && was != desired)
            out.append(" ").append(word).append(" ").append(kSwitch[*desired ? 1 : 0]);
    };
    add("mac", before.mac, then.mac);
    const auto differs = [](const auto& was, const auto& desired) {
        return desired && was != desired;
    };
    if (differs(before.vlan, then.vlan) || differs(before.qos, then.qos) ||
        differs(before.protocol, then.protocol)) {
        out += " vlan " + std::to_string(then.vlan.value_or(before.vlan.value_or(0)));
        out += " qos " + std::to_string(then.qos.value_or(before.qos.value_or(0)));
        if (then.protocol.value_or(before.protocol.value_or("")) == kProtocols[1])
            out += " proto 802.1ad";
    }
    add("max_tx_rate", before.max_tx_rate, then.max_tx_rate);
    add("min_tx_rate", before.min_tx_rate, then.min_tx_rate);
    add_switch("spoofchk", before.spoofchk, then.spoofchk);
    add_switch("trust", before.trust, then.trust);
    add("state", before.state, then.state);
    return out;
}

}  // namespace

bool starts_anew(const VirtualFunctions& now, const VirtualFunctions& then) {
    return now.count != then.count && now.count > 0 && then.count > 0;
}

std::optional<std::uint32_t> parse_function(std::string_view name) {
    std::uint32_t number = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool whole = failure == std::errc{} && end == name.data() + name.size();
    // A name is read back as it is stated.
    if (!whole || number > 65535 || std::to_string(number) != name) return std::nullopt;
    return number;
}

namespace {

Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    const VirtualFunctions& was = *now.vf;
    const VirtualFunctions& part = *then.vf;
    if (part.count != was.count) {
        if (was.limit && part.count > *was.limit)
            return "the device can have " + std::to_string(*was.limit) + " virtual functions";
        if (const VirtualDevice* device = given_away(was))
            return "virtual function " + std::to_string(device->function) + " (" + device->pci +
                   ") is with " + device->driver + ", for a virtual machine or a process";
    }
    for (const auto& [number, function] : part.functions) {
        const auto old = was.functions.find(number);
        const bool there = old != was.functions.end();
        const One before = there ? old->second : One{};
        if (number >= part.count) {
            if (function == before) continue;
            return "there is no virtual function " + std::to_string(number) + ": vf.count is " +
                   std::to_string(part.count) + ", and the first is 0";
        }
        if (Reason reason = no_of(was, before, function))
            return "virtual function " + std::to_string(number) + ": " + *reason;
    }
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (!now.vf || !then.vf) return Refusal{.code = EOPNOTSUPP, .text = "Operation not supported"};
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = EINVAL, .text = "Invalid argument: " + *reason};
    const bool other_count = now.vf->count != then.vf->count;
    now.vf->functions = then.vf->functions;
    if (!other_count) return std::nullopt;
    now.vf->count = then.vf->count;
    std::erase_if(now.vf->functions, [&](const auto& one) { return one.first >= then.vf->count; });
    for (std::uint32_t number = 0; number < then.vf->count; ++number)
        fill_in(driver, now.vf->functions[number]);
    // Where on the bus the others will be, and who takes them, is the host's to say.
    now.vf->devices.clear();
    now.vf->in_use.clear();
    return std::nullopt;
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    const std::string device = "/sys/class/net/" + shell(now.name) + "/device/";
    Commands lines;
    std::map<std::uint32_t, One> before = now.vf->functions;
    if (now.vf->count != then.vf->count) {
        if (starts_anew(*now.vf, *then.vf)) lines.push_back("echo 0 > " + device + "sriov_numvfs");
        lines.push_back("echo " + std::to_string(then.vf->count) + " > " + device + "sriov_numvfs");
        before.clear();
        for (std::uint32_t number = 0; number < then.vf->count; ++number)
            fill_in(driver, before[number]);
    }
    for (const auto& [number, function] : then.vf->functions) {
        if (number >= then.vf->count) continue;
        const One& old = before[number];
        if (const std::string words = spell_one(old, function); !words.empty())
            lines.push_back("ip link set dev " + shell(now.name) + " vf " + std::to_string(number) +
                            words);
        if (function.node_guid && function.node_guid != old.node_guid)
            lines.push_back("echo " + shell(*function.node_guid) + " > " + device + "sriov/" +
                            std::to_string(number) + "/node");
    }
    return lines;
}

Reason remarks(const Driver& /*driver*/, const Host& /*host*/, const Port& now, const Port& then) {
    std::string out;
    if (starts_anew(*now.vf, *then.vf))
        out = "the kernel takes all " + std::to_string(now.vf->count) +
              " virtual functions away first, with what is configured in them";
    const auto takes_at_start = [&](const auto& one) {
        const auto old = now.vf->functions.find(one.first);
        const One before = old == now.vf->functions.end() ? One{} : old->second;
        return one.second.mac != before.mac || one.second.node_guid != before.node_guid;
    };
    if (then.vf->count > 0 && std::ranges::any_of(then.vf->functions, takes_at_start))
        out += std::string(out.empty() ? "" : "; ") +
               "a driver that has the virtual function takes its MAC address and node GUID when it "
               "starts anew: unbind it and bind it again";
    return out.empty() ? std::nullopt : Reason(out);
}

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

/// Of a device that has none to give: SR-IOV is off in its stored configuration.
std::string_view remedy(const Driver& /*driver*/, const Port& now) {
    if (!now.vf || now.vf->limit != 0U) return {};
    return "the firmware's stored setting of SR-IOV, and then a reset of the NIC: mlxconfig "
           "SRIOV_EN "
           "and NUM_OF_VFS, or devlink dev param enable_sriov and total_vfs where the driver has "
           "them (mlx5 since Linux 6.18); bnxt: niccli; and SR-IOV on in the host's own firmware";
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
    .fields = kFields,
    .unsupported = unsupported,
    .refuses = refuses,
    .play = play,
    .order = {.consults = kConsults, .by_driver = kAllByDriver, .settle_ms = 1000},
    .chosen_by = {.driver = by_driver, .others = Others::sriov_operator},
    .words = {.remarks = remarks, .remedy = remedy, .spell = spell},
    .boot = {.programs = kAtBoot}};

}  // namespace core::vf
