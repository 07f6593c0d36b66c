// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include <cerrno>

#include "netlink/ethtool/ethtool.hpp"
#include "netlink/ethtool/module.hpp"

namespace netlink {

Bytes decode_module_bytes(Bytes payload) {
    return Attributes::after<genlmsghdr>(payload)
        .find(ETHTOOL_A_MODULE_EEPROM_DATA)
        .value_or(Bytes());
}

namespace {

/// What every module has: its identifier, its standard's version and its first status.
constexpr ModuleRead kModuleStart = {{0, 0}, 3};

void read_module(Machine& machine, const std::string& port, const ModuleRead& read,
                 ModuleMemory& memory) {
    Message request = ethtool_message(machine, ETHTOOL_MSG_MODULE_EEPROM_GET,
                                      ETHTOOL_A_MODULE_EEPROM_HEADER, port);
    request.put(ETHTOOL_A_MODULE_EEPROM_OFFSET, std::uint32_t{read.start.offset});
    request.put(ETHTOOL_A_MODULE_EEPROM_LENGTH, std::uint32_t{read.length});
    request.put(ETHTOOL_A_MODULE_EEPROM_PAGE, read.start.page);
    request.put(ETHTOOL_A_MODULE_EEPROM_BANK, std::uint8_t{0});
    request.put(ETHTOOL_A_MODULE_EEPROM_I2C_ADDRESS, read.start.i2c_address);
    machine.generic().get(request, [&](const Reply& reply) {
        const Bytes bytes = decode_module_bytes(reply.payload);
        memory.put(read.start, bytes.first(std::min<std::size_t>(bytes.size(), read.length)));
    });
}

/// A driver without reading by pages has only the first ones (net/ethtool/eeprom.c
/// fallback_set_params): without their limits, flags say what is.
void read_further(Machine& machine, const std::string& port, const ModuleRead& read,
                  ModuleMemory& memory) {
    try {
        read_module(machine, port, read, memory);
    } catch (const KernelError& error) {
        const bool first_page = read.start < ModulePlace{1, 0};
        if (error.code != EINVAL || first_page) throw;
    }
}

}  // namespace

void read_transceiver(Machine& machine, core::Port& port) {
    ModuleMemory memory;
    read_module(machine, port.name, kModuleStart, memory);
    const ModuleMap* map = module_type(memory.byte(kModuleStart.start).value_or(0)).map;
    if (map != nullptr) {
        read_module(machine, port.name, map->identity, memory);
        if (module_measures(memory))
            for (const ModuleRead& read : map->measured)
                read_further(machine, port.name, read, memory);
    }
    port.transceiver = transceiver_of(memory);
}

}  // namespace netlink
