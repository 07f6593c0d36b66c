// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/loaded_modules.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <sstream>

namespace netlink {

bool is_built_in(const Machine& machine, const std::string& name) {
    utsname names{};
    uname(&names);
    std::istringstream list(
        text_of(machine.file("/lib/modules") / names.release / "modules.builtin"));
    for (std::string line; std::getline(list, line);) {
        std::string file = line.substr(line.rfind('/') + 1);
        file.resize(std::min(file.find(".ko"), file.size()));
        for (char& c : file)
            if (c == '-') c = '_';
        if (file == name) return true;
    }
    return false;
}

Names loaded_modules(const Machine& machine) {
    Names names;
    std::istringstream list(text_of(machine.file("/proc/modules")));
    for (std::string line; std::getline(list, line);)
        names.insert(line.substr(0, line.find(' ')));
    return names;
}

bool would_load(const Machine& machine, const std::string& name) {
    return exists(machine.file("/proc/modules")) && !loaded_modules(machine).contains(name) &&
           !is_built_in(machine, name);
}

}  // namespace netlink
