// SPDX-License-Identifier: Apache-2.0
#include "core/model/value.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/model/letters.hpp"

namespace core {
namespace {

std::string text(const Scalar& scalar) {
    if (const auto* number = std::get_if<std::uint64_t>(&scalar)) return std::to_string(*number);
    return std::get<std::string>(scalar);
}

/// As `ip route` would say it: the destination first, then name and value of each part.
std::string record_text(const Record& record) {
    std::string out;
    if (const auto to = record.find("to"); to != record.end()) out = text(to->second);
    for (const auto& [name, scalar] : record) {
        if (name == "to") continue;
        if (!out.empty()) out += ' ';
        out += name + ' ' + text(scalar);
    }
    return out;
}

struct Printer {
    std::string operator()(bool flag) const { return flag ? "on" : "off"; }
    std::string operator()(std::uint64_t number) const { return std::to_string(number); }
    std::string operator()(const std::string& word) const { return word; }
    std::string operator()(const Numbers& numbers) const {
        std::string out = "[";
        for (const std::uint64_t number : numbers) {
            if (out.size() > 1) out += ',';
            out += std::to_string(number);
        }
        return out + "]";
    }
    std::string operator()(const Words& words) const {
        std::string out = "[";
        for (const std::string& word : words) {
            if (out.size() > 1) out += ',';
            out += word;
        }
        return out + "]";
    }
    std::string operator()(const Record& record) const { return record_text(record); }
};

}  // namespace

Record::Record(std::initializer_list<value_type> parts) {
    parts_.reserve(parts.size());
    for (const value_type& part : parts)
        emplace(part.first, part.second);
}

Record::iterator Record::place_of(std::string_view name) {
    return std::ranges::find_if(parts_,
                                [name](const value_type& part) { return part.first >= name; });
}

Record::const_iterator Record::find(std::string_view name) const {
    return std::ranges::find(parts_, name, &value_type::first);
}

const Scalar& Record::at(std::string_view name) const {
    const auto found = find(name);
    if (found == end()) throw std::out_of_range("no part is called " + std::string(name));
    return found->second;
}

Scalar& Record::operator[](std::string_view name) {
    constexpr std::size_t usual = 4;
    if (parts_.empty()) parts_.reserve(usual);
    const auto place = place_of(name);
    if (place != parts_.end() && place->first == name) return place->second;
    return parts_.emplace(place, std::string(name), Scalar())->second;
}

void Record::emplace(std::string_view name, Scalar value) {
    const std::size_t before = size();
    Scalar& part = (*this)[name];
    if (size() > before) part = std::move(value);
}

std::size_t Record::erase(std::string_view name) {
    return std::erase_if(parts_, [name](const value_type& part) { return part.first == name; });
}

bool ElementLess::operator()(std::string_view left, std::string_view right) const {
    const auto starts = [](std::string_view text) {
        return !text.empty() && is_digit(text.front());
    };
    if (left.size() != right.size() && starts(left) && starts(right) && is_all_digits(left) &&
        is_all_digits(right))
        return left.size() < right.size();
    return left < right;
}

std::string text(const Value& value) {
    return std::visit(Printer{}, value);
}

}  // namespace core
