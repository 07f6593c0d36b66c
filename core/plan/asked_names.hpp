// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "core/plan/kernel.hpp"

namespace core {

/// Elements to read by name, for objects whose elements cannot all be listed
/// (ObjectRow::read.by_name).
using AskedNames = std::map<Object, std::set<std::string>>;

/// Reads the elements and adds them to the host's part of `state`. An element that cannot be read
/// does not keep the others out. Objects that the state has as refused are not read.
void add_asked(Kernel& kernel, const AskedNames& named, State& state);

}  // namespace core
