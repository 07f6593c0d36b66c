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

#include "core/model/refused_optional.hpp"
#include "core/objects/list.hpp"

namespace core {

/// A "no" from the kernel about one object: data to report, not a reason to stop.
struct Refusal {
    int code = 0;      ///< errno; 0 where the no is not the kernel's
    std::string text;  ///< the kernel's words
    bool operator==(const Refusal&) const = default;
};
/// The kernel's words, with its errno where it gave one.
std::string text(const Refusal& refusal);

/// The port that stands for the host: what is no port's own is there, and only that. No interface
/// can be called so (net/core/dev.c dev_valid_name).
inline constexpr std::string_view kHost = "the host";

/// One network port as the kernel described it. An absent part was not read or not reported;
/// `refused` says why when the kernel said why; `unknown` are objects that exist but cannot be
/// read without a write; `absent` are elements that were asked for by name and are not there, of
/// objects of which nobody can list all (ObjectRow::by_name). What belongs to the host and to no
/// port of it is the port called kHost. Its members are compiled once, in state.cpp: they copy and
/// compare all parts.
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

/// Copies the part of a port that an object is.
void copy_part(Object object, const Port& from, Port& to);

/// Takes away the parts that none of these objects is, and what was refused of others.
void keep_parts(Port& port, const std::set<Object>& objects);

/// Where ports are in a list, by their names: what was found once is found again without looking
/// at the others. A list that changes is looked through anew.
class PortPlaces {
public:
    std::size_t find(const std::vector<Port>& ports, std::string_view name) const;

private:
    mutable std::unordered_map<std::string, std::size_t> places_{};
};

/// Which host a state was read from, and when.
struct Host {
    std::string name;
    std::string kernel;  ///< uname -r
    /// When it was read, in seconds since 1970; 0 where nobody says. It is no part of what is
    /// compared.
    std::uint64_t time = 0;
    bool operator==(const Host& other) const {
        return name == other.name && kernel == other.kernel;
    }
};

/// A host as far as it was read.
struct State {
    Host host{};
    std::vector<Port> ports{};  ///< kHost among them where it was asked for
    /// What was asked of every port (Scope::everywhere), of those that are not in `ports`; nothing
    /// where nothing was asked of them. It is no part of what is compared, and in no file.
    std::optional<std::vector<Port>> others{};
    /// Of a state file: what devices refused of what was desired, and no part of what is compared.
    std::vector<RefusedOptional> refused_optional{};
    PortPlaces places{};  ///< for find_port, and no part of what is compared
    bool operator==(const State& other) const { return host == other.host && ports == other.ports; }
};

const Port* find_port(const State& state, std::string_view name);
Port* find_port(State& state, std::string_view name);

}  // namespace core
