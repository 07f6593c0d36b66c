// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::parameters {

namespace {

using enum Shape::Kind;

constexpr Shape kValue = {.kind = text};
constexpr std::array<std::string_view, 2> kStored = {"enable_sriov", "total_vfs"};
constexpr std::array<std::string_view, 2> kDriver = {"enable_roce", "flow_steering_mode"};

constexpr std::array kFields = {
    fact("devlink.stored", {.kind = named, .words = kStored, .of = &kValue},
         "Configuration that the NIC keeps for its next start, as far as devlink shows it: "
         "parameters of mode permanent, by name, as devlink dev param show prints them. What "
         "devlink does not show, the vendor's tool alone knows.",
         get_named<&Port::parameters, &Parameters::stored>,
         set_named<&Port::parameters, &Parameters::stored>),
    fact("devlink.parameters", {.kind = named, .words = kDriver, .of = &kValue},
         "Parameters of the NIC's driver, of mode runtime or else driverinit, by name, as devlink "
         "dev param show prints them.",
         get_named<&Port::parameters, &Parameters::driver>,
         set_named<&Port::parameters, &Parameters::driver>),
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::parameters,
    .name = "parameters",
    .doc = "Parameters of the NIC and of its driver, by devlink.",
    .topic = Topic::bus,
    .lives = Lives::hardware,
    .fields = kFields,
    .words = {.unsupported = "devlink has no parameters for the device of the port"}};

}  // namespace core::parameters
