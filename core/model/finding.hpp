// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace core {

struct Driver;
struct Port;

/// Failure and unknown keep a plan from being green.
enum class FindingLevel : std::uint8_t { note, unknown, failure };
std::string_view word(FindingLevel level);

/// One thing that a command can find, as the catalogue has it: what `explain` prints.
struct FindingRow {
    std::string_view id{};                       ///< stable, for scripts: `pfc-with-rx-pause`
    FindingLevel level = FindingLevel::failure;  ///< where the one who finds it has no reason for
                                                 ///< another: an optional wish makes notes
    std::string_view why{};                      ///< what it means, and why that matters
    std::string_view remedy{};                   ///< what mends it; a finding can know better
    std::string_view manual{};                   ///< where to read on: `rocectl(8), SAFETY`
    /// Keys of the settings it looks at, the one to blame first.
    std::span<const std::string_view> needs{};
    /// What is wrong; null where only the command that meets it can tell.
    std::optional<std::string> (*fails)(const Driver&, const Port&) = nullptr;
};

/// The row that a finding is of. There is no other way to make one, so that no finding has an id
/// that the catalogue does not know.
class FindingId {
public:
    constexpr FindingId(const FindingRow& row) : row_(&row) {}
    FindingId(const FindingRow&& row) = delete;

    [[nodiscard]] constexpr const FindingRow& row() const { return *row_; }
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
    std::string text{};
    std::string remedy{};  ///< what mends it, empty where nothing known does
    bool operator==(const Finding&) const = default;
};

}  // namespace core
