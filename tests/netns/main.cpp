// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <iostream>

#include "tests/netns/sandbox.hpp"

int main(int argc, char** argv) {
    // Never trust the caller: run as root without this, the tests would write to the host.
    if (const auto why = sandbox::enter()) {
        std::cout << "skip: " << *why << '\n';
        return 77;
    }
    return doctest::Context(argc, argv).run();
}
