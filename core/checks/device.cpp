// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/checks/growth.hpp"
#include "core/objects/link/parts.hpp"

// What the device, its driver and the bridges above it say of themselves.

namespace core {
namespace {

constexpr std::array<Keys, 2> kPathAndSpeed = {"pcie.path", "speed"};
constexpr std::array<Keys, 1> kPath = {"pcie.path"};
constexpr std::array<Keys, 1> kHealth = {"health"};
constexpr std::array<Keys, 1> kVersions = {"versions"};
constexpr std::array<Keys, 1> kFirmware = {"firmware"};
constexpr std::array<Ids, 1> kOwnLinkIsFast = {"pcie-slow"};
constexpr std::array<Ids, 1> kIsWell = {"device-unhealthy"};

/// The best that both ends of a link can do.
std::string both_can(const PcieHop& one, const PcieHop& other) {
    const bool first = pcie_transfers(one.max_speed) < pcie_transfers(other.max_speed);
    return pcie_words(first ? one.max_speed : other.max_speed,
                      std::min(one.max_width, other.max_width));
}

bool is_one_link(const PcieHop& one, const PcieHop& other) {
    return one.speed == other.speed && one.width == other.width;
}

/// A link comes up at less than both its ends can do.
bool is_degraded(const PcieHop& one, const PcieHop& other) {
    const double rate = std::min(pcie_transfers(one.max_speed), pcie_transfers(other.max_speed));
    return pcie_transfers(one.speed) < rate || one.width < std::min(one.max_width, other.max_width);
}

/// Two functions share a link: the lower is at its end towards the processor. A port of a switch
/// and the port above it in the same switch have none between them.
Faults slow_bridge(const Evidence& evidence) {
    constexpr double thousand = 1000;
    const PciePath& path = *evidence.now->pcie_path;
    const double needed = *evidence.now->speed / thousand - pcie_capacity_beside(evidence);
    for (std::size_t i = 1; i < path.size(); ++i) {
        const double carried = pcie_capacity(path[i].speed, path[i].width);
        if (carried > 0 && carried < needed)
            return fault("the link of the bridge " + path[i].pci + " is " +
                         pcie_words(path[i].speed, path[i].width) + ", about " +
                         std::to_string(static_cast<unsigned>(carried)) + " Gb/s, the port has " +
                         std::to_string(static_cast<unsigned>(*evidence.now->speed / thousand)) +
                         " Gb/s");
    }
    for (std::size_t i = 2; i + 1 < path.size(); i += 2) {
        if (!is_one_link(path[i], path[i + 1]) || !is_degraded(path[i], path[i + 1])) continue;
        Faults out = fault("the link between the bridges " + path[i].pci + " and " +
                           path[i + 1].pci + " is " + pcie_words(path[i].speed, path[i].width) +
                           ", both can do " + both_can(path[i], path[i + 1]));
        out.front().slight = true;
        return out;
    }
    return {};
}

struct ErrorKind {
    std::string_view name;
    std::optional<std::uint64_t> PcieHop::*count;
    bool slight;
};
constexpr std::array kErrorKinds = {ErrorKind{"fatal", &PcieHop::fatal, false},
                                    ErrorKind{"nonfatal", &PcieHop::nonfatal, false},
                                    ErrorKind{"correctable", &PcieHop::correctable, true}};

/// Errors that are fixed in so many seconds are not worth a word.
constexpr double kSeldom = 60;

/// Since the earlier reading; a function that was made anew counts from 0 again.
std::uint64_t errors_since(const PcieHop& now, const PciePath& before, const ErrorKind& kind) {
    const auto earlier = std::ranges::find(before, now.pci, &PcieHop::pci);
    const auto& count = now.*kind.count;
    if (!count || earlier == before.end() || !((*earlier).*kind.count)) return 0;
    return counted_since(*((*earlier).*kind.count), *count);
}

Faults bus_errors(const Evidence& evidence) {
    Faults out;
    if (!evidence.before->pcie_path) return out;
    const std::string in = duration_text(evidence.seconds);
    for (const PcieHop& hop : *evidence.now->pcie_path)
        for (const ErrorKind& kind : kErrorKinds) {
            const std::uint64_t by = errors_since(hop, *evidence.before->pcie_path, kind);
            const bool often =
                evidence.seconds <= 0 || static_cast<double>(by) * kSeldom > evidence.seconds;
            if (by == 0 || (kind.slight && !often)) continue;
            out.push_back({.text = hop.pci + " reported " + std::to_string(by) + ' ' +
                                   std::string(kind.name) + " errors of PCI Express " +
                                   (in.empty() ? "since the earlier reading" : "in " + in),
                           .slight = kind.slight});
        }
    return out;
}

Faults fatal_errors(const Evidence& evidence) {
    Faults out;
    for (const PcieHop& hop : *evidence.now->pcie_path)
        if (hop.fatal.value_or(0) > 0)
            out.push_back({.text = hop.pci + " reported " + std::to_string(*hop.fatal) +
                                   " fatal errors of PCI Express since the host was started"});
    return out;
}

Faults ill(const Evidence& evidence) {
    Faults out;
    for (const Reporter& one : *evidence.now->reporters)
        if (!one.healthy)
            out.push_back({.text = "the driver's reporter " + one.name + " says error: it saw " +
                                   std::to_string(one.errors) + ", of which " +
                                   std::to_string(one.recovered) + " were put right"});
    return out;
}

Faults was_ill(const Evidence& evidence) {
    Faults out;
    if (!evidence.before->reporters) return out;
    const std::string in = duration_text(evidence.seconds);
    for (const Reporter& one : *evidence.now->reporters) {
        const auto earlier =
            std::ranges::find(*evidence.before->reporters, one.name, &Reporter::name);
        if (earlier == evidence.before->reporters->end()) continue;
        const std::uint64_t by = counted_since(earlier->errors, one.errors);
        if (by > 0)
            out.push_back({.text = "the driver's reporter " + one.name + " saw " +
                                   std::to_string(by) + " errors " +
                                   (in.empty() ? "since the earlier reading" : "in " + in)});
    }
    return out;
}

Faults stored_beside(const std::string& part, const std::string& runs, const std::string& stored) {
    return fault("the device runs " + part + ' ' + runs + ", and " + stored +
                 " is stored for its next start");
}

/// One firmware has several names: its bundle's and its parts'.
Faults other_stored(const Evidence& evidence) {
    const Versions& all = *evidence.now->versions;
    for (const auto& [name, value] : all) {
        if (!name.starts_with(versions::kRunning)) continue;
        const std::string part = name.substr(versions::kRunning.size());
        const auto stored = all.find(std::string(versions::kStored) + part);
        if (stored != all.end() && stored->second != value)
            return stored_beside(part, value, stored->second);
    }
    return {};
}

/// `MT_0000000359` of `22.39.2048 (MT_0000000359)`: ports of other boards have other firmware.
std::string board_in(const std::string& firmware) {
    const std::size_t at = firmware.find('(');
    return at == std::string::npos ? std::string() : firmware.substr(at);
}

Faults firmware_of_siblings(const Evidence& evidence) {
    const auto of = [](const Port& port) {
        return port.device && !port.device->firmware.empty() ? std::optional(port.device->firmware)
                                                             : std::nullopt;
    };
    const auto most = usual(evidence, of);
    const std::string& own = evidence.now->device->firmware;
    if (!most || own.empty() || own == *most || board_in(own) != board_in(*most)) return {};
    return fault("firmware is " + own + ", " + siblings_words(evidence) + " have " + *most);
}

constexpr std::array<Ids, 2> kOfSlowPath = {"pfc-tx-storm", "rx-discards"};
constexpr std::array<Ids, 2> kOfBusErrors = {"pcie-fatal-errors", "pfc-tx-storm"};
constexpr std::array<Ids, 4> kOfIll = {"rdma-not-active", "ack-timeouts", "retries-exhausted",
                                       "device-recovered"};

constexpr std::array kRowsDevice = {
    FindingRow{
        .id = "pcie-bridge-slow",
        .why = "What the device hands on goes through every bridge above it: the slowest link of "
               "them is as fast as it gets, and the fabric is stopped with PFC.",
        .remedy = "another slot, or the lanes of that bridge in the firmware setup",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kPathAndSpeed, .sound = kOwnLinkIsFast},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfSlowPath,
                  .ruled_out_by = "a loopback bandwidth test at the speed of the port",
                  .test = "lspci -tv; lspci -vv, LnkCap and LnkSta of the bridge"},
        .run = slow_bridge},
    FindingRow{.id = "pcie-errors",
               .why = "What PCI Express garbles is sent anew or lost: the device waits for memory, "
                      "its buffers fill, and it may end with a fatal error.",
               .remedy = "the card seated anew, another slot or riser; never hide the reports",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kPath, .before = true},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfBusErrors,
                         .ruled_out_by = "the device was taken away or reset in that time",
                         .test = "aer_dev_correctable of the device in sysfs, a minute apart"},
               .run = bus_errors},
    FindingRow{.id = "pcie-fatal-errors",
               .level = FindingLevel::note,
               .why = "A fatal error took the link of PCI Express down; what came back may have "
                      "lost its settings.",
               .remedy = "the card in another slot or with another riser; its firmware",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kPath},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "the device was taken away while the host ran"},
               .run = fatal_errors},
    FindingRow{.id = "device-unhealthy",
               .why = "The driver found the device, its firmware or a queue broken, and has not "
                      "put it right: what hangs on it does nothing more.",
               .remedy = "devlink health diagnose and recover of that reporter; first keep "
                         "devlink health dump show for the vendor",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kHealth},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfIll,
                         .ruled_out_by = "devlink health shows the state healthy",
                         .test = "devlink health",
                         .weight = Weight::stop},
               .run = ill},
    FindingRow{.id = "device-recovered",
               .level = FindingLevel::note,
               .why = "The driver had to put the device right: connections that were on it are "
                      "gone, and it will happen again.",
               .remedy = "the firmware and driver that the vendor recommends together",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kHealth, .before = true, .sound = kIsWell},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "somebody tested the reporter (devlink health test)",
                         .test = "devlink health dump show"},
               .run = was_ill},
    FindingRow{.id = "firmware-pending",
               .level = FindingLevel::note,
               .why = "New firmware was stored and does not run: the host behaves otherwise after "
                      "its next start, and otherwise than its siblings until then.",
               .remedy = "devlink dev reload with action fw_activate, or the host off and on",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kVersions},
               .examines = CheckTarget::port,
               .cause = {.test = "devlink dev info"},
               .run = other_stored},
    FindingRow{.id = "firmware-of-siblings",
               .level = FindingLevel::note,
               .why = "Ports of one board with different firmware differ in what they count, how "
                      "they slow down and what they have wrong.",
               .remedy = "the same firmware on all of them",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kFirmware},
               .examines = CheckTarget::port,
               .run = firmware_of_siblings},
};

constexpr auto kAllDevice = each_of(kRowsDevice);

}  // namespace

const FindingGroup finding_group::device{
    .name = "device",
    .doc = "What the device, its driver and the bridges above it say of themselves.",
    .rows = kAllDevice};

}  // namespace core
