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

/// The messages of one capture: NAME is SERIES/SECTION of tests/wire/SERIES.captures, or a section
/// alone, of Linux 6.1. Fails the test where there is no such capture, or nothing in it.
std::vector<Message> messages(const std::string& name);
/// Those of one type.
std::vector<Message> messages(const std::string& name, int type);

/// Whether there is a section of that name, of whatever kernel.
bool any_kernel_has(const std::string& name);

/// What a decoder makes of every message of a type, without those it makes nothing of.
template <typename Decode>
auto decoded(const std::string& name, int type, const Decode& decode) {
    std::vector<typename decltype(decode(netlink::Bytes()))::value_type> items;
    for (const Message& message : messages(name, type))
        if (auto item = decode(message.payload)) items.push_back(std::move(*item));
    return items;
}

/// As long as it lives, `messages` reads what the newest kernel sent (tests/wire/7.3.captures)
/// under a name, whatever kernel the name says; no other kernel's stands in for a capture that it
/// lacks.
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
