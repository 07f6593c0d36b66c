// SPDX-License-Identifier: Apache-2.0
#include "core/boot/match.hpp"

#include <algorithm>

#include "core/boot/lines.hpp"
#include "core/model/glob.hpp"
#include "core/model/shape.hpp"

namespace core::boot {
namespace {

using Applies = Matched::Applies;

/// systemd.network(5): patterns with blanks between them; a `!` before the first turns all of them.
Applies among(const std::string& patterns, const std::string& name) {
    const bool turned = patterns.starts_with('!');
    const std::vector<std::string> all =
        words_in(std::string_view(patterns).substr(turned ? 1 : 0));
    const bool found = std::ranges::any_of(
        all, [&](const std::string& pattern) { return glob_matches(pattern, name); });
    return found == turned ? Applies::no : Applies::yes;
}

/// udev's word for what the port is (systemd, net_get_type_string); empty where it is not known.
std::string type_of(const Link& link) {
    if (link.kind == "vlan" || link.kind == "bond") return link.kind;
    return link.kind.empty() && !link.pci.empty() ? "ether" : "";
}

Applies by_name(const Port& port, const std::string& value) {
    return among(value, port.name);
}

/// The name before udev gave another: what is not virtual is ethN to the kernel.
Applies by_kernel_name(const Port& port, const std::string& value) {
    if (!port.link->kind.empty() || trimmed(value) == "*") return among(value, port.name);
    constexpr unsigned many = 256;
    bool may_be = among(value, port.name) == Applies::yes;
    for (unsigned i = 0; i < many && !may_be; ++i)
        may_be = among(value, "eth" + std::to_string(i)) == Applies::yes;
    return may_be ? Applies::maybe : Applies::no;
}

Applies by_mac(const Port& port, const std::string& value) {
    const Link& link = *port.link;
    for (const std::string& word : words_in(value)) {
        const std::string mac = as_read(Shape::Text::mac, word);
        if (mac == link.mac || mac == link.permanent_mac) return Applies::yes;
    }
    return Applies::no;
}

Applies by_driver(const Port& port, const std::string& value) {
    if (!port.device || port.device->driver.empty()) return Applies::maybe;
    return among(value, port.device->driver);
}

Applies by_path(const Port& port, const std::string& value) {
    return port.link->pci.empty() ? Applies::maybe : among(value, "pci-" + port.link->pci);
}

Applies by_type(const Port& port, const std::string& value) {
    const std::string type = type_of(*port.link);
    return type.empty() ? Applies::maybe : among(value, type);
}

Applies by_kind(const Port& port, const std::string& value) {
    return among(value, port.link->kind);
}

Applies never(const Port& /*port*/, const std::string& /*value*/) {
    return Applies::no;
}

struct Criterion {
    std::string_view name;
    Applies (*applies)(const Port&, const std::string& value);
};
constexpr std::array kCriteria = {
    Criterion{"Name", by_name},
    Criterion{"OriginalName", by_kernel_name},
    Criterion{"MACAddress", by_mac},
    Criterion{"PermanentMACAddress", by_mac},
    Criterion{"Driver", by_driver},
    Criterion{"Path", by_path},
    Criterion{"Type", by_type},
    Criterion{"Kind", by_kind},
    Criterion{"SSID", never},
    Criterion{"BSSID", never},
    Criterion{"WLANInterfaceType", never},
};

}  // namespace

void Match::add(const std::string& name, const std::string& value) {
    any_ = true;
    const auto criterion = std::ranges::find(kCriteria, name, &Criterion::name);
    const Applies applies = criterion == kCriteria.end() || !port_.link
                                ? Applies::maybe
                                : criterion->applies(port_, value);
    if (applies == Applies::no) refuted_ = true;
    if (applies == Applies::maybe) unsure_ = name + '=' + value;
}

Matched Match::result() const {
    if (!any_ || refuted_) return {};
    if (!unsure_.empty()) return {.applies = Applies::maybe, .unsure = unsure_};
    return {.applies = Applies::yes};
}

}  // namespace core::boot
