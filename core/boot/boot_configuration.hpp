// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/boot/lines.hpp"
#include "core/model/desired.hpp"
#include "core/model/state.hpp"

namespace core::boot {

/// What a line of a file sets at boot, as its program understands it.
struct BootSetting {
    BootProgram program{};
    std::string key{};  ///< as AtBoot::key; empty: that the program has the port
    std::string value{};
    std::string file{};
    std::uint32_t line = 0;
    std::string unsure{};  ///< why it may not be so; empty: it is
};
std::string place(const BootSetting& setting);  ///< `/etc/sysctl.d/90-rdma.conf:3`

/// Something by which nobody can tell from the files of a program what it will do.
struct Uncertainty {
    BootProgram program{};
    std::string text{};
    bool of_all = false;  ///< of whatever may be set, and not of what its files can state alone
};

/// All that is said of a port, or of the host (kHost), in the order in which it counts: the last
/// word of a program is what it does.
struct BootConfiguration {
    std::vector<BootSetting> settings{};
    std::vector<Uncertainty> uncertainties{};
    std::vector<BootSetting> idle{};  ///< of programs that do not run
    /// Modules, or patterns of them, that modprobe does not load; the value is the command that it
    /// runs instead, empty where they are blacklisted.
    std::vector<BootSetting> blacklisted{};
};

BootConfiguration configuration(const Port& port, const BootFiles& files);

// What each program makes of its files: networkd.cpp, network_manager.cpp, interfaces.cpp,
// scripts.cpp, host_files.cpp.
void add_link_file(const Port& port, const BootFiles& files, BootConfiguration& out);
void add_networkd(const Port& port, const BootFiles& files, BootConfiguration& out);
/// Of the host: that the program has its rules, where it sets up a port.
void add_networkd_of_host(const BootFiles& files, BootConfiguration& out);
void add_network_manager(const Port& port, const BootFiles& files, BootConfiguration& out);
void add_interfaces(const Port& port, const BootFiles& files, BootConfiguration& out);
/// Adds a doubt for each script that ifupdown or NetworkManager runs for a port and whose effect is
/// unknown. Call after `out` says which of the two has the port.
void add_scripts(const BootFiles& files, BootConfiguration& out);
void add_sysctl(const BootFiles& files, BootConfiguration& out);
void add_modules(const BootFiles& files, BootConfiguration& out);
void add_limits(const BootFiles& files, BootConfiguration& out);
void add_services(const BootFiles& files, BootConfiguration& out);

/// An ifcfg file of NetworkManager's (nm-settings-ifcfg-rh(5)) as the keyfile that says the same.
File keyfile_of_ifcfg(const File& file);
/// 24 for `255.255.255.0`; npos where it is no mask.
std::size_t length_of_mask(const std::string& mask);
/// Whether netplan writes the file whenever the host starts (netplan-generate(8)).
[[nodiscard]] bool is_from_netplan(std::string_view file);
/// Whether a unit of the name is started at boot: something wants it, and it is not masked.
[[nodiscard]] bool is_enabled(std::string_view unit, const BootFiles& files);
/// A name of a sysctl with slashes between its parts (sysctl.d(5)).
std::string sysctl_name(std::string_view name);
/// The value that counts where several patterns and names say one: the last line that names it,
/// else the last pattern.
const BootSetting* last_sysctl(const std::vector<BootSetting>& settings, const std::string& name);

/// What a line says of a setting.
struct UnderstoodSetting {
    const BootSetting* setting = nullptr;
    const AtBoot* at = nullptr;
    std::optional<Value> value{};  ///< nothing where it is not understood
};

/// What files say of the desired value's setting, in the order in which their programs act; `late`:
/// only programs that may come after rocectl's own unit.
std::vector<UnderstoodSetting> understood(const Desired& desired,
                                          const std::vector<BootSetting>& settings, bool late);

/// The value that the setting has where no file says one; nothing where that is not known.
std::optional<Value> unstated(const Field& field);

/// Whether the program's files can state the setting.
[[nodiscard]] bool can_state(const Field& field, BootProgram program);

}  // namespace core::boot
