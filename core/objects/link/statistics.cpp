// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::statistics {

namespace {

constexpr std::array<std::string_view, 2> kSome = {"rx_crc_errors_phy", "rx_prio3_pause"};

constexpr Shape kCounter = {.kind = Shape::Kind::counter, .max = kU64};

constexpr std::array kFields = {
    fact("statistics", {.kind = Shape::Kind::named, .words = kSome, .of = &kCounter},
         "What the port counts, by the names of its driver (ethtool -S), those of single queues "
         "left out; fec_corrected_blocks and fec_uncorrectable_blocks have the names of ethtool -I "
         "--show-fec.",
         get_named<&Port::statistics>, set_named<&Port::statistics>),
};

constexpr std::array kFoundBy = {Object::link};

}  // namespace

constinit const ObjectRow row = {.object = Object::statistics,
                                 .name = "statistics",
                                 .doc = "What the port counts.",
                                 .topic = Topic::link,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .read = {.on_demand = true, .found_by = kFoundBy}};

}  // namespace core::statistics
