// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::queue_pairs {

namespace {

constexpr std::array<std::string_view, 2> kHolders = {"ib_write_bw (1234)", "nvme_rdma (kernel)"};

constexpr Shape kPairs = {.kind = Shape::Kind::number, .max = 0xFFFFFF};

constexpr std::array kFields = {
    fact("rdma.queue_pairs", {.kind = Shape::Kind::named, .words = kHolders, .of = &kPairs},
         "Queue pairs on the RDMA device, by the process or the part of the kernel that has them.",
         get_named<&Port::queue_pairs>, set_named<&Port::queue_pairs>),
};

constexpr std::array kFoundBy = {Object::link, Object::rdma_link};

}  // namespace

constinit const ObjectRow row = {.object = Object::queue_pairs,
                                 .name = "queue_pairs",
                                 .doc = "Queue pairs, by who has them.",
                                 .topic = Topic::rdma,
                                 .lives = Lives::rdma_device,
                                 .fields = kFields,
                                 .read = {.found_by = kFoundBy}};

}  // namespace core::queue_pairs
