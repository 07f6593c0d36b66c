// SPDX-License-Identifier: Apache-2.0
#include "core/model/state.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/model/object.hpp"
#include "tests/unit/hosts.hpp"

namespace state_test {

using namespace core;

TEST_CASE("state: law that what is kept of a port is what each of the objects is, and no more") {
    std::size_t compared = 0;
    for (const std::string driver : {"mlx5_core", "ice", "bnxt_en", "hns3"}) {
        State state = hosts::host(driver);
        state.ports.push_back(hosts::whole_host());
        for (const Port& whole : state.ports)
            for (const ObjectRow* row : objects()) {
                CAPTURE(row->name);
                Port copied(whole.name);
                copy_part(row->object, whole, copied);
                Port kept = whole;
                kept.refused[row->object] = {.code = 1, .text = "no"};
                kept.refused[row->object == Object::link ? Object::pfc : Object::link] = {};
                keep_parts(kept, {row->object});
                CHECK(kept.refused.size() == 1);
                CHECK(kept.refused.contains(row->object));
                kept.refused.clear();
                kept.unknown.clear();
                kept.absent.clear();
                CHECK(kept == copied);
                if (kept != Port(whole.name)) ++compared;
            }
    }
    CHECK(compared > 100);
}

}  // namespace state_test
