// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::ecn_directory {

namespace {

Got get_directory(const Port& port) {
    if (!port.ecn_directory) return std::nullopt;
    return one(*port.ecn_directory);
}

void set_directory(Port& port, const Elements& elements) {
    port.ecn_directory = plain<bool>(elements);
}

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("ecn.directory", {.kind = flag},
            "The device has a directory under /sys/kernel/config/bnxt_re or "
            "/sys/kernel/config/irdma, in which the vendor's own driver of that name offers its "
            "congestion control.",
            get_directory, set_directory),
};

Played play(const Driver& /*driver*/, State& /*state*/, Port& now, const Port& then) {
    if (!now.rdma_link || now.rdma_link->device.empty())
        return Refusal{.code = ENODEV, .text = "No such device"};
    now.ecn_directory = then.ecn_directory;
    if (!*now.ecn_directory)
        now.unknown.insert(Object::ecn);
    else if (now.ecn)
        now.unknown.erase(Object::ecn);
    return std::nullopt;
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    const FileBackEnd* back_end = ecn::back_end_of(driver, then);
    const auto directory = back_end == nullptr ? std::nullopt : directory_of(*back_end, now);
    return {(*then.ecn_directory ? "mkdir " : "rmdir ") + shell(directory.value_or(""))};
}

constexpr std::array kConsults = {Object::link, Object::rdma_link};
constexpr std::array kTouches = {Object::ecn};

constexpr std::array kFoundBy = {Object::device, Object::rdma_link};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::ecn_directory,
    .name = "ecn_directory",
    .doc = "The directory of the device in the configfs of the vendor's driver.",
    .topic = Topic::congestion,
    .lives = Lives::hardware,
    .fields = kFields,
    .unsupported = ecn::unsupported,
    .play = play,
    .read = {.found_by = kFoundBy},
    .order = {.goes_before = ecn::goes_before, .consults = kConsults, .touches = kTouches},
    .words = {.spell = spell}};

}  // namespace core::ecn_directory
