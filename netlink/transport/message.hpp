// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netlink/msg.h>

#include <memory>
#include <string_view>
#include <type_traits>

#include "netlink/transport/attributes.hpp"

namespace netlink {

/// A request under construction. Throws std::length_error when it is full.
class Message {
public:
    explicit Message(int type, int flags = 0);

    template <typename Header>
    void put_header(const Header& header) {
        static_assert(std::is_trivially_copyable_v<Header>);
        append(std::as_bytes(std::span(&header, 1)));
    }
    /// Adds a number or struct.
    template <typename Number>
    void put(int type, const Number& number) {
        static_assert(std::is_trivially_copyable_v<Number>);
        put_bytes(type, std::as_bytes(std::span(&number, 1)));
    }
    void put_bytes(int type, Bytes payload);
    void put_text(int type, std::string_view text);
    /// Nests what `fill` adds in one attribute.
    template <typename Fill>
    void nest(int type, const Fill& fill) {
        nlattr* start = open(type);
        fill();
        nla_nest_end_keep_empty(message_.get(), start);
    }

    [[nodiscard]] nl_msg* raw() { return message_.get(); }

private:
    void append(Bytes header);
    nlattr* open(int type);

    struct Free {
        void operator()(nl_msg* message) const { nlmsg_free(message); }
    };
    std::unique_ptr<nl_msg, Free> message_;
};

}  // namespace netlink
