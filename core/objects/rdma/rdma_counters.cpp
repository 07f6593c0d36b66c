// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::rdma_counters {

namespace {

constexpr std::array<std::string_view, 2> kSome = {"out_of_sequence", "local_ack_timeout_err"};

constexpr Shape kCounter = {.kind = Shape::Kind::counter, .max = kU64};

constexpr std::array kFields = {
    fact("rdma.counters", {.kind = Shape::Kind::named, .words = kSome, .of = &kCounter},
         "What the RDMA device counts on the port, by the names of its driver (rdma statistic show "
         "link).",
         get_named<&Port::rdma_counters>, set_named<&Port::rdma_counters>),
};

constexpr std::array kFoundBy = {Object::link, Object::rdma_link};

}  // namespace

constinit const ObjectRow row = {.object = Object::rdma_counters,
                                 .name = "rdma_counters",
                                 .doc = "What the RDMA device counts.",
                                 .topic = Topic::rdma,
                                 .lives = Lives::rdma_device,
                                 .fields = kFields,
                                 .unsupported = rdma_link::no_device,
                                 .read = {.on_demand = true, .found_by = kFoundBy}};

}  // namespace core::rdma_counters
