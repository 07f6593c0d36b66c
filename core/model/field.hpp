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

/// How a fact proves that a setting works: it follows from it, by itself and a little later.
struct Proof {
    std::span<const std::string_view> from{};  ///< the settings, element by element
    std::string_view after{};             ///< a fact that is on, or this one cannot be; empty: none
    bool by_other_end = false;            ///< the cable and its other end have a part in it
    const FindingRow* finding = nullptr;  ///< what is found where it does not follow
    /// What is missing on a port that holds the value of the setting, nothing where that is not
    /// known; empty: it is as it should be. VLAN children look at the port below.
    std::optional<std::string> (*missing)(const State&, const Port&, const Value&) = nullptr;
};

/// One value of a port's state. Planning, applying, verifying, undoing, explaining, JSON, the
/// schema and the manual are loops over these rows.
struct Field {
    /// A setting may be stated by a profile; a fact is only observed; what is kept is put back by
    /// undo, though no profile states it.
    enum class Use : std::uint8_t { setting, fact, kept };

    std::string_view key;  ///< dotted: pfc.priorities
    Object object{};       ///< the row that it stands in
    Use use;
    /// A fact whose elements nobody can put back: a step that takes one away is irreversible.
    bool irreplaceable = false;
    Shape shape;
    std::string_view doc;
    /// Nothing where the part was not read or not reported; empty where it is known to hold none.
    std::optional<Elements> (*get)(const Port&);
    /// Makes the part where it was absent, and replaces the field's whole value.
    void (*set)(Port&, const Elements&);
    /// Whether two different values are the same to the port as it is (a share of a class that
    /// does not share); null where only equal values are.
    bool (*same)(const Port&, const Value&, const Value&) = nullptr;
    /// How this fact proves that settings work; null where it proves nothing.
    const Proof* proves = nullptr;
    const Listed* listed = nullptr;  ///< of a list that may be long
};

/// Keys of the host's own fields start with this; inside "host" of a profile or a state it is left
/// out.
inline constexpr std::string_view kHostKeys = "host.";
/// The key as a state spells it: inside its "host", without the prefix.
std::string_view key_in_place(const Field& field);

std::string_view word(Field::Use use);

/// Whether undo puts the field back; two states that differ in such a field are not equal.
[[nodiscard]] inline bool is_restored(const Field& field) {
    return field.use != Field::Use::fact;
}

/// The fields of all objects, in the order in which show and the manual list them.
std::span<const Field> fields();
const Field* find_field(std::string_view key);
/// The object whose field has the key. There has to be such a field.
Object object_of(std::string_view key);

/// `dscp.map 26` for one entry of a map; an address or route says by its value which one it is.
std::string element_name(const Field& field, std::string_view element);

/// Whether the element is one the kernel makes itself (link-local or SLAAC address; route with
/// protocol kernel to the network of an address of the port; route from a router advertisement;
/// rule with protocol kernel): it satisfies a desired value, and is never removed, recorded or
/// compared.
bool made_by_kernel(const Reading& now, const Field& field, std::string_view element);

/// The element's value now; nothing where it is not there.
std::optional<Value> element_of(const Reading& now, const Field& field, std::string_view element);

/// Whether the reading tells if the element is there: it does where all elements can be listed,
/// else only where the element was asked for by name (ObjectRow::by_name).
bool is_recorded(const Reading& now, const Field& field, std::string_view element);

/// Sets or, with nothing, removes one element.
void set_element(Port& port, const Field& field, std::string_view element,
                 const std::optional<Value>& value);

/// The keys of all settings, and of the irreplaceable facts, on which two ports differ; other
/// facts, counters and what the kernel makes itself do not count. Empty means equal (design:
/// "states are equal when all settings are").
std::vector<std::string> differences(const Port& left, const Port& right);

}  // namespace core
