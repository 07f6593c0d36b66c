// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/desired.hpp"
#include "core/model/finding_row.hpp"
#include "core/model/origin.hpp"

namespace core {

/// A finding that somebody says is meant so: an element of a profile's `accepted`, or of
/// /etc/rocectl/accepted.json.
struct AcceptedFinding {
    const FindingRow* row = nullptr;
    std::vector<std::string> ports{};  ///< names or globs, `host` for the host
    std::string fabric{};  ///< as a profile names it; without it and `ports`: everywhere
    std::string reason{};
    std::string until{};  ///< the last day, as 2027-03-31; empty: without an end
    Origin origin{};
};

/// Whether the finding is meant so on this port, kHost for the host, of a host with these fabrics.
bool is_about(const AcceptedFinding& accepted, std::string_view port,
              std::span<const NamedFabric> fabrics);
/// Whether the last day is before `today`, which is written as 2026-11-29 is. Never where today is
/// empty, which is not known.
bool is_over(const AcceptedFinding& accepted, std::string_view today);
/// Where it is meant so: `everywhere`, `on ens1*, ens2`, `on fabric storage`.
std::string where(const AcceptedFinding& accepted);
/// Why it is accepted: `the cable comes in spring (site.json:12), until 2027-03-31`.
std::string text(const AcceptedFinding& accepted);

}  // namespace core
