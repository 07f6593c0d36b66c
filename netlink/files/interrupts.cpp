// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <cerrno>
#include <charconv>

#include "core/model/back_end.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// The folder of the PCI function; nothing for a port that has none.
std::optional<HostPath> function_of(const Machine& machine, const core::Port& port) {
    const auto device = core::path_of("/sys/class/net/{port}/device", port);
    if (!device || is_veth(port)) return std::nullopt;
    for (const std::string& folder : {*device, *device + "/.."}) {
        const HostPath path = machine.file(folder);
        if (is_folder(path / "msi_irqs")) return path;
    }
    return std::nullopt;
}

HostPath affinity_file(const Machine& machine, unsigned number) {
    return machine.file("/proc/irq") / std::to_string(number) / "smp_affinity_list";
}

core::Cpus read_cpus(const HostPath& path) {
    const std::string text = read_text_file(path);
    if (auto cpus = core::parse_cpus(text)) return *cpus;
    throw KernelError(EBADMSG, path.string() + " reads '" + text + "'");
}

/// A mask of CPUs, in words of 32 bits with commas between (lib/vsprintf.c bitmap_string); nothing
/// where it is empty or no mask.
core::Cpus cpus_of_mask(std::string text) {
    std::erase(text, ',');
    core::Cpus out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned digit = 0;
        const char* at = text.data() + (text.size() - 1 - i);
        if (std::from_chars(at, at + 1, digit, 16).ec != std::errc()) return {};
        for (unsigned bit = 0; bit < 4; ++bit)
            if ((digit >> bit & 1U) != 0) out.insert(static_cast<unsigned>(i) * 4 + bit);
    }
    return out;
}

/// What the driver asks for; nothing where it asks nothing, or the file cannot be read.
void read_hint(const Machine& machine, unsigned number, core::Interrupts& interrupts) {
    const auto path = machine.file("/proc/irq") / std::to_string(number) / "affinity_hint";
    try {
        core::Cpus hint = cpus_of_mask(read_text_file(path));
        if (!hint.empty()) interrupts.hints[number] = std::move(hint);
    } catch (const KernelError&) {
        return;
    }
}

/// One that nobody asked for yet has no file (kernel/irq/proc.c register_irq_proc).
void read_one(const Machine& machine, const std::string& name, core::Interrupts& interrupts) {
    unsigned number = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) return;
    try {
        interrupts.affinity[number] = read_cpus(affinity_file(machine, number));
        read_hint(machine, number, interrupts);
    } catch (const KernelError& error) {
        if (error.code != ENOENT) throw;
        interrupts.affinity.erase(number);
    }
}

}  // namespace

void read_interrupts(Machine& machine, core::Port& port) {
    const auto function = function_of(machine, port);
    if (!function) return;
    core::Interrupts interrupts{.local = read_cpus(*function / "local_cpulist"), .affinity = {}};
    int failure = 0;
    for (const std::string& name : names_in(*function / "msi_irqs", &failure))
        read_one(machine, name, interrupts);
    if (failure != 0) throw KernelError(failure, (*function / "msi_irqs").string());
    port.interrupts = std::move(interrupts);
}

void write_interrupts(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.interrupts || !then.interrupts) throw KernelError(ENODEV);
    for (const auto& [number, cpus] : then.interrupts->affinity) {
        const auto before = now.interrupts->affinity.find(number);
        if (before == now.interrupts->affinity.end() || before->second == cpus) continue;
        write_text_file(affinity_file(machine, number), core::text(cpus));
    }
}

}  // namespace netlink
