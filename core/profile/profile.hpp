// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/tree.hpp"
#include "core/model/desired.hpp"
#include "core/plan/kernel.hpp"
#include "core/profile/variables.hpp"

namespace core {

/// A file as the caller found it: the name to show and its text.
struct Source {
    std::string name;
    std::string text;
};
/// Fetches a profile that `extends` names, seen from the file that names it. Throws Error.
using Loader = std::function<Source(const std::string& name, const std::string& from)>;

/// A profile with all that it extends merged in, valid as far as files alone can tell.
struct Profile {
    std::string name;
    Node tree;         ///< every value keeps the place it came from
    Problems notes{};  ///< what there is to know about it, and no fault
};

/// Parses, merges and checks, with the values `given` by --set put in. Throws Error (invalid_input)
/// with one line for each problem of all files, and for each name given that nothing uses.
Profile load_profile(const Source& source, const Loader& load,
                     const std::map<std::string, std::string>& given = {});
/// Checks a profile with a host's variables, once for each port that they name. Throws Error
/// (invalid_input), also for a name without a value.
void check_variables(const Profile& profile, const Variables& variables);

/// What resolve() has to know of the host to match ports: names of ports (glob patterns; `*` for
/// any) and objects. The caller reads these and passes them as the inventory.
struct Wanted {
    std::vector<std::string> names;
    Objects objects;
};
Wanted wanted(const Profile& profile);

/// The elements named by the profile, of objects with too many to list (ObjectRow::read.by_name),
/// for snapshots to ask for. Names with a `${…}` without a value are left out.
std::map<Object, std::set<std::string>> named_elements(const Profile& profile,
                                                       const Variables& variables);

/// `over` on top of `base`: objects key by key, everything else replaced.
Node merge(Node base, Node over);

/// Where each entry of merged `ports` stands in its own file: `/ports/1`. None without them.
std::vector<std::string> entry_pointers(const Node* ports);

}  // namespace core
