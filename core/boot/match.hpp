// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/model/state.hpp"

namespace core::boot {

/// Whether a file is about a port, as far as its criteria can be told from here.
struct Matched {
    enum class Applies : std::uint8_t { no, maybe, yes };
    Applies applies = Applies::no;
    std::string unsure{};  ///< the criterion that nobody can tell
};

/// Criteria of which all have to hold; none is no match (systemd.network(5): `Name=*` is for all).
class Match {
public:
    explicit Match(const Port& port) : port_(port) {}
    /// `Name`, `MACAddress`, `Driver`, … and the patterns behind it.
    void add(const std::string& name, const std::string& value);
    [[nodiscard]] Matched result() const;

private:
    const Port& port_;
    bool any_ = false;
    bool refuted_ = false;
    std::string unsure_;
};

}  // namespace core::boot
