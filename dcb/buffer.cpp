// SPDX-License-Identifier: Apache-2.0
#include "dcb/codecs.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "core/model/edit.hpp"
#include "dcb/exchange.hpp"

namespace dcb {

core::Buffer from_wire(const dcbnl_buffer& wire) {
    core::Buffer buffer;
    std::ranges::copy(wire.prio2buffer, buffer.of_priority.begin());
    std::ranges::copy(wire.buffer_size, buffer.size.begin());
    buffer.total = wire.total_size;
    return buffer;
}

dcbnl_buffer to_wire(const core::Buffer& buffer) {
    dcbnl_buffer wire{};
    std::ranges::copy(buffer.of_priority, std::begin(wire.prio2buffer));
    std::ranges::copy(buffer.size, std::begin(wire.buffer_size));
    wire.total_size = buffer.total;
    return wire;
}

void write_buffer(netlink::Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.buffer || !then.buffer) throw netlink::KernelError(EOPNOTSUPP);
    for (const core::Buffer& buffer : core::buffer::edits(*now.buffer, *then.buffer))
        change_ieee(machine, now.name, DCB_CMD_IEEE_SET, [&](netlink::Message& request) {
            request.put(DCB_ATTR_DCB_BUFFER, to_wire(buffer));
        });
}

}  // namespace dcb
