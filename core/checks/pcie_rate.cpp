// SPDX-License-Identifier: Apache-2.0
#include "core/checks/pcie_rate.hpp"

#include <charconv>

namespace core {

double pcie_transfers(std::string_view speed) {
    double out = 0;
    std::from_chars(speed.data(), speed.data() + speed.size(), out);
    return out;
}

double pcie_capacity(std::string_view speed, std::uint32_t width) {
    const double rate = pcie_transfers(speed);
    const double coded = rate <= 5 ? 8.0 / 10 : rate <= 32 ? 128.0 / 130 : 1;
    return rate * coded * width;
}

std::string pcie_words(std::string_view speed, std::uint32_t width) {
    return std::string(speed) + " x" + std::to_string(width);
}

}  // namespace core
