// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "tests/fuzz/targets.hpp"

namespace {

fuzz::Target chosen;

}  // namespace

// The names and signatures are libFuzzer's.

/// FUZZ_TARGET says which target: libFuzzer starts itself again with what it knows of arguments.
/// Without it their names are printed.
extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
    const char* const name = std::getenv("FUZZ_TARGET");
    for (const fuzz::Target& target : fuzz::all_targets()) {
        if (name == nullptr) std::cout << target.name << '\n';
        if (name != nullptr && name == target.name) chosen = target;
    }
    if (chosen.run == nullptr) std::exit(name == nullptr ? 0 : 64);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    chosen.run(std::as_bytes(std::span(data, size)));
    return 0;
}
