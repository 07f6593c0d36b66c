// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model/object.hpp"
#include "core/plan/plan.hpp"

namespace core {

/// A change that the kernel reported, with as much as the notification tells.
struct Notification {
    enum class What : std::uint8_t {
        written,   ///< by a process
        set_down,  ///< the port was set administratively down and lost its carrier
        gone,      ///< the port was removed
        came,      ///< a port was created
    };
    What what = What::written;
    std::string port{};              ///< empty where it concerns no port, or does not name it
    std::optional<Object> object{};  ///< for `written`
    /// For `written`: the element, such as an address, or the destination with which a route's
    /// identity begins. Empty where it is not known.
    std::string element{};
    /// Who asked for it: the port id of its netlink socket, which is its process id unless it chose
    /// another (netlink(7)); 0 where the kernel does not say.
    std::uint32_t process = 0;
    std::string program{};  ///< its name; empty where the process has ended
    /// For `set_down`: how often the port has lost its carrier, this time included.
    std::uint64_t carrier_down_count = 0;
    std::string reason{};  ///< for `came`: why the port had gone, where that is known
    bool operator==(const Notification&) const = default;
};

/// What to read: which objects of which ports. `ports` are names or glob patterns (fnmatch(3));
/// nothing means every port and the host. A pattern never matches the host, which is named kHost.
struct Scope {
    std::optional<std::vector<std::string>> ports;
    Objects objects;
    /// For objects of the host: which elements, by name or pattern (ObjectRow::lifecycle.resets);
    /// all that can be listed where none are named.
    std::map<Object, std::set<std::string>> elements{};
    /// Objects to read of all other ports too, into State::others.
    Objects everywhere{};
    /// What was read of this host a moment ago, nothing having been written or waited for since:
    /// what an inventory tells of its ports need not be asked again. The reader of `scope` alone
    /// uses it; it is not kept.
    const State* known = nullptr;
};
/// Adds an element to read, and those that a write of it changes as well, if the object is the
/// host's. Does nothing for other objects.
void add_element(Scope& scope, Object object, const std::string& element);

/// Removes the objects that only a command asking for them by name reads
/// (ObjectRow::read.on_demand).
void erase_on_demand(Objects& objects);

/// Whether the scope includes the host and an object of the host.
[[nodiscard]] bool asks_for_host(const Scope& scope);

/// Stands for a name in the scope that no port has, for a port that a plan may make, such as a VLAN
/// child. is_not_there recognises it; missing_children are the names of the scope for which a read
/// has to add it.
[[nodiscard]] Port not_there(const std::string& name);
[[nodiscard]] bool is_not_there(const Port& port);
[[nodiscard]] std::vector<std::string> missing_children(const Scope& scope, const State& found);

/// Adds to `state` what a later read of `objects` found on the same ports. Ports that are only in
/// `more` are added whole.
void add_parts(State& state, State more, const Objects& objects);

/// The only interface to the machine. Implementations: the live host and a state file.
class Kernel {
public:
    virtual ~Kernel() = default;
    /// Reads exactly the scope. What a port refuses or lacks is data in the state; ports that do
    /// not exist are left out. Throws Error where nothing can be read.
    [[nodiscard]] virtual State read(const Scope& scope) = 0;
    /// Writes one step, starting from what it reads at that moment. Returns the kernel's refusal.
    [[nodiscard]] virtual std::optional<Refusal> write(const Step& step) = 0;
    /// Whether a write that was reported as refused because it took too long is still running: it
    /// may take effect at any time.
    [[nodiscard]] virtual bool has_late_write() { return false; }
    /// Waits until something in the scope may have changed. False when the time is over.
    [[nodiscard]] virtual bool wait(const Scope& scope, std::chrono::milliseconds time) = 0;
    /// Whether the kernel dropped notifications since the last call.
    [[nodiscard]] virtual bool lost() { return false; }
    /// The notifications since the last call about the scopes of `wait`: ports that came and went,
    /// and writes whose process is known.
    [[nodiscard]] virtual std::vector<Notification> notifications() { return {}; }
    /// The indices of the links that may have changed since the last call, in any way; nothing
    /// where that is not known, and any of them may have: at the first call, and of a host that is
    /// not listened to. A carrier that is lost is told a second later at most
    /// (net/core/link_watch.c linkwatch_schedule_work, Linux 6.1 to 7.3), a link that is gone, set
    /// down or renamed at once.
    [[nodiscard]] virtual std::optional<std::set<std::uint32_t>> changed_links() {
        return std::nullopt;
    }
    /// Time since an arbitrary start, as core has no clock. In a state file it advances by what
    /// `wait` is given.
    [[nodiscard]] virtual std::chrono::milliseconds time() = 0;
};

/// Elements to read by name, for objects whose elements cannot all be listed
/// (ObjectRow::read.by_name).
using AskedNames = std::map<Object, std::set<std::string>>;

/// Reads the elements and adds them to the host's part of `state`. An element that cannot be read
/// does not keep the others out. Objects that the state has as refused are not read.
void add_asked(Kernel& kernel, const AskedNames& named, State& state);

/// The other ports that a write of the step takes up or down: the VLANs on its port, and the VLANs
/// on those. `links` needs the inventory of all ports.
std::set<std::string> carried_by(const Step& step, const State& links);
/// The ports that the plan's steps take up or down (carried_by) and that the plan was made without
/// reading. They must be read too, so that undo can restore them. `links` needs the inventory of
/// all ports.
std::vector<std::string> carried_along(const Plan& plan, const State& links);
/// The port that an element of a field is about although it is another's: of the host's parameter
/// `net.ipv4.neigh.roce0.gc_stale_time` `roce0`. Empty where there is none.
std::string port_in(const Field& field, const std::string& element);
/// Those of the plan's writes that are not in the state it was made from.
std::vector<std::string> ports_in_elements(const Plan& plan);

/// The objects to read to decide whether the desired values are met: their own, those that these
/// consult, and those that the checks of contradictions() read.
Objects examined(const DesiredState& desired_values);

/// What to read to plan these desired values: their objects on the matched ports, and on each
/// driver all that writing them may change. `inventory` tells the drivers.
Scope scope_of(const DesiredState& desired_values, const State& inventory);

}  // namespace core
