// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/model/listing.hpp"
#include "core/model/shape.hpp"
#include "core/model/state.hpp"

namespace core {

struct FindingRow;
class Reading;

/// How a fact proves that settings work: it follows from them by itself, a little later. carrier
/// follows from up, a GID from an address.
struct Proof {
    std::span<const std::string_view> from{};  ///< the settings it follows from, element by element
    std::string_view after{};   ///< a fact that must be on first, such as carrier; empty: none
    bool by_other_end = false;  ///< depends on the cable and the other end too
    const FindingRow* finding = nullptr;  ///< what is reported where it does not follow
    /// What the fact lacks on a port that has the setting's value: empty text: nothing, it is
    /// proven; no text: not known. VLAN children are judged with the port below.
    std::optional<std::string> (*missing)(const State&, const Port&, const Value&) = nullptr;
    /// Whether a live port like this one tells the fact, and this one does not: it was not
    /// recorded.
    bool (*unrecorded)(const State&, const Port&) = nullptr;
};

/// One value of a port with a key. Plan, apply, verify, undo, explain, JSON, the schema and the
/// manual are loops over these rows.
struct Field {
    /// A profile may state a setting. A fact is only observed. A kept field cannot be stated, but
    /// undo restores it.
    enum class Use : std::uint8_t { setting, fact, kept };

    std::string_view key;  ///< dotted: pfc.priorities
    Object object{};       ///< the object whose row lists it
    Use use;
    /// A fact whose elements cannot be put back: a step that removes one is irreversible.
    bool irreplaceable = false;
    Shape shape;
    std::string_view doc;
    /// Nothing where the part was not read or not reported; empty where it is known to hold none.
    std::optional<Elements> (*get)(const Port&);
    /// Replaces the field's whole value. Creates the part where it was absent.
    void (*set)(Port&, const Elements&);
    /// Whether two different values mean the same on this port, such as the share of a class that
    /// does not share; null where only equal values do.
    bool (*same)(const Port&, const Value&, const Value&) = nullptr;
    /// How this fact proves settings; null where it proves none.
    const Proof* proves = nullptr;
    const Listed* listed = nullptr;  ///< set for a list that may be long
};

/// Keys of the host's fields start with this. It is left out inside "host" of a profile or state.
inline constexpr std::string_view kHostKeys = "host.";
/// The key as a state spells it: without the prefix inside "host".
std::string_view key_in_place(const Field& field);

std::string_view word(Field::Use use);

/// Whether undo restores the field. States that differ in such a field are not equal.
[[nodiscard]] inline bool is_restored(const Field& field) {
    return field.use != Field::Use::fact;
}

/// The fields of all objects, in the order of show and the manual.
std::span<const Field> fields();
const Field* find_field(std::string_view key);
/// The object of the field with this key, which must exist.
Object object_of(std::string_view key);

/// `dscp.map 26` for an element of a keyed collection. For others, such as addresses and routes,
/// the value itself says which one it is.
std::string element_name(const Field& field, std::string_view element);

/// Whether the kernel made the element itself: a link-local or SLAAC address; a route with protocol
/// kernel to the network of one of the port's addresses; a route from a router advertisement; a
/// rule with protocol kernel. Such an element satisfies a desired value, and is never removed,
/// recorded or compared. So with what a routing daemon made, but that its stated absence removes
/// it.
bool made_by_kernel(const Reading& now, const Field& field, std::string_view element);
/// Whether a routing daemon made the element, by the protocol of the route.
bool made_by_daemon(const Reading& now, const Field& field, std::string_view element);

/// The element's value; nothing where it is absent.
std::optional<Value> element_of(const Reading& now, const Field& field, std::string_view element);

/// Whether the reading can tell if the element is there: always where all elements can be listed,
/// else only if it was read by name (ObjectRow::read.by_name).
bool is_recorded(const Reading& now, const Field& field, std::string_view element);

/// Sets one element, or removes it where the value is nothing.
void set_element(Port& port, const Field& field, std::string_view element,
                 const std::optional<Value>& value);

/// The keys in which two ports differ: settings, kept fields and irreplaceable facts. Other facts,
/// counters and what the kernel makes itself do not count. Empty means equal (design: "states are
/// equal when all settings are").
std::vector<std::string> differences(const Port& left, const Port& right);

}  // namespace core
