// SPDX-License-Identifier: Apache-2.0
#include "core/model/listing.hpp"

#include <algorithm>
#include <array>

namespace core {
namespace {

/// A name's first bytes as numbers that are in the order of the names.
struct Start {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::uint32_t place = 0;
};

std::uint64_t start_of(std::string_view bytes) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < sizeof(out); ++i)
        out = out << 8U | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
    return out;
}

}  // namespace

void NameOrder::add(std::string_view name) {
    in_order_ = in_order_ && (ends_.empty() || this->name(ends_.size() - 1) < name);
    names_ += name;
    ends_.push_back(static_cast<std::uint32_t>(names_.size()));
}

std::string_view NameOrder::name(std::size_t place) const {
    const std::size_t start = place == 0 ? 0 : ends_[place - 1];
    return std::string_view(names_).substr(start, ends_[place] - start);
}

std::vector<std::uint32_t> NameOrder::order() const {
    constexpr std::size_t half = sizeof(std::uint64_t);
    std::vector<Start> starts(ends_.size());
    for (std::uint32_t i = 0; i < starts.size(); ++i) {
        const std::string_view whole = name(i);
        starts[i] = {start_of(whole), start_of(whole.substr(std::min(half, whole.size()))), i};
    }
    std::ranges::sort(starts, [this](const Start& one, const Start& other) {
        if (one.first != other.first) return one.first < other.first;
        if (one.second != other.second) return one.second < other.second;
        const int tail = name(one.place).compare(name(other.place));
        return tail != 0 ? tail < 0 : one.place < other.place;
    });
    std::vector<std::uint32_t> out;
    out.reserve(starts.size());
    for (const Start& start : starts)
        if (out.empty() || name(out.back()) != name(start.place)) out.push_back(start.place);
    return out;
}

}  // namespace core
