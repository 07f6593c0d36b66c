// SPDX-License-Identifier: Apache-2.0
#include "netlink/transport/message.hpp"

#include <new>
#include <stdexcept>
#include <string>

namespace netlink {
namespace {

void must_fit(bool fits) {
    if (!fits) throw std::length_error("netlink request too long");
}

}  // namespace

Message::Message(int type, int flags) : message_(nlmsg_alloc_simple(type, flags)) {
    if (!message_) throw std::bad_alloc();
}

void Message::append(Bytes header) {
    // libnl takes a pointer to non-const and only copies from it.
    must_fit(nlmsg_append(message_.get(), const_cast<std::byte*>(header.data()), header.size(),
                          NLMSG_ALIGNTO) == 0);
}

void Message::put_bytes(int type, Bytes payload) {
    must_fit(nla_put(message_.get(), type, static_cast<int>(payload.size()), payload.data()) == 0);
}

void Message::put_text(int type, std::string_view text) {
    const std::string terminated(text);
    must_fit(nla_put_string(message_.get(), type, terminated.c_str()) == 0);
}

nlattr* Message::open(int type) {
    // RDMA netlink parses strictly and takes no nest without the flag.
    nlattr* start = nla_nest_start(message_.get(), type | NLA_F_NESTED);
    must_fit(start != nullptr);
    return start;
}

}  // namespace netlink
