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

/// Why a port lacks a setting although the kernel refused nothing.
struct Unsupported {
    FindingId id = findings::unsupported;
    std::string text{};
    std::string remedy{};
    /// No interface could set it: if a desired value for it is derived, that is a note.
    bool no_interface = true;
};

/// What an object's settings are about. Show, the manual and messages list objects in this order.
enum class Topic : std::uint8_t { link, queues, dcb, congestion, bus, rdma, ip, vlan, host };

/// Where an object exists. Messages about a bond or VLAN child without the object name the port to
/// state it at: a member, the VLAN's parent or the bond.
enum class Lives : std::uint8_t {
    host,         ///< on the host only (kHost)
    port,         ///< on every port, VLAN children and bonds too
    hardware,     ///< on a NIC's ports: at a bond's members, at a VLAN's parent
    rdma_device,  ///< on the port's RDMA device: at a bond, not at its members
};

/// Other programs that write ports, as bits (core/plan/owners.cpp has their names and how to stop
/// them).
struct Others {
    static constexpr unsigned firmware = 1;
    static constexpr unsigned dcb_agent = 2;
    static constexpr unsigned network_daemon = 4;
    static constexpr unsigned udev_rule = 8;
    static constexpr unsigned sriov_operator = 16;
};

/// How far the device may hold something else than it reports.
enum class Uncertainty : std::uint8_t {
    none,
    shown,  ///< it may: a change shows the value before as unknown
    /// It may, and so no desired value counts as met: the object is put among Port::unknown.
    unread,
};

/// The result of playing a step: a refusal, and then no other port has changed; or the other ports
/// that changed, as they were before.
struct Played {
    std::optional<Refusal> refusal{};
    std::vector<Port> touched{};
    /// The port itself is reason enough for the refusal, whatever other ports hold.
    bool by_port = false;
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

/// An object: what one step writes and undo restores as a whole. Everything that loops need to know
/// about objects is a column here, in groups; most rows leave most columns out.
struct ObjectRow {
    /// What a write creates or deletes: ports, RDMA devices, elements of other objects.
    struct Lifecycle {
        /// Whether a missing element may come with a kernel module. Only sysctl has it: any module
        /// may bring parameters.
        bool (*with_module)(std::string_view element) = nullptr;
        /// Marks a port as not being what the object creates, such as a bond or VLAN. A write of
        /// such an object creates or deletes a port.
        void (*unmade)(Port&) = nullptr;
        /// Sets in `made`, a port that does not exist yet, what the kernel gives new ports, as far
        /// as the existing port `other` shows it.
        void (*preset)(const Port& other, Port& made) = nullptr;
        /// A write creates or deletes the port's RDMA device. Only the RDMA link has it; other
        /// objects need the device (Lives::rdma_device).
        bool makes_rdma_device = false;
        /// The kernel's name for the RDMA device that the port is about to get after a played
        /// write; empty: none. udev may rename the device, so what depends on it is planned after
        /// it came. Only bonds have it, by their members' drivers.
        std::string_view (*awaits_device)(const State&, const Port& now) = nullptr;
        /// Brings what the kernel makes of other objects up to date in a state: GIDs follow
        /// addresses. After writes of `follows`, of the port, those it touched, and those below.
        std::span<const Object> follows{};
        void (*follow)(const State&, Port&) = nullptr;
        /// Whether a write removes the port's RDMA device although programs use it.
        bool (*takes_device_away)(const Port& now) = nullptr;
        /// The other ports that a write of this one may take along. Only the link has it: VLANs go
        /// up and down with the port below, and carry nothing else.
        std::vector<std::string> (*carries)(const State&, const std::string& port) = nullptr;
        /// Why a write of another object deletes an element with this value for good. Only routes
        /// have it: they go with the address they use.
        std::optional<std::string> (*goes_with)(Object written, const Port& before, const Port& now,
                                                const Value&) = nullptr;
        /// The element of another object that some port of the host must have before this value is
        /// accepted: a route's source must be an address of the host.
        std::optional<std::pair<Object, std::string>> (*rests_on)(const Value&) = nullptr;
        /// Which other elements a write of this one changes as well, as patterns of names (`*`
        /// stands for any text). They are read with it, so that undo restores them.
        std::vector<std::string> (*resets)(std::string_view element) = nullptr;
        /// The port that an element is about although it is another's, and the same element about
        /// another port. Kernel parameters have it: they are the host's, and name a port in the
        /// middle.
        std::optional<std::string> (*port_in)(std::string_view element) = nullptr;
        std::string (*about)(std::string_view element, std::string_view port) = nullptr;
        /// What a step, of whatever object, changed in this one so that no write brings it back as
        /// it was before the plan, in words. Such a step is irreversible. `before` and `after` are
        /// the port around the step, `was` is the port before the plan.
        std::vector<std::string> (*lost_for_good)(const Port& was, const Port& before,
                                                  const Port& after) = nullptr;
    };
    /// When and how it is read.
    struct Read {
        bool inventory = false;  ///< identifies ports: read of every port, whatever is named
        /// A live host tells it of all that it lives on, or refuses: what has no part of it was not
        /// recorded.
        bool always = false;
        /// Tells which priority RoCE is meant to use. Doctor reads all such objects or none, since
        /// a part of them misleads.
        bool intents = false;
        /// A host's object that applies to what every port sends: checks of a port read it too.
        bool of_each_port = false;
        bool on_demand = false;  ///< facts that are slow to read: only for commands that name them
        /// The kernel has more elements than can be listed. An element that was not read by name is
        /// not known: neither present nor absent (Port::absent).
        bool by_name = false;
        std::span<const Object> found_by{};  ///< objects that must be read first to read this one
        std::string_view needs{};            ///< a flag that must be on to read or write the object
        /// What is not known while that flag is off, in words. Only rdma_cm's defaults have it:
        /// they are in force then, but cannot be read.
        std::string_view unopened{};
        Uncertainty (*uncertainty)(const Driver&, const Port&) = nullptr;
    };
    /// When it is written, and which other objects a write changes or depends on.
    struct Order {
        /// The object before which a write has to come on this driver, against the order of the
        /// list. `then` computes the port after the write and is costly.
        std::optional<Object> (*goes_before)(const Driver&,
                                             const std::function<Port()>& then) = nullptr;
        std::span<const Object> consults{};  ///< objects that decide whether a write is accepted
        std::span<const std::string_view> takes_down{};  ///< settings whose write takes the port
                                                         ///< down
        std::span<const Object> touches{};  ///< objects that a write may create or change
        /// Settings whose write is the driver's work, so that only its row tells what that
        /// disrupts; "*": all. Of the others the kernel itself knows.
        std::span<const std::string_view> by_driver{};
        /// Further objects that a write changes on this driver.
        Objects (*disturbs)(const Driver&) = nullptr;
        unsigned settle_ms = 0;  ///< how long reads may show old values after a write
        /// Whether the port cannot be predicted after a write, so that apply plans the rest after
        /// it. Only enable_roce has it: whether a devlink parameter needs a reload depends on its
        /// mode, not on the driver.
        bool (*ends_stage)(const Port& now) = nullptr;
    };
    /// Who but a profile chooses its values.
    struct ChosenBy {
        /// The elements that the kernel made itself, and those of `daemon`.
        ElementNames (*kernel)(const Port&) = nullptr;
        /// The elements that a routing daemon made. What is not stated of them is its own; what is
        /// stated to be absent goes.
        ElementNames (*daemon)(const Port&) = nullptr;
        /// Whether the driver chose all of it, so that `draft` leaves it out.
        bool (*driver)(const Port&) = nullptr;
        /// Whether firmware chooses the values and changes them as it needs. They are then unknown
        /// and should not be stated. Only buffers have it.
        bool (*firmware)(const Driver&, const Port&) = nullptr;
        unsigned others = 0;  ///< bits of Others that write it too
        /// Settings that the intent needs beside what it derives for a family, by their keys: the
        /// port itself tells which. `then` is the port with the desired values of the objects that
        /// the row consults. Only buffers have it.
        std::vector<std::pair<std::string_view, Value>> (*intent)(const Driver&, const Port& now,
                                                                  const Port& then) = nullptr;
    };
    /// What people read of it.
    struct Words {
        /// Why the port lacks the setting, as one text for every port and key (`unsupported`).
        std::string_view unsupported{};
        /// A note about a change: how the value came about, or what else comes with it.
        std::optional<std::string> (*remarks)(const Driver&, const Host&, const Port& now,
                                              const Port& then) = nullptr;
        /// What to do, or which program to use, where rocectl cannot set it.
        std::string_view (*remedy)(const Driver&, const Port& now) = nullptr;
        /// The commands an operator would type instead.
        Commands (*spell)(const Driver&, const Port& now, const Port& then) = nullptr;
        /// The command that sets the element, for an object without `play`.
        std::string (*by_hand)(const Port& now, std::string_view element, const Value&) = nullptr;
        bool by_family = false;  ///< explain lists how NIC families treat it
    };
    /// What is left of its settings after a boot.
    struct Boot {
        /// How boot programs set them. A setting without an entry is lost at boot.
        std::span<const AtBoot> programs{};
        /// Why they survive a boot by themselves: they are in a file.
        std::string_view stays{};
        /// For which elements `stays` is true; null: all. Only memlock has it, for users.
        bool (*stays_of)(std::string_view element) = nullptr;
        /// Whether the device itself may keep what was written, as a devlink parameter of mode
        /// permanent is kept.
        bool kept_by_device = false;
        /// Why files do not tell what they are after a boot.
        std::string_view unforeseen{};
    };

    Object object;
    std::string_view name;  ///< in messages and JSON
    std::string_view doc;
    Topic topic = Topic::link;
    Lives lives = Lives::port;  ///< where it is `host`, even if the entry of a port states it
    bool child_states = false;  ///< the entry of a VLAN child may state it
    /// A setting of a bond that the kernel passes on to all members.
    std::string_view of_members{};
    /// Its elements are names of ports that a write changes too: a bond's members.
    bool names_ports = false;
    /// An element is meant to be at one port of the host alone: one that a profile states for a
    /// port that does not have it goes from another of its ports that has it and is not to have it.
    bool at_one_port = false;
    /// Whether `play` reads or changes other ports. Without it, a refused step is not tried again
    /// until its own port has changed.
    bool sees_others = false;
    std::span<const Field> fields{};  ///< its settings and facts
    /// Ports of one driver on one fabric are meant to have equal settings of it.
    bool alike = false;
    /// A virtual function's port shows it, and only the physical function's can set it.
    bool of_physical_function = false;
    Disruption disruption = Disruption::none;
    /// Why a desired element needs no write, as the port has it in another form: a port with an
    /// RDMA NIC needs no soft device.
    std::optional<std::string> (*already_so)(const Port&) = nullptr;
    /// Why the port lacks the setting; nothing where the object does not know.
    std::optional<Unsupported> (*unsupported)(const Driver&, const Port&,
                                              std::string_view key) = nullptr;
    /// Why the device refuses the change from `now` to `then`, or which rule the change breaks.
    std::optional<std::string> (*refuses)(const Driver&, const Port& now,
                                          const Port& then) = nullptr;
    /// Changes `now`, a port of the state, to what the device would be after the write, side
    /// effects on other ports included. May leave `now` half changed when it refuses: core::play
    /// restores it. Null for objects that hold facts only.
    Played (*play)(const Driver&, State&, Port& now, const Port& then) = nullptr;
    Lifecycle lifecycle{};
    Read read{};
    Order order{};
    ChosenBy chosen_by{};
    Words words{};
    Boot boot{};
};

/// Every row, in the order of the enumerators. Rows without `play` are never written.
std::span<const ObjectRow* const> objects();
const ObjectRow& row_of(Object object);
std::optional<Object> find_object(std::string_view name);

/// The objects that identify ports (ObjectRow::read.inventory).
Objects inventory();
/// The objects of the fields with these keys: `mtu` and `mac` are both of link. Every key must
/// exist.
Objects objects_of(std::initializer_list<std::string_view> keys);

/// Whether the flag that the object needs (ObjectRow::read.needs) is on. Nothing where it needs
/// none, or the flag is not known.
std::optional<bool> opened(const Port& port, Object object);

/// Whether the port has a value of the object.
[[nodiscard]] bool answers(const Port& port, Object object);

Uncertainty uncertainty_of(const Port& port, Object object);
/// Adds the objects with Uncertainty::unread to the port's unknown objects.
void mark_unread(Port& port);

/// What a write of these settings of the object disrupts on this port. Where the kernel is not
/// known, it counts as one that costs more.
Disruption disruption_of(const Port& port, Object object, const std::set<std::string_view>& keys,
                         const std::optional<Release>& kernel = std::nullopt);

/// The other ports that a write of these settings writes, given the elements it writes: a bond's
/// members.
std::vector<std::string> written_along(const State& state, const std::string& port, Object object,
                                       const std::set<std::string_view>& keys,
                                       const std::set<std::string>& elements = {});

/// What a write of these settings disrupts on the port, or on one of the ports it writes along,
/// whichever is more.
Disruption disruption_in(const State& state, const Port& port, Object object,
                         const std::set<std::string_view>& keys);

/// The object and all that writing it may create or change on this driver: what undo has to record.
Objects reach_of(const Driver& driver, Object object);

/// Removes what closing and opening the port loses, and adds what the kernel creates again.
void link::reopen(Port& port);

}  // namespace core
