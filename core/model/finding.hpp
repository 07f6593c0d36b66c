// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/model/finding_row.hpp"
#include "core/model/origin.hpp"

namespace core {

/// Refers to a row of the catalogue. Findings can be made from rows only, so none has an id that
/// the catalogue does not know.
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

/// What a command reports about a port.
struct Finding {
    using Level = FindingLevel;
    FindingId id;
    Level level = id.row().level;
    std::string port{};
    std::string key{};
    std::string element{};  ///< of a collection: 26 of dscp.map; empty where it is about the whole
    std::string text{};
    std::string remedy{};  ///< what fixes it; empty where nothing known does
    /// The part of the text that findings about other desired values of the port may share. Views
    /// print it once for all of them; empty where there is none.
    std::string cause{};
    Origin origin{};  ///< of the desired value it is about
    bool operator==(const Finding&) const = default;
};

}  // namespace core
