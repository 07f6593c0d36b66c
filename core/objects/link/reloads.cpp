// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::reloads {

namespace {

constexpr std::array<std::string_view, 3> kSome = {"driver_reinit", "fw_activate",
                                                   "remote fw_activate"};
constexpr Shape kCount = {.kind = Shape::Kind::counter, .max = kU64};

constexpr std::array kFields = {
    fact(
        "reloads", {.kind = Shape::Kind::named, .words = kSome, .of = &kCount},
        "How often devlink reloaded the device since its driver was loaded, by action (devlink dev "
        "show -s); remote is for another function or host of the card.",
        get_named<&Port::reloads>, set_named<&Port::reloads>),
};

constexpr std::array kFoundBy = {Object::link, Object::device};  // which may know the PCI address

}  // namespace

constinit const ObjectRow row = {.object = Object::reloads,
                                 .name = "reloads",
                                 .doc = "How often devlink reloaded the device.",
                                 .topic = Topic::bus,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .read = {.on_demand = true, .found_by = kFoundBy},
                                 .words = {.unsupported = "the port's driver has no devlink"}};

}  // namespace core::reloads
