// SPDX-License-Identifier: Apache-2.0
#include "cli/watch.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

using core::Status;

TEST_CASE("watch: the status is the child's") {
    const auto status = cli::go_on_in_child(std::chrono::seconds(30));
    if (!status) ::_exit(static_cast<int>(Status::differs));
    CHECK(*status == Status::differs);
}

TEST_CASE("watch: a child that does not end is left behind at the limit") {
    std::string told;
    try {
        if (!cli::go_on_in_child(std::chrono::milliseconds(100)))
            for (;;)
                ::pause();
    } catch (const core::Error& error) {
        told = error.what();
    }
    CHECK(told.find("the kernel has not answered in 100 ms; process ") == 0);
}
