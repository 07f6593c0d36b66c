// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/module_memory.hpp"

namespace netlink {

void ModuleMemory::put(ModulePlace start, Bytes bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes_[start + static_cast<unsigned>(i)] = std::to_integer<std::uint8_t>(bytes[i]);
}

std::optional<unsigned> ModuleMemory::byte(ModulePlace at) const {
    const auto found = bytes_.find(at);
    return found == bytes_.end() ? std::nullopt : std::optional<unsigned>(found->second);
}

std::optional<unsigned> ModuleMemory::number(ModulePlace at) const {
    const auto upper = byte(at);
    const auto lower = byte(at + 1);
    constexpr unsigned byte_bits = 8;
    return upper && lower ? std::optional(*upper << byte_bits | *lower) : std::nullopt;
}

bool ModuleMemory::is_set(ModulePlace at, unsigned bit) const {
    return ((byte(at).value_or(0) >> bit) & 1U) != 0;
}

std::string ModuleMemory::text(ModulePlace at, unsigned length) const {
    std::string out;
    for (unsigned i = 0; i < length; ++i) {
        const unsigned each = byte(at + i).value_or(0);
        if (each < ' ' || each > '~') break;
        out += static_cast<char>(each);
    }
    const std::size_t end = out.find_last_not_of(' ');
    return out.substr(0, end == std::string::npos ? 0 : end + 1);
}

}  // namespace netlink
