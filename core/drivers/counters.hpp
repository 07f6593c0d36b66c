// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/driver.hpp"

namespace core {

/// One counter of a driver, of a soft device's or of any.
struct CounterRow : Counter {
    std::string_view driver{};  ///< of the port, or the RDMA device's type; empty: of any
};

/// All rows, sorted by meaning. Those of one meaning are in the order of the drivers; the rows for
/// any driver come last.
std::span<const CounterRow> counter_rows();

/// After how many milliseconds the driver asks its device again, and shows the same till then; 0:
/// each time it is asked.
unsigned refresh_ms(std::string_view driver);

/// One counter of the port as it was read.
struct Count {
    const CounterRow* row = nullptr;
    std::string name{};
    std::uint64_t value = 0;
};

/// The counters with the meaning that the port has, of the priority where they are one's, in the
/// order of the table: a device may count some of it by one name, and the rest by another.
std::vector<Count> counts(const Port& port, Meter meter, unsigned priority);
/// The first of them.
std::optional<Count> count(const Port& port, Meter meter, unsigned priority);

/// Whether rows have all that the port counts of this meaning: so do those of its driver, or those
/// of a soft RDMA device where RDMA devices alone count it.
bool knows_counters(const Port& port, Meter meter);
/// Whether a row has the counter with this name of the port.
bool is_named(const Port& port, Object object, std::string_view name);

/// Whether a counter of the object fell between two readings of a port that cannot have gone past
/// its width: one that has fewer than 64 bits can where it was in their upper half. All counters of
/// the object began anew then, as with a driver that is loaded again.
bool began_anew(const Port& before, const Port& now, Object object);

/// By how much a counter grew since an earlier value of it; by that at least where all began anew.
struct Grown {
    std::uint64_t by = 0;
    bool anew = false;
};
Grown grown_since(const Port& before, std::uint64_t earlier, const Port& now, const Count& count);

/// The value of the counter that `count` was read from, of this priority where it is one's, in
/// another reading of the same port; nothing where that has not got it.
std::optional<std::uint64_t> value_of(const Port& port, const Count& count, unsigned priority);

}  // namespace core
