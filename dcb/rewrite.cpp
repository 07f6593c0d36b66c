// SPDX-License-Identifier: Apache-2.0
#include "dcb/codecs.hpp"

#include <cerrno>

#include "core/model/edit.hpp"
#include "dcb/exchange.hpp"

namespace dcb {
namespace {

constexpr int kRewriteTable = 12;  // DCB_ATTR_DCB_REWR_TABLE, since Linux 6.3

}  // namespace

std::optional<core::Rewrite> decode_rewrite(const netlink::Attributes& ieee) {
    if (!ieee.find(kRewriteTable)) return std::nullopt;
    return core::Rewrite{.entries = decode_entries(ieee.nested(kRewriteTable))};
}

void write_rewrite(netlink::Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.rewrite || !then.rewrite) throw netlink::KernelError(EOPNOTSUPP);
    for (const auto& edit : core::rewrite::edits(*now.rewrite, *then.rewrite))
        send_edit(machine, now.name, kRewriteTable, edit);
}

}  // namespace dcb
