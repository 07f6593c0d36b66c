// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/driver.hpp"
#include "core/model/field.hpp"
#include "core/model/state.hpp"

namespace core {

using Objects = std::set<Object>;
using Commands = std::vector<std::string>;

/// Why a port has no such setting, though nothing was refused.
struct Lack {
    std::string_view id = "unsupported";  ///< of the finding
    std::string text{};
    std::string remedy{};
    bool no_interface = true;  ///< nothing could set it, so that a derived wish is a note
};

/// What the settings of an object are about: show, the manual and messages list them in this order.
enum class Topic : std::uint8_t { link, queues, dcb, congestion, bus, rdma, ip, vlan, host };

/// What one step changes and undo restores as a whole.
struct ObjectRow {
    Object object;
    std::string_view name;  ///< as messages and JSON spell it
    std::string_view doc;
    Topic topic = Topic::link;
    std::span<const Field> fields{};  ///< its settings and facts
    bool of_host = false;  ///< lives at the host (kHost), whichever port's entry states it
    Disruption disruption = Disruption::none;
    /// Whether nobody can say what the port is after the write, so that the rest is planned then.
    bool (*ends_stage)(const Port& now) = nullptr;
    unsigned settle_ms = 0;  ///< how long a read may still show the old value after a write
    std::span<const Object> touches{};   ///< objects that a write may bring or disturb
    std::span<const Object> consults{};  ///< objects that decide whether a write is taken
    std::string_view needs{};  ///< a flag that must be on before the object can be read or written
    /// Why a wished presence is there already in another form, and needs no write.
    std::optional<std::string> (*moot)(const Port&) = nullptr;
    /// Why the port has not got the setting; nothing where the object does not know.
    std::optional<Lack> (*lacks)(const Driver&, const Port&, std::string_view key) = nullptr;
    /// Why the device would not take the change from `now` to `then`, or whose rule it would break.
    std::optional<std::string> (*refuses)(const Driver&, const Port& now,
                                          const Port& then) = nullptr;
    /// Why what other ports have stands in the way of the write.
    std::optional<Refusal> (*clashes)(const State&, const Port& now, const Port& then) = nullptr;
    /// What there is to say about how the value that is to change came to be.
    std::optional<std::string> (*remarks)(const Driver&, const Port& now,
                                          const Port& then) = nullptr;
    /// Makes `now` what the device would be after the write, side effects included. Refuses as
    /// the device would; null for an object that holds facts only.
    std::optional<Refusal> (*play)(const Driver&, Port& now, const Port& then) = nullptr;
    /// Adds what other ports give a port that the write made; null where none is made.
    void (*inherits)(const State&, Port& now) = nullptr;
    /// Carries to the ports what the write of the host's object changes in theirs.
    void (*spread)(const Port& host, Port& port) = nullptr;
    /// The lines an operator would type instead.
    Commands (*spell)(const Driver&, const Port& now, const Port& then) = nullptr;
    std::string_view remedy{};  ///< who sets it, where rocectl only reads it
};

/// Every row, in the order of the enumerators. Rows without `play` are never written.
std::span<const ObjectRow* const> objects();
const ObjectRow& row_of(Object object);
std::optional<Object> find_object(std::string_view name);

/// Whether what the object needs before it can be read is there; nothing where it needs nothing, or
/// whether that is there is not known.
std::optional<bool> opened(const Port& port, Object object);

/// What a write of these settings of the object costs on this port.
Disruption disruption_of(const Port& port, Object object, const std::set<std::string_view>& keys);

/// The object and all that a write of it may bring or disturb on this driver: what is recorded
/// for undo.
Objects reach_of(const Driver& driver, Object object);

/// Removes what closing and opening the port loses, and adds what the kernel brings back.
void link::reopen(Port& port);

}  // namespace core
