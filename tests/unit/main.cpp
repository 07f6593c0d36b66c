// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "cli/log.hpp"

int main(int argc, char** argv) {
    cli::start_log(-1);
    return doctest::Context(argc, argv).run();
}
