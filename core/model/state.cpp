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

void keep_parts(Port& port, const std::set<Object>& objects) {
    // What is shared is kept with what it is shared with.
#define CORE_PART(object, Part) bool object = objects.contains(Object::object);
#define CORE_LISTED(object, Element, Beyond) CORE_PART(object, Element)
#define CORE_SHARED(object, other) other = other || objects.contains(Object::object);
    CORE_OBJECTS(CORE_PART, CORE_LISTED, CORE_SHARED)
#undef CORE_PART
#undef CORE_LISTED
#undef CORE_SHARED
#define CORE_PART(object, Part) \
    if (!object) port.object.reset();
#define CORE_LISTED(object, Element, Beyond) \
    if (!object) {                           \
        port.object.reset();                 \
        port.object##_beyond.clear();        \
    }
#define CORE_SHARED(object, other)
    CORE_OBJECTS(CORE_PART, CORE_LISTED, CORE_SHARED)
#undef CORE_PART
#undef CORE_LISTED
#undef CORE_SHARED
    std::erase_if(port.refused,
                  [&objects](const auto& one) { return !objects.contains(one.first); });
}

std::size_t PortPlaces::find(const std::vector<Port>& ports, std::string_view name) const {
    constexpr std::size_t few = 8;
    if (ports.size() > few) {
        const auto known = places_.find(std::string(name));
        if (known != places_.end() && known->second < ports.size() &&
            ports[known->second].name == name)
            return known->second;
    }
    const auto found = std::ranges::find(ports, name, &Port::name);
    if (found != ports.end() && ports.size() > few) {
        places_.clear();
        for (std::size_t i = 0; i < ports.size(); ++i)
            places_.emplace(ports[i].name, i);
    }
    return static_cast<std::size_t>(found - ports.begin());
}

const Port* find_port(const State& state, std::string_view name) {
    const std::size_t place = state.places.find(state.ports, name);
    return place == state.ports.size() ? nullptr : &state.ports[place];
}

Port* find_port(State& state, std::string_view name) {
    const std::size_t place = state.places.find(state.ports, name);
    return place == state.ports.size() ? nullptr : &state.ports[place];
}

}  // namespace core
