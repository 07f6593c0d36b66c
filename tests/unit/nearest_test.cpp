// SPDX-License-Identifier: Apache-2.0
#include "core/model/nearest.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace nearest_test {

TEST_CASE("nearest: as the library of mathematics has it") {
    std::vector<double> numbers = {0, 0.5, 1, 1.5, 2.5, 1e9 + 0.5, 4e15 + 0.5, 9e15, 4e18};
    numbers.push_back(std::nextafter(0.5, 0));
    numbers.push_back(std::nextafter(0.5, 1));
    numbers.push_back(std::numeric_limits<double>::denorm_min());
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> power(-3, 18);
    for (int i = 0; i < 100'000; ++i)
        numbers.push_back(std::pow(10, power(random)));
    for (const double number : numbers) {
        CAPTURE(number);
        REQUIRE(core::nearest(number) == std::llround(number));
        REQUIRE(core::nearest(-number) == std::llround(-number));
    }
}

}  // namespace nearest_test
