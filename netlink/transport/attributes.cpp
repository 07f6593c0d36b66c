// SPDX-License-Identifier: Apache-2.0
#include "netlink/transport/attributes.hpp"

#include <algorithm>

namespace netlink {

std::optional<Bytes> Attributes::find(int type) const {
    std::optional<Bytes> result;
    for_each([&](int found, Bytes payload) {
        if (found == type && !result) result = payload;
    });
    return result;
}

Attributes Attributes::nested(int type) const {
    return Attributes(find(type).value_or(Bytes()));
}

std::string Attributes::text(int type) const {
    const Bytes payload = find(type).value_or(Bytes());
    const auto end = std::find(payload.begin(), payload.end(), std::byte{0});
    std::string text;
    for (auto at = payload.begin(); at != end; ++at)
        text += static_cast<char>(*at);
    return text;
}

void add_word(std::string& words, std::string_view word) {
    if (!words.empty()) words += ", ";
    words += word;
}

}  // namespace netlink
