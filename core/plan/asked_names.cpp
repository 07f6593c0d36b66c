// SPDX-License-Identifier: Apache-2.0
#include "core/plan/asked_names.hpp"

#include "core/model/object.hpp"

namespace core {
namespace {

void add_found(const Port& found, Object object, Port& host) {
    for (const Field& field : fields()) {
        if (field.object != object) continue;
        for (const auto& [element, value] : field.get(found).value_or(Elements{}))
            set_element(host, field, element, value);
    }
    if (const auto absent = found.absent.find(object); absent != found.absent.end())
        host.absent[object].insert(absent->second.begin(), absent->second.end());
}

void ask(Kernel& kernel, Object object, const std::set<std::string>& names, Port& host) {
    const State state = kernel.read({.ports = std::vector{std::string(kHost)},
                                     .objects = {object},
                                     .elements = {{object, names}}});
    const Port* found = find_port(state, kHost);
    if (found == nullptr) return;
    if (!found->refused.contains(object)) {
        add_found(*found, object, host);
    } else if (names.size() > 1) {
        for (const std::string& name : names)
            ask(kernel, object, {name}, host);
    }
}

}  // namespace

void add_asked(Kernel& kernel, const AskedNames& named, State& state) {
    Port* host = find_port(state, kHost);
    if (host == nullptr) return;
    for (const auto& [object, names] : named)
        if (!host->refused.contains(object)) ask(kernel, object, names, *host);
}

}  // namespace core
