// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/model/object.hpp"
#include "core/model/shape.hpp"

namespace core {

/// The value of a variable in a library's file: one line, without blanks around it.
extern const Shape kVariable;

/// Why a library has no variable of the name: its own begin with `prefix` and are capitals, digits
/// and underscores. `such_as` is one that it has.
std::optional<std::string> illegal_variable(std::string_view name, std::string_view prefix,
                                            std::string_view such_as);

/// How sed and echo make the file say `then`.
Commands variable_edits(const std::map<std::string, std::string, std::less<>>& now,
                        const std::map<std::string, std::string, std::less<>>& then,
                        const std::string& path);

/// A library that opens queue pairs by itself, so that rdma_cm's default ToS does not reach them,
/// and the variables by which it is reported how to send.
struct Library {
    std::string_view name{};  ///< in a profile's roce.libraries
    std::string_view key{};   ///< the setting that holds its variables
    std::string_view path{};
    std::string_view traffic_class{};  ///< the whole ToS, ECN bits with it
    std::string_view control_class{};  ///< of small messages, where it is set
    std::string_view service_level{};
    std::string_view devices{};       ///< takes DEVICE:PORT, with commas between
    std::string_view devices_head{};  ///< stands before them, so that they are whole names
};
inline constexpr std::array<std::string_view, 2> kLibraryNames = {"nccl", "ucx"};
/// In the order of their names.
std::span<const Library> libraries();

}  // namespace core
