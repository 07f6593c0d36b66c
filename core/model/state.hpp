// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/shape.hpp"
#include "core/objects/list.hpp"

namespace core {

struct Field;

/// A refusal by the kernel of one object: data to report, not a reason to stop.
struct Refusal {
    int code = 0;      ///< errno; 0 where the refusal is not the kernel's
    std::string text;  ///< the kernel's words
    bool operator==(const Refusal&) const = default;
};
/// The kernel's words, and its errno where there is one.
std::string text(const Refusal& refusal);

/// The name of the port that holds what belongs to the host and to no interface. No interface can
/// have it (net/core/dev.c dev_valid_name).
inline constexpr std::string_view kHost = "the host";

/// A network port as the kernel described it, or the host (kHost). An absent part was not read or
/// not reported; `refused` has the kernel's reason, where it gave one. `unknown`: objects that
/// exist but cannot be read without a write. `absent`: elements that were read by name and are not
/// there, for objects that cannot be listed (ObjectRow::read.by_name). Copying and comparing all
/// parts is much code, so the members are compiled once, in state.cpp.
struct Port {
    std::string name{};
#define CORE_PART(object, Part) std::optional<Part> object{};
#define CORE_LISTED(object, Element, Beyond)      \
    std::optional<std::vector<Element>> object{}; \
    std::vector<Beyond> object##_beyond{};
#define CORE_SHARED(object, other)
    CORE_OBJECTS(CORE_PART, CORE_LISTED, CORE_SHARED)
#undef CORE_PART
#undef CORE_LISTED
#undef CORE_SHARED
    std::map<Object, Refusal> refused{};
    std::set<Object> unknown{};
    std::map<Object, std::set<std::string, std::less<>>> absent{};

    Port();
    explicit Port(std::string_view called);
    Port(const Port& other);
    Port(Port&& other) noexcept;
    Port& operator=(const Port& other);
    Port& operator=(Port&& other) noexcept;
    ~Port();
    bool operator==(const Port& other) const;
};

/// Copies the part of one object.
void copy_part(Object object, const Port& from, Port& to);

/// Removes the parts and refusals of all other objects.
void keep_parts(Port& port, const std::set<Object>& objects);

/// Caches the positions of a list's ports by name. A list that has changed is searched again.
class PortPlaces {
public:
    std::size_t find(const std::vector<Port>& ports, std::string_view name) const;

private:
    mutable std::unordered_map<std::string, std::size_t> places_{};
};

/// The host a state was read from, and when.
struct Host {
    std::string name;
    std::string kernel;  ///< uname -r
    /// When it was read, in seconds since 1970; 0 where not known. Not compared.
    std::uint64_t time = 0;
    bool operator==(const Host& other) const {
        return name == other.name && kernel == other.kernel;
    }
};

/// An optional value that the device refused in an apply, which went on without it.
struct RefusedOptional {
    std::string port{};
    const Field* field = nullptr;
    std::string element{};         ///< "" for a plain setting
    std::optional<Value> value{};  ///< nothing: that the element should be absent
    std::string text{};            ///< the refusal, and what it answered
    std::string time{};            ///< when the run began: UTC, in RFC 3339 form
    bool operator==(const RefusedOptional&) const = default;
};

/// What was read of a host.
struct State {
    Host host{};
    std::vector<Port> ports{};  ///< includes kHost where it was asked for
    /// What was read of the ports that are not in `ports` (Scope::everywhere); nothing where it was
    /// not asked for. Neither compared nor written to files.
    std::optional<std::vector<Port>> others{};
    /// Of a state file: optional values that devices refused. Not compared.
    std::vector<RefusedOptional> refused_optional{};
    PortPlaces places{};  ///< cache of find_port; not compared
    bool operator==(const State& other) const { return host == other.host && ports == other.ports; }
};

const Port* find_port(const State& state, std::string_view name);
Port* find_port(State& state, std::string_view name);

}  // namespace core
