// SPDX-License-Identifier: Apache-2.0
#include "core/model/reading.hpp"

#include "core/model/object.hpp"

namespace core {

const std::optional<Elements>& Reading::elements(const Field& field) const {
    const auto known = elements_.find(&field);
    if (known != elements_.end()) return known->second;
    return elements_.emplace(&field, field.get(*port_)).first->second;
}

const Value* Reading::element(const Field& field, std::string_view name) const {
    const std::optional<Elements>& all = elements(field);
    if (!all) return nullptr;
    const auto found = all->find(name);
    return found == all->end() ? nullptr : &found->second;
}

const ElementNames& Reading::made_by_kernel(const Field& field) const {
    static const ElementNames nothing;
    const auto by_kernel = row_of(field.object).chosen_by.kernel;
    if (by_kernel == nullptr) return nothing;
    const auto known = by_kernel_.find(field.object);
    if (known != by_kernel_.end()) return known->second;
    return by_kernel_.emplace(field.object, by_kernel(*port_)).first->second;
}

const ElementNames& Reading::made_by_daemon(const Field& field) const {
    static const ElementNames nothing;
    const auto by_daemon = row_of(field.object).chosen_by.daemon;
    if (by_daemon == nullptr) return nothing;
    const auto known = by_daemon_.find(field.object);
    if (known != by_daemon_.end()) return known->second;
    return by_daemon_.emplace(field.object, by_daemon(*port_)).first->second;
}

const Reading* Readings::find(std::string_view port) {
    if (last_ && last_->port().name == port) return &*last_;
    const Port* found = find_port(state_, port);
    if (found == nullptr) return nullptr;
    return &last_.emplace(*found);
}

void ElementWriter::set(const Field& field, std::string_view element,
                        const std::optional<Value>& value) {
    if (field_ != &field) {
        done();
        field_ = &field;
        elements_ = field.get(port_).value_or(Elements{});
    }
    if (value) {
        elements_.insert_or_assign(std::string(element), *value);
    } else if (const auto found = elements_.find(element); found != elements_.end()) {
        elements_.erase(found);
    }
}

void ElementWriter::done() {
    if (field_ != nullptr) field_->set(port_, elements_);
    field_ = nullptr;
}

}  // namespace core
