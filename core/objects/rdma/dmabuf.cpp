// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/model/access.hpp"
#include "core/objects/rdma/parts.hpp"
#include "core/objects/rows.hpp"

namespace core::dmabuf {

namespace {

constexpr std::array<std::string_view, 4> kAnswers = {kYes, kNotByDriver, kNotByKernel,
                                                      kNotByLibrary};

Got get_answer(const Port& port) {
    if (!port.dmabuf) return std::nullopt;
    return one(*port.dmabuf);
}

void set_answer(Port& port, const Elements& elements) {
    port.dmabuf = plain<std::string>(elements);
}

constexpr std::array kFields = {
    fact("rdma.dmabuf", {.kind = Shape::Kind::word, .words = kAnswers},
         "Whether programs can give the RDMA device memory of others as a dma-buf, asked where a "
         "driver of GPUs is loaded: yes, or why not: by its driver, by the kernel (before 5.12), "
         "by libibverbs (before rdma-core 34).",
         get_answer, set_answer),
};

constexpr std::array kFoundBy = {Object::link, Object::rdma_link};

}  // namespace

constinit const ObjectRow row = {.object = Object::dmabuf,
                                 .name = "dmabuf",
                                 .doc = "Whether the RDMA device takes dma-bufs.",
                                 .topic = Topic::rdma,
                                 .lives = Lives::rdma_device,
                                 .fields = kFields,
                                 .read = {.on_demand = true, .found_by = kFoundBy}};

}  // namespace core::dmabuf
