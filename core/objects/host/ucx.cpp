// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/host/variable.hpp"
#include "core/objects/rows.hpp"

namespace core::ucx {

namespace {

constexpr std::array<std::string_view, 2> kNames = {"UCX_IB_TRAFFIC_CLASS", "UCX_IB_SL"};

std::optional<std::string> illegal_name(std::string_view name) {
    return illegal_variable(name, "UCX_", kNames.front());
}

constexpr std::array kFields = {
    setting("host.ucx",
            {.kind = Shape::Kind::named,
             .words = kNames,
             .of = &kVariable,
             .illegal_name = illegal_name,
             .come_and_go = true},
            "Variables of UCX for every user, in /etc/ucx/ucx.conf, before its first section. The "
            "environment and a user's own file win over it.",
            get_named<&Port::ucx>, set_named<&Port::ucx>),
};

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return variable_edits(*now.ucx, *then.ucx, "/etc/ucx/ucx.conf");
}

}  // namespace

constinit const ObjectRow row = {
    .object = Object::ucx,
    .name = "ucx",
    .doc = "Settings that UCX reads when it starts, in /etc/ucx/ucx.conf.",
    .topic = Topic::host,
    .lives = Lives::host,
    .fields = kFields,
    .play = take<&Port::ucx>,
    .read = {.always = true, .of_each_port = true},
    .words = {.spell = spell},
    .boot = {.stays = "it is in a file, /etc/ucx/ucx.conf"}};

}  // namespace core::ucx
