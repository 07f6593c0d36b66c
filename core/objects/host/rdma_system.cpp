// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/rows.hpp"

namespace core::rdma_system {

namespace {

template <auto Part>
Got get_plain(const Port& port) {
    if (!(port.*Part)) return std::nullopt;
    return one(*(port.*Part));
}

template <auto Part>
void set_plain(Port& port, const Elements& elements) {
    using Held = typename std::remove_reference_t<decltype(port.*Part)>::value_type;
    port.*Part = plain<Held>(elements);
}

constexpr std::array<std::string_view, 2> kNetnsModes = {"shared", "exclusive"};

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("host.rdma.netns_mode", {.kind = word, .words = kNetnsModes},
            "Whether every network namespace sees every RDMA device (shared) or each its own "
            "(exclusive).",
            get_plain<&Port::rdma_system>, set_plain<&Port::rdma_system>),
};

/// EBUSY where another network namespace is there (rdma_compatdev_set,
/// drivers/infiniband/core/device.c), which no state tells.
Commands spell(const Driver& /*driver*/, const Port& /*now*/, const Port& then) {
    return {"rdma system set netns " + shell(*then.rdma_system)};
}

/// The parameter is whether all share them (drivers/infiniband/core/device.c, netns_mode).
std::string_view mode_of(std::string_view shared) {
    const bool yes = shared == "1" || shared == "Y" || shared == "y";
    const bool no = shared == "0" || shared == "N" || shared == "n";
    return yes ? kNetnsModes[0] : no ? kNetnsModes[1] : shared;
}

constexpr std::array kAtBoot = {
    AtBoot{"host.rdma.netns_mode", BootProgram::modprobe, "ib_core.netns_mode", true, false,
           mode_of},
};

}  // namespace

constinit const ObjectRow row = {.object = Object::rdma_system,
                                 .name = "rdma_system",
                                 .doc = "What network namespaces see of RDMA devices.",
                                 .topic = Topic::host,
                                 .lives = Lives::host,
                                 .fields = kFields,
                                 .play = take<&Port::rdma_system>,
                                 .chosen_by = {.others = Others::sriov_operator},
                                 .words = {.spell = spell},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::rdma_system
