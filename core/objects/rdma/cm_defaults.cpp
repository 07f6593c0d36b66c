// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "core/objects/rows.hpp"

namespace core {
namespace {

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    if (!now.cm_directory || !*now.cm_directory)
        return Refusal{.code = ENOENT, .text = "No such file or directory"};
    now.cm = then.cm;
    now.unknown.erase(Object::cm_defaults);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    const CmDefaults before = now.cm.value_or(CmDefaults{});
    const std::string files = cm_path(now) + "/ports/1/";
    if (then.cm->mode != before.mode && !then.cm->mode.empty())
        lines.push_back("echo '" + then.cm->mode + "' > " + files + "default_roce_mode");
    if (then.cm->tos != before.tos || !now.cm)
        lines.push_back("echo " + std::to_string(then.cm->tos) + " > " + files +
                        "default_roce_tos");
    return lines;
}

constexpr std::array kConsults = {Object::rdma_link};

}  // namespace

constinit const ObjectRow cm_defaults_row = {.object = Object::cm_defaults,
                                             .name = "cm_defaults",
                                             .doc = "RoCE version and ToS of rdma_cm connections.",
                                             .copy = copy<&Port::cm>,
                                             .consults = kConsults,
                                             .needs = "rdma.cm_directory",
                                             .lacks = no_rdma_device,
                                             .play = play,
                                             .spell = spell};

}  // namespace core
