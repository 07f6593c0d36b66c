// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"

// The receive buffers.

namespace core {
namespace {

using enum Shape::Kind;
using enum Object;

const std::array kRows = {
    setting("buffer.of_priority", buffer, {.kind = list, .max = 7},
            "Receive buffer of each priority, from priority 0 to 7; a buffer that holds a lossless "
            "priority pauses all that are in it.",
            get_numbers<&Port::buffer, &Buffer::of_priority>,
            set_numbers<&Port::buffer, &Buffer::of_priority>),
    setting("buffer.size", buffer, {.kind = list, .max = kU32},
            "Size of each receive buffer, from buffer 0 to 7, in bytes; writing it takes the "
            "buffers out of the hands of the NIC's firmware.",
            get_numbers<&Port::buffer, &Buffer::size>, set_numbers<&Port::buffer, &Buffer::size>),
    fact("buffer.total", buffer, {.kind = number, .max = kU32},
         "What the sizes of the receive buffers may come to, in bytes.",
         get_number<&Port::buffer, &Buffer::total>, set_number<&Port::buffer, &Buffer::total>),
};

}  // namespace

std::span<const Field> buffer_fields() {
    return kRows;
}

}  // namespace core
