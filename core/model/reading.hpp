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

/// A port with a cache of its fields' values, so that asking for every element of a large
/// collection stays linear. The port must outlive it and not change.
class Reading {
public:
    Reading(const Port& port) : port_(&port) {}  // NOLINT(google-explicit-*)

    [[nodiscard]] const Port& port() const { return *port_; }
    /// The field's whole value, as Field::get returns it.
    const std::optional<Elements>& elements(const Field& field) const;
    /// The element's value; null where it is absent.
    const Value* element(const Field& field, std::string_view name) const;
    /// The elements of the field's object that the kernel made (ObjectRow::chosen_by.kernel).
    const ElementNames& made_by_kernel(const Field& field) const;
    /// Those of them that a routing daemon made (ObjectRow::chosen_by.daemon).
    const ElementNames& made_by_daemon(const Field& field) const;

private:
    const Port* port_;
    mutable std::map<const Field*, std::optional<Elements>> elements_{};
    mutable std::map<Object, ElementNames> by_kernel_{};
    mutable std::map<Object, ElementNames> by_daemon_{};
};

/// Readings of a state's ports by name. Keeps only the last one: callers go through ports in order.
class Readings {
public:
    explicit Readings(const State& state) : state_(state) {}
    /// Null without such a port. Valid until the next call.
    const Reading* find(std::string_view port);

private:
    const State& state_;
    std::optional<Reading> last_{};
};

/// Sets elements of a port. Consecutive elements of one field share one get and one set of the
/// whole value; call `done` to write the last.
class ElementWriter {
public:
    explicit ElementWriter(Port& port) : port_(port) {}

    /// Sets one element, or removes it where the value is nothing.
    void set(const Field& field, std::string_view element, const std::optional<Value>& value);
    void done();

private:
    Port& port_;
    const Field* field_ = nullptr;
    Elements elements_{};
};

}  // namespace core
