// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::owners {

namespace {

constexpr std::array<std::string_view, 2> kOwners = {"NetworkManager", "lldpad"};

using enum Shape::Kind;

constexpr Shape kEvidence = {.kind = text};

constexpr std::array kFields = {
    fact("owners", {.kind = named, .words = kOwners, .of = &kEvidence},
         "Programs that manage the port too, and how that was seen.", get_named<&Port::owners>,
         set_named<&Port::owners>),
};

constexpr std::array kFoundBy = {Object::device, Object::link};

}  // namespace

constinit const ObjectRow row = {.object = Object::owners,
                                 .name = "owners",
                                 .doc = "Programs that manage the port too.",
                                 .topic = Topic::link,
                                 .fields = kFields,
                                 .read = {.found_by = kFoundBy}};

}  // namespace core::owners
