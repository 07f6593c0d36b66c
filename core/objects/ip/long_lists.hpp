// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/listing.hpp"

// The lists of which a host may have a hundred thousand, told and taken without elements.

namespace core::addresses {
extern const Listed kLong;
}
namespace core::neighbours {
extern const Listed kLong;
extern const Listed kLongLearned;
}  // namespace core::neighbours
namespace core::routes {
extern const Listed kLong;
}
namespace core::rules {
extern const Listed kLong;
}
