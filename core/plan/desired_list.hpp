// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "core/model/desired.hpp"

namespace core {

/// The desired values of a plan, each with its element: the given ones, which must outlive the list
/// and are not copied, and those that planning adds. None of them moves in memory.
class DesiredList {
public:
    explicit DesiredList(const std::vector<Desired>& given);

    void add(Desired desired);
    [[nodiscard]] std::size_t size() const { return all_.size(); }
    const Desired& operator[](std::size_t i) const { return *all_[i]; }

private:
    std::vector<const Desired*> all_{};
    std::deque<Desired> own_{};
};

}  // namespace core
