// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

int main(int argc, char** argv) {
    return doctest::Context(argc, argv).run();
}
