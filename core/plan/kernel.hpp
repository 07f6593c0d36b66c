// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model/object.hpp"
#include "core/plan/notification.hpp"
#include "core/plan/plan.hpp"

namespace core {

/// What to read: of which ports, which objects. `ports` are names or glob patterns (fnmatch(3));
/// nothing means every port of the host, and the host. No pattern means the host (kHost).
struct Scope {
    std::optional<std::vector<std::string>> ports;
    Objects objects;
    /// Of an object of the host, which elements; where none is named, all that can be listed.
    std::map<Object, std::set<std::string>> elements{};
    /// What is read of the other ports of the host too, into State::others.
    Objects everywhere{};
};
/// Adds what is written or desired to a scope, where it is the host's.
void add_element(Scope& scope, Object object, const std::string& element);

/// Takes out the facts that no plan asks for.
void erase_on_demand(Objects& objects);

/// Whether there is an object of the host's own among those to be read of it.
[[nodiscard]] bool asks_for_host(const Scope& scope);

/// A port that may be made: the name is free. It stands in the answer for each name in the scope
/// that no port has, where it is asked whether that is a VLAN child.
[[nodiscard]] Port not_there(const std::string& name);
[[nodiscard]] bool is_not_there(const Port& port);
[[nodiscard]] std::vector<std::string> missing_children(const Scope& scope, const State& found);

/// Adds what was read of further objects to what was read of the same ports before; a port that was
/// not read before is added.
void add_parts(State& state, State more, const Objects& objects);

/// The only door to the machine. Two implementations: the live host and a state file.
class Kernel {
public:
    virtual ~Kernel() = default;
    /// Reads exactly the scope; what a port refuses or lacks is data in the state. Ports that
    /// do not exist are not in the answer. Throws Error where nothing can be read.
    [[nodiscard]] virtual State read(const Scope& scope) = 0;
    /// Writes one step, starting from what it reads at that moment. The kernel's no is returned.
    [[nodiscard]] virtual std::optional<Refusal> write(const Step& step) = 0;
    /// Whether a write that was answered with a refusal, since it took too long, has not ended:
    /// what it was to store may be there at any time.
    [[nodiscard]] virtual bool has_late_write() { return false; }
    /// Waits until something in scope may have changed; false when the time is over.
    [[nodiscard]] virtual bool wait(const Scope& scope, std::chrono::milliseconds time) = 0;
    /// Whether the kernel had to drop some of what it advertised since this was asked last.
    [[nodiscard]] virtual bool lost() { return false; }
    /// What was reported of the scopes that were waited for, since this was asked last: ports that
    /// went and came, and what names a process.
    [[nodiscard]] virtual std::vector<Notification> notifications() { return {}; }
    /// The time, from whatever beginning: core has no clock. A state file's goes on by what is
    /// waited for.
    [[nodiscard]] virtual std::chrono::milliseconds time() = 0;
};

}  // namespace core
