// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/at_boot.hpp"
#include "core/model/driver.hpp"
#include "core/model/field.hpp"
#include "core/model/finding_names.hpp"
#include "core/model/reading.hpp"
#include "core/model/state.hpp"

namespace core {

using Objects = std::set<Object>;
using Commands = std::vector<std::string>;

/// Why a port has no such setting, though nothing was refused.
struct Unsupported {
    FindingId id = findings::unsupported;
    std::string text{};
    std::string remedy{};
    bool no_interface = true;  ///< nothing could set it, so that a derived desired value is a note
};

/// What the settings of an object are about: show, the manual and messages list them in this order.
enum class Topic : std::uint8_t { link, queues, dcb, congestion, bus, rdma, ip, vlan, host };

/// Who has the object. A desired value at a bond or VLAN child that has not got it is answered with
/// the port that has: a member, the VLAN's parent or the bond.
enum class Lives : std::uint8_t {
    host,         ///< of the host, and of no port (kHost)
    port,         ///< of any port, VLAN children and bonds too
    hardware,     ///< of a port of a NIC: of a bond's members, of a VLAN's parent
    rdma_device,  ///< of the RDMA device on the port: of a bond, not of its members
};

/// Others that write ports too, as bits (core/plan/owners.cpp says who and how they are stopped).
struct Others {
    static constexpr unsigned firmware = 1;
    static constexpr unsigned dcb_agent = 2;
    static constexpr unsigned network_daemon = 4;
    static constexpr unsigned udev_rule = 8;
    static constexpr unsigned sriov_operator = 16;
};

/// How far what the port answers is what the device holds.
enum class Uncertainty : std::uint8_t {
    none,
    shown,   ///< it may hold something else: a change shows the value before as unknown
    unread,  ///< the same, and no desired value is taken for held: the object is among
             ///< Port::unknown
};

/// What came of playing a step: the device's no, and then no other port was changed; or yes, and
/// the other ports that changed with it, as they were before.
struct Played {
    std::optional<Refusal> refusal{};
    std::vector<Port> touched{};
    bool by_port =
        false;  ///< a no for which the port itself is reason enough, whatever others hold
    Played(std::nullopt_t /*taken*/) {}                            // NOLINT(google-explicit-*)
    Played(Refusal no) : refusal(std::move(no)) {}                 // NOLINT(google-explicit-*)
    Played(std::optional<Refusal> no) : refusal(std::move(no)) {}  // NOLINT(google-explicit-*)
    explicit Played(std::vector<Port> others) : touched(std::move(others)) {}
    static Played no_by_port(Refusal no) {
        Played out(std::move(no));
        out.by_port = true;
        return out;
    }
};

/// What one step changes and undo restores as a whole. What a loop must know about an object is a
/// column here; most rows leave most of them out.
struct ObjectRow {
    Object object;
    std::string_view name;  ///< as messages and JSON spell it
    std::string_view doc;
    Topic topic = Topic::link;
    Lives lives = Lives::port;  ///< one of the host lives there, whichever port's entry states it
    bool of_each_port = false;  ///< of the host, and every port sends as it says: checks of a port
                                ///< look at it too
    bool child_states = false;  ///< the entry of a VLAN child may state it
    bool inventory = false;     ///< tells one port from another, so it is read of every port
    bool intents = false;  ///< says which priority RoCE is meant to have: doctor reads all of these
                           ///< or none, since a part of them misleads
    bool on_demand =
        false;  ///< facts that are read only for who names them: reading them takes its time
    /// The kernel has more elements than anybody can list, so that what was not asked for by name
    /// is not known: neither there nor known to be absent (Port::absent).
    bool by_name = false;
    /// Whether an element that is not there may come with a kernel module. One row has it: any
    /// module may bring parameters.
    bool (*with_module)(std::string_view element) = nullptr;
    /// Notes of a port that it is none of what the object makes. Such an object's write makes a
    /// port, or takes it away.
    void (*unmade)(Port&) = nullptr;
    /// A write makes the port's RDMA device, or takes it away. One row has it: the others live on
    /// the device (Lives::rdma_device).
    bool makes_rdma_device = false;
    bool by_family = false;           ///< NIC families differ in it so much that explain says how
    unsigned written_by = 0;          ///< Others that write it too
    std::span<const Field> fields{};  ///< its settings and facts
    Disruption disruption = Disruption::none;
    std::span<const std::string_view> takes_down{};  ///< settings for which the port goes down
    std::string_view of_members{};  ///< a setting that a bond hands to every member, all at once
    /// The other ports of the state that a write of this one may change. One row has it: VLANs go
    /// up and down with the port below, and carry no more than that.
    std::vector<std::string> (*carries)(const State&, const std::string& port) = nullptr;
    /// Elements are names of ports, which a write changes too. One row has it: a bond's members.
    bool names_ports = false;
    /// Whether nobody can say what the port is after the write, so that the rest is planned then.
    /// One row has it: what devlink's parameter takes depends on its mode, not on the driver.
    bool (*ends_stage)(const Port& now) = nullptr;
    /// The RDMA device that the port is about to get by a write that was played, by the kernel's
    /// name for it; empty: none. Nobody can foretell the name, since udev may change it: what hangs
    /// on it is planned then. One row has it: a bond has what its members' drivers make of them.
    std::string_view (*awaits_device)(const State&, const Port& now) = nullptr;
    /// Whether a write takes away the RDMA device that the port has, whatever programs have on it.
    bool (*takes_device_away)(const Port& now) = nullptr;
    unsigned settle_ms = 0;  ///< how long a read may still show the old value after a write
    std::span<const Object> touches{};             ///< objects that a write may bring or disturb
    Objects (*disturbs)(const Driver&) = nullptr;  ///< those that it does on this driver beside
    std::span<const Object> consults{};            ///< objects that decide whether a write is taken
    std::span<const Object> found_by{};            ///< objects that must be read to read this one
    std::string_view needs{};  ///< a flag that must be on before the object can be read or written
    /// What cannot be known as long as that flag is off, in plain words. One row has it: the
    /// defaults of rdma_cm are in force while nothing tells them.
    std::string_view unopened{};
    /// Why a desired presence is there already in another form, and needs no write. One row has it:
    /// a port with an RDMA NIC needs no soft device.
    std::optional<std::string> (*already_so)(const Port&) = nullptr;
    /// Why the port has not got the setting; nothing where the object does not know.
    std::optional<Unsupported> (*unsupported)(const Driver&, const Port&,
                                              std::string_view key) = nullptr;
    std::string_view unsupported_text{};  ///< the same, where it is one text for every port and key
    /// The elements that the kernel itself made.
    ElementNames (*by_kernel)(const Port&) = nullptr;
    /// Whether all of it is what the driver itself chose, so that no draft states it.
    bool (*by_driver)(const Port&) = nullptr;
    /// Why an element with the value is gone for good with a write of another object. One row has
    /// it: only routes hang on what a port has beside them.
    std::optional<std::string> (*goes_with)(Object written, const Port& before, const Port& now,
                                            const Value&) = nullptr;
    /// The element of another object that some port of the host has to have before one with the
    /// value is taken. One row has it: a route's source is an address of the host.
    std::optional<std::pair<Object, std::string>> (*rests_on)(const Value&) = nullptr;
    /// Whether the values may be firmware's own, which moves them as it needs: then they are no
    /// more than unknown, and nobody's to state. One row has it: no other object's sizes move.
    bool (*by_firmware)(const Driver&, const Port&) = nullptr;
    /// Gives `made`, a port that does not exist yet, the values that the kernel will give it, as
    /// far as `other`, a port that exists, shows them.
    void (*preset)(const Port& other, Port& made) = nullptr;
    /// The object that a write has to come before on this driver, against the order of the list.
    /// What the port is to be is made where it is asked for.
    std::optional<Object> (*goes_before)(const Driver&,
                                         const std::function<Port()>& then) = nullptr;
    /// Why the device would not take the change from `now` to `then`, or whose rule it would break.
    std::optional<std::string> (*refuses)(const Driver&, const Port& now,
                                          const Port& then) = nullptr;
    Uncertainty (*uncertainty)(const Driver&, const Port&) = nullptr;
    /// What there is to say about a change: how the value came to be, or what comes with it.
    std::optional<std::string> (*remarks)(const Driver&, const Host&, const Port& now,
                                          const Port& then) = nullptr;
    /// Whether `play` looks at other ports or changes them. What a port without it is refused once
    /// is not asked again until that port changed.
    bool sees_others = false;
    /// Makes `now`, a port of the state, what the device would be after the write, side effects on
    /// other ports included. What refuses may leave `now` half changed: core::play makes it again
    /// what it was. Null for an object that holds facts only.
    Played (*play)(const Driver&, State&, Port& now, const Port& then) = nullptr;
    /// The lines an operator would type instead.
    Commands (*spell)(const Driver&, const Port& now, const Port& then) = nullptr;
    /// What to do, or who does, where rocectl cannot set it.
    std::string_view (*remedy)(const Driver&, const Port& now) = nullptr;
    /// Where programs that set its settings at boot are reported so. What no row names is lost.
    std::span<const AtBoot> at_boot{};
    /// Why its settings are there after a boot by themselves: they are in a file.
    std::string_view stays{};
    /// Of which elements that is so; null: of all. One row has it: of memlock those of users.
    bool (*stays_of)(std::string_view element) = nullptr;
    /// Why nobody can tell from files what its settings are after a boot.
    std::string_view unforeseen{};
    /// The command with which somebody else sets the element, of an object without `play`.
    std::string (*by_hand)(const Port& now, std::string_view element, const Value&) = nullptr;
};

/// Every row, in the order of the enumerators. Rows without `play` are never written.
std::span<const ObjectRow* const> objects();
const ObjectRow& row_of(Object object);
std::optional<Object> find_object(std::string_view name);

/// The objects that tell one port from another.
Objects inventory();
/// The objects whose fields have these keys: `mtu` and `mac` both are of link. There has to be a
/// field for each.
Objects objects_of(std::initializer_list<std::string_view> keys);

/// Whether what the object needs before it can be read is there; nothing where it needs nothing, or
/// whether that is there is not known.
std::optional<bool> opened(const Port& port, Object object);

Uncertainty uncertainty_of(const Port& port, Object object);
/// Adds to the port's unknown objects what it answers without meaning it.
void mark_unread(Port& port);

/// What a write of these settings of the object costs on this port.
Disruption disruption_of(const Port& port, Object object, const std::set<std::string_view>& keys);

/// The ports beside its own that a write of the settings, and of these elements of them, writes:
/// the members of a bond.
std::vector<std::string> written_along(const State& state, const std::string& port, Object object,
                                       const std::set<std::string_view>& keys,
                                       const std::set<std::string>& elements = {});

/// What a write of these settings costs the port, or the one that it costs most of those that it
/// writes along.
Disruption disruption_in(const State& state, const Port& port, Object object,
                         const std::set<std::string_view>& keys);

/// The object and all that a write of it may bring or disturb on this driver: what is recorded
/// for undo.
Objects reach_of(const Driver& driver, Object object);

/// Removes what closing and opening the port loses, and adds what the kernel brings back.
void link::reopen(Port& port);

}  // namespace core
