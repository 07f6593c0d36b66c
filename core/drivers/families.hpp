// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/driver.hpp"

/// The families, each a namespace with its row; the last one is for a driver that no other is for.
// clang-format off
#define CORE_FAMILIES(family) \
    family(mlx5)              \
    family(bnxt)              \
    family(ice)               \
    family(ice_e82x)          \
    family(hns3)              \
    family(ionic)             \
    family(mana)              \
    family(idpf)              \
    family(qede)              \
    family(mlx4)              \
    family(erdma)             \
    family(bnge)              \
    family(efa)               \
    family(cxgb4)             \
    family(i40e)              \
    family(virtio_net)        \
    family(virtual_port)      \
    family(generic)
// clang-format on

#define CORE_FAMILY(name)    \
    namespace core::name {   \
    extern const Driver row; \
    }
CORE_FAMILIES(CORE_FAMILY)
#undef CORE_FAMILY
