// SPDX-License-Identifier: Apache-2.0
#include "netlink/transport/attributes.hpp"

namespace netlink {

std::optional<Bytes> Attributes::find(int type) const {
    std::optional<Bytes> result;
    each_until([&](int found, Bytes payload) {
        if (found == type) result = payload;
        return found == type;
    });
    return result;
}

Attributes Attributes::nested(int type) const {
    return Attributes(find(type).value_or(Bytes()));
}

std::string Attributes::text(int type) const {
    const Bytes payload = find(type).value_or(Bytes());
    // NOLINTNEXTLINE(*-reinterpret-cast): what is called text is bytes of it
    const auto* const first = reinterpret_cast<const char*>(payload.data());
    const std::string_view bytes(first, payload.size());
    return std::string(bytes.substr(0, bytes.find('\0')));
}

void add_word(std::string& words, std::string_view word) {
    if (!words.empty()) words += ", ";
    words += word;
}

}  // namespace netlink
