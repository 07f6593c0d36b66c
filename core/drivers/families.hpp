// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/driver.hpp"

namespace core {

/// The row of each family, in its own namespace.
namespace mlx5 {
extern const Driver row;
}
namespace bnxt {
extern const Driver row;
}
namespace ice {
extern const Driver row;
}
namespace hns3 {
extern const Driver row;
}
namespace ionic {
extern const Driver row;
}
namespace generic {
extern const Driver row;
}

}  // namespace core
