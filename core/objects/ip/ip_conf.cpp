// SPDX-License-Identifier: Apache-2.0
#include "core/objects/ip/ip_conf.hpp"

#include <cerrno>

#include "core/model/shell.hpp"

namespace core {

std::optional<Refusal> not_made_yet(const Port& now) {
    if (now.link || (!now.vlan && !now.bond)) return std::nullopt;
    return Refusal{.code = ENODEV, .text = "No such device"};
}

std::string spell_write(const Port& port, std::string_view family, std::string_view name,
                        std::int64_t value) {
    const char part = port.name.find('.') == std::string::npos ? '.' : '/';
    std::string line = "net";
    for (const std::string_view word :
         {family, std::string_view("conf"), std::string_view(port.name), name})
        line += part + std::string(word);
    return "sysctl -w " + shell(line + '=' + std::to_string(value));
}

}  // namespace core
