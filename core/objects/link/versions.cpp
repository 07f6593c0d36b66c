// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::versions {

namespace {

constexpr std::array<std::string_view, 3> kSome = {"fixed fw.psid", "running fw.version",
                                                   "stored fw.version"};
constexpr Shape kText = {.kind = Shape::Kind::text};

constexpr std::array kFields = {
    fact("versions", {.kind = Shape::Kind::named, .words = kSome, .of = &kText},
         "Versions of the device by devlink's names (devlink dev info): what is fixed, what runs, "
         "and what is stored for the next start.",
         get_named<&Port::versions>, set_named<&Port::versions>),
};

constexpr std::array kFoundBy = {Object::link, Object::device};  // which may know the PCI address

}  // namespace

constinit const ObjectRow row = {.object = Object::versions,
                                 .name = "versions",
                                 .doc = "Versions of the device's firmware.",
                                 .topic = Topic::bus,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .read = {.on_demand = true, .found_by = kFoundBy},
                                 .words = {.unsupported = "the port's driver has no devlink"}};

}  // namespace core::versions
