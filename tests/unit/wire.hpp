// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <linux/netlink.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "netlink/transport/attributes.hpp"

namespace wire {

/// A netlink message that a kernel sent.
struct Message {
    nlmsghdr header{};
    std::vector<std::byte> payload;
};

/// The messages of one capture, tests/wire/NAME.hex. Fails the test where there are none.
std::vector<Message> messages(const std::string& name);
/// Those of one type.
std::vector<Message> messages(const std::string& name, int type);

/// What a decoder makes of every message of a type, without those it makes nothing of.
template <typename Decode>
auto decoded(const std::string& name, int type, const Decode& decode) {
    std::vector<typename decltype(decode(netlink::Bytes()))::value_type> items;
    for (const Message& message : messages(name, type))
        if (auto item = decode(message.payload)) items.push_back(std::move(*item));
    return items;
}

/// Hands the decoder each message of the capture cut short at every length, from memory that ends
/// there, so that a sanitizer sees a read past the end.
template <typename Decode>
void cut_short(const std::string& name, const Decode& decode) {
    for (const Message& message : messages(name)) {
        for (std::size_t length = 0; length <= message.payload.size(); ++length) {
            std::vector<std::byte> bytes(
                message.payload.begin(),
                message.payload.begin() + static_cast<std::ptrdiff_t>(length));
            bytes.shrink_to_fit();
            static_cast<void>(decode(netlink::Bytes(bytes)));
        }
    }
}

/// As long as it lives, `messages` reads what the newest kernel sent (tests/wire/7.3) under a name,
/// wherever there is such a capture, whatever kernel the name says.
class Newest {
public:
    Newest();
    ~Newest();
    Newest(const Newest&) = delete;
    Newest& operator=(const Newest&) = delete;
};

}  // namespace wire

/// A test case whose law holds on every kernel: it runs on the captures it names, and once more on
/// those of the same names that the newest kernel sent.
#define KERNELS_TEST_CASE(name) KERNELS_TEST_CASE_OF(DOCTEST_ANONYMOUS(law_on_kernels_), name)
#define KERNELS_TEST_CASE_OF(law, name)               \
    static void law();                                \
    TEST_CASE(name) {                                 \
        law();                                        \
        const wire::Newest newest;                    \
        INFO("by the captures of the newest kernel"); \
        law();                                        \
    }                                                 \
    static void law()
