// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "cli/run/codecs.hpp"
#include "tests/sealed/rights.hpp"

namespace rights_test {

TEST_CASE("law: whatever right a codec needs, what it leads out to is tried behind a seal") {
    for (const netlink::Codec& codec : cli::codecs()) {
        CAPTURE(core::row_of(codec.object).name);
        if (codec.needs_rights != 0)
            CHECK(std::ranges::find(sealed::kRights, codec.needs_rights) != sealed::kRights.end());
    }
}

}  // namespace rights_test
