// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/probe/path_mtu.hpp"

using core::probe::LostMessage;
using core::probe::words_of;

TEST_CASE("lost message: an MTU is named only where no larger message went the same way") {
    LostMessage lost{.operation = "send",
                     .size = 2047,
                     .passed = 1025,
                     .carried = 1025,
                     .why = "nothing came in time"};
    REQUIRE(words_of(lost));
    CHECK(words_of(lost)->failure ==
          "send: 1025 bytes pass, 2047 bytes do not (nothing came in time)");
    CHECK(
        words_of(lost)->advice.starts_with("packets of more than 1025 bytes of payload are lost"));

    // The same loss after writes of up to 65536 bytes: those had packets as large.
    lost.operation = "write with immediate";
    lost.carried = 65536;
    REQUIRE(words_of(lost));
    CHECK(words_of(lost)->failure == "write with immediate of 2047 bytes: nothing came in time");
    CHECK(words_of(lost)->advice.find("MTU") == std::string::npos);
    CHECK(words_of(lost)->advice.starts_with("65536 bytes passed the same way before"));
    lost.carried = lost.size;
    CHECK(words_of(lost)->advice.find("MTU") == std::string::npos);
    lost.carried = lost.size - 1;
    CHECK(words_of(lost)->advice.find("MTU") != std::string::npos);
}

TEST_CASE("lost message: where nothing passes, the size says nothing") {
    CHECK_FALSE(words_of({.operation = "send", .size = 1}));
    CHECK_FALSE(words_of({.operation = "send", .size = 1024, .passed = 255, .carried = 255}));
    CHECK(words_of({.operation = "send", .size = 1024, .passed = 256, .carried = 256}));
    // One byte of an operation that never passed, where others did.
    CHECK(words_of({.operation = "read", .size = 1, .carried = 65536}));
}
