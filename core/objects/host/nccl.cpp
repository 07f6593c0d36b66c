// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/host/variable.hpp"
#include "core/objects/rows.hpp"

namespace core::nccl {

namespace {

constexpr std::array<std::string_view, 2> kNames = {"NCCL_IB_TC", "NCCL_IB_SL"};

std::optional<std::string> illegal_name(std::string_view name) {
    return illegal_variable(name, "NCCL_", kNames.front());
}

constexpr std::array kFields = {
    setting("host.nccl",
            {.kind = Shape::Kind::named,
             .words = kNames,
             .of = &kVariable,
             .illegal_name = illegal_name,
             .come_and_go = true},
            "Variables of NCCL for every user, in /etc/nccl.conf. The environment and a user's own "
            "file win over it.",
            get_named<&Port::nccl>, set_named<&Port::nccl>),
};

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return variable_edits(*now.nccl, *then.nccl, "/etc/nccl.conf");
}

}  // namespace

constinit const ObjectRow row = {
    .object = Object::nccl,
    .name = "nccl",
    .doc = "Settings that NCCL reads when it starts, in /etc/nccl.conf.",
    .topic = Topic::host,
    .lives = Lives::host,
    .fields = kFields,
    .play = take<&Port::nccl>,
    .read = {.always = true, .of_each_port = true},
    .words = {.spell = spell},
    .boot = {.stays = "it is in a file, /etc/nccl.conf"}};

}  // namespace core::nccl
