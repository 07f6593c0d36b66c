// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/model/shape.hpp"

// Values for the tests that walk the tables, and for the examples of the manual.

namespace core {
namespace {

std::vector<std::string> sample_texts(Shape::Text text) {
    switch (text) {
        case Shape::Text::any:
        case Shape::Text::line: return {"one", "two"};
        case Shape::Text::name: return {"rxe0", "roce7"};
        case Shape::Text::mac: return {"02:00:00:00:00:01", "02:00:00:00:00:02"};
        case Shape::Text::pci: return {"0000:3b:00.0", "0000:3b:00.1"};
        case Shape::Text::ip: return {"192.0.2.1", "192.0.2.254"};
        case Shape::Text::address: return {"192.0.2.1/24", "192.0.2.1/25"};
        case Shape::Text::prefix: return {"198.51.100.0/24", "198.51.100.0/25"};
        case Shape::Text::network: return {"198.51.100.0/24", "198.51.100.7"};
        case Shape::Text::cpus: return {"0", "0-3,8"};
        case Shape::Text::selectors: return {"dscp", "pcp", "dscp pcp", "none"};
    }
    return {};
}

/// Two records: the required parts alone, and every part with its other sample. Parts that are
/// identity agree, so that the second is a replacement of the first.
std::vector<Value> sample_records(const Shape& shape) {
    Record least;
    Record full;
    for (const RecordPart& part : shape.parts) {
        const std::vector<Value> values = samples(part.shape);
        const auto scalar = [](const Value& value) -> Scalar {
            if (const auto* number = std::get_if<std::uint64_t>(&value)) return *number;
            return std::get<std::string>(value);
        };
        if (part.required) least[std::string(part.name)] = scalar(values.front());
        if (part.identity && !part.required) continue;
        full[std::string(part.name)] = scalar(part.identity ? values.front() : values.back());
    }
    return {least, full};
}

}  // namespace

std::vector<Value> samples(const Shape& shape) {
    switch (shape.kind) {
        case Shape::Kind::flag: return {false, true};
        case Shape::Kind::named: return samples(*shape.of);
        case Shape::Kind::number:
        case Shape::Kind::counter:
        case Shape::Kind::map: return {shape.min, shape.max};
        case Shape::Kind::word:
            return {std::string(shape.words.front()), std::string(shape.words.back())};
        case Shape::Kind::set:
            return {Numbers{}, Numbers{shape.max}, Numbers{shape.min, shape.max}};
        case Shape::Kind::list:
            return {Numbers(Shape::list_length, shape.min),
                    Numbers{shape.min, shape.max, shape.min, shape.min, shape.max, shape.min,
                            shape.min, shape.min}};
        case Shape::Kind::words: {
            Words mixed(Shape::list_length, std::string(shape.words.front()));
            mixed[3] = shape.words.back();
            return {Words(Shape::list_length, std::string(shape.words.front())), mixed};
        }
        case Shape::Kind::record:
        case Shape::Kind::items:
        case Shape::Kind::text: break;
    }
    if (!shape.parts.empty()) return sample_records(shape);
    std::vector<Value> out;
    for (const std::string& one : sample_texts(shape.text))
        out.emplace_back(one);
    return out;
}

std::vector<std::string> sample_keys(const Shape& shape) {
    if (shape.kind == Shape::Kind::map)
        return {std::to_string(shape.key_min), std::to_string(shape.key_max)};
    if (shape.kind == Shape::Kind::named) return {shape.words.begin(), shape.words.end()};
    return {""};
}

}  // namespace core
