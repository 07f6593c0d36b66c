// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/plan/wish.hpp"

namespace core {

/// A value that an entry wishes, in words, and where it does.
struct Said {
    std::string value{};
    Origin origin{};
};

/// What the wish says at the port; one that came from the entry of another port says so.
Said said_in(const Wish& wish, const std::string& port);

/// Two entries wish two values of one element of the port.
Finding conflict(const std::string& port, const std::string& key, const Said& one,
                 const Said& other);

}  // namespace core
