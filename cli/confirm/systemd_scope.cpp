// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/systemd_scope.hpp"

#include <dlfcn.h>

#include <chrono>
#include <thread>

#include "cli/confirm/guard_probe.hpp"
#include "cli/files/lifetime.hpp"
#include "cli/run/child.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBusLimit{5000};
constexpr milliseconds kUnitLimit{3000};

/// The functions of sd-bus(3) that are used here. Not linked: no plan needs them.
struct Bus {
    int (*open)(void** bus) = nullptr;
    int (*call)(void* bus, const char* destination, const char* path, const char* interface,
                const char* member, void* error, void** reply, const char* types, ...) = nullptr;
};

template <typename Function>
bool find(void* handle, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
}

/// Empty where systemd took the order.
std::string ask_for(const std::string& unit, long process, const std::string& description) {
    void* handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    Bus bus;
    if (handle == nullptr || !find(handle, "sd_bus_open_system", bus.open) ||
        !find(handle, "sd_bus_call_method", bus.call))
        return "libsystemd is not installed";
    void* system = nullptr;
    int failed = bus.open(&system);
    if (failed < 0) return "the system bus: " + error_words(-failed);
    failed =
        bus.call(system, "org.freedesktop.systemd1",  // NOLINT(*-vararg)
                 "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
                 "StartTransientUnit", nullptr, nullptr, "ssa(sv)a(sa(sv))", unit.c_str(), "fail",
                 3, "Description", "s", description.c_str(), "CollectMode", "s",
                 "inactive-or-failed", "PIDs", "au", 1, static_cast<std::uint32_t>(process), 0);
    return failed < 0 ? "systemd: " + error_words(-failed) : std::string();
}

}  // namespace

std::string scope_fails(const netlink::Root& root, long process, std::uint64_t entry) {
    const std::string unit =
        "rocectl-guard-" + std::to_string(entry) + '-' + std::to_string(process) + ".scope";
    const std::string description = "Guard of rocectl apply " + std::to_string(entry);
    try {
        // In a process of its own: the library stays loaded, and the bus may not answer.
        const Answer answer =
            in_child([&] { return ask_for(unit, process, description); }, kBusLimit);
        if (!answer.text) return "the system bus has not answered in 5 s";
        if (!answer.text->empty()) return *answer.text;
    } catch (const core::Error& error) {
        return error.what();
    }
    constexpr milliseconds step{50};
    for (milliseconds time{}; time < kUnitLimit; time += step) {
        if (is_in_unit(root, process, unit)) return {};
        std::this_thread::sleep_for(step);
    }
    return "systemd has not made " + unit + " in 3 s";
}

}  // namespace cli
