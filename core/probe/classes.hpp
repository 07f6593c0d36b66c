// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/priority.hpp"
#include "core/model/state.hpp"
#include "core/probe/figures.hpp"

namespace core::probe {

/// A port's counters by priority, and its counters of congestion notification packets (CNP).
struct ClassCounts {
    struct Way {
        PerPriority<std::uint64_t> bytes{};
        PerPriority<std::uint64_t> packets{};
    };
    bool known = false;  ///< the driver counts by priority
    Way sent{};
    Way received{};
    std::optional<std::uint64_t> notified{};  ///< CNPs that it sent
    std::uint8_t lossless = 0;                ///< bit n: PFC is on for priority n
};
ClassCounts class_counts(const Port& port);

/// What came between two readings, less what comes without the probe: `idle` is what came before it
/// in as long a time. Counters that began anew make it unknown.
ClassCounts grown(const ClassCounts& before, const ClassCounts& after);
ClassCounts without(const ClassCounts& grown, const ClassCounts& idle, double times);

/// In which priority packets of one kind travelled, as each end's port counted them.
struct Travel {
    std::optional<unsigned> sent_in{};
    std::optional<unsigned> received_in{};
};

/// Where packets went while one operation loaded the path.
struct ClassTrial {
    Operation operation = Operation::write;
    std::uint8_t traffic_class = 0;
    Travel data{};      ///< from this host for send and write, to it for read
    Travel back{};      ///< the other way: acknowledgements; of read its requests
    Travel notified{};  ///< CNPs, the other way
    std::optional<std::uint64_t> notifications{};  ///< how many; nothing where nobody counts them
    /// By priority, the packets of the ways that CNPs go, where the port counts by priority.
    std::optional<PerPriority<std::uint64_t>> back_sent{};
    std::optional<PerPriority<std::uint64_t>> back_received{};
    /// Where nobody does: packets of the other way that are in another priority and all as long as
    /// a CNP is.
    std::optional<std::uint64_t> like_notifications{};
    std::string unknown{};  ///< why nothing can be said of the data; empty where something can
    std::vector<std::string> faults{};
};

/// What both ports counted of an operation that brought `wire_bytes` of data onto the wire.
ClassTrial travelled(Operation operation, std::uint8_t traffic_class, const ClassCounts& here,
                     const ClassCounts& peer, std::uint64_t wire_bytes);

/// How it is to travel, and what both ports do for that.
struct ClassIntent {
    unsigned priority = 0;
    std::optional<unsigned> cnp_priority{};  ///< of CNPs, where somebody says it
    std::uint8_t lossless_here = 0;          ///< bit n: PFC is on for priority n
    std::uint8_t lossless_there = 0;
};
/// What is wrong of it: sentences for people. Of packets that only look like CNPs nothing is.
std::vector<std::string> class_faults(const ClassTrial& trial, const ClassIntent& roce);

}  // namespace core::probe
