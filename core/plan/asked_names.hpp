// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "core/plan/kernel.hpp"

namespace core {

/// Elements by object, to be asked for by name: of objects of which nobody can list all
/// (ObjectRow::by_name).
using AskedNames = std::map<Object, std::set<std::string>>;

/// Reads them, and puts them beside what the state has of these objects. One that cannot be read
/// keeps none of the others from being there; where the object was refused, nothing is asked.
void add_asked(Kernel& kernel, const AskedNames& named, State& state);

}  // namespace core
