// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "tests/netns/sandbox.hpp"

namespace refusal_test {

using core::Object;

TEST_CASE("refusal: a port without DCB says so for each of its objects, and has no RDMA device") {
    const core::Objects dcb = {Object::dcbx, Object::ets,    Object::maxrate,
                               Object::pfc,  Object::buffer, Object::app};
    core::Objects objects = dcb;
    objects.insert(
        {Object::rdma_link, Object::pause, Object::storm_prevention, Object::cm_directory});
    const core::Port port = sandbox::read("lo", objects);
    const core::Refusal no{.code = EOPNOTSUPP, .text = "Operation not supported"};
    for (const Object object : dcb) {
        REQUIRE(port.refused.contains(object));
        CHECK(port.refused.at(object) == no);
    }
    CHECK(port.refused.at(Object::pause).code == EOPNOTSUPP);
    CHECK(port.refused.at(Object::storm_prevention) == no);
    CHECK_FALSE(port.ets.has_value());
    CHECK_FALSE(port.app.has_value());
    CHECK(port.rdma_link == core::RdmaLink{});
    CHECK_FALSE(port.cm_directory.has_value());
    CHECK(sandbox::write("lo", "pfc.priorities", core::Numbers{3}) == no);
}

TEST_CASE("refusal: without the right to it, a write ends with EPERM and changes nothing") {
    const sandbox::Pair pair("t0");
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        // A user namespace of its own has no rights over the network of the one around it.
        if (unshare(CLONE_NEWUSER) != 0) _exit(77);
        const auto no = sandbox::write("t0", "mtu", std::uint64_t{4200});
        _exit(no && no->code == EPERM ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(sandbox::ip("link show dev t0").at(0).at("mtu") == 1500);
}

}  // namespace refusal_test
