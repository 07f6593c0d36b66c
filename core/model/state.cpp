// SPDX-License-Identifier: Apache-2.0
#include "core/model/state.hpp"

#include <algorithm>

namespace core {

Port::Port() = default;
Port::Port(std::string_view called) : name(called) {}
Port::Port(const Port& other) = default;
Port::Port(Port&& other) noexcept = default;
Port& Port::operator=(const Port& other) = default;
Port& Port::operator=(Port&& other) noexcept = default;
Port::~Port() = default;
bool Port::operator==(const Port& other) const = default;

std::string text(const Refusal& refusal) {
    return refusal.code == 0 ? refusal.text
                             : refusal.text + " (" + std::to_string(refusal.code) + ")";
}

void copy_part(Object object, const Port& from, Port& to) {
    switch (object) {
#define CORE_PART(object, Part)  \
    case Object::object:         \
        to.object = from.object; \
        break;
#define CORE_LISTED(object, Element, Beyond)       \
    case Object::object:                           \
        to.object = from.object;                   \
        to.object##_beyond = from.object##_beyond; \
        break;
#define CORE_SHARED(object, other) \
    case Object::object: to.other = from.other; break;
        // What is shared is copied as what it is shared with.
        CORE_OBJECTS(CORE_PART, CORE_LISTED, CORE_SHARED)  // NOLINT(bugprone-branch-clone)
#undef CORE_PART
#undef CORE_LISTED
#undef CORE_SHARED
    }
}

const Port* find_port(const State& state, std::string_view name) {
    const auto found = std::ranges::find(state.ports, name, &Port::name);
    return found == state.ports.end() ? nullptr : &*found;
}

Port* find_port(State& state, std::string_view name) {
    const auto found = std::ranges::find(state.ports, name, &Port::name);
    return found == state.ports.end() ? nullptr : &*found;
}

}  // namespace core
