// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/json/bytes.hpp"
#include "core/json/json.hpp"
#include "core/model/field.hpp"
#include "tests/fuzz/targets.hpp"

namespace fuzz {
namespace {

std::vector<Target> targets() {
    std::vector<Target> all = of_files();
    for (const auto& more : {of_kernels(), of_machines(), of_words()})
        std::ranges::copy(more, std::back_inserter(all));
    return all;
}

Target chosen;

}  // namespace

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

// The names and signatures are libFuzzer's.

/// FUZZ_TARGET says which target: libFuzzer starts itself again with what it knows of arguments.
/// Without it their names are printed.
extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
    const char* const name = std::getenv("FUZZ_TARGET");
    for (const fuzz::Target& target : fuzz::targets()) {
        if (name == nullptr) std::cout << target.name << '\n';
        if (name != nullptr && name == target.name) fuzz::chosen = target;
    }
    if (fuzz::chosen.run == nullptr) std::exit(name == nullptr ? 0 : 64);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::chosen.run(std::as_bytes(std::span(data, size)));
    return 0;
}
