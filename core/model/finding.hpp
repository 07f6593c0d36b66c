// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/model/finding_row.hpp"
#include "core/model/origin.hpp"

namespace core {

/// The row that a finding is of. There is no other way to make one, so that no finding has an id
/// that the catalogue does not know.
class FindingId {
public:
    constexpr FindingId(const FindingRow& row) : row_(&row) {}  // NOLINT(google-explicit-*)
    FindingId(const FindingRow&& row) = delete;

    [[nodiscard]] constexpr const FindingRow& row() const { return *row_; }
    // NOLINTNEXTLINE(google-explicit-*)
    [[nodiscard]] constexpr operator std::string_view() const { return row_->id; }
    constexpr bool operator==(const FindingId&) const = default;
    constexpr bool operator==(std::string_view id) const { return row_->id == id; }

private:
    const FindingRow* row_;
};

/// Something a command has to say about a port.
struct Finding {
    using Level = FindingLevel;
    FindingId id;
    Level level = id.row().level;
    std::string port{};
    std::string key{};
    std::string element{};  ///< of a collection: 26 of dscp.map; empty where it is about all of it
    std::string text{};
    std::string remedy{};  ///< what fixes it, empty where nothing known does
    std::string cause{};  ///< the part of the text that other desired values of the port may share:
                          ///< what is reported once for all of them; empty where there is none
    Origin origin{};      ///< of the desired value that it is about
    bool operator==(const Finding&) const = default;
};

}  // namespace core
