// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/field.hpp"

namespace core {

inline constexpr std::uint64_t kU32 = 0xffffffff;
inline constexpr std::uint64_t kU64 = ~std::uint64_t{0};

inline constexpr Shape kFlag = {.kind = Shape::Kind::flag};  ///< of what is named

constexpr Field setting(std::string_view key, Object object, const Shape& shape,
                        std::string_view doc, decltype(Field::get) get, decltype(Field::set) set,
                        decltype(Field::same) same = nullptr) {
    return {key, object, Field::Use::setting, shape, doc, get, set, same};
}
constexpr Field fact(std::string_view key, Object object, const Shape& shape, std::string_view doc,
                     decltype(Field::get) get, decltype(Field::set) set) {
    return {key, object, Field::Use::fact, shape, doc, get, set, nullptr};
}

constexpr Field kept(std::string_view key, Object object, const Shape& shape, std::string_view doc,
                     decltype(Field::get) get, decltype(Field::set) set) {
    return {key, object, Field::Use::kept, shape, doc, get, set, nullptr};
}
constexpr Field beyond(std::string_view key, Object object, const Shape& shape,
                       std::string_view doc, decltype(Field::get) get, decltype(Field::set) set) {
    return {key, object, Field::Use::fact, shape, doc, get, set, nullptr, true};
}

/// The rows of the table, a file for each subject.
std::span<const Field> host_fields();
std::span<const Field> link_fields();
std::span<const Field> link_mode_fields();
std::span<const Field> queue_fields();
std::span<const Field> coalesce_fields();
std::span<const Field> dcb_fields();
std::span<const Field> buffer_fields();
std::span<const Field> congestion_fields();
std::span<const Field> pcie_fields();
std::span<const Field> interrupt_fields();
std::span<const Field> rdma_fields();
std::span<const Field> ip_fields();
std::span<const Field> neighbour_fields();
std::span<const Field> rule_fields();
std::span<const Field> vlan_fields();

}  // namespace core
