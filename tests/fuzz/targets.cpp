// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/json/bytes.hpp"
#include "core/json/json.hpp"
#include "core/model/field.hpp"

namespace fuzz {

std::vector<Target> all_targets() {
    std::vector<Target> all = of_files();
    for (const auto& more : {of_kernels(), of_machines(), of_words()})
        std::ranges::copy(more, std::back_inserter(all));
    return all;
}

std::string text_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void require(bool holds, const char* claim) {
    if (holds) return;
    std::cerr << "not so: " << claim << '\n';
    std::abort();
}

void require_kept(const core::State& state) {
    const core::State back =
        core::parse_state(core::written(core::to_json(state)), "pipe", core::Values::observed);
    require(back.ports.size() == state.ports.size(), "no port is lost");
    for (const core::Port& port : state.ports) {
        const core::Port* other = find_port(back, port.name);
        require(other != nullptr, "every port is found again");
        for (const core::Field& field : core::fields())
            require(field.get(*other) == field.get(port), field.key.data());
    }
}

}  // namespace fuzz
