// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/probe/message.hpp"
#include "core/probe/report.hpp"

namespace core::probe {

/// The figures of one operation that a mesh keeps.
struct MeshTrial {
    Operation operation = Operation::send;
    std::optional<std::uint64_t> p50{};        ///< nanoseconds
    std::optional<std::uint64_t> p99{};        ///< nanoseconds
    std::optional<std::uint64_t> bandwidth{};  ///< payload, bits a second
    bool operator==(const MeshTrial&) const = default;
};

/// The result of one host's measurement of another, over one rail.
struct MeshResult {
    std::uint32_t from = 0;  ///< its place in the list of hosts
    std::uint32_t to = 0;
    std::uint32_t rail = 0;  ///< of the host that measured
    std::vector<MeshTrial> trials{};
    std::optional<std::uint64_t> lost{};  ///< signs of loss counted by its device during the run
    std::vector<std::string> unmet{};     ///< expectations, with the measured value
    std::string failure{};                ///< why it was cut short
    std::string skipped{};                ///< why it did not start; no failure
    std::string fallback{};               ///< why RDMA was left out, where TCP alone was measured
    bool operator==(const MeshResult&) const = default;

    [[nodiscard]] bool fails() const { return !failure.empty() || !unmet.empty(); }
};

/// The message with a result, sent by the measuring host to the one that asked. Texts longer than a
/// line of a report are cut.
Message message_of(const MeshResult& result);
/// The result in such a message, without the hosts, which the receiver knows. Throws Error (failed)
/// for an invalid message.
MeshResult result_in(const Message& message);

/// The part of a path's report that a mesh keeps.
MeshResult result_of(const PathReport& report);

struct MeshHost {
    std::string name{};
    std::string unreachable{};  ///< why it took no part, or no further part; empty where it did
    std::uint32_t rails = 0;
};

/// What was found of all.
struct Mesh {
    std::vector<MeshHost> hosts{};
    std::vector<MeshResult> results{};
    bool interrupted = false;
    double seconds = 0;
};

/// Whether all was measured that can be, works, and is as expected. Where nothing was measured at
/// all, it is not.
bool is_well(const Mesh& mesh);

/// How many results are of which kind.
struct MeshCount {
    std::size_t measured = 0;
    std::size_t failed = 0;
    std::size_t skipped = 0;
};
MeshCount count_of(const Mesh& mesh);

}  // namespace core::probe
