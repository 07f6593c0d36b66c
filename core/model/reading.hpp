// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/model/field.hpp"

namespace core {

using ElementNames = std::set<std::string, std::less<>>;

/// A port with what its fields hold, each gotten once, so that asking for every element of a large
/// collection costs no more than the collection. The port outlives it, and does not change.
class Reading {
public:
    Reading(const Port& port) : port_(&port) {}  // NOLINT(google-explicit-*)

    [[nodiscard]] const Port& port() const { return *port_; }
    /// The field's whole value, as Field::get has it.
    const std::optional<Elements>& elements(const Field& field) const;
    /// The element's value; null where it is not there.
    const Value* element(const Field& field, std::string_view name) const;
    /// What the kernel itself made of the field's object (ObjectRow::by_kernel).
    const ElementNames& made_by_kernel(const Field& field) const;

private:
    const Port* port_;
    mutable std::map<const Field*, std::optional<Elements>> elements_{};
    mutable std::map<Object, ElementNames> by_kernel_{};
};

/// Readings of a state's ports by name. The one that was asked for last is kept: what is asked of
/// ports is in the order of the ports, or nearly.
class Readings {
public:
    explicit Readings(const State& state) : state_(state) {}
    /// Null where there is no such port. Good until the next call.
    const Reading* find(std::string_view port);

private:
    const State& state_;
    std::optional<Reading> last_{};
};

/// Sets elements of a port. A field's whole value is gotten and set once for all that follow each
/// other; the last of them is set by `done`.
class ElementWriter {
public:
    explicit ElementWriter(Port& port) : port_(port) {}

    /// Sets or, with nothing, removes one element.
    void set(const Field& field, std::string_view element, const std::optional<Value>& value);
    void done();

private:
    Port& port_;
    const Field* field_ = nullptr;
    Elements elements_{};
};

}  // namespace core
