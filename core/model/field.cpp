// SPDX-License-Identifier: Apache-2.0
#include "core/model/field.hpp"

#include <algorithm>
#include <array>

#include "core/model/driver.hpp"
#include "core/model/field_access.hpp"
#include "core/model/field_views.hpp"
#include "core/model/route_record.hpp"

namespace core {
namespace {

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::uint64_t kU32 = 0xffffffff;
constexpr std::uint64_t kU64 = ~std::uint64_t{0};

constexpr std::array<std::string_view, 2> kModes = {"RoCE v2", "IB/RoCE v1"};
constexpr std::array<std::string_view, 2> kOwners = {"host", "firmware"};
constexpr std::array<std::string_view, 2> kTrusts = {"dscp", "pcp"};
constexpr std::array<std::string_view, 2> kSoftTypes = {"rxe", "siw"};
constexpr std::array<std::string_view, 5> kSelectors = {"ethtype", "stream-port", "port", "pcp",
                                                        "other"};

constexpr std::array kLinkParts = {
    RecordPart{.name = "type",
               .shape = {.kind = word, .words = kSoftTypes},
               .doc = "rxe is RoCE, siw is iWARP.",
               .required = true},
    RecordPart{.name = "name",
               .shape = {.kind = text, .text = Text::name},
               .doc = "Name of the RDMA device.",
               .required = true},
};
constexpr std::array kGidParts = {
    RecordPart{.name = "index",
               .shape = {.kind = number, .max = kU32},
               .doc = "Index in the table.",
               .required = true,
               .identity = true},
    RecordPart{.name = "gid", .shape = {.kind = text}, .doc = "The GID.", .required = true},
    RecordPart{.name = "type", .shape = {.kind = text}, .doc = "RoCE version."},
    RecordPart{.name = "port", .shape = {.kind = text}, .doc = "Network port it belongs to."},
};
constexpr std::array kAppParts = {
    RecordPart{.name = "selector",
               .shape = {.kind = word, .max = 255, .words = kSelectors},
               .doc = "What the protocol number means.",
               .required = true,
               .identity = true},
    RecordPart{.name = "protocol",
               .shape = {.kind = number, .max = 65535},
               .doc = "Protocol number.",
               .required = true,
               .identity = true},
    RecordPart{.name = "priority",
               .shape = {.kind = number, .max = 7},
               .doc = "Its priority.",
               .required = true,
               .identity = true},
};

constexpr std::array kAddressBeyondParts = {
    RecordPart{.name = "address",
               .shape = {.kind = text, .text = Text::ip},
               .doc = "The address.",
               .required = true,
               .identity = true},
    RecordPart{.name = "what",
               .shape = {.kind = text},
               .doc = "What it has beside, as ip(8) names it.",
               .required = true,
               .identity = true},
};

constexpr Field setting(std::string_view key, Object object, const Shape& shape,
                        std::string_view doc, decltype(Field::get) get, decltype(Field::set) set,
                        decltype(Field::same) same = nullptr) {
    return {key, object, Field::Use::setting, shape, doc, get, set, same};
}
constexpr Field fact(std::string_view key, Object object, const Shape& shape, std::string_view doc,
                     decltype(Field::get) get, decltype(Field::set) set) {
    return {key, object, Field::Use::fact, shape, doc, get, set, nullptr};
}

constexpr Field beyond(std::string_view key, Object object, const Shape& shape,
                       std::string_view doc, decltype(Field::get) get, decltype(Field::set) set) {
    return {key, object, Field::Use::fact, shape, doc, get, set, nullptr, true};
}

using enum Object;

/// The table. A row is one value of a port; everything else in rocectl loops over it.
const std::array kFields = {
    fact("driver", device, {.kind = text}, "Kernel driver of the port.",
         get_text<&Port::device, &Device::driver>, set_text<&Port::device, &Device::driver>),
    fact("firmware", device, {.kind = text}, "Firmware version the driver reports.",
         get_text<&Port::device, &Device::firmware>, set_text<&Port::device, &Device::firmware>),
    setting("dcbx.mode", dcbx, {.kind = word, .words = kOwners},
            "Who owns the port's DCB state: the host, or the NIC's firmware and its DCBX agent.",
            views::get_dcbx_mode, views::set_dcbx_mode),
    fact("dcbx.capability", dcbx, {.kind = number, .max = 255},
         "DCBX mode bits as the driver reports them: host 1, lld-managed 2, cee 4, ieee 8, "
         "static 16.",
         get_number<&Port::dcbx, &Dcbx::bits>, set_number<&Port::dcbx, &Dcbx::bits>),
    fact("mac", link, {.kind = text, .text = Text::mac}, "Hardware address.",
         get_text<&Port::link, &Link::mac>, set_text<&Port::link, &Link::mac>),
    fact("pci", link, {.kind = text, .text = Text::pci}, "PCI address of the NIC function.",
         get_text<&Port::link, &Link::pci>, set_text<&Port::link, &Link::pci>),
    fact("kind", link, {.kind = text}, "Kind of a virtual device: vlan, bond, veth.",
         get_text<&Port::link, &Link::kind>, set_text<&Port::link, &Link::kind>),
    fact("master", link, {.kind = text}, "Bond or bridge that the port is a member of.",
         get_text<&Port::link, &Link::master>, set_text<&Port::link, &Link::master>),
    fact("lower", link, {.kind = text}, "Device that a VLAN runs on.",
         get_text<&Port::link, &Link::lower>, set_text<&Port::link, &Link::lower>),
    fact("vlan", link, {.kind = number, .max = 4094}, "VLAN id.", views::get_vlan, views::set_vlan),
    setting("up", link, {.kind = flag}, "The port is administratively up.",
            get_flag<&Port::link, &Link::up>, set_flag<&Port::link, &Link::up>),
    setting("mtu", link, {.kind = number, .min = 68, .max = 65535},
            "Largest IP packet the port carries, in bytes.", get_number<&Port::link, &Link::mtu>,
            set_number<&Port::link, &Link::mtu>),
    fact("mtu_min", link, {.kind = number, .max = kU32}, "Smallest MTU the driver takes.",
         get_number<&Port::link, &Link::mtu_min>, set_number<&Port::link, &Link::mtu_min>),
    fact("mtu_max", link, {.kind = number, .max = kU32},
         "Largest MTU the driver takes, 0 where it does not say.",
         get_number<&Port::link, &Link::mtu_max>, set_number<&Port::link, &Link::mtu_max>),
    fact("carrier", link, {.kind = flag}, "The link is there.",
         get_flag<&Port::link, &Link::carrier>, set_flag<&Port::link, &Link::carrier>),
    fact("carrier_up_count", link, {.kind = counter, .max = kU32}, "How often the link came.",
         get_number<&Port::link, &Link::carrier_up_count>,
         set_number<&Port::link, &Link::carrier_up_count>),
    fact("carrier_down_count", link, {.kind = counter, .max = kU32}, "How often the link went.",
         get_number<&Port::link, &Link::carrier_down_count>,
         set_number<&Port::link, &Link::carrier_down_count>),
    fact("speed", speed, {.kind = number, .max = kU32}, "Speed of the link, in Mb/s.",
         views::get_speed, views::set_speed),
    setting("pause.rx", pause, {.kind = flag},
            "The port obeys link-level pause frames (IEEE 802.3 31B); off where PFC is used.",
            get_flag<&Port::pause, &Pause::rx>, set_flag<&Port::pause, &Pause::rx>),
    setting("pause.tx", pause, {.kind = flag},
            "The port sends link-level pause frames; off where PFC is used.",
            get_flag<&Port::pause, &Pause::tx>, set_flag<&Port::pause, &Pause::tx>),
    setting("pause.autoneg", pause, {.kind = flag},
            "Pause is negotiated with the other end of the link.",
            get_flag<&Port::pause, &Pause::autoneg>, set_flag<&Port::pause, &Pause::autoneg>),
    setting("ets.traffic_class", ets, {.kind = list, .max = 7},
            "Traffic class of each priority, from priority 0 to 7 (IEEE 802.1Q 37).",
            get_numbers<&Port::ets, &Ets::traffic_class>,
            set_numbers<&Port::ets, &Ets::traffic_class>),
    setting("ets.algorithm", ets, {.kind = words, .words = views::kAlgorithms},
            "Transmission selection algorithm of each traffic class, from class 0 to 7.",
            views::get_algorithm, views::set_algorithm),
    setting("ets.bandwidth", ets, {.kind = list, .max = 100},
            "Share of each traffic class in percent; the classes with algorithm ets sum to 100.",
            get_numbers<&Port::ets, &Ets::bandwidth>, set_numbers<&Port::ets, &Ets::bandwidth>,
            views::same_bandwidth),
    fact("ets.capability", ets, {.kind = number, .max = 8},
         "How many traffic classes the port has; 0 stands for 8.",
         get_number<&Port::ets, &Ets::capability>, set_number<&Port::ets, &Ets::capability>),
    fact("ets.willing", ets, {.kind = flag}, "The port takes ETS from its peer by DCBX.",
         get_flag<&Port::ets, &Ets::willing>, set_flag<&Port::ets, &Ets::willing>),
    setting("pfc.priorities", pfc, {.kind = set, .max = 7},
            "Priorities that pause instead of dropping (IEEE 802.1Q 36).", views::get_priorities,
            views::set_priorities),
    setting("pfc.delay", pfc, {.kind = number, .max = 65535},
            "Allowance for pause frames to take effect: bit times, on mlx5_core metres of cable.",
            get_number<&Port::pfc, &Pfc::delay>, set_number<&Port::pfc, &Pfc::delay>),
    fact("pfc.capability", pfc, {.kind = number, .max = 255},
         "How many traffic classes can be lossless.", get_number<&Port::pfc, &Pfc::capability>,
         set_number<&Port::pfc, &Pfc::capability>),
    fact("pfc.requests", pfc, {.kind = list, .max = kU64}, "PFC frames sent, by priority.",
         get_numbers<&Port::pfc, &Pfc::requests>, set_numbers<&Port::pfc, &Pfc::requests>),
    fact("pfc.indications", pfc, {.kind = list, .max = kU64}, "PFC frames received, by priority.",
         get_numbers<&Port::pfc, &Pfc::indications>, set_numbers<&Port::pfc, &Pfc::indications>),
    setting("dscp.trust", app, {.kind = word, .words = kTrusts},
            "Whether a received packet's priority comes from its DSCP or its VLAN tag's PCP.",
            views::get_trust, views::set_trust),
    setting("dscp.map", app, {.kind = map, .max = 7, .key_max = 63},
            "Priority of each DSCP; code points that are not listed stay as the NIC has them.",
            views::get_map<AppEntry::dscp>, views::set_map<AppEntry::dscp>),
    setting("app.udp", app, {.kind = map, .max = 7, .key_min = 1, .key_max = 65535},
            "Priority of each UDP port (APP entries with the datagram selector).",
            views::get_map<AppEntry::dgram>, views::set_map<AppEntry::dgram>),
    fact("app.other", app, {.kind = items, .parts = kAppParts}, "APP entries with other selectors.",
         views::get_other_app, views::set_other_app),
    setting("rdma.link", rdma_link, {.kind = record, .parts = kLinkParts},
            "A software RDMA device on a port without an RDMA NIC.", views::get_rdma_link,
            views::set_rdma_link),
    fact("rdma.device", rdma_link, {.kind = text, .text = Text::name}, "RDMA device on the port.",
         views::get_rdma_device, views::set_rdma_device),
    fact("rdma.others", rdma_link, {.kind = items}, "Further RDMA devices on the port.",
         views::get_rdma_others, views::set_rdma_others),
    fact("rdma.state", rdma_port, {.kind = text}, "State of the RDMA port.",
         get_text<&Port::rdma_port, &RdmaPort::state>,
         set_text<&Port::rdma_port, &RdmaPort::state>),
    fact("rdma.physical_state", rdma_port, {.kind = text}, "Physical state of the RDMA port.",
         get_text<&Port::rdma_port, &RdmaPort::physical_state>,
         set_text<&Port::rdma_port, &RdmaPort::physical_state>),
    fact("rdma.active_mtu", rdma_port, {.kind = number, .max = 4096},
         "RDMA MTU in use, in bytes of payload.",
         get_number<&Port::rdma_port, &RdmaPort::active_mtu>,
         set_number<&Port::rdma_port, &RdmaPort::active_mtu>),
    fact("rdma.max_mtu", rdma_port, {.kind = number, .max = 4096},
         "Largest RDMA MTU of the device, in bytes of payload.",
         get_number<&Port::rdma_port, &RdmaPort::max_mtu>,
         set_number<&Port::rdma_port, &RdmaPort::max_mtu>),
    fact("rdma.gids", rdma_port, {.kind = items, .parts = kGidParts},
         "GID table: what other hosts address the port by.", views::get_gids, views::set_gids),
    setting("rdma.cm_directory", cm_directory, {.kind = flag},
            "The device has a directory under /sys/kernel/config/rdma_cm, in which its defaults "
            "can be read.",
            views::get_cm_directory, views::set_cm_directory),
    setting("rdma.default_mode", cm_defaults, {.kind = word, .words = kModes},
            "RoCE version of connections made by rdma_cm.", get_text<&Port::cm, &CmDefaults::mode>,
            set_text<&Port::cm, &CmDefaults::mode>),
    setting("rdma.default_tos", cm_defaults, {.kind = number, .max = 255},
            "ToS byte of connections made by rdma_cm: DSCP times 4, plus 2 for ECT(0).",
            get_number<&Port::cm, &CmDefaults::tos>, set_number<&Port::cm, &CmDefaults::tos>),
    setting("addresses", addresses,
            {.kind = items, .text = Text::address, .canonical = views::canonical_address},
            "IPv4 and IPv6 addresses, each with its prefix length.", views::get_addresses,
            views::set_addresses),
    fact("addresses_by_kernel", addresses, {.kind = items, .text = Text::address},
         "Addresses that the kernel made itself: link-local and autoconfigured ones.",
         views::get_kernel_addresses, views::set_kernel_addresses),
    beyond("addresses_beyond", addresses, {.kind = items, .parts = kAddressBeyondParts},
           "What addresses have that no setting holds; it goes with the address for good.",
           views::get_addresses_beyond, views::set_addresses_beyond),
    setting("routes", routes,
            {.kind = items, .parts = route_parts(), .canonical = views::canonical_route},
            "Routes out of the port.", views::get_routes, views::set_routes),
    beyond("routes_beyond", routes,
           {.kind = items, .parts = route_beyond_parts(), .canonical = canonical_route_beyond},
           "What routes have that no setting holds; it goes with the route for good.",
           views::get_routes_beyond, views::set_routes_beyond),
};

}  // namespace

std::span<const Field> fields() {
    return kFields;
}

const Field* find_field(std::string_view key) {
    const auto found = std::ranges::find(kFields, key, &Field::key);
    return found == kFields.end() ? nullptr : &*found;
}

bool made_by_kernel(const Port& port, const Field& field, std::string_view element) {
    if (field.object == Object::addresses && port.addresses)
        return std::ranges::any_of(*port.addresses, [&](const Address& address) {
            return address.by_kernel && core::text(address.ip) == element;
        });
    if (field.object == Object::routes && port.routes)
        return std::ranges::any_of(*port.routes, [&](const Route& route) {
            return identity(route) == element && made_by_kernel(port, route);
        });
    return false;
}

std::optional<Value> element_of(const Port& port, const Field& field, std::string_view element) {
    const std::optional<Elements> elements = field.get(port);
    if (!elements) return std::nullopt;
    const auto found = elements->find(element);
    return found == elements->end() ? std::nullopt : std::optional(found->second);
}

void set_element(Port& port, const Field& field, std::string_view element,
                 const std::optional<Value>& value) {
    Elements elements = field.get(port).value_or(Elements{});
    if (value) {
        elements.insert_or_assign(std::string(element), *value);
    } else if (const auto found = elements.find(element); found != elements.end()) {
        elements.erase(found);
    }
    field.set(port, elements);
}

std::vector<std::string> differences(const Port& left, const Port& right) {
    std::vector<std::string> out;
    const auto own = [](const Port& port, const Field& field) {
        std::optional<Elements> elements = field.get(port);
        if (elements)
            std::erase_if(*elements, [&](const auto& element) {
                return made_by_kernel(port, field, element.first);
            });
        return elements;
    };
    for (const Field& field : kFields)
        if ((field.use == Field::Use::setting || field.irreplaceable) &&
            own(left, field) != own(right, field))
            out.emplace_back(field.key);
    return out;
}

}  // namespace core
