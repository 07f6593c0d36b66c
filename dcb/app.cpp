// SPDX-License-Identifier: Apache-2.0
#include "dcb/codecs.hpp"

#include <linux/dcbnl.h>

#include <cerrno>

#include "core/model/edit.hpp"
#include "dcb/exchange.hpp"

namespace dcb {
namespace {

using netlink::Bytes;
using netlink::Message;
using AppEdit = core::Edit<core::AppEntry>;

// Since Linux 6.2 (include/uapi/linux/dcbnl.h): the trust table, and the attribute that holds an
// entry or a selector which IEEE 802.1Q does not know (PCP).
constexpr int kTrustTable = 11;
constexpr int kStandardApp = DCB_ATTR_IEEE_APP;
constexpr int kOtherApp = 2;

int attribute_of(std::uint8_t selector) {
    return selector == core::AppEntry::pcp ? kOtherApp : kStandardApp;
}

void write_trust(netlink::Machine& machine, const std::string& port,
                 const std::vector<std::uint8_t>& trust) {
    change_ieee(machine, port, DCB_CMD_IEEE_SET, [&](Message& request) {
        request.nest(kTrustTable, [&] {
            for (const std::uint8_t selector : trust)
                request.put(attribute_of(selector), selector);
        });
    });
}

}  // namespace

std::set<core::AppEntry> decode_entries(const netlink::Attributes& table) {
    std::set<core::AppEntry> entries;
    table.for_each([&](int type, Bytes payload) {
        const auto entry = netlink::header_of<dcb_app>(payload);
        if (!entry || (type != kStandardApp && type != kOtherApp)) return;
        entries.insert({.selector = entry->selector,
                        .protocol = entry->protocol,
                        .priority = entry->priority});
    });
    return entries;
}

void send_edit(netlink::Machine& machine, const std::string& port, int table, const AppEdit& edit) {
    const core::AppEntry& entry = edit.entry;
    const int command =
        edit.kind == AppEdit::Kind::remove ? int{DCB_CMD_IEEE_DEL} : int{DCB_CMD_IEEE_SET};
    change_ieee(machine, port, command, [&](Message& request) {
        request.nest(table, [&] {
            request.put(attribute_of(entry.selector), dcb_app{.selector = entry.selector,
                                                              .priority = entry.priority,
                                                              .protocol = entry.protocol});
        });
    });
}

std::optional<core::App> decode_app(const netlink::Attributes& ieee) {
    if (!ieee.find(DCB_ATTR_IEEE_APP_TABLE)) return std::nullopt;
    core::App app{.entries = decode_entries(ieee.nested(DCB_ATTR_IEEE_APP_TABLE)), .trust = {}};
    if (ieee.find(kTrustTable)) {
        std::vector<std::uint8_t>& trust = app.trust.emplace();
        ieee.nested(kTrustTable).for_each([&](int, Bytes payload) {
            if (!payload.empty()) trust.push_back(std::to_integer<std::uint8_t>(payload.front()));
        });
    }
    return app;
}

void write_app(netlink::Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.app || !then.app) throw netlink::KernelError(EOPNOTSUPP);
    for (const AppEdit& edit : core::app::edits(core::driver_of(now), *now.app, *then.app))
        send_edit(machine, now.name, DCB_ATTR_IEEE_APP_TABLE, edit);
    if (now.app->trust != then.app->trust && then.app->trust)
        write_trust(machine, now.name, *then.app->trust);
}

}  // namespace dcb
